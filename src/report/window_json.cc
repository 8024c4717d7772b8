#include "report/window_json.h"

#include "base/time_text.h"

namespace seedance {

Json window_json(Interval window, const TimeZone& zone) {
  return Json::object().set("from", print_time(window.from, zone)).set("to", print_time(window.to, zone));
}

Result<Interval> window_from(const Json& report) {
  Interval window;
  TRY_ASSIGN(window.from, parse_time(report.at("window").at("from").text()));
  TRY_ASSIGN(window.to, parse_time(report.at("window").at("to").text()));
  return window;
}

TimeZone zone_from(const Json& report) { return TimeZone::named(report.at("zone").text()).value_or(TimeZone{}); }

}  // namespace seedance
