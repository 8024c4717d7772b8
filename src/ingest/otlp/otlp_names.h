// OpenTelemetry names as Prometheus names.
//
// Source: OpenTelemetry specification, compatibility/prometheus_and_openmetrics.md. What stands there in short: characters that
// Prometheus does not know become `_`, several in a row become one; the unit is written out and appended unless the name has it
// already ("s" -> `_seconds`, "By/s" -> `_bytes_per_second`, annotations in braces are dropped); a gauge of unit "1" ends in `_ratio`;
// a monotonic sum ends in `_total`, once.
//
// A metric whose name is wanted as it is came from a Prometheus exporter by way of a collector: it keeps that name, whatever its unit.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "ingest/otlp/otlp_points.h"

namespace seedance {

// Whether somebody reads metrics of this name; an empty function: nobody in particular, everything is translated by the rules.
using OtlpWantedName = std::function<bool(std::string_view)>;

// The name of a metric's series, without the suffixes of histograms. Never empty for a metric that has a name.
std::string otlp_metric_name(const OtlpMetric& metric, const OtlpWantedName& wanted);

// "k8s.pod.name" -> "k8s_pod_name". Names that start with a digit or with `_` (which Prometheus keeps for itself) get `key` in front.
std::string otlp_label_name(std::string_view key);

}  // namespace seedance
