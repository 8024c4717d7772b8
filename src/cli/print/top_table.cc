#include "cli/print/top_table.h"

#include <algorithm>

#include "cli/print/numbers.h"
#include "cli/print/table.h"
#include "cli/print/telemetry_table.h"
#include "cli/print/terminal_text.h"
#include "cli/texts.h"

namespace seedance {
namespace {

struct CauseText {
  std::string_view cause;
  TextId id;
};
constexpr CauseText kCauses[] = {{"not_allocated", TextId::kNotAllocated},
                                 {"held_not_started", TextId::kBarHeld},
                                 {"waiting_for_data", TextId::kBarData},
                                 {"waiting_for_communication", TextId::kBarCommunication},
                                 {"other_idle", TextId::kBarOtherIdle},
                                 {"inefficient", TextId::kBarInefficient},
                                 {"undetermined", TextId::kBarUndetermined}};

struct TopTableWriter {
  const TopReport& report;
  const Presentation& look;
  bool is_wide;
  TopSubject subject = report.question.subject;
  bool has_currencies = std::any_of(report.lines.begin(), report.lines.end(), [&](const TopLine& l) { return l.currency != report.lines[0].currency; });

  std::string word(TextId id) const { return std::string(text(id, look.language)); }

  // 80 columns are for who, since when, how busy and how much; the rest of a GPU is in the wide table.
  bool shows_evidence() const { return is_wide || subject != TopSubject::kGpus; }

  std::string rate_unit() const {
    if (has_currencies || report.lines.empty()) return filled(TextId::kHeadTotal, look.language, {""});
    return visible(report.lines[0].currency);
  }

  std::vector<TableColumn> columns() const {
    std::vector<TableColumn> out;
    const auto name = [&](TextId id) { out.push_back({word(id), false}); };
    const auto number = [&](std::string header) { out.push_back({std::move(header), true}); };
    if (subject == TopSubject::kGpus) {
      name(TextId::kKeyGpu);
      if (is_wide) name(TextId::kHeadModel);
      name(TextId::kHeadHeldBy);
      number(word(TextId::kHeadAge));
      number(word(TextId::kHeadSm));
      if (is_wide) number(word(TextId::kHeadTensor));
      if (is_wide) number(word(TextId::kHeadGpuMemory));
    } else {
      name(TextId::kKeyNamespace);
      name(subject == TopSubject::kPods ? TextId::kKeyPod : TextId::kKeyWorkload);
      if (subject == TopSubject::kPods) name(TextId::kKeyNode);
      if (is_wide) number(word(TextId::kHeadGpuHours));
      if (is_wide) number(word(TextId::kHeadActive));
    }
    if (has_currencies) name(TextId::kHeadCurrency);
    number(filled(TextId::kHeadPerHour, look.language, {rate_unit()}));
    number(word(TextId::kHeadWastedPerHour));
    name(TextId::kHeadCause);
    if (shows_evidence()) name(TextId::kHeadEvidence);
    return out;
  }

  std::string cause(const TopLine& line) const {
    for (const CauseText& known : kCauses) {
      if (known.cause != line.cause) continue;
      std::string words = word(known.id);
      if (words[0] >= 'A' && words[0] <= 'Z') words[0] = static_cast<char>(words[0] - 'A' + 'a');
      return words;
    }
    return line.cause.empty() ? "-" : line.cause;
  }

  std::string evidence(const TopLine& line) const {
    switch (line.evidence) {
      case Evidence::kGood: return word(TextId::kEvidenceGood);
      case Evidence::kPartial: return word(TextId::kEvidencePartial);
      case Evidence::kNone: return word(TextId::kEvidenceNone);
      case Evidence::kNotApplicable: break;
    }
    return "n/a";
  }

  // Money whose cause is not known is not called wasted, and not called fine either.
  std::string wasted(const TopLine& line) const {
    return line.wasted_per_hour == 0 && line.cause == "undetermined" ? "?" : money_text(line.wasted_per_hour);
  }

  std::string gpu_name(const TopLine& line) const {
    const std::string& device = line.gpu_index.empty() ? line.gpu : line.gpu_index;
    return line.node + "/" + (device.empty() ? word(TextId::kUnknownGpu) : device);
  }

  std::string held_by(const TopLine& line) const {
    if (line.state == TopState::kFree) return word(TextId::kFree);
    if (line.state != TopState::kStranded) return line.namespace_name + "/" + line.pod;
    const bool cpu = line.stranded_by.starts_with("no cpu");
    const bool memory = line.stranded_by.find("no memory") != std::string::npos;
    const TextId lack = cpu && memory ? TextId::kLackBoth : cpu ? TextId::kLackCpu : memory ? TextId::kLackMemory : TextId::kLackOther;
    return filled(TextId::kStrandedBy, look.language, {word(lack)});
  }

  std::string age(const TopLine& line) const {
    if (!line.since) return "-";
    return age_text(report.as_of - *line.since) + (line.since_or_earlier ? "+" : "");
  }

  static std::string short_model(std::string_view model) {
    constexpr std::string_view kVendor = "NVIDIA ";
    return std::string(model.empty() ? "-" : model.starts_with(kVendor) ? model.substr(kVendor.size()) : model);
  }

  std::vector<std::string> row(const TopLine& line) const {
    std::vector<std::string> out;
    if (subject == TopSubject::kGpus) {
      out.push_back(gpu_name(line));
      if (is_wide) out.push_back(short_model(line.gpu_model));
      out.push_back(held_by(line));
      out.push_back(age(line));
      out.push_back(percent_text(line.sums.sm_active, line.sums.sm_measured));
      if (is_wide) out.push_back(percent_text(line.sums.tensor_active, line.sums.tensor_measured));
      if (is_wide) out.push_back(memory_text(line.sums));
    } else {
      out.push_back(line.namespace_name);
      out.push_back(subject == TopSubject::kPods ? line.pod : line.workload);
      if (subject == TopSubject::kPods) out.push_back(line.node);
      if (is_wide) out.push_back(hours_text(line.sums.gpu_allocated));
      if (is_wide) out.push_back(activity_text(line.sums));
    }
    if (has_currencies) out.push_back(line.currency);
    out.push_back(money_text(line.cost_per_hour));
    out.push_back(wasted(line));
    out.push_back(cause(line));
    if (shows_evidence()) out.push_back(evidence(line));
    return out;
  }
};

}  // namespace

std::string print_top_table(const TopReport& report, const Presentation& look, bool is_wide) {
  const TopTableWriter writer{report, look, is_wide};
  Table table{writer.columns(), {}};
  for (const TopLine& line : report.lines) table.rows.push_back(writer.row(line));
  std::string out = print_table(table, look);
  if (!look.headers) return out;
  if (report.lines_left_out > 0) out += filled(TextId::kLeftOut, look.language, {std::to_string(report.lines_left_out)}) + "\n";
  out += window_text(report.question.window, report.question.zone) + "\n";
  if (report.has_provisional) out += writer.word(TextId::kProvisional) + "\n";
  out += telemetry_lines(report.telemetry, report.question.zone, look);
  return out;
}

}  // namespace seedance
