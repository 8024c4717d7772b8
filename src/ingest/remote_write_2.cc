#include "ingest/remote_write_2.h"

#include <protozero/exception.hpp>
#include <protozero/pbf_reader.hpp>
#include <protozero/varint.hpp>

#include "ingest/native_histogram.h"

namespace seedance {
namespace {

using Wire2 = protozero::pbf_wire_type;

constexpr std::uint64_t tag2_of(std::uint32_t field, Wire2 wire) { return (field << 3U) | static_cast<std::uint32_t>(wire); }
std::uint64_t tag2(const protozero::pbf_reader& reader) { return tag2_of(reader.tag(), reader.wire_type()); }

// Thrown inside this file only; all end in `decode_write_request_2`.
struct BadRequest2 {
  std::string message;
};
struct TooMuch2 {
  std::string message;
};

[[noreturn]] void wrong_wire_type(const char* where, std::uint32_t field) {
  throw BadRequest2{std::string("wrong wire type in a ") + where + ": field " + std::to_string(field)};
}

std::size_t varint_size(std::size_t value) { return static_cast<std::size_t>(protozero::length_of_varint(value)); }
std::size_t text_field_size(std::string_view text) { return 1 + varint_size(text.size()) + text.size(); }

void put_text_field(std::string& out, std::uint32_t field, std::string_view text) {
  out.push_back(static_cast<char>(tag2_of(field, Wire2::length_delimited)));
  protozero::add_varint_to_buffer(&out, text.size());
  out += text;
}

// One TimeSeries: labels_refs = 1, samples = 2, histograms = 3, exemplars = 4, metadata = 5, created_timestamp = 6 (rc.3).
class Series2Reader {
 public:
  Series2Reader(const std::vector<std::string_view>& symbols, DecodedWrite& out) : symbols_(symbols), out_(out) {}

  void read(protozero::pbf_reader message) {
    refs_.clear();
    fault_ = nullptr;
    bad_histograms_ = good_histograms_ = exemplars_ = bad_exemplars_ = 0;
    const std::size_t begin = out_.samples.size();
    while (message.next()) read_field(message);
    finish(begin);
  }

 private:
  void read_field(protozero::pbf_reader& message) {
    switch (tag2(message)) {
      case tag2_of(1, Wire2::length_delimited):
        for (const std::uint32_t ref : message.get_packed_uint32()) refs_.push_back(ref);
        return;
      case tag2_of(1, Wire2::varint): refs_.push_back(message.get_uint32()); return;
      case tag2_of(2, Wire2::length_delimited): return read_sample(message.get_message());
      case tag2_of(3, Wire2::length_delimited): return read_histogram(message.get_view());
      case tag2_of(4, Wire2::length_delimited): return read_exemplar(message.get_message());
      case tag2_of(5, Wire2::length_delimited): ++out_.metadata_count; message.skip(); return;
      default:
        if (message.tag() <= 5) wrong_wire_type("TimeSeries", message.tag());
        message.skip();
    }
  }

  // `value = 1, timestamp = 2, start_timestamp = 3 (rc.4)`
  void read_sample(protozero::pbf_reader message) {
    Sample sample;
    while (message.next()) {
      switch (tag2(message)) {
        case tag2_of(1, Wire2::fixed64): sample.value = message.get_double(); break;
        case tag2_of(2, Wire2::varint): sample.timestamp_ms = message.get_int64(); break;
        default:
          if (message.tag() <= 2) wrong_wire_type("Sample", message.tag());
          message.skip();
      }
    }
    if (out_.samples.size() >= kWriteSamplesMax) throw TooMuch2{"more samples in one request than the limit: " + std::to_string(kWriteSamplesMax)};
    out_.samples.push_back(sample);
  }

  void read_histogram(protozero::data_view view) {
    const char* fault = histogram_fault({view.data(), view.size()});
    if (fault == nullptr) {
      ++good_histograms_;
    } else {
      ++bad_histograms_;
      fault_ = fault;
    }
  }

  // `labels_refs = 1, value = 2, timestamp = 3`
  void read_exemplar(protozero::pbf_reader message) {
    ++exemplars_;
    std::size_t count = 0;
    bool in_range = true;
    const auto add = [&](std::uint32_t ref) {
      ++count;
      in_range = in_range && ref < symbols_.size();
    };
    while (message.next()) {
      switch (tag2(message)) {
        case tag2_of(1, Wire2::length_delimited):
          for (const std::uint32_t ref : message.get_packed_uint32()) add(ref);
          break;
        case tag2_of(1, Wire2::varint): add(message.get_uint32()); break;
        default: message.skip();
      }
    }
    if (!in_range || count % 2 != 0) ++bad_exemplars_;
  }

  const char* labels_fault() const {
    if (refs_.size() % 2 != 0) return "odd number of label references";
    for (const std::uint32_t ref : refs_) {
      if (ref >= symbols_.size()) return "label reference outside the table of symbols";
    }
    return nullptr;
  }

  // The labels as a 1.0 sender would have sent them.
  std::string_view label_block() {
    block_.clear();
    for (std::size_t i = 0; i < refs_.size(); i += 2) {
      const std::string_view name = symbols_[refs_[i]];
      const std::string_view value = symbols_[refs_[i + 1]];
      const std::size_t size = text_field_size(name) + text_field_size(value);
      if (block_bytes_ + block_.size() + size > kLabelBlockBytesMax) {
        throw TooMuch2{"labels of one request are more bytes than the limit: " + std::to_string(kLabelBlockBytesMax)};
      }
      block_.push_back(static_cast<char>(tag2_of(1, Wire2::length_delimited)));
      protozero::add_varint_to_buffer(&block_, size);
      put_text_field(block_, 1, name);
      put_text_field(block_, 2, value);
    }
    block_bytes_ += block_.size();
    const auto kept = out_.arena.copy({block_.data(), block_.size()});
    return {kept.data(), kept.size()};
  }

  void finish(std::size_t begin) {
    const auto samples = static_cast<std::uint32_t>(out_.samples.size() - begin);
    const char* fault = labels_fault();
    if (fault == nullptr && samples > 0 && good_histograms_ + bad_histograms_ > 0) fault = "samples and native histograms in one series";
    if (fault != nullptr) {
      out_.refuse(samples, good_histograms_ + bad_histograms_, exemplars_, fault);
      out_.samples.resize(begin);
      return;
    }
    if (bad_histograms_ > 0) out_.refuse(0, bad_histograms_, 0, fault_);
    if (bad_exemplars_ > 0) out_.refuse(0, 0, bad_exemplars_, "exemplar whose label references are odd or outside the table of symbols");
    out_.histogram_count += good_histograms_;
    out_.exemplar_count += exemplars_ - bad_exemplars_;
    if (samples == 0) {
      ++out_.empty_series_count;
    } else {
      out_.series.push_back({label_block(), static_cast<std::uint32_t>(begin), samples});
    }
  }

  const std::vector<std::string_view>& symbols_;
  DecodedWrite& out_;
  std::vector<std::uint32_t> refs_;
  std::string block_;
  std::size_t block_bytes_ = 0;
  const char* fault_ = nullptr;
  std::uint32_t good_histograms_ = 0;
  std::uint32_t bad_histograms_ = 0;
  std::uint32_t exemplars_ = 0;
  std::uint32_t bad_exemplars_ = 0;
};

// Symbols may stand behind the series that use them: one pass for them, one for the series.
std::vector<std::string_view> read_symbols(std::string_view raw) {
  std::vector<std::string_view> symbols;
  bool has_version_1 = false;
  protozero::pbf_reader request(raw.data(), raw.size());
  while (request.next()) {
    if (tag2(request) == tag2_of(4, Wire2::length_delimited)) {
      const protozero::data_view text = request.get_view();
      symbols.emplace_back(text.data(), text.size());
      continue;
    }
    if (request.tag() == 4 || (request.tag() == 5 && !request.has_wire_type(Wire2::length_delimited))) wrong_wire_type("Request", request.tag());
    has_version_1 |= request.tag() == 1;
    request.skip();
  }
  if (has_version_1 && symbols.empty()) throw BadRequest2{"remote write 1.0 message where 2.0 was announced"};
  if (!symbols.empty() && !symbols[0].empty()) throw BadRequest2{"the first symbol is not the empty text"};
  return symbols;
}

}  // namespace

Result<void> decode_write_request_2(std::string_view raw, DecodedWrite& out) {
  out.clear();
  try {
    const std::vector<std::string_view> symbols = read_symbols(raw);
    Series2Reader series(symbols, out);
    protozero::pbf_reader request(raw.data(), raw.size());
    while (request.next(5, Wire2::length_delimited)) series.read(request.get_message());
    return {};
  } catch (const BadRequest2& bad) {
    return fail(Code::kInvalid, bad.message, "send io.prometheus.write.v2.Request, or announce prometheus.WriteRequest in the Content-Type");
  } catch (const TooMuch2& much) {
    return fail(Code::kTooLarge, much.message, "lower max_samples_per_send of the sender");
  } catch (const protozero::exception& damaged) {
    return fail(Code::kInvalid, "not a protobuf message: " + std::string(damaged.what()));
  }
}

}  // namespace seedance
