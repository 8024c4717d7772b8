// Prices: what a node of a type costs an hour at a place and time, and how a node price divides over its parts.
#pragma once

#include <optional>
#include <string>

#include "base/money.h"
#include "base/units.h"

namespace seedance {

// One line of a price book. Empty text fields match anything.
struct PriceEntry {
  std::string provider;       // "aws", "gcp", "azure"
  std::string region;
  std::string zone;           // zone name ("us-east-1a") or AWS zone id ("use1-az4")
  std::string instance_type;
  std::string node;           // a price for one node by name; wins over everything else
  std::string capacity_kind;  // "on-demand", "spot", "reserved"
  std::string currency = "USD";
  std::string source;
  std::string accelerator;
  HourlyRate rate;            // the whole node
  TimePoint valid_from;
  std::int64_t gpu_millis = 0;  // thousandths of a card: some types bring an eighth of one
  std::int64_t cpu_millis = 0;
  std::int64_t memory_mib = 0;
  // Custom unit prices; when one is set, they replace the split of `rate`.
  std::optional<HourlyRate> cpu_rate;     // per core
  std::optional<HourlyRate> memory_rate;  // per GiB
  std::optional<HourlyRate> gpu_rate;     // per GPU
};

// What is known of a node when its price is asked.
struct PriceQuestion {
  std::string provider;
  std::string region;
  std::string zone;
  std::string zone_id;
  std::string instance_type;
  std::string node;
  std::string capacity_kind;
};

struct PriceAnswer {
  PriceEntry entry;                     // what is paid
  std::optional<PriceEntry> list;       // the on-demand price of the same type and region
  std::string source;                   // "list 2026-07-20 karpenter-provider-aws, aws us-east-1 p4d.24xlarge on-demand"
};

// The price of a core and a GiB on plain instances of the same cloud.
struct UnitRates {
  HourlyRate cpu;     // per core
  HourlyRate memory;  // per GiB
  std::string source;
};

}  // namespace seedance
