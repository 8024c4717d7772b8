// Our messages in Chinese. Errors are made in English, deep in the layers; where they are shown to a person, they pass `message_in`.
//
// The table holds patterns ("not a duration: {}"). Values, names and places ("settings.yaml:3") are kept as they are; a message that
// is not in the table stays English. tools/check_texts.py fails when a message of the sources is missing.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "model/language.h"

namespace seedance {

std::string message_in(Language language, std::string_view english);

// Message and hint.
Error error_in(Language language, Error error);

}  // namespace seedance
