// Sends what a GPU node says by way of an OpenTelemetry SDK: `node send.js PROTOCOL URL [TOKEN]`, once, and exits 0 when it was taken.
// PROTOCOL is proto, proto-gzip, json, json-gzip, grpc or grpc-gzip. Delta temporality with SEEDANCE_DELTA=1. Time is the machine's.
"use strict";
const { MeterProvider, PeriodicExportingMetricReader, AggregationTemporality } = require("@opentelemetry/sdk-metrics");
const { Resource } = require("@opentelemetry/resources");

const [protocol, url, token] = process.argv.slice(2);
const [encoding, packing] = protocol.split("-");
const PACKAGES = { proto: "otlp-proto", json: "otlp-http", grpc: "otlp-grpc" };
const { OTLPMetricExporter } = require("@opentelemetry/exporter-metrics-" + PACKAGES[encoding]);

function exporterOptions() {
  const temporality = process.env.SEEDANCE_DELTA ? AggregationTemporality.DELTA : AggregationTemporality.CUMULATIVE;
  const options = { url, compression: packing || "none", temporalityPreference: temporality, timeoutMillis: 20000 };
  if (!token) return options;
  if (encoding !== "grpc") return { ...options, headers: { Authorization: "Bearer " + token } };
  const { Metadata } = require("@grpc/grpc-js");
  const metadata = new Metadata();
  metadata.set("authorization", "Bearer " + token);
  return { ...options, metadata };
}

const exporter = new OTLPMetricExporter(exporterOptions());
const send = exporter.export.bind(exporter);
let failure = null;
exporter.export = (metrics, done) =>
  send(metrics, (result) => {
    if (result.code !== 0) failure = result.error || new Error("not taken");
    done(result);
  });

const reader = new PeriodicExportingMetricReader({ exporter, exportIntervalMillis: 3600000, exportTimeoutMillis: 20000 });
const resource = new Resource({
  "service.name": "gpu-trainer",
  "service.namespace": "team-llm",
  "service.instance.id": "worker-" + protocol,
  "k8s.pod.name": "worker-" + protocol,
  "k8s.namespace.name": "team-llm",
  "k8s.node.name": "node-" + protocol,
});
const meter = new MeterProvider({ resource, readers: [reader] }).getMeter("e2e", "1.0.0");
const gpu = { UUID: "GPU-" + protocol, Hostname: "node-" + protocol, gpu: "0", modelName: "NVIDIA H200", namespace: "team-llm", pod: "worker-" + protocol, container: "main" };
const observe = (name, options, value, attributes) => meter.createObservableGauge(name, options).addCallback((result) => result.observe(value, attributes));

observe("DCGM_FI_DEV_GPU_UTIL", { unit: "%" }, 87, gpu);
observe("DCGM_FI_DEV_FB_USED", { unit: "MiBy" }, 70000, gpu);
observe("kube_pod_info", {}, 1, { namespace: "team-llm", pod: "worker-" + protocol, uid: "uid-" + protocol, node: "node-" + protocol });
meter.createCounter("container_cpu_usage_seconds_total", { unit: "s" }).add(12.5, { namespace: "team-llm", pod: "worker-" + protocol, container: "main" });
meter.createHistogram("train.step.duration", { unit: "s" }).record(0.7, { gpu: "0" });

reader
  .forceFlush()
  .then(() => exporter.shutdown())
  .catch((error) => (failure = failure || error))
  .then(() => {
    if (failure) console.error(failure.message || failure);
    process.exit(failure ? 1 : 0);
  });
