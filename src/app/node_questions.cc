#include "app/node_questions.h"

namespace seedance {
namespace {

// The provider is in the node's identity ("aws:///us-east-1a/i-0abc"), with the zone behind it.
void read_identity(std::string_view uid, PriceQuestion& q) {
  if (uid.starts_with("aws:///")) {
    q.provider = "aws";
    const std::string_view rest = uid.substr(7);
    q.zone = rest.substr(0, rest.find('/'));
    if (!q.zone.empty()) q.region = q.zone.substr(0, q.zone.size() - 1);
  } else if (uid.starts_with("gce://")) {
    q.provider = "gcp";
    const std::size_t zone = uid.find('/', 6);
    if (zone != std::string_view::npos) q.zone = uid.substr(zone + 1, uid.find('/', zone + 1) - zone - 1);
    q.region = q.zone.substr(0, q.zone.rfind('-'));
  } else if (uid.starts_with("azure:")) {
    q.provider = "azure";
  }
}

}  // namespace

Result<PriceQuestion> price_question_of_node(const LedgerStore& ledger, const std::string& node) {
  if (node.empty()) return fail(Code::kNotFound, "node has no name");
  PriceQuestion q;
  q.node = node;
  TRY_ASSIGN(const std::vector<TimePoint> hours, ledger.hours());
  for (auto hour = hours.rbegin(); hour != hours.rend(); ++hour) {
    TRY_ASSIGN(const std::vector<LedgerRow> rows, ledger.read_rows({*hour, *hour + std::chrono::hours(1)}));
    for (const LedgerRow& row : rows) {
      if (row.node != node || row.instance_type.empty()) continue;
      q.instance_type = row.instance_type;
      q.capacity_kind = row.capacity_kind;
      read_identity(row.node_uid, q);
      return q;
    }
    if (hour - hours.rbegin() >= 24) break;  // a node that was not there for a day is not known
  }
  q.instance_type = node;
  q.node.clear();
  q.capacity_kind = "on-demand";
  return q;
}

}  // namespace seedance
