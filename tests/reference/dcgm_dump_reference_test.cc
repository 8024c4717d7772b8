// Dumps of dcgm-exporter, imported as they are: every GPU and MIG instance, its holder, value and scale comes out as they say.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include <gtest/gtest.h>

#include "base/steps.h"
#include "tests/reference/shared_data.h"
#include "tests/reference/whole_path.h"

namespace seedance {
namespace {

constexpr std::int64_t kDumpHour = 1'796'047'200;  // 2026-11-30T14:00:00Z

std::string dump_path(const std::string& name) { return shared_data("ingest/dcgm/" + name + ".prom"); }

// One line of a dump, read by other means than the product's.
struct DumpRow {
  std::string metric;
  std::map<std::string, std::string> labels;
  double value = 0;
  std::string value_text;

  std::string label(const std::string& name) const {
    const auto at = labels.find(name);
    return at == labels.end() ? "" : at->second;
  }
  std::string device() const { return label("UUID") + (label("GPU_I_ID").empty() ? "" : "/" + label("GPU_I_ID")); }
  std::string series() const {
    std::string out = metric + "{";
    for (const auto& [name, text] : labels) out += (out.back() == '{' ? "" : ",") + name + "=\"" + text + "\"";
    return out + "}";
  }
};
using Dump = std::vector<DumpRow>;

// `metric{name="text",...} value`; everything else is skipped.
Dump read_dump(const std::string& name) {
  Dump out;
  std::ifstream in(dump_path(name));
  for (std::string line; std::getline(in, line);) {
    const std::size_t open = line.find('{');
    const std::size_t close = line.rfind("} ");
    if (line.empty() || line.front() == '#' || open == std::string::npos || close == std::string::npos) continue;
    DumpRow row;
    row.metric = line.substr(0, open);
    row.value_text = line.substr(close + 2);
    row.value = std::stod(row.value_text);
    for (std::size_t at = open + 1; at < close;) {
      const std::size_t equals = line.find("=\"", at);
      const std::size_t quote = line.find('"', equals + 2);
      row.labels[line.substr(at, equals - at)] = line.substr(equals + 2, quote - equals - 2);
      at = quote + 2;  // behind the comma
    }
    out.push_back(row);
  }
  return out;
}

// The dump as it would be scraped for an hour.
std::string hour_of_scrapes(const Dump& dump) {
  MetricLines lines;
  for (const DumpRow& row : dump) lines.hold(kDumpHour, kDumpHour + 3'600, row.series(), row.value_text);
  return lines.text();
}

// What the product understood of a dump.
struct Understood {
  std::vector<DeviceActivity> devices;
  std::map<std::pair<std::string, SignalId>, double> values;  // of every device and signal, in the signal's unit; NaN: blank

  const DeviceActivity& device(const std::string& key) const {
    return *std::find_if(devices.begin(), devices.end(), [&](const DeviceActivity& d) { return d.key() == key; });
  }
  std::set<std::string> cards() const {
    std::set<std::string> out;
    for (const DeviceActivity& d : devices) out.insert(d.uuid);
    return out;
  }
  std::vector<double> all(SignalId signal) const {
    std::vector<double> out;
    for (const auto& [key, value] : values) {
      if (key.second == signal && !std::isnan(value)) out.push_back(value);
    }
    return out;
  }
  double sum(SignalId signal) const {
    double out = 0;
    for (const double v : all(signal)) out += v;
    return out;
  }
};

Understood understood(const Dump& dump) {
  WholePath path;
  path.import(hour_of_scrapes(dump));
  const TimePoint hour = time_from_seconds(kDumpHour);
  Understood out;
  out.devices = path.gather(hour).devices;
  const SeriesRegistry& registry = path.intake().registry();
  path.intake().read_hour({hour, hour + std::chrono::hours(1)}, [](const SeriesMeaning&) { return true; }, [&](std::uint32_t series, std::span<const Sample> samples) {
    const SeriesMeaning& m = *registry.meaning(series);
    const std::string instance(registry.symbols().text(m.instance));
    const std::string key = std::string(registry.symbols().text(m.device)) + (instance.empty() ? "" : "/" + instance);
    out.values[{key, m.signal}] = meant_value(*m.binding, samples.front().value);
  });
  return out;
}

std::int64_t level_in(const Steps& steps) { return steps.empty() ? -1 : steps.front().level; }

const std::vector<std::string> kDumps{"a100-mig-1g5gb-idle", "a100-mig-2x1g5gb-2g10gb", "a100-mig-4-active", "a100-mig-disabled-idle", "scripted-gpu-node-a",
                                      "scripted-gpu-node-b", "scripted-gpu-node-c", "t4-fraction-reservation-pod", "zx-two-whole-gpus", "zx-mig-beside-whole"};

class DcgmDumpReferenceTest : public testing::Test {
 protected:
  void SetUp() override { SKIP_WITHOUT(dump_path("zx-two-whole-gpus")); }
};

void expect_row_understood(const DumpRow& row, const Understood& got) {
  const DeviceActivity& d = got.device(row.device());
  EXPECT_EQ(d.uuid, row.label("UUID"));
  EXPECT_EQ(d.instance, row.label("GPU_I_ID"));
  EXPECT_EQ(d.profile, row.label("GPU_I_PROFILE"));
  EXPECT_EQ(d.model, row.label("modelName"));
  EXPECT_EQ(d.node, row.label("Hostname"));
  if (row.metric == "DCGM_FI_PROF_GR_ENGINE_ACTIVE") {
    EXPECT_EQ(level_in(d.engine_active), std::llround(row.value * 1e6));
  }
  if (row.metric == "DCGM_FI_DEV_GPU_UTIL") {
    EXPECT_EQ(level_in(d.utilization), std::llround(row.value * 1e4));
  }
  if (row.metric == "DCGM_FI_PROF_DRAM_ACTIVE") {
    EXPECT_EQ(level_in(d.dram_active), std::llround(row.value * 1e6));
  }
  if (row.metric == "DCGM_FI_PROF_PIPE_TENSOR_ACTIVE") {
    EXPECT_EQ(level_in(d.math_active), std::llround(row.value * 1e6));
  }
  if (row.label("pod").empty()) {
    EXPECT_TRUE(d.holders.empty()) << "absent and empty labels name nobody";
    EXPECT_FALSE(d.free.empty());
    return;
  }
  ASSERT_EQ(d.holders.size(), 1u);
  EXPECT_EQ(d.holders[0].namespace_name, row.label("namespace"));
  EXPECT_EQ(d.holders[0].pod, row.label("pod"));
  EXPECT_EQ(d.holders[0].container, row.label("container"));
  EXPECT_EQ(present_nanos(clip(d.holders[0].seen, {time_from_seconds(kDumpHour), time_from_seconds(kDumpHour + 3'600)})), kNanosPerHour);
}

TEST_F(DcgmDumpReferenceTest, EveryRowOfEveryDumpIsUnderstood) {
  std::size_t rows = 0;
  for (const std::string& name : kDumps) {
    const Dump dump = read_dump(name);
    const Understood got = understood(dump);
    std::set<std::string> devices;
    for (const DumpRow& row : dump) {
      SCOPED_TRACE(name + " " + row.series());
      devices.insert(row.device());
      expect_row_understood(row, got);
      ++rows;
    }
    EXPECT_EQ(got.devices.size(), devices.size()) << name;
  }
  EXPECT_EQ(rows, 499u);
}

TEST_F(DcgmDumpReferenceTest, ScalesAreThoseOfTheSignals) {
  const std::map<std::string, std::pair<SignalId, double>> known{
      {"DCGM_FI_DEV_FB_USED", {SignalId::kGpuMemoryUsed, 1048576}},     {"DCGM_FI_DEV_FB_FREE", {SignalId::kGpuMemoryFree, 1048576}},
      {"DCGM_FI_DEV_POWER_USAGE", {SignalId::kGpuPower, 1}},            {"DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION", {SignalId::kGpuEnergy, 0.001}},
      {"DCGM_FI_DEV_GPU_UTIL", {SignalId::kGpuUtilization, 0.01}},      {"DCGM_FI_PROF_GR_ENGINE_ACTIVE", {SignalId::kGpuEngineActive, 1}},
      {"DCGM_FI_DEV_MEM_COPY_UTIL", {SignalId::kGpuMemoryCopyUtil, 0.01}}};
  for (const std::string& name : kDumps) {
    const Dump dump = read_dump(name);
    const Understood got = understood(dump);
    for (const DumpRow& row : dump) {
      const auto at = known.find(row.metric);
      if (at == known.end()) continue;
      const auto& [signal, scale] = at->second;
      EXPECT_DOUBLE_EQ(got.values.at({row.device(), signal}), row.value * scale) << name << " " << row.series();
    }
  }
}

TEST_F(DcgmDumpReferenceTest, TwoWholeGpus) {
  const Understood got = understood(read_dump("zx-two-whole-gpus"));
  EXPECT_EQ(got.cards().size(), 2u);
  const std::vector<double> utilization = got.all(SignalId::kGpuUtilization);
  EXPECT_DOUBLE_EQ(got.sum(SignalId::kGpuUtilization) / static_cast<double>(utilization.size()), 0.435);
  EXPECT_DOUBLE_EQ(*std::max_element(utilization.begin(), utilization.end()), 0.87);
  EXPECT_DOUBLE_EQ(got.sum(SignalId::kGpuMemoryUsed) / 1048576, 38'006);
}

TEST_F(DcgmDumpReferenceTest, MigInstancesBesideAWholeGpu) {
  const Understood got = understood(read_dump("zx-mig-beside-whole"));
  EXPECT_EQ(got.cards().size(), 2u);
  EXPECT_EQ(got.devices.size(), 3u);
  EXPECT_EQ(got.all(SignalId::kGpuUtilization), std::vector<double>{0.92}) << "missing on instances is not zero: the mean is 92, not 30.67";
  EXPECT_DOUBLE_EQ(got.sum(SignalId::kGpuMemoryUsed) / 1048576, 43'390);
  EXPECT_DOUBLE_EQ(got.sum(SignalId::kGpuMemoryFree) / 1048576, 21'473);
}

TEST_F(DcgmDumpReferenceTest, FourInstancesOfOneCard) {
  const Understood got = understood(read_dump("a100-mig-4-active"));
  EXPECT_EQ(got.cards().size(), 1u);
  ASSERT_EQ(got.devices.size(), 4u);
  for (const DeviceActivity& d : got.devices) EXPECT_TRUE(d.utilization.empty()) << "not measured on instances";
  // The whole card's energy stands on every row: its meter is read once, not four times.
  const std::vector<double> energy = got.all(SignalId::kGpuEnergy);
  EXPECT_EQ(energy, std::vector<double>(4, 6'890.956));
}

TEST_F(DcgmDumpReferenceTest, BlankTemperatureIsMissing) {
  const Understood got = understood(read_dump("scripted-gpu-node-c"));
  EXPECT_TRUE(std::isnan(got.values.at({got.devices.at(0).key(), SignalId::kGpuMemoryTemperature})));
  EXPECT_EQ(got.all(SignalId::kGpuTemperature), std::vector<double>{38});
}

// The names of dcgm-exporter 1.x, and the names of today in lower case.
TEST_F(DcgmDumpReferenceTest, BothNameGenerationsMeanTheSame) {
  const Catalogue catalogue;
  std::map<SignalId, std::string> old_names;
  for (const SignalBinding& b : catalogue.bindings()) {
    if (b.exporter == "dcgm-exporter 1.x") old_names[b.signal] = b.metric;
  }
  for (const std::string& name : kDumps) {
    const Dump dump = read_dump(name);
    Dump old = dump;
    Dump lower = dump;
    for (DumpRow& row : old) {
      const SignalBinding* binding = catalogue.find(row.metric);
      if (binding != nullptr && old_names.contains(binding->signal)) row.metric = old_names[binding->signal];
    }
    for (DumpRow& row : lower) {
      for (char& c : row.metric) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
    const Understood today = understood(dump);
    for (const Dump& other : {old, lower}) {
      const Understood got = understood(other);
      ASSERT_EQ(got.values.size(), today.values.size()) << name;
      for (const auto& [key, value] : today.values) {
        EXPECT_TRUE(got.values.at(key) == value || std::isnan(value)) << name << " " << key.first;
      }
    }
  }
  EXPECT_GE(old_names.size(), 8u);
}

// Target labels as Prometheus puts them on: with honor_labels the exporter's own label stays, else it becomes `exported_*`; an empty label
// is none.
Dump with_target_labels(Dump dump, bool honor_labels) {
  for (DumpRow& row : dump) {
    for (const auto& [name, text] : std::map<std::string, std::string>{{"pod", "gpu-meter-x7k2p"}, {"namespace", "monitoring"}, {"container", "meter"}}) {
      const std::string own = row.label(name);
      if (!own.empty() && honor_labels) continue;
      if (!own.empty()) row.labels["exported_" + name] = own;
      row.labels[name] = text;
    }
  }
  return dump;
}

TEST_F(DcgmDumpReferenceTest, TargetLabelsLeaveTheHoldersAndNeverProveTheExporter) {
  for (const std::string& name : kDumps) {
    const Understood plain = understood(read_dump(name));
    for (const bool honor_labels : {false, true}) {
      const Understood got = understood(with_target_labels(read_dump(name), honor_labels));
      ASSERT_EQ(got.devices.size(), plain.devices.size()) << name;
      for (const DeviceActivity& d : got.devices) {
        ASSERT_EQ(d.holders.size(), 1u) << name;
        const bool is_meter = d.holders[0].pod == "gpu-meter-x7k2p";
        const std::vector<DeviceHolder>& before = plain.device(d.key()).holders;
        EXPECT_EQ(is_meter, before.empty()) << name;
        EXPECT_EQ(d.holders[0].by_exporter, !is_meter && !honor_labels) << name;
        EXPECT_TRUE(d.free.empty()) << name;
        if (!is_meter) {
          EXPECT_EQ(d.holders[0].pod, before[0].pod);
        }
      }
    }
  }
}

// --kubernetes-virtual-gpus: one series for each holder of a shared card, with a `vgpu` label.
TEST_F(DcgmDumpReferenceTest, VirtualGpusAreOneCardWithSeveralHolders) {
  Dump dump = read_dump("zx-two-whole-gpus");
  const std::size_t rows = dump.size();
  for (std::size_t i = 0; i < rows; ++i) {
    if (dump[i].label("pod").empty()) continue;
    dump[i].labels["vgpu"] = "0";
    DumpRow second = dump[i];
    second.labels["vgpu"] = "1";
    second.labels["pod"] = "train-1";
    dump.push_back(second);
  }
  const Understood got = understood(dump);
  ASSERT_EQ(got.devices.size(), 2u);
  const DeviceActivity& shared = got.device("GPU-11111111-1111-1111-1111-111111111111");
  ASSERT_EQ(shared.holders.size(), 2u);
  EXPECT_EQ(shared.holders[1].pod, "train-1");
  EXPECT_EQ(level_in(shared.utilization), 870'000) << "the card's own value, not twice it";
  EXPECT_EQ(present_nanos(shared.utilization), present_nanos(got.device("GPU-22222222-2222-2222-2222-222222222222").utilization));
}

// --hpc-job-mapping-dir: a job of another scheduler. It names no pod: the GPU has no holder that Kubernetes knows.
TEST_F(DcgmDumpReferenceTest, JobsOfOtherSchedulersNameNoPod) {
  Dump dump = read_dump("a100-mig-disabled-idle");
  for (DumpRow& row : dump) row.labels["hpc_job"] = "4711";
  const Understood got = understood(dump);
  ASSERT_EQ(got.devices.size(), 1u);
  EXPECT_TRUE(got.devices[0].holders.empty());
  EXPECT_EQ(level_in(got.devices[0].engine_active), 0);
}

}  // namespace
}  // namespace seedance
