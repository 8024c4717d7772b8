// Answers from a running server over HTTP. Its problem JSON becomes our errors.
#pragma once

#include <memory>

#include "cli/source/report_source.h"
#include "model/language.h"
#include "net/http_client.h"

namespace seedance {

std::unique_ptr<ReportSource> remote_source(HttpClientOptions options, Language language);

}  // namespace seedance
