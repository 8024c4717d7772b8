// The GPU exporter. Ratios are averages over the time since the last scrape; utilisation looks at the last second only
// and says nothing about MIG instances; power and energy are those of the whole card on every row of it; a card that
// several pods share by time repeats its one value for each of them.
#include <algorithm>
#include <functional>
#include <map>

#include "simulate/pages.h"

namespace seedance {
namespace {

constexpr std::string_view kBlankInteger = "9223372036854775794";    // DCGM_INT64_NOT_SUPPORTED
constexpr std::string_view kBlankNumber = "140737488355328.000000";  // DCGM_FP64_BLANK

struct Row {
  const PlannedNode* node = nullptr;
  std::size_t node_index = 0;
  const PlannedGpu* gpu = nullptr;
  const PlannedDevice* device = nullptr;
  std::string labels;
  std::string key;  // of the device, for jitter
};

struct RowStyle {
  std::string hostname;   // empty: the node's name
  bool is_older = false;  // no bus address; free devices carry empty pod labels instead of none
};

std::string row_labels(const PlannedNode& node, std::size_t gpu_index, const PlannedDevice& device,
                       const RowStyle& style, const PlannedHolder* holder) {
  const PlannedGpu& gpu = node.gpus[gpu_index];
  const std::string index = std::to_string(gpu_index);
  LabelText labels;
  labels.add("gpu", index).add("UUID", gpu.uuid);
  if (!style.is_older) labels.add("pci_bus_id", "00000000:" + std::to_string(gpu_index + 1) + "B:00.0");
  labels.add("device", "nvidia" + index).add("modelName", gpu.model);
  if (!device.profile.empty()) {
    labels.add("GPU_I_PROFILE", device.profile).add("GPU_I_ID", std::to_string(device.instance_id));
  }
  labels.add("Hostname", style.hostname.empty() ? node.name : style.hostname)
      .add("DCGM_FI_DRIVER_VERSION", "550.127.08");
  if (holder != nullptr) {
    labels.add("container", holder->container).add("namespace", holder->namespace_name).add("pod", holder->pod);
  } else if (style.is_older) {
    labels.add("container", "").add("namespace", "").add("pod", "");
  }
  return labels.str();
}

// The kubelet lists a device under a pod from its scheduling to its end, whether its containers run or not.
bool is_held(const PageView& view, const PlannedHolder& holder) {
  return std::ranges::any_of(view.pods, [&](const PodLife& life) {
    return life.is_scheduled && !life.is_finished && life.name == holder.pod &&
           life.plan->namespace_name == holder.namespace_name;
  });
}

void add_rows(const PageView& view, std::size_t node_index, const RowStyle& style, std::vector<Row>& rows) {
  const PlannedNode& node = view.plan.nodes[node_index];
  for (std::size_t index = 0; index < node.gpus.size(); ++index) {
    const PlannedGpu& gpu = node.gpus[index];
    for (const PlannedDevice& device : gpu.devices) {
      const std::string key = gpu.uuid + "/" + std::to_string(device.instance_id);
      const std::size_t before = rows.size();
      for (const PlannedHolder& holder : device.holders) {
        if (!is_held(view, holder)) continue;
        rows.push_back({&node, node_index, &gpu, &device, row_labels(node, index, device, style, &holder), key});
      }
      if (rows.size() == before) {
        rows.push_back({&node, node_index, &gpu, &device, row_labels(node, index, device, style, nullptr), key});
      }
    }
  }
}

// Thousandths of full activity x nanoseconds over [from, to), only while a holder runs.
Int128 activity(const PlannedDevice& device, Nanos from, Nanos to) {
  return wave_integral(device.engine, std::max(from, device.active_from), std::min(to, device.active_to));
}

// Average activity of the last `span`, in millionths.
std::int64_t mean_activity(const PlannedDevice& device, Nanos now, Nanos span) {
  return static_cast<std::int64_t>(activity(device, now - span, now) * 1000 / span.count());
}

// The whole card: its instances by their compute slices. Thousandths x nanoseconds since the driver was loaded.
Int128 card_activity(const PlannedGpu& gpu, Nanos from, Nanos to) {
  Int128 sum = 0;
  for (const PlannedDevice& device : gpu.devices) sum += activity(device, from, to) * device.slices / 7;
  return sum;
}

std::int64_t card_milliwatts(const PlannedGpu& gpu, Nanos now, Nanos span) {
  const Int128 busy = card_activity(gpu, now - span, now) / span.count();
  return gpu.idle_milliwatts + static_cast<std::int64_t>(busy * (gpu.full_milliwatts - gpu.idle_milliwatts) / 1000);
}

// One milliwatt for one second is one millijoule.
std::int64_t card_millijoules(const PlannedGpu& gpu, Nanos now) {
  const Int128 idle =
      static_cast<Int128>(gpu.idle_milliwatts) * std::max<std::int64_t>(0, (now - kDriverLoaded).count());
  const Int128 busy = card_activity(gpu, kDriverLoaded, now) * (gpu.full_milliwatts - gpu.idle_milliwatts) / 1000;
  return static_cast<std::int64_t>((idle + busy) / kNanosPerSecond);
}

// A ratio in millionths that trembles by one percent of itself and stays within 0 .. 1.
std::string ratio_text(const PageView& view, const Row& row, std::string_view family, std::int64_t share) {
  const std::int64_t mean = mean_activity(*row.device, view.since_start, view.plan.scrape_interval) * share / 1000;
  const std::int64_t tremble = mean * jitter(view.plan.seed, row.key + std::string(family), view.since_start) / 100'000;
  return six_decimals(std::clamp<std::int64_t>(mean + tremble, 0, 1'000'000));
}

class Printer {
 public:
  Printer(const PageView& view, const std::vector<Row>& rows, SeriesSink& sink)
      : view_(view), rows_(rows), sink_(sink) {}

  // `value` gives the text of a row, or an empty text for a row that the family lacks. A family without rows is not
  // printed.
  void family(const MetricFamily& family, const std::function<std::string(const Row&)>& value) {
    bool is_open = false;
    for (const Row& row : rows_) {
      const std::string text = value(row);
      if (text.empty()) continue;
      if (!is_open) sink_.family(family);
      is_open = true;
      sink_.sample(row.labels, text, row.node_index);
    }
  }

  void ratio(const MetricFamily& family, std::int64_t PlannedDevice::*share) {
    this->family(family, [&](const Row& row) {
      return row.gpu->has_profiling ? ratio_text(view_, row, family.name, row.device->*share) : std::string();
    });
  }

 private:
  const PageView& view_;
  const std::vector<Row>& rows_;
  SeriesSink& sink_;
};

void write_device_families(const PageView& view, const std::vector<Row>& rows, SeriesSink& sink) {
  Printer print(view, rows, sink);
  const Nanos now = view.since_start;
  print.family({"DCGM_FI_DEV_POWER_USAGE", "Power draw (in W).", "gauge"}, [&](const Row& row) {
    if (!row.gpu->has_power) return std::string(kBlankNumber);
    return six_decimals(card_milliwatts(*row.gpu, now, view.plan.scrape_interval) * 1000);
  });
  print.family({"DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION", "Total energy consumption since boot (in mJ).", "counter"},
               [&](const Row& row) {
                 return row.gpu->has_power ? std::to_string(card_millijoules(*row.gpu, now))
                                           : std::string(kBlankInteger);
               });
  print.family({"DCGM_FI_DEV_GPU_UTIL", "GPU utilization (in %).", "gauge"}, [&](const Row& row) {
    if (!row.device->profile.empty()) return std::string();
    if (row.gpu->blank_from <= now && now < row.gpu->blank_to) return std::string(kBlankInteger);
    const std::int64_t mean = mean_activity(*row.device, now, std::chrono::seconds(1));
    return std::to_string((mean + 5'000) / 10'000);
  });
  print.family({"DCGM_FI_DEV_XID_ERRORS", "Value of the last XID error encountered.", "gauge"},
               [&](const Row& row) { return std::string(row.gpu->xid_from <= now ? "31" : "0"); });
  const auto used = [&](const Row& row) {
    return row.device->active_from <= now && now < row.device->active_to ? row.device->used_mib : std::int64_t{3};
  };
  const auto reserved = [](const Row& row) { return row.device->memory_mib / 128; };
  print.family({"DCGM_FI_DEV_FB_FREE", "Framebuffer memory free (in MiB).", "gauge"},
               [&](const Row& row) { return std::to_string(row.device->memory_mib - used(row) - reserved(row)); });
  print.family({"DCGM_FI_DEV_FB_USED", "Framebuffer memory used (in MiB).", "gauge"},
               [&](const Row& row) { return std::to_string(used(row)); });
  print.family({"DCGM_FI_DEV_FB_RESERVED", "Framebuffer memory reserved (in MiB).", "gauge"},
               [&](const Row& row) { return std::to_string(reserved(row)); });
}

void write_profiling_families(const PageView& view, const std::vector<Row>& rows, SeriesSink& sink) {
  Printer print(view, rows, sink);
  print.family(
      {"DCGM_FI_PROF_GR_ENGINE_ACTIVE", "Ratio of time the graphics engine is active.", "gauge"},
      [&](const Row& row) { return row.gpu->has_profiling ? ratio_text(view, row, "engine", 1000) : std::string(); });
  print.ratio({"DCGM_FI_PROF_SM_ACTIVE", "The ratio of cycles an SM has at least 1 warp assigned.", "gauge"},
              &PlannedDevice::sm_share);
  print.ratio({"DCGM_FI_PROF_PIPE_TENSOR_ACTIVE", "Ratio of cycles the tensor (HMMA) pipe is active.", "gauge"},
              &PlannedDevice::tensor_share);
  print.ratio({"DCGM_FI_PROF_DRAM_ACTIVE",
               "Ratio of cycles the device memory interface is active sending or receiving data.", "gauge"},
              &PlannedDevice::dram_share);
  const auto bytes = [&](const Row& row, std::int64_t per_second_at_full) {
    if (!row.gpu->has_profiling) return std::string();
    const std::int64_t mean = mean_activity(*row.device, view.since_start, view.plan.scrape_interval);
    return std::to_string(per_second_at_full / 1'000'000 * mean + 12'000);
  };
  print.family({"DCGM_FI_PROF_PCIE_TX_BYTES",
                "The rate of data transmitted over the PCIe bus - including both protocol headers and data payloads - "
                "in bytes per second.",
                "gauge"},
               [&](const Row& row) { return bytes(row, 900'000'000); });
  print.family({"DCGM_FI_PROF_PCIE_RX_BYTES",
                "The rate of data received over the PCIe bus - including both protocol headers and data payloads - in "
                "bytes per second.",
                "gauge"},
               [&](const Row& row) { return bytes(row, 2'400'000'000); });
}

}  // namespace

void write_dcgm(const PageView& view, SeriesSink& sink) {
  std::vector<Row> rows;
  for (std::size_t node = view.node_first; node < view.node_end; ++node) {
    if (!view.is_in_gap(node)) add_rows(view, node, {}, rows);
  }
  write_device_families(view, rows, sink);
  write_profiling_families(view, rows, sink);
}

void write_dcgm_duplicate(const PageView& view, SeriesSink& sink) {
  if (view.node_first > 0 || view.node_end == 0 || view.is_in_gap(0)) return;
  std::vector<Row> rows;
  add_rows(view, 0, {.hostname = "nvidia-dcgm-exporter-x7k2p", .is_older = true}, rows);
  write_device_families(view, rows, sink);
  write_profiling_families(view, rows, sink);
}

}  // namespace seedance
