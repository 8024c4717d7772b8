#include "config/cross_checks.h"

#include <algorithm>
#include <charconv>

#include "base/time_text.h"
#include "base/time_zone.h"

namespace seedance {
namespace {

YamlPlace place_of_setting(const std::vector<SettingPlace>& places, std::string_view name) {
  const auto at = std::ranges::find(places, name, &SettingPlace::name);
  return at == places.end() ? YamlPlace{} : at->place;
}

bool is_currency(std::string_view text) {
  return text.size() == 3 && std::ranges::all_of(text, [](char c) { return 'A' <= c && c <= 'Z'; });
}

Result<void> check_grpc(const ServerSettings& server, YamlSource source, const std::vector<SettingPlace>& places) {
  if (server.otlp_grpc_listen.empty()) return {};
  const YamlPlace place = place_of_setting(places, "server.otlp_grpc_listen");
  const Result<ListenPlace> listen = listen_place_of(server.otlp_grpc_listen);
  if (!listen) return fail_at(source, place, "server.otlp_grpc_listen: " + listen.error().message, listen.error().hint);
  if (is_loopback(listen->address) || !server.tokens_file.empty() || server.allow_anonymous) return {};
  return fail_at(source, place,
                 "server.otlp_grpc_listen: not a loopback address and no server.tokens_file: " + server.otlp_grpc_listen,
                 "set server.tokens_file, listen on 127.0.0.1, or set server.allow_anonymous: true", Code::kDenied);
}

// Fails closed: an open port without tokens is something to be asked for by name, never something to slip into.
Result<void> check_server(const Settings& settings, YamlSource source, const std::vector<SettingPlace>& places) {
  const ServerSettings& server = settings.server;
  if (server.address.empty())
    return fail_at(source, place_of_setting(places, "server.address"), "server.address: empty");
  if (!is_loopback(server.address) && server.tokens_file.empty() && !server.allow_anonymous) {
    return fail_at(source, place_of_setting(places, "server.address"),
                   "server.address: not a loopback address and no server.tokens_file: " + server.address,
                   "set server.tokens_file, listen on 127.0.0.1, or set server.allow_anonymous: true", Code::kDenied);
  }
  TRY(check_grpc(server, source, places));
  if (server.tls_certificate.empty() != server.tls_key.empty()) {
    const std::string_view given = server.tls_key.empty() ? "server.tls_certificate" : "server.tls_key";
    return fail_at(
        source, place_of_setting(places, given),
        "server.tls_certificate and server.tls_key belong together, only one is given: " + std::string(given));
  }
  return {};
}

Result<void> check_times(const Settings& settings, YamlSource source, const std::vector<SettingPlace>& places) {
  const IngestSettings& ingest = settings.ingest;
  if (ingest.signal_lateness > ingest.provisional_lateness) {
    return fail_at(source, place_of_setting(places, "ingest.signal_lateness"),
                   "ingest.signal_lateness: above ingest.provisional_lateness of " +
                       print_duration(ingest.provisional_lateness) + ": " + print_duration(ingest.signal_lateness));
  }
  if (ingest.series_per_metric_max > ingest.series_max) {
    return fail_at(source, place_of_setting(places, "ingest.series_per_metric_max"),
                   "ingest.series_per_metric_max: above ingest.series_max of " + std::to_string(ingest.series_max) +
                       ": " + std::to_string(ingest.series_per_metric_max));
  }
  return {};
}

Result<void> check_ledger(const Settings& settings, YamlSource source, const std::vector<SettingPlace>& places) {
  const LedgerSettings& ledger = settings.ledger;
  if (ledger.cluster.empty())
    return fail_at(source, place_of_setting(places, "ledger.cluster"), "ledger.cluster: empty");
  if (!is_currency(ledger.currency)) {
    return fail_at(source, place_of_setting(places, "ledger.currency"),
                   "ledger.currency: not three capital letters: " + ledger.currency);
  }
  if (const Result<TimeZone> zone = TimeZone::named(ledger.reporting_zone); !zone) {
    return fail_at(source, place_of_setting(places, "ledger.reporting_zone"), "ledger.reporting_zone: " + zone.error().message, zone.error().hint);
  }
  const YamlPlace inline_rules = place_of_setting(places, "dimensions");
  if (!ledger.dimensions_file.empty() && inline_rules.line > 0) {
    return fail_at(source, inline_rules, "both dimensions and ledger.dimensions_file are given",
                   "keep the mapping in one place");
  }
  return {};
}

Result<void> check_names(const Settings& settings, YamlSource source, const std::vector<SettingPlace>& places) {
  for (std::size_t i = 0; i < settings.tenants.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (settings.tenants[i].name != settings.tenants[j].name) continue;
      return fail_at(source, place_of_setting(places, "tenants"), "tenants: two entries with the name: " + settings.tenants[i].name);
    }
  }
  for (std::size_t i = 0; i < settings.shared_costs.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (settings.shared_costs[i].name != settings.shared_costs[j].name) continue;
      return fail_at(source, place_of_setting(places, "shared_costs"),
                     "shared_costs: two entries with the name: " + settings.shared_costs[i].name);
    }
  }
  for (std::size_t i = 0; i < settings.signals.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (settings.signals[i].metric != settings.signals[j].metric) continue;
      return fail_at(source, place_of_setting(places, "signals"),
                     "signals: two entries for the metric: " + settings.signals[i].metric);
    }
  }
  return {};
}

}  // namespace

Result<ListenPlace> listen_place_of(std::string_view text) {
  const auto wrong = [&] { return fail(Code::kInvalid, "not an address and a port: " + std::string(text), "write it like 127.0.0.1:4317 or [::1]:4317"); };
  const std::size_t colon = text.rfind(':');
  if (colon == std::string_view::npos) return wrong();
  std::string_view address = text.substr(0, colon);
  const std::string_view port_text = text.substr(colon + 1);
  ListenPlace out;
  const auto [end, problem] = std::from_chars(port_text.data(), port_text.data() + port_text.size(), out.port);
  if (port_text.empty() || problem != std::errc{} || end != port_text.data() + port_text.size()) return wrong();
  const bool is_bracketed = address.starts_with('[') && address.ends_with(']');
  if (is_bracketed) address = address.substr(1, address.size() - 2);
  // An IPv6 address without brackets could end in what looks like a port.
  if (address.empty() || (address.find(':') != std::string_view::npos) != is_bracketed) return wrong();
  out.address = address;
  return out;
}

bool is_loopback(std::string_view address) {
  if (address == "localhost" || address == "::1") return true;
  int parts = 0;
  int first = -1;
  while (true) {
    const std::string_view part = address.substr(0, address.find('.'));
    int number = -1;
    const auto [end, problem] = std::from_chars(part.data(), part.data() + part.size(), number);
    if (part.empty() || problem != std::errc{} || end != part.data() + part.size() || number < 0 || number > 255)
      return false;
    if (parts++ == 0) first = number;
    if (part.size() == address.size()) break;
    address.remove_prefix(part.size() + 1);
  }
  return parts == 4 && first == 127;
}

Result<void> check_settings(const Settings& settings, YamlSource source, const std::vector<SettingPlace>& places) {
  TRY(check_server(settings, source, places));
  TRY(check_times(settings, source, places));
  TRY(check_ledger(settings, source, places));
  return check_names(settings, source, places);
}

}  // namespace seedance
