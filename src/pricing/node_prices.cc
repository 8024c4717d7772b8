#include "pricing/node_prices.h"

#include <algorithm>

#include "pricing/node_split.h"

namespace seedance {
namespace {

// Makes a stated price cover the hour: each level until the next one starts, the first also before.
Steps covering(const Steps& stated, Interval hour) {
  Steps out;
  for (std::size_t i = 0; i < stated.size(); ++i) {
    const TimePoint from = i == 0 ? hour.from : stated[i].from;
    const TimePoint to = i + 1 == stated.size() ? hour.to : stated[i + 1].from;
    const Interval part = intersection({from, to}, hour);
    if (!part.empty()) out.push_back({part.from, part.to, stated[i].level});
  }
  return compact(out);
}

NodeShape shape_of(const NodeRecord& node, Interval span, const NodePrices& known, std::int64_t gpus_seen) {
  const auto largest = [&](std::string_view resource) {
    std::int64_t level = 0;
    for (const Step& s : resource_steps(node.capacity, resource)) {
      if (!intersection(s.span(), span).empty() || level == 0) level = std::max(level, s.level);
    }
    return level;
  };
  NodeShape shape{largest("cpu"), largest("memory"), known.gpu_millis > 0 ? known.gpu_millis : gpus_seen * 1'000};
  if (shape.cpu_nanocores == 0) shape.cpu_nanocores = known.cpu_millis * kMillion;
  if (shape.memory_bytes == 0) shape.memory_bytes = known.memory_mib << 20;
  return shape;
}

bool costs_the_same(const PricePiece& a, const PricePiece& b) {
  return a.is_priced == b.is_priced && a.rate == b.rate && a.currency == b.currency && a.source == b.source && a.problem == b.problem &&
         a.cpu_weight == b.cpu_weight && a.memory_weight == b.memory_weight && a.gpu_weight == b.gpu_weight;
}

struct PieceBuilder {
  const NodeRecord& node;
  const PriceBook& book;
  const NodePriceOptions& options;
  const PriceQuestion question;
  const NodePrices& known;

  void divide(PricePiece& piece, const PriceAnswer* answer) const {
    SplitQuestion q;
    q.method = options.method;
    q.provider = node.provider;
    q.shape = shape_of(node, piece.span, known, options.gpus_seen);
    q.list = answer != nullptr && answer->list ? answer->list->rate : piece.rate;
    q.plain = book.unit_rates(node.provider, node.region);
    if (answer != nullptr) {
      q.cpu_rate = answer->entry.cpu_rate;
      q.memory_rate = answer->entry.memory_rate;
      q.gpu_rate = answer->entry.gpu_rate;
    }
    const NodeSplit split = split_node_price(q);
    piece.cpu_weight = split.cpu;
    piece.memory_weight = split.memory;
    piece.gpu_weight = split.gpu;
  }

  PricePiece stated(Interval span, std::int64_t level, const Result<PriceAnswer>& answer) const {
    PricePiece piece;
    piece.span = span;
    piece.is_priced = true;
    piece.rate = {level};
    piece.currency = options.currency;
    piece.source = "stated by the cluster";
    divide(piece, answer ? &*answer : nullptr);
    return piece;
  }

  PricePiece from_book(Interval span, const Result<PriceAnswer>& answer, std::string_view note) const {
    PricePiece piece;
    piece.span = span;
    if (!answer) {
      piece.problem = answer.error().message + std::string(note);
      piece.currency = options.currency;
      return piece;
    }
    piece.is_priced = true;
    piece.rate = answer->entry.rate;
    piece.currency = answer->entry.currency;
    piece.source = answer->source + std::string(note);
    divide(piece, &*answer);
    return piece;
  }

  // Cut wherever the book has a new price.
  std::vector<PricePiece> pieces_of_book(Interval hour) const {
    std::vector<TimePoint> cuts = book.steps_of(question, hour);
    cuts.push_back(hour.to);
    std::vector<PricePiece> out;
    TimePoint from = hour.from;
    for (const TimePoint to : cuts) {
      PricePiece piece = from_book({from, to}, book.price_of(question, from), "");
      if (!out.empty() && costs_the_same(out.back(), piece)) {
        out.back().span.to = to;
      } else {
        out.push_back(std::move(piece));
      }
      from = to;
    }
    return out;
  }
};

}  // namespace

PriceQuestion price_question(const NodeRecord& node) {
  return {node.provider, node.region, node.zone, std::string(label_value(node.labels, "topology_k8s_aws_zone_id")),
          node.instance_type, node.name, node.capacity_kind};
}

NodePrices node_prices(const NodeRecord& node, Interval hour, const PriceBook& book, const NodePriceOptions& options) {
  NodePrices out;
  const PriceQuestion question = price_question(node);
  const Result<PriceAnswer> answer = book.price_of(question, hour.from);
  const PriceEntry* shape = answer ? (answer->list ? &*answer->list : &answer->entry) : nullptr;
  if (shape != nullptr) {
    out.gpu_millis = shape->gpu_millis;
    out.cpu_millis = shape->cpu_millis;
    out.memory_mib = shape->memory_mib;
  }
  const PieceBuilder builder{node, book, options, question, out};
  const bool own_price = answer && !answer->entry.node.empty();  // an operator's word on this node beats a series
  std::vector<PricePiece> pieces;
  if (!own_price) {
    for (const Step& s : covering(node.price, hour)) {
      const bool believable = book.is_believable(question, {s.level}, s.from);
      pieces.push_back(believable ? builder.stated(s.span(), s.level, answer)
                                  : builder.from_book(s.span(), answer, ", a stated price of " + print_exact(Money::nanos(s.level)) + "/h was refused"));
    }
  }
  if (pieces.empty()) pieces = builder.pieces_of_book(hour);
  out.pieces = std::move(pieces);
  return out;
}

}  // namespace seedance
