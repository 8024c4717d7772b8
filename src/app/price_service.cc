#include "app/price_service.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "base/log.h"
#include "base/split.h"
#include "base/time_text.h"
#include "pricing/node_split.h"
#include "report/sums_json.h"
#include "report/window_json.h"

namespace seedance {
namespace {

namespace fs = std::filesystem;

Result<std::string> read_whole_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) return fail(Code::kNotFound, "price list cannot be read: " + path);
  std::ostringstream out;
  out << in.rdbuf();
  return std::move(out).str();
}

// The files that imports left here are numbered.
bool is_kept_file(const fs::path& path) {
  const std::string stem = path.stem().string();
  return path.extension() == ".csv" && stem.size() == 6 && stem.find_first_not_of("0123456789") == std::string::npos;
}

std::string kept_name(const std::string& directory, std::size_t number) {
  std::ostringstream name;
  name << directory << '/';
  name.fill('0');
  name.width(6);
  name << number << ".csv";
  return name.str();
}

std::string print_rate(HourlyRate rate) { return print_exact(Money::nanos(rate.nanos_per_unit_hour)); }
HourlyRate rate_from(const Json& json) { return {parse_money(json.text()).value_or(Money{}).nanos()}; }

HourlyRate per_unit(Money part, std::int64_t units, std::int64_t scale_by) {
  if (units == 0) return {};
  return {seedance::scale(part, scale_by, units).nanos()};
}

PriceExplanation::Division divide(const PriceExplanation& e, const PriceAnswer& answer, const PriceBook& book, SplitMethod method) {
  SplitQuestion q;
  q.method = method;
  q.provider = e.question.provider;
  q.shape = {e.cpu_millis * 1'000'000, e.memory_mib << 20, e.gpu_millis};
  q.list = answer.list ? answer.list->rate : answer.entry.rate;
  q.plain = book.unit_rates(e.question.provider, e.question.region);
  const NodeSplit split_weights = split_node_price(q);
  const Int128 weights[] = {split_weights.cpu, split_weights.memory, split_weights.gpu};
  PriceExplanation::Division out;
  out.method = method;
  if (split_weights.cpu + split_weights.memory + split_weights.gpu == 0) return out;
  const std::vector<Money> parts = split(Money::nanos(e.rate.nanos_per_unit_hour), weights);
  out.cpu = parts[0];
  out.memory = parts[1];
  out.gpu = parts[2];
  out.per_core = per_unit(parts[0], e.cpu_millis, 1'000);
  out.per_gib = per_unit(parts[1], e.memory_mib, 1'024);
  out.per_gpu = per_unit(parts[2], e.gpu_millis, 1'000);
  return out;
}

}  // namespace

PriceService::PriceService(std::string directory, PriceBook book)
    : directory_(std::move(directory)), book_(std::make_shared<const PriceBook>(std::move(book))) {}

Result<std::unique_ptr<PriceService>> PriceService::open(const std::string& directory, const std::vector<std::string>& configured_files,
                                                         PriceBookOptions options) {
  PriceBook book = PriceBook::built_in(options);
  std::vector<std::string> files;
  if (!directory.empty() && fs::exists(directory)) {
    for (const fs::directory_entry& entry : fs::directory_iterator(directory)) {
      if (is_kept_file(entry.path())) files.push_back(entry.path().string());
    }
    std::sort(files.begin(), files.end());
  }
  const std::size_t next = files.empty() ? 1 : std::stoull("0" + fs::path(files.back()).stem().string()) + 1;
  files.insert(files.end(), configured_files.begin(), configured_files.end());
  for (const std::string& file : files) {
    TRY_ASSIGN(const std::string text, read_whole_file(file));
    TRY_ASSIGN(const PriceImport report, book.import_csv(text, file));
    for (const std::string& line : report.refused) log_warn("price line refused; mend the file and import it again", {{"line", line}});
  }
  std::unique_ptr<PriceService> service(new PriceService(directory, std::move(book)));
  service->next_file_ = next;
  return service;
}

std::shared_ptr<const PriceBook> PriceService::book() const {
  const std::lock_guard lock(mutex_);
  return book_;
}

Result<void> PriceService::reload(const std::vector<std::string>& configured_files, PriceBookOptions options) {
  TRY_ASSIGN(const std::unique_ptr<PriceService> next, open(directory_, configured_files, options));
  const std::lock_guard lock(mutex_);
  book_ = next->book();
  return {};
}

Result<PriceImport> PriceService::import_csv(std::string_view text, std::string_view file_name) {
  const std::lock_guard lock(mutex_);
  PriceBook next = *book_;
  TRY_ASSIGN(PriceImport report, next.import_csv(text, file_name));
  if (report.accepted > 0 && !directory_.empty()) {
    std::error_code error;
    fs::create_directories(directory_, error);
    const std::string path = kept_name(directory_, next_file_);
    std::ofstream out(path + ".new", std::ios::binary);
    out << text;
    out.close();
    if (!out || std::rename((path + ".new").c_str(), path.c_str()) != 0) return fail(Code::kExhausted, "price list cannot be kept: " + path);
    ++next_file_;
  }
  book_ = std::make_shared<const PriceBook>(std::move(next));
  return report;
}

std::vector<PriceEntry> list_prices(const PriceBook& book, const PriceListQuestion& question) {
  std::vector<PriceEntry> out;
  for (const PriceEntry& e : book.entries()) {
    if (!question.provider.empty() && e.provider != question.provider) continue;
    if (!question.region.empty() && e.region != question.region) continue;
    if (!e.instance_type.starts_with(question.instance_type)) continue;
    out.push_back(e);
  }
  return out;
}

Json price_list_json(const PriceList& prices) {
  Json list = Json::array();
  for (const PriceEntry& e : prices.entries) {
    Json one = Json::object();
    one.set("provider", e.provider).set("region", e.region).set("zone", e.zone).set("instance_type", e.instance_type).set("node", e.node);
    one.set("capacity_kind", e.capacity_kind).set("currency", e.currency).set("price_per_hour", print_rate(e.rate)).set("accelerator", e.accelerator);
    one.set("gpu_millis", e.gpu_millis).set("cpu_millis", e.cpu_millis).set("memory_mib", e.memory_mib);
    one.set("valid_from", e.valid_from == TimePoint{} ? Json() : Json(print_time(e.valid_from, prices.zone))).set("source", e.source);
    list.add(std::move(one));
  }
  return Json::object().set("zone", prices.zone.name()).set("prices", std::move(list));
}

PriceList price_list_from_json(const Json& json) {
  PriceList out{{}, zone_from(json)};
  for (const Json& one : json.at("prices").elements()) {
    PriceEntry e;
    std::string* const texts[] = {&e.provider, &e.region, &e.zone, &e.instance_type, &e.node, &e.capacity_kind, &e.currency, &e.accelerator, &e.source};
    std::size_t at = 0;
    for (const std::string_view name : {"provider", "region", "zone", "instance_type", "node", "capacity_kind", "currency", "accelerator", "source"}) {
      *texts[at++] = one.at(name).text();
    }
    e.rate = rate_from(one.at("price_per_hour"));
    e.gpu_millis = one.at("gpu_millis").integer();
    e.cpu_millis = one.at("cpu_millis").integer();
    e.memory_mib = one.at("memory_mib").integer();
    if (const Result<TimePoint> since = parse_time(one.at("valid_from").text())) e.valid_from = *since;
    out.entries.push_back(std::move(e));
  }
  return out;
}

Result<PriceQuestion> complete_question(const PriceBook& book, PriceQuestion question, const std::string& asked) {
  if (!question.node.empty()) return question;
  for (const PriceEntry& e : book.entries()) {
    if (e.node != asked && e.instance_type != asked) continue;
    return PriceQuestion{e.provider, e.region, e.zone, e.zone, e.instance_type, asked, e.capacity_kind};
  }
  return fail(Code::kNotFound, "neither a node nor an instance type of the price book: " + asked, "seedancectl prices list");
}

PriceExplanation explain_price(const PriceBook& book, const PriceQuestion& question, TimePoint at) {
  PriceExplanation e;
  e.node = question.node;
  e.question = question;
  const Result<PriceAnswer> answer = book.price_of(question, at);
  if (!answer) {
    e.source = answer.error().message;
    e.hint = answer.error().hint;
    return e;
  }
  e.is_priced = true;
  e.source = answer->source;
  e.currency = answer->entry.currency;
  e.rate = answer->entry.rate;
  const PriceEntry& shape = answer->list ? *answer->list : answer->entry;
  e.cpu_millis = shape.cpu_millis;
  e.memory_mib = shape.memory_mib;
  e.gpu_millis = shape.gpu_millis;
  for (const SplitMethod method : {SplitMethod::kResidual, SplitMethod::kAwsWeights, SplitMethod::kOpenCostRatio}) {
    e.divisions.push_back(divide(e, *answer, book, method));
  }
  return e;
}

Json price_explanation_json(const PriceExplanation& e) {
  Json out = Json::object();
  const PriceQuestion& q = e.question;
  out.set("node", e.node).set("provider", q.provider).set("region", q.region).set("zone", q.zone).set("instance_type", q.instance_type);
  out.set("capacity_kind", q.capacity_kind).set("priced", e.is_priced).set("source", e.source).set("hint", e.hint).set("currency", e.currency);
  out.set("price_per_hour", print_rate(e.rate)).set("cpu_millis", e.cpu_millis).set("memory_mib", e.memory_mib).set("gpu_millis", e.gpu_millis);
  Json divisions = Json::array();
  for (const PriceExplanation::Division& d : e.divisions) {
    Json one = Json::object();
    one.set("method", split_method_name(d.method)).set("cpu_cost", print_exact(d.cpu)).set("memory_cost", print_exact(d.memory)).set("gpu_cost", print_exact(d.gpu));
    one.set("per_core_hour", print_rate(d.per_core)).set("per_gib_hour", print_rate(d.per_gib)).set("per_gpu_hour", print_rate(d.per_gpu));
    divisions.add(std::move(one));
  }
  return out.set("divisions", std::move(divisions));
}

Result<PriceExplanation> price_explanation_from_json(const Json& json) {
  PriceExplanation e;
  e.node = json.at("node").text();
  e.question = {std::string(json.at("provider").text()), std::string(json.at("region").text()), std::string(json.at("zone").text()), "",
                std::string(json.at("instance_type").text()), e.node, std::string(json.at("capacity_kind").text())};
  e.is_priced = json.at("priced").boolean();
  e.source = json.at("source").text();
  e.hint = json.at("hint").text();
  e.currency = json.at("currency").text();
  e.rate = rate_from(json.at("price_per_hour"));
  e.cpu_millis = json.at("cpu_millis").integer();
  e.memory_mib = json.at("memory_mib").integer();
  e.gpu_millis = json.at("gpu_millis").integer();
  for (const Json& one : json.at("divisions").elements()) {
    PriceExplanation::Division d;
    TRY_ASSIGN(d.method, parse_split_method(one.at("method").text()));
    d.cpu = Money::nanos(rate_from(one.at("cpu_cost")).nanos_per_unit_hour);
    d.memory = Money::nanos(rate_from(one.at("memory_cost")).nanos_per_unit_hour);
    d.gpu = Money::nanos(rate_from(one.at("gpu_cost")).nanos_per_unit_hour);
    d.per_core = rate_from(one.at("per_core_hour"));
    d.per_gib = rate_from(one.at("per_gib_hour"));
    d.per_gpu = rate_from(one.at("per_gpu_hour"));
    e.divisions.push_back(d);
  }
  return e;
}

}  // namespace seedance
