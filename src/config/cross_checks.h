// What must hold between settings, once each is right by itself.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "config/settings.h"
#include "config/yaml.h"

namespace seedance {

// Where the file gives a setting; settings that it does not mention have no place.
struct SettingPlace {
  std::string name;
  YamlPlace place;
};

Result<void> check_settings(const Settings& settings, YamlSource source, const std::vector<SettingPlace>& places);

// True for localhost, ::1 and the IPv4 addresses 127.0.0.0/8, written in full; names are not looked up.
bool is_loopback(std::string_view address);

}  // namespace seedance
