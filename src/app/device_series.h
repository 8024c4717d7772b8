// Puts the series of one GPU or MIG instance together, whatever pod labels they carried when.
//
// A device is (UUID, MIG instance). Its exporter names the holder in the labels, so one device is many series over time,
// and several at once under time slicing, all with the device's own value: their samples are joined by time stamp.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <span>
#include <tuple>
#include <vector>

#include "model/usage.h"
#include "signal/meaning.h"
#include "signal/timeline.h"

namespace seedance {

class DeviceSeries {
 public:
  explicit DeviceSeries(const SymbolTable& symbols) : symbols_(symbols) {}

  // True when the series is about a GPU.
  bool add(const SeriesMeaning& meaning, std::span<const Sample> samples);

  // Exporters name their host in their own way (node name, FQDN, pod name, address): the node is found by the name, else by the
  // pod that held the device. Devices whose node cannot be found keep the exporter's host name.
  // A card without a UUID is the one that another series names in the same place; else its place is its name. Once, at the end.
  std::vector<DeviceActivity> finish(const Inventory& inventory, const TimelineOptions& options);

 private:
  using Key = std::tuple<Symbol, Symbol, Symbol>;  // cluster, UUID, instance
  struct Gauge {
    std::vector<Sample> samples;
    std::size_t series = 0;
  };
  struct Holder {
    std::vector<Sample> seen;
    bool by_exporter = false;
  };
  struct Device {
    bool is_by_place = false;  // no UUID
    std::set<std::string_view> hosts;
    Symbol profile = 0;
    Symbol index = 0;
    Symbol model = 0;
    std::map<SignalId, Gauge> gauges;
    std::map<std::tuple<Symbol, Symbol, Symbol>, Holder> holders;  // namespace, pod, container
    std::vector<Sample> free;  // of series that name nobody
  };

  void merge_by_place();
  Steps gauge(const Device& device, SignalId signal, const std::function<std::int64_t(double)>& level) const;
  Steps ratio(const Device& device, SignalId signal) const;
  Steps bytes(const Device& device, SignalId signal) const;
  DeviceActivity activity(const Key& key, const Device& device, const TimelineOptions& options) const;

  const SymbolTable& symbols_;
  std::map<Key, Device> devices_;
};

}  // namespace seedance
