// Reads Prometheus remote write 1.0 (protobuf package prometheus, message WriteRequest).
//
// The hot loop of the program: thirteen labels and one sample are about 390 bytes, and nine out of ten requests bring
// series that were seen a second ago. So labels are not parsed here at all. A series is handed on as the raw bytes of its
// Label fields, which `SeriesTable` hashes and compares; only bytes that it has never seen go through `parse_label_block`.
// Samples are appended to one vector. A `DecodedWrite` is reused between requests, and then nothing is allocated.
//
// Field order is free in protobuf and unknown fields are skipped. A known field with the wrong wire type, an overlong
// varint or a truncated message refuses the whole body: what follows cannot be trusted.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "ingest/arena.h"
#include "ingest/label_rules.h"
#include "model/sample.h"

namespace seedance {

// One body may not bring more; four bytes on the wire can make a sample, and forty bytes of memory.
inline constexpr std::size_t kWriteSamplesMax = 1'000'000;

struct DecodedSeries {
  std::string_view label_block;  // the Label fields with their tags, as sent; points into the body or into the arena
  std::uint32_t sample_begin = 0;
  std::uint32_t sample_count = 0;  // > 0
};

struct DecodedWrite {
  std::vector<DecodedSeries> series;  // the TimeSeries messages that bring float samples, in order
  std::vector<Sample> samples;
  std::uint32_t empty_series_count = 0;  // TimeSeries without float samples: nothing to write, and no error in 1.0
  std::uint32_t metadata_count = 0;
  std::uint32_t histogram_count = 0;
  std::uint32_t exemplar_count = 0;
  // What was refused while decoding, series by series (2.0 only): the rest of the body is good.
  std::uint32_t samples_refused = 0;
  std::uint32_t histograms_refused = 0;
  std::uint32_t exemplars_refused = 0;
  const char* first_refusal = nullptr;
  Arena<char> arena;  // label blocks that do not lie in the body in one piece

  void clear();
  void refuse(std::uint32_t sample_count_refused, std::uint32_t histograms, std::uint32_t exemplars, const char* reason);
};

// Clears `out` and fills it. The views in it live as long as `raw` and `out`. On an error `out` is not to be used.
// kInvalid: not a WriteRequest, or a remote write 2.0 message; kTooLarge: more than kWriteSamplesMax samples.
Result<void> decode_write_request(std::string_view raw, DecodedWrite& out);

// The slow path, once a spelling: the canonical labels of a block.
Result<Labels> parse_label_block(std::string_view block, const LabelLimits& limits);

// True for a block that needs no second look: labels sorted as Prometheus sends them, each sound, within the limits. False
// says nothing; parse_label_block knows. Allocates nothing: it is for series that nobody reads and nobody remembers.
bool is_plainly_sound(std::string_view block, const LabelLimits& limits);

// The block that Prometheus would send for these labels; parse_label_block gives the same labels back.
std::string encode_label_block(const Labels& labels);
// One label at its end.
void append_label(std::string& block, std::string_view name, std::string_view value);

// The metric name of a block, without checking or copying anything else; empty when there is none or the block is damaged.
std::string_view metric_name_of_block(std::string_view block);

}  // namespace seedance
