#include "allocation/node_books.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "allocation/cold_start.h"
#include "allocation/device_readings.h"
#include "allocation/holdings.h"
#include "allocation/idle_gpus.h"
#include "allocation/pool.h"
#include "allocation/waterfall.h"
#include "base/check.h"
#include "base/split.h"
#include "base/time_text.h"

namespace seedance {
namespace {

Money split_or_zero(Money amount, std::span<const Int128> weights, std::vector<Money>& parts) {
  Int128 sum = 0;
  for (const Int128 w : weights) sum += w;
  if (sum == 0) {
    parts.assign(weights.size(), Money{});
    return amount;  // what could not be divided
  }
  parts = split(amount, weights);
  return Money{};
}

std::int64_t rounded(Int128 amount, Int128 by) { return static_cast<std::int64_t>((amount + by / 2) / by); }

// part x scaled / whole, for a hold that was scaled down because its pool was over-subscribed.
struct Proportion {
  Int128 scaled = 1;
  Int128 whole = 1;
  Int128 of(Int128 part) const {
    if (scaled == whole || whole == 0) return part;
    return part / whole * scaled + part % whole * scaled / whole;
  }
};

// Everything about the node that does not change between price pieces.
struct NodeContext {
  const NodeHour& node;
  const ClusterHour& hour;
  const AllocationOptions& options;
  NodeGpus gpus;
  Steps live;      // present, silences bridged
  Steps silent;    // the bridged silences
  Steps cpu_capacity;
  Steps memory_capacity;
  std::vector<ContainerHolding> holdings;
  std::vector<FreeDevice> free;

  LedgerRow row(RowKind kind, const PricePiece& piece) const {
    LedgerRow r;
    r.hour = hour.hour.from;
    r.price_from = piece.span.from;
    r.price_to = piece.span.to;
    r.kind = kind;
    r.provisional = hour.provisional;
    const NodeRecord& n = *node.node;
    r.cluster = n.cluster.empty() ? options.cluster_name : n.cluster;
    r.node = n.name;
    r.node_uid = n.uid;
    r.instance_type = n.instance_type;
    r.capacity_kind = n.capacity_kind;
    r.currency = piece.currency;
    r.split_method = options.method;
    r.price_source = piece.source;
    return r;
  }
};

// Presence within the hour. A node that was silent for a while and came back under the same identity was there all along.
void find_presence(NodeContext& c) {
  const Steps& present = c.node.node->present;
  for (std::size_t i = 0; i + 1 < present.size(); ++i) {
    const Step hole{present[i].to, present[i + 1].from, 1};
    if (hole.to - hole.from > Nanos{0} && hole.to - hole.from <= c.options.node_gap_max) c.silent.push_back(hole);
  }
  c.silent = clip(c.silent, c.hour.hour);
  c.live = clip(present, c.hour.hour);
  for (Step& s : c.live) s.level = 1;
}

// Capacity as the cluster states it, held over the whole presence; else the price book's.
Steps capacity_of(const NodeContext& c, std::string_view resource, std::int64_t by_book) {
  const Steps& stated = resource_steps(c.node.node->capacity, resource);
  Steps out;
  for (std::size_t i = 0; i < stated.size(); ++i) {
    const TimePoint from = i == 0 ? c.hour.hour.from : stated[i].from;
    const TimePoint to = i + 1 == stated.size() ? c.hour.hour.to : stated[i + 1].from;
    if (from < to) out.push_back({from, to, stated[i].level});
  }
  if (out.empty() && by_book > 0) out.push_back({c.hour.hour.from, c.hour.hour.to, by_book});
  return masked(out, c.live);
}

std::int64_t devices_seen(const std::vector<const DeviceActivity*>& devices) {
  std::set<std::string_view> uuids;
  for (const DeviceActivity* d : devices) uuids.insert(d->uuid);
  return static_cast<std::int64_t>(uuids.size());
}

NodeContext make_context(const NodeHour& node, const ClusterHour& hour, const AllocationOptions& options) {
  NodeContext c{node, hour, options, {}, {}, {}, {}, {}, {}, {}};
  c.gpus = node_gpus(*node.node, hour.hour, node.prices->gpu_millis, devices_seen(node.devices));
  find_presence(c);
  c.cpu_capacity = capacity_of(c, "cpu", node.prices->cpu_millis * kMillion);
  c.memory_capacity = capacity_of(c, "memory", node.prices->memory_mib << 20);
  c.holdings = holdings_of(*node.node, c.gpus, c.live, node.pods, node.devices, hour);
  c.free = free_devices(node.devices, c.holdings, *node.node, c.gpus, c.live);
  return c;
}

LedgerRow container_row(const NodeContext& c, const ContainerHolding& h, const PricePiece& piece) {
  LedgerRow r = c.row(piece.is_priced ? RowKind::kAllocated : RowKind::kUnpriced, piece);
  r.namespace_name = h.pod->namespace_name;
  r.workload_kind = h.pod->workload_kind;
  r.workload = h.pod->workload;
  r.pod = h.pod->name;
  r.pod_uid = h.pod->uid;
  r.container = h.container_name;
  r.reason = piece.problem;
  const auto seconds = [&](const Steps& s) { return rounded(integral(clip(s, piece.span)), kNanosPerSecond); };
  r.cpu_requested = seconds(h.cpu_requested);
  r.cpu_used = seconds(h.cpu_used);
  r.memory_requested = seconds(h.memory_requested);
  r.memory_used = seconds(h.memory_used);
  r.held_nanos = present_nanos(clip(h.held, piece.span));
  // Both are the API's own instants and the same in every hour; what a scrape saw first is not.
  if (const auto& since = h.pod->scheduled_at ? h.pod->scheduled_at : h.pod->started_at) r.since = print_time(*since);
  return r;
}

// Fills what the device's counters said while `units` of it were held, or free; `part` of `whole` counts.
void book_readings(const NodeContext& c, const DeviceActivity& device, const Steps& units, const Proportion& counted, Interval span, LedgerRow& r) {
  const DeviceReadings read = device_readings(device, units, c.gpus.memory_mib << 20, span);
  const Int128 by = Int128{c.gpus.units_per_gpu} * kMillion;
  r.sm_measured += rounded(counted.of(read.sm_measured), by);
  r.sm_active += rounded(counted.of(read.sm_active), by);
  r.tensor_measured += rounded(counted.of(read.tensor_measured), by);
  r.tensor_active += rounded(counted.of(read.tensor_active), by);
  r.gpu_memory_nanos += read.memory_nanos;
  r.gpu_memory_used += rounded(read.memory_used, kNanosPerSecond);
  r.gpu_memory_size += rounded(read.memory_size, kNanosPerSecond);
}

void name_device(const DeviceActivity& device, LedgerRow& r) {
  r.gpu = device.key();
  r.gpu_index = device.index_text();
  r.gpu_model = device.model_text();
}

// Fills what one hold of a device cost and where it went.
void book_hold(const NodeContext& c, const GpuHold& hold, const ContainerHolding& h, Int128 scaled, Money money, const PricePiece& piece, LedgerRow& r) {
  const auto job = c.hour.jobs.find(h.pod->uid);
  const HoldActivity activity = hold_activity(hold, h, job == c.hour.jobs.end() ? nullptr : &job->second, piece.span);
  std::vector<Money> parts;
  const Money rest = split_or_zero(money, activity.weights, parts);
  for (std::size_t i = 0; i < kWaterfallPartCount; ++i) r.waterfall[i] += parts[i];
  r.part(WaterfallPart::kUndeterminedNoData) += rest;
  r.gpu_cost += money;
  const Int128 per_gpu = c.gpus.units_per_gpu;
  r.gpu_allocated += rounded(scaled, per_gpu);
  const Proportion counted{scaled, integral(clip(hold.units, piece.span))};
  r.gpu_measured += rounded(counted.of(activity.measured), per_gpu * kMillion);
  r.gpu_active += rounded(counted.of(activity.active), per_gpu * kMillion);
  if (hold.device != nullptr) book_readings(c, *hold.device, hold.units, counted, piece.span, r);
}

// How many holders a whole device has: its counters speak for all of them.
std::size_t sharers_of(const NodeContext& c, const DeviceActivity* device) {
  std::size_t count = 0;
  for (const ContainerHolding& h : c.holdings) {
    for (const GpuHold& g : h.gpus) count += g.device == device ? 1 : 0;
  }
  return count;
}

struct GpuBooking {
  std::size_t holding;
  const GpuHold* hold;
};

struct PieceBooks {
  std::vector<LedgerRow> rows;
  Money booked;
};

// A container's GPU rows: one for each known device; an unknown device stays on the container's own row.
void book_gpus(const NodeContext& c, const PricePiece& piece, const std::vector<GpuBooking>& bookings, const PoolShares& shares,
               const PoolMoney& money, std::vector<LedgerRow>& container_rows, std::vector<LedgerRow>& out) {
  for (std::size_t i = 0; i < bookings.size(); ++i) {
    const ContainerHolding& h = c.holdings[bookings[i].holding];
    const GpuHold& hold = *bookings[i].hold;
    LedgerRow& own = container_rows[bookings[i].holding];
    if (hold.device == nullptr) {
      book_hold(c, hold, h, shares.held[i], money.held[i], piece, own);
      continue;
    }
    LedgerRow r = container_row(c, h, piece);
    r.cpu_requested = r.cpu_used = r.memory_requested = r.memory_used = 0;
    name_device(*hold.device, r);
    if (const std::size_t n = sharers_of(c, hold.device); n > 1) r.reason = "device, shared by " + std::to_string(n);
    book_hold(c, hold, h, shares.held[i], money.held[i], piece, r);
    out.push_back(std::move(r));
  }
}

// What nobody held: one row for the node's CPU, memory and unknown GPUs, one for each GPU that is known to have been free.
void book_idle(const NodeContext& c, const PricePiece& piece, const std::vector<IdlePart>& parts, Money cpu, Money memory, Money gpu_money, std::vector<LedgerRow>& out) {
  std::vector<Int128> weights;
  for (const IdlePart& part : parts) weights.push_back(part.amount);
  std::vector<Money> money;
  const Money rest = split_or_zero(gpu_money, weights, money);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    LedgerRow r = c.row(parts[i].kind, piece);
    r.gpu_cost = money[i];
    r.gpu_allocated = rounded(parts[i].amount, c.gpus.units_per_gpu);
    r.reason = parts[i].reason;
    if (i == 0) {
      r.cpu_cost = cpu;
      r.memory_cost = memory;
      r.gpu_cost += rest;
    }
    if (parts[i].device != nullptr) {
      name_device(*parts[i].device, r);
      if (parts[i].since) r.since = print_time(*parts[i].since);
      book_readings(c, *parts[i].device, parts[i].units, {}, piece.span, r);
    }
    if (r.total_cost() != Money{} || r.gpu_allocated != 0) out.push_back(std::move(r));
  }
}

// Time in which the node was charged for but nobody reported who used it.
Money book_silence(const NodeContext& c, const PricePiece& piece, std::vector<LedgerRow>& out) {
  const Steps silent = clip(c.silent, piece.span);
  if (silent.empty() || !piece.is_priced) return {};
  const Money amount = price(piece.rate, present_nanos(silent));
  const Int128 weights[] = {piece.cpu_weight, piece.memory_weight, piece.gpu_weight};
  std::vector<Money> parts;
  const Money rest = split_or_zero(amount, weights, parts);
  LedgerRow row = c.row(RowKind::kUnattributed, piece);
  row.cpu_cost = parts[0] + rest;
  row.memory_cost = parts[1];
  row.gpu_cost = parts[2];
  row.reason = "no metrics of the node from " + print_time(silent.front().from) + " to " + print_time(silent.back().to);
  out.push_back(std::move(row));
  return amount;
}

Steps gpu_capacity_of(const NodeContext& c) {
  Steps out = c.live;
  for (Step& s : out) s.level = c.gpus.capacity_units();
  return out;
}

void close_piece(const NodeContext& c, const PricePiece& piece, HourBooks& books) {
  std::vector<LedgerRow> out;
  std::vector<LedgerRow> container_rows;
  std::vector<const Steps*> cpu_holders;
  std::vector<const Steps*> memory_holders;
  std::vector<const Steps*> gpu_holders;
  std::vector<GpuBooking> bookings;
  for (std::size_t i = 0; i < c.holdings.size(); ++i) {
    const ContainerHolding& h = c.holdings[i];
    container_rows.push_back(container_row(c, h, piece));
    cpu_holders.push_back(&h.cpu);
    memory_holders.push_back(&h.memory);
    for (const GpuHold& hold : h.gpus) {
      bookings.push_back({i, &hold});
      gpu_holders.push_back(&hold.units);
    }
  }
  const Steps gpu_capacity = gpu_capacity_of(c);
  const PoolShares cpu = share_pool(cpu_holders, c.cpu_capacity, piece.span);
  const PoolShares memory = share_pool(memory_holders, c.memory_capacity, piece.span);
  const PoolShares gpu = share_pool(gpu_holders, gpu_capacity, piece.span);

  const Money cost = piece.is_priced ? price(piece.rate, present_nanos(clip(c.live, piece.span))) : Money{};
  const Int128 pool_weights[] = {piece.cpu_weight, piece.memory_weight, piece.gpu_weight};
  std::vector<Money> pools;
  pools.reserve(3);
  const Money undivided = split_or_zero(cost, pool_weights, pools);
  const PoolMoney cpu_money = split_pool(pools[0], cpu);
  const PoolMoney memory_money = split_pool(pools[1], memory);
  const PoolMoney gpu_money = split_pool(pools[2], gpu);

  for (std::size_t i = 0; i < container_rows.size(); ++i) {
    LedgerRow& r = container_rows[i];
    r.cpu_allocated = rounded(cpu.held[i], kNanosPerSecond);
    r.memory_allocated = rounded(memory.held[i], kNanosPerSecond);
    r.cpu_cost = cpu_money.held[i];
    r.memory_cost = memory_money.held[i];
  }
  book_gpus(c, piece, bookings, gpu, gpu_money, container_rows, out);
  for (LedgerRow& r : container_rows) {
    if (r.held_nanos > 0) out.push_back(std::move(r));
  }
  const IdleQuestion idle{piece.span, c.hour.hour.from, gpu.idle, c.gpus.unreachable_units, &gpu_capacity, &gpu.total, &c.cpu_capacity, &cpu.total,
                          &c.memory_capacity, &memory.total, c.options.stranded_cpu_nanocores, c.options.stranded_memory_bytes};
  book_idle(c, piece, idle_parts(idle, c.free), cpu_money.idle + undivided, memory_money.idle, gpu_money.idle, out);
  const Money silence = book_silence(c, piece, out);

  Money booked;
  for (const LedgerRow& r : out) booked += r.total_cost();
  SEEDANCE_CHECK(booked == cost + silence, c.node.node->name + " cost " + print_exact(cost + silence) + " booked " + print_exact(booked));
  books.charge(piece.currency, cost + silence);
  books.rows.insert(books.rows.end(), std::make_move_iterator(out.begin()), std::make_move_iterator(out.end()));
}

// The starts of the node's pods, each at the price of its own time.
void book_cold_starts(const NodeContext& c, HourBooks& books) {
  std::map<const PodRecord*, std::vector<const ContainerHolding*>> by_pod;
  for (const ContainerHolding& h : c.holdings) by_pod[h.pod].push_back(&h);
  for (const auto& [pod, holdings] : by_pod) {
    for (const PricePiece& piece : c.node.prices->pieces) {
      std::optional<ColdStart> start = cold_start_of(holdings, c.gpus, *c.node.node, piece, intersection(piece.span, c.hour.hour));
      if (!start) continue;
      if (start->cluster.empty()) start->cluster = c.options.cluster_name;
      books.cold_starts.push_back(*std::move(start));
    }
  }
}

}  // namespace

void close_node_books(const NodeHour& node, const ClusterHour& hour, const AllocationOptions& options, HourBooks& books) {
  const NodeContext context = make_context(node, hour, options);
  if (context.live.empty() && context.silent.empty()) return;
  for (const PricePiece& piece : node.prices->pieces) {
    if (!clip(context.live, piece.span).empty() || !clip(context.silent, piece.span).empty()) close_piece(context, piece, books);
  }
  book_cold_starts(context, books);
}

}  // namespace seedance
