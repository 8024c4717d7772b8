// Answers from a running server over HTTP. Its problem JSON becomes our errors.
#pragma once

#include <memory>
#include <optional>

#include "cli/source/report_source.h"
#include "model/language.h"
#include "net/http_client.h"

namespace seedance {

// `zone`: nullopt leaves it to the server.
std::unique_ptr<ReportSource> remote_source(HttpClientOptions options, Language language, std::optional<TimeZone> zone);

}  // namespace seedance
