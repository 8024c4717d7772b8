#include "app/backfill/backfill_progress.h"

#include "base/time_text.h"
#include "json/value.h"
#include "store/log/file_layer.h"

namespace seedance {
namespace {

constexpr std::int64_t kProgressVersion = 1;

Json key_json(const BackfillKey& key) {
  Json labels = Json::object();
  for (const Label& label : key.labels) labels.set(label.name, label.value);
  return Json::object().set("source", key.source).set("target", key.target).set("window", key.window).set("labels", std::move(labels));
}

// FNV-1a, 64 bits: the name of a file must be the same in every run and on every machine.
std::string hash_name(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  std::string out;
  for (int shift = 60; shift >= 0; shift -= 4) out.push_back("0123456789abcdef"[(hash >> shift) & 15]);
  return out;
}

std::optional<Interval> done_in(const Result<std::string>& text, const std::string& key) {
  if (!text) return std::nullopt;
  const Result<Json> json = parse_json(*text);
  if (!json || json->at("version").integer() != kProgressVersion || json->at("key").print() != key) return std::nullopt;
  const Result<TimePoint> from = parse_time(json->at("from").text());
  const Result<TimePoint> to = parse_time(json->at("to").text());
  if (!from || !to || *to < *from) return std::nullopt;
  return Interval{*from, *to};
}

}  // namespace

std::string address_to_show(std::string_view url) {
  const std::size_t slashes = url.find("://");
  const std::size_t host = slashes == std::string_view::npos ? 0 : slashes + 3;
  const std::size_t end = std::min(url.find('/', host), url.size());
  const std::size_t at = url.substr(0, end).rfind('@');
  std::string out(url);
  if (at != std::string_view::npos && at >= host) out.erase(host, at + 1 - host);
  while (!out.empty() && out.back() == '/') out.pop_back();
  return out;
}

Result<BackfillProgress> BackfillProgress::open(std::string folder, const BackfillKey& key, bool restart) {
  BackfillProgress out;
  out.folder_ = std::move(folder);
  out.key_ = key_json(key).print();
  out.name_ = hash_name(out.key_) + ".json";
  FileLayer& files = posix_files();
  TRY(files.make_folder(out.folder_));
  if (restart) {
    TRY(files.remove(out.folder_ + "/" + out.name_));
  } else {
    out.done_ = done_in(files.read(out.folder_ + "/" + out.name_), out.key_);
  }
  return out;
}

Result<void> BackfillProgress::save(Interval done) {
  TRY_ASSIGN(Json key, parse_json(key_));
  Json json = Json::object();
  json.set("version", kProgressVersion).set("key", std::move(key)).set("from", print_time(done.from)).set("to", print_time(done.to));
  TRY(replace_file(posix_files(), folder_, name_, json.print_pretty()));
  done_ = done;
  return {};
}

}  // namespace seedance
