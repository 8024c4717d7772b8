#include "ingest/otlp/otlp_series.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <iterator>
#include <tuple>
#include <unordered_map>
#include <vector>

#include <protozero/pbf_reader.hpp>
#include <xxhash.h>

#include "ingest/prometheus_write.h"

namespace seedance {
namespace {

constexpr std::string_view kServiceName = "service.name";
constexpr std::string_view kServiceNamespace = "service.namespace";
constexpr std::string_view kServiceInstance = "service.instance.id";
constexpr std::string_view kTargetInfoName = "target_info";
constexpr std::size_t kLabelsOfResource = 8;  // room for what a resource adds to a point

// A label and the attribute that it came from; attributes of one label are joined in the order of their keys.
struct NamedValue {
  std::string label;
  std::string key;
  std::string value;
};

bool is_identity(std::string_view key) { return key == kServiceName || key == kServiceNamespace || key == kServiceInstance; }

bool is_place(std::string_view key) {
  return key == "host.name" || key.starts_with("k8s.") || key.starts_with("cloud.") || key.starts_with("deployment.");
}

std::string_view attribute_of(const OtlpAttributes& attributes, std::string_view key) {
  const auto at = std::ranges::find(attributes, key, &OtlpAttribute::key);
  return at == attributes.end() ? std::string_view{} : std::string_view(at->value);
}

// Sorted by name; of one name the values joined.
Labels joined_labels(std::vector<NamedValue> values) {
  std::ranges::sort(values, [](const NamedValue& a, const NamedValue& b) { return std::tie(a.label, a.key) < std::tie(b.label, b.key); });
  Labels out;
  for (NamedValue& v : values) {
    if (v.value.empty()) continue;
    if (!out.empty() && out.back().name == v.label) {
      out.back().value += ";" + v.value;
    } else {
      out.push_back({std::move(v.label), std::move(v.value)});
    }
  }
  return out;
}

bool by_name(const Label& a, const Label& b) { return a.name < b.name; }
bool same_name(const Label& a, const Label& b) { return a.name == b.name; }

Labels labels_of(const OtlpAttributes& attributes, bool (*is_kept)(std::string_view)) {
  Labels out;
  out.reserve(attributes.size() + kLabelsOfResource);
  for (const OtlpAttribute& a : attributes) {
    if (is_kept(a.key) && !a.value.empty()) out.push_back({otlp_label_name(a.key), a.value});
  }
  std::ranges::sort(out, by_name);
  if (std::ranges::adjacent_find(out, same_name) == out.end()) return out;
  std::vector<NamedValue> values;
  for (const OtlpAttribute& a : attributes) {
    if (is_kept(a.key)) values.push_back({otlp_label_name(a.key), a.key, a.value});
  }
  return joined_labels(std::move(values));
}

// Adds to `labels` what it does not have; both are sorted.
void add_missing(Labels& labels, const Labels& others) {
  for (const Label& other : others) {
    const auto at = std::ranges::lower_bound(labels, other, by_name);
    if (at == labels.end() || at->name != other.name) labels.insert(at, other);
  }
}

// The label that the translation itself makes; it wins.
void set_label(Labels& labels, std::string_view name, std::string_view value) {
  const auto at = std::ranges::lower_bound(labels, name, {}, [](const Label& l) { return std::string_view(l.name); });
  if (at != labels.end() && at->name == name) {
    at->value = value;
  } else {
    labels.insert(at, {std::string(name), std::string(value)});
  }
}

// A bound as Prometheus writes it: "0.25", "1", "1000000".
std::string bound_text(double bound) {
  if (std::isinf(bound)) return bound > 0 ? "+Inf" : "-Inf";
  std::array<char, 400> text{};
  const auto [end, error] = std::to_chars(text.data(), text.data() + text.size(), bound, std::chars_format::fixed);
  return error == std::errc{} ? std::string(text.data(), end) : otlp_number_text(bound);
}

// What a set of attributes becomes, with the labels of resource and scope: the same points come for many metrics of one request.
struct KnownLabels {
  OtlpAttributes attributes;
  std::string before_name;  // the blocks of the labels before __name__, and of those behind it
  std::string behind_name;
};

constexpr std::size_t kKnownLabelsMax = 10'000;  // of one scope

std::uint64_t hash_of(const OtlpAttributes& attributes) {
  std::uint64_t out = attributes.size();
  for (const OtlpAttribute& a : attributes) {
    out = XXH3_64bits_withSeed(a.key.data(), a.key.size(), out);
    out = XXH3_64bits_withSeed(a.value.data(), a.value.size(), out);
  }
  return out;
}

std::int64_t millis_of_nanos(std::uint64_t nanos) { return static_cast<std::int64_t>(nanos / 1'000'000); }

bool needs_temporality(OtlpType type) { return type == OtlpType::kSum || type == OtlpType::kHistogram || type == OtlpType::kExponentialHistogram; }

// As they stand there; the block is one of ours.
Labels labels_of_block(std::string_view block) {
  Labels out;
  for (protozero::pbf_reader fields(block.data(), block.size()); fields.next();) {
    Label label;
    for (protozero::pbf_reader pair = fields.get_message(); pair.next();) (pair.tag() == 1 ? label.name : label.value) = pair.get_string();
    out.push_back(std::move(label));
  }
  return out;
}

// Why a point cannot be taken, or nullptr.
const char* point_fault(const OtlpMetric& metric, const OtlpPoint& point) {
  if (metric.name.empty()) return "metric without a name";
  if (point.time_nanos == 0) return "data point without a time";
  if (needs_temporality(metric.type) && metric.temporality == OtlpTemporality::kUnspecified) return "sum or histogram without a temporality";
  if (point.has_no_value) return nullptr;
  const bool is_number = metric.type == OtlpType::kGauge || metric.type == OtlpType::kSum;
  if (is_number && !point.as_int && !point.as_double) return "data point without a value";
  if (metric.type == OtlpType::kHistogram && !(point.bucket_counts.empty() && point.bounds.empty()) &&
      point.bucket_counts.size() != point.bounds.size() + 1) {
    return "histogram whose bucket counts are not one more than its bounds";
  }
  if (metric.type == OtlpType::kSum && metric.temporality == OtlpTemporality::kDelta) {
    if (!metric.is_monotonic) return "delta of a sum that is not monotonic: send cumulative temporality";
    const double value = point.as_int ? static_cast<double>(*point.as_int) : *point.as_double;
    if (!(value >= 0) || std::isinf(value)) return "delta of a monotonic sum that is below zero or not finite";
  }
  return nullptr;
}

}  // namespace

struct OtlpTranslator::State {
  OtlpWantedName wanted;
  OnSeries on_series;
  OtlpCounts counts;

  std::size_t resource_index = 0;  // of what follows; 0: none yet
  Labels resource_labels;          // job, instance and the place
  Labels info_labels;              // what only target_info says, with job and instance
  std::int64_t newest_ms = 0;

  std::size_t metric_index = 0;
  std::string name;  // of the metric
  Labels scope_labels;
  std::unordered_map<std::uint64_t, KnownLabels> known;  // by the hash of the attributes, under scope_labels
  std::string series_name;
  std::string block;

  // Of the point at hand.
  const KnownLabels* labels = nullptr;  // found when a series of it is wanted
  const OtlpMetric* metric = nullptr;
  const OtlpPoint* point = nullptr;
  bool any_wanted = false;

  void begin_resource(const OtlpResource& resource) {
    resource_index = resource.index;
    metric_index = 0;
    newest_ms = 0;
    std::string job(attribute_of(resource.attributes, kServiceNamespace));
    if (!job.empty()) job += "/";
    job += attribute_of(resource.attributes, kServiceName);
    Labels identity;
    if (const std::string_view instance = attribute_of(resource.attributes, kServiceInstance); !instance.empty()) {
      identity.push_back({"instance", std::string(instance)});
    }
    if (!attribute_of(resource.attributes, kServiceName).empty()) identity.push_back({"job", job});
    resource_labels = identity;
    add_missing(resource_labels, labels_of(resource.attributes, is_place));
    info_labels = labels_of(resource.attributes, [](std::string_view key) { return !is_identity(key); });
    if (!info_labels.empty()) {
      for (const Label& label : identity) set_label(info_labels, label.name, label.value);
    }
  }

  void begin_metric(const OtlpPointRef& ref) {
    metric_index = ref.metric.index;
    name = otlp_metric_name(ref.metric, wanted);
    Labels now = resource_labels;
    if (!ref.scope.name.empty()) set_label(now, "otel_scope_name", ref.scope.name);
    if (!ref.scope.version.empty()) set_label(now, "otel_scope_version", ref.scope.version);
    if (now == scope_labels) return;
    scope_labels = std::move(now);
    known.clear();
  }

  const KnownLabels* labels_of_point() {
    if (known.size() >= kKnownLabelsMax) known.clear();
    KnownLabels& found = known[hash_of(point->attributes)];
    const bool is_made = !found.before_name.empty() || !found.behind_name.empty();
    if (is_made && found.attributes == point->attributes) return &found;
    Labels made = labels_of(point->attributes, [](std::string_view) { return true; });
    add_missing(made, scope_labels);
    found = {point->attributes, {}, {}};
    for (const Label& l : made) append_label(l.name < kMetricNameLabel ? found.before_name : found.behind_name, l.name, l.value);
    return &found;
  }

  // The labels of the point with the series' name and one label more, in order.
  void make_block(std::string_view label, std::string_view label_text) {
    block = labels->before_name;
    append_label(block, kMetricNameLabel, series_name);
    block += labels->behind_name;
    if (label.empty()) return;
    Labels all = labels_of_block(block);
    set_label(all, label, label_text);
    block = encode_label_block(all);
  }

  // One series of the point; `label` may add a bucket's or a quantile's.
  void emit(std::string_view suffix, double value, bool is_counter, std::string_view label = {}, std::string_view label_text = {}) {
    const bool is_delta = is_counter && metric->temporality == OtlpTemporality::kDelta && metric->type != OtlpType::kSummary;
    const std::int64_t at = millis_of_nanos(point->time_nanos);
    std::array<Sample, 3> samples{{{at, value}, {}, {}}};
    std::size_t count = 1;
    if (point->has_no_value) {
      samples[0].value = stale_marker();
    } else if (is_delta) {
      const std::int64_t start = millis_of_nanos(point->start_nanos);
      const bool has_length = point->start_nanos != 0 && start + 2 <= at;
      samples = {{{has_length ? start + 1 : at - 1, 0.0}, {at, value}, {at + 1, 0.0}}};
      count = 3;
    }
    series_name.assign(name).append(suffix);
    if (wanted && !wanted(series_name)) {
      counts.samples_ignored += count;
      return;
    }
    if (!any_wanted) labels = labels_of_point();
    any_wanted = true;
    make_block(label, label_text);
    on_series({block, {samples.data(), count}, count});
  }

  void emit_histogram(bool has_buckets) {
    emit("_count", static_cast<double>(point->count), true);
    // A sum that can fall is no counter; with a delta it could not be placed.
    const bool is_delta = metric->temporality == OtlpTemporality::kDelta;
    if (point->has_no_value || (point->sum && !(is_delta && !(*point->sum >= 0 && std::isfinite(*point->sum))))) emit("_sum", point->sum.value_or(0), true);
    if (!has_buckets) return;
    std::uint64_t so_far = 0;
    for (std::size_t i = 0; i < point->bounds.size(); ++i) {
      if (i < point->bucket_counts.size()) so_far += point->bucket_counts[i];
      emit("_bucket", static_cast<double>(so_far), true, "le", bound_text(point->bounds[i]));
    }
    emit("_bucket", static_cast<double>(point->count), true, "le", "+Inf");
  }

  void emit_point() {
    switch (metric->type) {
      case OtlpType::kHistogram: return emit_histogram(true);
      case OtlpType::kExponentialHistogram: return emit_histogram(false);
      case OtlpType::kSummary:
        for (const OtlpQuantile& q : point->quantiles) emit("", q.value, false, "quantile", bound_text(q.quantile));
        emit("_sum", point->sum.value_or(0), false);
        return emit("_count", static_cast<double>(point->count), false);
      default: return emit("", point->as_int ? static_cast<double>(*point->as_int) : point->as_double.value_or(0), metric->is_monotonic);
    }
  }

  void add(const OtlpPointRef& ref) {
    if (ref.resource.index != resource_index) {
      finish();
      begin_resource(ref.resource);
    }
    if (ref.metric.index != metric_index) begin_metric(ref);
    ++counts.points;
    if (const char* fault = point_fault(ref.metric, ref.point)) {
      ++counts.points_rejected;
      if (counts.first_reason.empty()) counts.first_reason = std::string(fault) + ": " + ref.metric.name;
      return;
    }
    metric = &ref.metric;
    point = &ref.point;
    any_wanted = false;
    newest_ms = std::max(newest_ms, millis_of_nanos(point->time_nanos));
    emit_point();
    if (!any_wanted) ++counts.points_ignored;
  }

  // target_info of the resource that ends here.
  void finish() {
    if (resource_index != 0 && newest_ms > 0 && !info_labels.empty() && (!wanted || wanted(kTargetInfoName))) {
      const Sample sample{newest_ms, 1.0};
      set_label(info_labels, kMetricNameLabel, kTargetInfoName);
      block = encode_label_block(info_labels);
      on_series({block, {&sample, 1}, 1});
    }
    resource_index = 0;
  }
};

Labels OtlpTranslator::Series::labels() const { return labels_of_block(label_block); }

OtlpTranslator::OtlpTranslator(OtlpWantedName wanted, OnSeries on_series) : state_(std::make_unique<State>()) {
  state_->wanted = std::move(wanted);
  state_->on_series = std::move(on_series);
}
OtlpTranslator::~OtlpTranslator() = default;

void OtlpTranslator::add(const OtlpPointRef& ref) { state_->add(ref); }
void OtlpTranslator::finish() { state_->finish(); }
const OtlpCounts& OtlpTranslator::counts() const { return state_->counts; }

}  // namespace seedance
