#include "cli/print/price_table.h"

#include "cli/print/numbers.h"
#include "cli/print/table.h"
#include "cli/print/terminal_text.h"
#include "cli/texts.h"
#include "model/message_texts.h"

namespace seedance {
namespace {

constexpr int kRateDecimals = 6;  // unit prices are small; cloud lists have four to six decimals

std::string rate_text(std::int64_t nanos) { return print_rounded(nanos, kRateDecimals); }

std::string thousandths(std::int64_t value, std::int64_t whole) {
  return print_rounded(static_cast<Int128>(value) * 1'000'000'000 / whole, value % whole == 0 ? 0 : 1);
}

}  // namespace

std::string print_price_table(const PriceList& prices, const Presentation& look) {
  const auto word = [&](TextId id) { return std::string(text(id, look.language)); };
  Table table;
  for (const TextId id : {TextId::kHeadProvider, TextId::kHeadRegion, TextId::kHeadType, TextId::kHeadKind, TextId::kHeadCurrency}) table.columns.push_back({word(id)});
  table.columns.push_back({word(TextId::kHeadPrice), true});
  for (const TextId id : {TextId::kHeadSince, TextId::kHeadSource}) table.columns.push_back({word(id)});
  for (const PriceEntry& e : prices.entries) {
    const std::string& place = e.zone.empty() ? e.region : e.zone;
    table.rows.push_back({e.provider.empty() ? "-" : e.provider, place.empty() ? "-" : place, e.node.empty() ? e.instance_type : e.node, e.capacity_kind,
                          e.currency, rate_text(e.rate.nanos_per_unit_hour), e.valid_from == TimePoint{} ? "-" : day_text(e.valid_from, prices.zone), e.source});
  }
  return print_table(table, look);
}

std::string print_price_explanation(const PriceExplanation& e, const Presentation& look) {
  const Language language = look.language;
  if (!e.is_priced) {
    return filled(TextId::kPriceUnknown, language, {visible(e.node), visible(message_in(language, e.source))}) + "\n" +
           (e.hint.empty() ? "" : std::string(text(TextId::kHint, language)) + visible(message_in(language, e.hint)) + "\n");
  }
  const PriceQuestion& q = e.question;
  std::string out = filled(TextId::kPriceOf, language,
                           {visible(e.node), rate_text(e.rate.nanos_per_unit_hour), visible(e.currency), visible(q.provider), visible(q.zone.empty() ? q.region : q.zone),
                            visible(q.instance_type), visible(q.capacity_kind)}) + "\n";
  out += filled(TextId::kPriceFrom, language, {visible(e.source)}) + "\n";
  out += filled(TextId::kPriceShape, language, {thousandths(e.cpu_millis, 1'000), thousandths(e.memory_mib, 1'024), card_count(e.gpu_millis)}) + "\n\n";
  Table table;
  table.columns.push_back({std::string(text(TextId::kHeadMethod, language))});
  for (const TextId id : {TextId::kHeadCpu, TextId::kHeadMemory, TextId::kHeadGpu}) table.columns.push_back({filled(id, language, {"/H"}), true});
  for (const TextId id : {TextId::kHeadPerCore, TextId::kHeadPerGib, TextId::kHeadPerGpu}) table.columns.push_back({std::string(text(id, language)), true});
  for (const PriceExplanation::Division& d : e.divisions) {
    table.rows.push_back({std::string(split_method_name(d.method)), rate_text(d.cpu.nanos()), rate_text(d.memory.nanos()), rate_text(d.gpu.nanos()),
                          rate_text(d.per_core.nanos_per_unit_hour), rate_text(d.per_gib.nanos_per_unit_hour),
                          e.gpu_millis == 0 ? "n/a" : rate_text(d.per_gpu.nanos_per_unit_hour)});
  }
  return out + print_table(table, look);
}

}  // namespace seedance
