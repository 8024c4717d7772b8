// Remote write 1.0 bodies in the shape of dcgm-exporter: 13 labels and one sample a series, 2,000 series a body
// when nothing else is said.
//
// One body is encoded once; a pass sets its time stamps and values in place and compresses it again: 0.4 GB for a million series.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "ingest/write_encoder.h"

namespace seedance {

inline constexpr std::size_t kBodySeries = 2'000;
inline constexpr std::size_t kCardsPerNode = 8;

class MadeGpuBodies {
 public:
  explicit MadeGpuBodies(std::size_t series, std::size_t body_series = kBodySeries) : series_(series) {
    for (std::size_t first = 0; first < series; first += body_series) bodies_.push_back(encode(first, std::min(series, first + body_series)));
  }

  std::size_t count() const { return bodies_.size(); }
  std::size_t series() const { return series_; }

  // The compressed body `index` of a scrape at `at_ms`. Half of the values move from pass to pass.
  std::string body(std::size_t index, std::int64_t at_ms, std::uint64_t pass) {
    Body& b = bodies_[index];
    for (std::size_t i = 0; i < b.value_at.size(); ++i) {
      const double value = i % 2 == 0 ? static_cast<double>(i % 100) : static_cast<double>((i * 7 + pass * 13) % 1'000) / 10;
      std::memcpy(b.raw.data() + b.value_at[i], &value, sizeof value);
      // The varint of a time stamp of this century in milliseconds has six bytes, then its value.
      auto rest = static_cast<std::uint64_t>(at_ms);
      char* out = b.raw.data() + b.value_at[i] + sizeof value + 1;
      for (int byte = 0; byte < 6; ++byte, rest >>= 7) out[byte] = static_cast<char>((rest & 0x7f) | (byte < 5 ? 0x80 : 0));
    }
    return compress_snappy(b.raw);
  }

 private:
  struct Body {
    std::string raw;
    std::vector<std::uint32_t> value_at;
  };

  static Labels labels_of(std::size_t series) {
    static const char* const kMetrics[] = {"DCGM_FI_DEV_SM_CLOCK", "DCGM_FI_DEV_MEM_CLOCK", "DCGM_FI_DEV_MEMORY_TEMP", "DCGM_FI_DEV_GPU_TEMP", "DCGM_FI_DEV_POWER_USAGE",
                                           "DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION", "DCGM_FI_DEV_PCIE_REPLAY_COUNTER", "DCGM_FI_DEV_GPU_UTIL", "DCGM_FI_DEV_MEM_COPY_UTIL",
                                           "DCGM_FI_DEV_ENC_UTIL", "DCGM_FI_DEV_DEC_UTIL", "DCGM_FI_DEV_XID_ERRORS", "DCGM_FI_DEV_FB_FREE", "DCGM_FI_DEV_FB_USED",
                                           "DCGM_FI_DEV_NVLINK_BANDWIDTH_TOTAL", "DCGM_FI_PROF_GR_ENGINE_ACTIVE", "DCGM_FI_PROF_PIPE_TENSOR_ACTIVE",
                                           "DCGM_FI_PROF_DRAM_ACTIVE", "DCGM_FI_PROF_PCIE_TX_BYTES", "DCGM_FI_PROF_PCIE_RX_BYTES"};
    const std::size_t card = series / std::size(kMetrics);
    const std::size_t node = card / kCardsPerNode;
    const std::string number = std::to_string(card % kCardsPerNode);
    char uuid[64];
    std::snprintf(uuid, sizeof uuid, "GPU-%08zx-7f4a-7c15-97f4-%012zx", card * 2'654'435'769U % 0xffffffffU, card);
    char host[32];
    std::snprintf(host, sizeof host, "gpu-node-%04zu", node);
    return {{"DCGM_FI_DRIVER_VERSION", "535.129.03"}, {"Hostname", host}, {"UUID", uuid}, {"__name__", kMetrics[series % std::size(kMetrics)]},
            {"container", "trainer"}, {"device", "nvidia" + number}, {"gpu", number}, {"instance", "10.0.0." + std::to_string(node % 250) + ":9400"},
            {"job", "dcgm-exporter"}, {"modelName", "NVIDIA H100 80GB HBM3"}, {"namespace", "team-" + std::to_string(node % 20)},
            {"pci_bus_id", "00000000:1A:00.0"}, {"pod", "pretrain-" + std::to_string(node) + "-worker-" + number}};
  }

  static Body encode(std::size_t first, std::size_t end) {
    constexpr std::int64_t kAnyTime = 1'796'000'000'000;
    constexpr double kMark = 1234.5;
    Body out;
    std::vector<SeriesSamples> all;
    for (std::size_t i = first; i < end; ++i) all.push_back({labels_of(i), {{kAnyTime, kMark}}});
    out.raw = encode_write_request(all);
    const std::string mark(reinterpret_cast<const char*>(&kMark), sizeof kMark);
    for (std::size_t at = out.raw.find(mark); at != std::string::npos; at = out.raw.find(mark, at + 1)) out.value_at.push_back(static_cast<std::uint32_t>(at));
    out.raw.shrink_to_fit();
    out.value_at.shrink_to_fit();
    return out;
  }

  std::size_t series_;
  std::vector<Body> bodies_;
};

}  // namespace seedance
