#include "store/feature_store.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>
#include <tuple>
#include <unordered_map>

#include <xxhash.h>
#include <zstd.h>

namespace seedance {
namespace {

constexpr std::uint32_t kBlockMagic = 0x31424653;  // "SFB1"
constexpr int kZstdLevel = 1;
constexpr std::size_t kBlockVectors = 8'192;
constexpr std::size_t kPlainMax = std::size_t{64} << 20;  // of one block; a header that says more is damage
constexpr std::int64_t kSecondsPerHour = 3'600;

struct BlockHeader {
  std::uint32_t magic = kBlockMagic;
  std::uint32_t packed_bytes = 0;
  std::uint32_t plain_bytes = 0;
  std::uint32_t count = 0;
  std::int64_t first_second = 0;
  std::int64_t last_second = 0;
  std::uint64_t checksum = 0;
};
static_assert(sizeof(BlockHeader) == 40);

template <typename T>
void put(std::string& out, const T& value) {
  out.append(reinterpret_cast<const char*>(&value), sizeof value);
}

// Takes values off the front; a block that is too short gives zeros and says so.
class BlockReader {
 public:
  explicit BlockReader(std::string_view bytes) : rest_(bytes) {}
  template <typename T>
  T take() {
    T value{};
    const std::string_view bytes = take_bytes(sizeof value);
    if (bytes.size() == sizeof value) std::memcpy(&value, bytes.data(), sizeof value);
    return value;
  }
  std::string_view take_bytes(std::size_t size) {
    if (size > rest_.size()) {
      is_short_ = true;
      rest_ = {};
      return {};
    }
    const std::string_view out = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return out;
  }
  bool is_short() const { return is_short_; }

 private:
  std::string_view rest_;
  bool is_short_ = false;
};

std::string plain_block(std::span<const NumberedFeature> vectors, std::span<const std::string> names) {
  std::unordered_map<std::uint32_t, std::uint32_t> number_of;
  std::string name_texts;
  std::string out;
  std::string floats;
  std::string columns[3];
  for (const NumberedFeature& v : vectors) {
    const auto [at, is_new] = number_of.try_emplace(v.entity, static_cast<std::uint32_t>(number_of.size()));
    if (is_new) {
      put(name_texts, static_cast<std::uint16_t>(names[v.entity].size()));
      name_texts += names[v.entity];
    }
    put(columns[0], at->second);
    put(columns[1], v.vector.presence);
    put(columns[2], v.vector.second);
    for (std::uint32_t left = v.vector.presence; left != 0; left &= left - 1) {
      const auto slot = static_cast<std::size_t>(__builtin_ctz(left));
      floats.append(reinterpret_cast<const char*>(&v.vector.values[slot * 4]), 4 * sizeof(float));
    }
  }
  put(out, static_cast<std::uint32_t>(number_of.size()));
  out += name_texts;
  for (const std::string& column : columns) out += column;
  return out + floats;
}

// The vectors of a block that are asked for; false for damage.
bool read_plain(std::string_view plain, std::uint32_t count, Interval window, const std::string& entity, std::vector<FeatureVector>& out) {
  BlockReader reader(plain);
  const auto name_count = reader.take<std::uint32_t>();
  std::vector<std::string_view> names;
  for (std::uint32_t i = 0; i < name_count && !reader.is_short(); ++i) names.push_back(reader.take_bytes(reader.take<std::uint16_t>()));
  BlockReader numbers(reader.take_bytes(std::size_t{count} * 4));
  BlockReader masks(reader.take_bytes(std::size_t{count} * 4));
  BlockReader seconds(reader.take_bytes(std::size_t{count} * 8));
  for (std::uint32_t i = 0; i < count && !reader.is_short(); ++i) {
    FeatureVector v;
    const auto number = numbers.take<std::uint32_t>();
    v.presence = masks.take<std::uint32_t>();
    v.second = seconds.take<std::int64_t>();
    const std::string_view floats = reader.take_bytes(static_cast<std::size_t>(__builtin_popcount(v.presence)) * 4 * sizeof(float));
    if (reader.is_short() || number >= names.size()) return false;
    if (!window.contains(time_from_seconds(v.second)) || (!entity.empty() && names[number] != entity)) continue;
    v.entity = names[number];
    v.values.fill(std::numeric_limits<float>::quiet_NaN());
    std::size_t at = 0;
    for (std::uint32_t left = v.presence; left != 0; left &= left - 1, at += 4 * sizeof(float)) {
      std::memcpy(&v.values[static_cast<std::size_t>(__builtin_ctz(left)) * 4], floats.data() + at, 4 * sizeof(float));
    }
    out.push_back(std::move(v));
  }
  return !reader.is_short();
}

std::int64_t hour_of_second(std::int64_t second) { return second >= 0 ? second / kSecondsPerHour : (second - kSecondsPerHour + 1) / kSecondsPerHour; }

}  // namespace

FeatureStore::FeatureStore(std::string directory, std::shared_ptr<Database> database) : directory_(std::move(directory)), database_(std::move(database)) {
  std::error_code ignored;
  if (!directory_.empty()) std::filesystem::create_directories(directory_, ignored);
}

std::string FeatureStore::file_of(std::int64_t hour) const { return directory_ + "/" + std::to_string(hour) + ".features"; }

std::vector<std::int64_t> FeatureStore::hours() const {
  std::vector<std::int64_t> out;
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(directory_, ignored)) {
    const std::string name = entry.path().stem().string();
    std::int64_t hour = 0;
    const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), hour);
    if (error == std::errc{} && end == name.data() + name.size() && entry.path().extension() == ".features") out.push_back(hour);
  }
  std::sort(out.begin(), out.end());
  return out;
}

Result<void> FeatureStore::append(std::span<const NumberedFeature> vectors, std::span<const std::string> names) {
  if (directory_.empty()) return {};
  while (!vectors.empty()) {
    const std::int64_t hour = hour_of_second(vectors.front().vector.second);
    std::size_t size = 1;
    while (size < vectors.size() && size < kBlockVectors && hour_of_second(vectors[size].vector.second) == hour) ++size;
    TRY(append_block(hour, vectors.first(size), names));
    vectors = vectors.subspan(size);
  }
  return {};
}

Result<void> FeatureStore::append_block(std::int64_t hour, std::span<const NumberedFeature> vectors, std::span<const std::string> names) {
  const std::string plain = plain_block(vectors, names);
  std::string block(sizeof(BlockHeader) + ZSTD_compressBound(plain.size()), '\0');
  const std::size_t packed = ZSTD_compress(block.data() + sizeof(BlockHeader), block.size() - sizeof(BlockHeader), plain.data(), plain.size(), kZstdLevel);
  if (ZSTD_isError(packed)) return fail(Code::kUnavailable, std::string("feature vectors cannot be compressed: ") + ZSTD_getErrorName(packed));
  BlockHeader header;
  header.packed_bytes = static_cast<std::uint32_t>(packed);
  header.plain_bytes = static_cast<std::uint32_t>(plain.size());
  header.count = static_cast<std::uint32_t>(vectors.size());
  const auto [first, last] = std::minmax_element(vectors.begin(), vectors.end(), [](const auto& a, const auto& b) { return a.vector.second < b.vector.second; });
  header.first_second = first->vector.second;
  header.last_second = last->vector.second;
  header.checksum = XXH3_64bits(block.data() + sizeof header, packed);
  std::memcpy(block.data(), &header, sizeof header);
  std::ofstream out(file_of(hour), std::ios::binary | std::ios::app);
  out.write(block.data(), static_cast<std::streamsize>(sizeof header + packed));
  out.close();
  if (!out) return fail(Code::kExhausted, "feature vectors cannot be written: " + file_of(hour));
  return {};
}

void FeatureStore::read_file(const std::string& path, Interval window, const std::string& entity, std::vector<FeatureVector>& out) const {
  std::ifstream in(path, std::ios::binary);
  std::string packed;
  std::string plain;
  BlockHeader header;
  while (in.read(reinterpret_cast<char*>(&header), sizeof header)) {
    // Without a header that holds, nothing says where the next block begins.
    if (header.magic != kBlockMagic || header.plain_bytes > kPlainMax || header.packed_bytes > ZSTD_compressBound(kPlainMax)) {
      ++damaged_;
      return;
    }
    if (!window.contains(time_from_seconds(header.first_second)) && !window.contains(time_from_seconds(header.last_second)) &&
        !(time_from_seconds(header.first_second) < window.from && window.to <= time_from_seconds(header.last_second))) {
      in.seekg(header.packed_bytes, std::ios::cur);
      continue;
    }
    packed.resize(header.packed_bytes);
    if (!in.read(packed.data(), static_cast<std::streamsize>(packed.size()))) {
      ++damaged_;
      return;
    }
    plain.resize(header.plain_bytes);
    const bool is_whole = XXH3_64bits(packed.data(), packed.size()) == header.checksum &&
                          ZSTD_decompress(plain.data(), plain.size(), packed.data(), packed.size()) == plain.size();
    if (!is_whole || !read_plain(plain, header.count, window, entity, out)) ++damaged_;
  }
}

Result<std::vector<FeatureVector>> FeatureStore::read(Interval window, const std::string& entity, std::size_t limit) const {
  std::vector<FeatureVector> out;
  for (const std::int64_t hour : hours()) {
    const Interval of_hour{time_from_seconds(hour * kSecondsPerHour), time_from_seconds((hour + 1) * kSecondsPerHour)};
    if (of_hour.to <= window.from || of_hour.from >= window.to) continue;
    const auto begin = static_cast<std::ptrdiff_t>(out.size());
    read_file(file_of(hour), window, entity, out);
    std::sort(out.begin() + begin, out.end(), [](const FeatureVector& a, const FeatureVector& b) { return std::tie(a.second, a.entity) < std::tie(b.second, b.entity); });
    if (out.size() < limit) continue;
    out.resize(limit);
    break;
  }
  return out;
}

Result<void> FeatureStore::export_parquet(Interval window, const std::string& path) const {
  TRY_ASSIGN(std::vector<FeatureVector> vectors, read(window, "", std::size_t{10'000'000}));
  TRY_ASSIGN(const std::unique_ptr<Connection> connection, database_->connect());
  std::string columns;
  for (std::size_t i = 0; i < kFeatureFloats; ++i) columns += ", f" + std::to_string(i) + " FLOAT";
  TRY(connection->run("CREATE TEMP TABLE wide_features (second BIGINT, entity VARCHAR, presence BIGINT" + columns + ")"));
  TRY_ASSIGN(const std::unique_ptr<Appender> rows, Appender::open(*connection, "wide_features"));
  for (const FeatureVector& v : vectors) {
    rows->add(v.second);
    rows->add(v.entity);
    rows->add(static_cast<std::int64_t>(v.presence));
    for (const float f : v.values) rows->add_float(f);
    rows->end_row();
  }
  TRY(rows->close());
  return connection->run("COPY (SELECT * FROM wide_features ORDER BY second, entity) TO " + sql_quoted(path) + " (FORMAT parquet)");
}

Result<void> FeatureStore::drop_before(TimePoint time) {
  for (const std::int64_t hour : hours()) {
    if (time_from_seconds((hour + 1) * kSecondsPerHour) > time) break;
    std::error_code error;
    std::filesystem::remove(file_of(hour), error);
    if (error) return fail(Code::kUnavailable, "feature vectors cannot be removed: " + file_of(hour) + ": " + error.message());
  }
  return {};
}

}  // namespace seedance
