// The sample cluster, node by node: six machines, some thirty pods, and every trap that clusters lay for an accountant.
//
//   p5       8 x H100  a pulsed 4-GPU training (12 s of every 30 s), a 2-GPU training that waits for NCCL, an
//   evaluation
//                      on a card without profiling counters, one card free; scraped by two GPU exporters
//   p4d      8 x A100  two cards cut by MIG, an idle notebook that has held two cards for days, a pod that holds a card
//                      in ImagePullBackOff, one whole card free
//   g6-a     4 x L4    time slicing x 4, resource not renamed; native sidecars; a counter reset; a gap of four minutes
//   g6-b     4 x L4    time slicing x 4, resource renamed to nvidia.com/gpu.shared
//   g6-spot  4 x L4    spot, with a price step inside every hour
//   m5       no GPU    a pod without requests, a name used by two pods one after the other, jobs of 20 seconds, a claim
#include "simulate/cluster_plan.h"
#include "simulate/plan_builder.h"

namespace seedance {
namespace {

using std::chrono::hours;
using std::chrono::minutes;
using std::chrono::seconds;

constexpr Wave kPulse{.level_millis = 960, .rest_millis = 10, .period = seconds(30), .burst = seconds(12)};

void plan_p5(ClusterPlan& plan, const std::string& suffix) {
  const std::size_t node = add_node(plan, {.name = "p5-a" + suffix,
                                           .type = "p5.48xlarge",
                                           .cores = 192,
                                           .gib = 2048,
                                           .model = "NVIDIA H100 80GB HBM3",
                                           .product = "NVIDIA-H100-80GB-HBM3",
                                           .gpu_count = 8,
                                           .memory_mib = 81'559,
                                           .full_watts = 700});
  add_resource(plan, node, "nvidia.com/gpu", 8);

  PlannedPod& pulse = add_pod(plan, node, "train", "llm-pretrain" + suffix + "-0", -hours(5));
  owned(pulse, "Job", "llm-pretrain" + suffix);
  pulse.labels = {{"team", "nlp"}, {"task-type", "training"}, {"sla", "gold"}, {"tenant", "research"}};
  pulse.claims = {"dataset-cache"};
  pulse.containers = {
      container("trainer", 64'000, 800,
                {.level_millis = 52'000, .rest_millis = 9'000, .period = seconds(30), .burst = seconds(12)})};
  pulse.containers[0].memory_bytes = std::int64_t{350} << 30;
  pulse.network = {
      .level_millis = 900'000'000'000, .rest_millis = 1'000'000'000, .period = seconds(30), .burst = seconds(12)};
  pulse.data_wait_millis = 550;
  request_gpus(pulse, "nvidia.com/gpu", 4);
  for (std::size_t gpu = 0; gpu < 4; ++gpu) {
    hold(plan, node, gpu, 0, plan.pods.back(),
         {.engine = kPulse, .sm = 820, .tensor = 610, .dram = 540, .used_mib = 72'400});
  }

  PlannedPod& waits = add_pod(plan, node, "train", "moe-finetune" + suffix + "-0", -hours(2));
  owned(waits, "Job", "moe-finetune" + suffix);
  waits.labels = {{"app.kubernetes.io/team", "nlp"}, {"task-type", "training"}, {"sla", "silver"}};
  waits.claims = {"dataset-cache"};
  waits.containers = {container("trainer", 16'000, 200, {.level_millis = 14'000})};
  waits.data_wait_millis = 30;
  waits.communication_wait_millis = 550;
  request_gpus(waits, "nvidia.com/gpu", 2);
  // NCCL kernels spin while they wait: the engine looks busy, the multiprocessors do not.
  for (std::size_t gpu = 4; gpu < 6; ++gpu) {
    hold(plan, node, gpu, 0, plan.pods.back(),
         {.engine = {.level_millis = 970}, .sm = 310, .tensor = 140, .dram = 180, .used_mib = 61'000});
  }

  PlannedPod& blind = add_pod(plan, node, "train", "eval-suite" + suffix + "-0", -minutes(90));
  owned(blind, "StatefulSet", "eval-suite" + suffix);
  blind.labels = {{"team", "eval"}, {"task-type", "evaluation"}};
  blind.containers = {container("eval", 8'000, 64, {.level_millis = 3'000})};
  request_gpus(blind, "nvidia.com/gpu", 1);
  hold(plan, node, 6, 0, plan.pods.back(),
       {.engine = {.level_millis = 700}, .sm = 500, .tensor = 200, .dram = 300, .used_mib = 33'000});
  plan.nodes[node].gpus[6].has_profiling = false;
  plan.nodes[node].gpus[6].xid_from = minutes(50);
}

void plan_p4d(ClusterPlan& plan, const std::string& suffix) {
  const std::size_t node = add_node(plan, {.name = "p4d-a" + suffix,
                                           .type = "p4d.24xlarge",
                                           .cores = 96,
                                           .gib = 1152,
                                           .model = "NVIDIA A100-SXM4-40GB",
                                           .product = "NVIDIA-A100-SXM4-40GB",
                                           .gpu_count = 8,
                                           .memory_mib = 40'960,
                                           .full_watts = 400});
  plan.nodes[node].labels.push_back({"nvidia.com/mig.strategy", "mixed"});
  // 3 + 2 + 1 compute slices: the seventh fits no profile and is stranded.
  cut(plan, node, 7, {{"3g.20gb", 1, 3, 19'968}, {"2g.10gb", 5, 2, 9'856}, {"1g.5gb", 13, 1, 4'864}});
  cut(plan, node, 6,
      {{"1g.5gb", 7, 1, 4'864},
       {"1g.5gb", 8, 1, 4'864},
       {"1g.5gb", 9, 1, 4'864},
       {"1g.5gb", 10, 1, 4'864},
       {"1g.5gb", 11, 1, 4'864},
       {"1g.5gb", 12, 1, 4'864},
       {"1g.5gb", 14, 1, 4'864}});
  add_resource(plan, node, "nvidia.com/gpu", 6);
  add_resource(plan, node, "nvidia.com/mig-3g.20gb", 1);
  add_resource(plan, node, "nvidia.com/mig-2g.10gb", 1);
  add_resource(plan, node, "nvidia.com/mig-1g.5gb", 8);

  PlannedPod& notebook = add_pod(plan, node, "notebooks", "ada-notebook" + suffix + "-0", -hours(72));
  owned(notebook, "StatefulSet", "ada-notebook" + suffix);
  notebook.labels = {{"team", "vision"}, {"task-type", "notebook"}};
  notebook.annotations = {{"notebooks.example.org/last-activity", "never"}};
  notebook.containers = {container("jupyter", 8'000, 64, {.level_millis = 15})};
  request_gpus(notebook, "nvidia.com/gpu", 2);
  for (std::size_t gpu = 0; gpu < 2; ++gpu) hold(plan, node, gpu, 0, plan.pods.back(), {.used_mib = 3});

  for (int replica = 0; replica < 2; ++replica) {
    PlannedPod& rank = add_replica(plan, node, "infer", "rank" + suffix, replica, -hours(9));
    rank.labels = {{"team", "search"}, {"task-type", "inference"}, {"tenant", "acme"}, {"data-source", "clicks"}};
    rank.containers = {container("server", 6'000, 48, {.level_millis = 4'500})};
    request_gpus(rank, "nvidia.com/gpu", 1);
    hold(plan, node, static_cast<std::size_t>(2 + replica), 0, plan.pods.back(),
         {.engine = {.level_millis = 620}, .sm = 700, .tensor = 450, .dram = 400, .used_mib = 31'000});
  }

  PlannedPod& stuck = add_pod(plan, node, "train", "broken-image" + suffix + "-0", minutes(5));
  owned(stuck, "Job", "broken-image" + suffix);
  stuck.labels = {{"team", "nlp"}};
  stuck.started = kNever;
  stuck.containers = {container("trainer", 8'000, 64, {})};
  stuck.containers[0].waiting_reason = "ImagePullBackOff";
  request_gpus(stuck, "nvidia.com/gpu", 1);
  hold(plan, node, 4, 0, plan.pods.back(), {});
  plan.nodes[node].gpus[5].blank_from = minutes(20);
  plan.nodes[node].gpus[5].blank_to = minutes(25);

  PlannedPod& rerank = add_pod(plan, node, "infer", "rerank" + suffix + "-0", -hours(20));
  owned(rerank, "StatefulSet", "rerank" + suffix);
  rerank.labels = {{"team", "search"}, {"task-type", "inference"}};
  rerank.containers = {container("rerank", 4'000, 40, {.level_millis = 2'500})};
  request_gpus(rerank, "nvidia.com/mig-3g.20gb", 1);
  hold(plan, node, 7, 0, plan.pods.back(),
       {.engine = {.level_millis = 550}, .sm = 600, .tensor = 300, .dram = 350, .used_mib = 14'000});
  for (int replica = 0; replica < 4; ++replica) {
    PlannedPod& tiny = add_pod(plan, node, "infer", "tiny" + suffix + "-" + std::to_string(replica), -hours(20));
    owned(tiny, "StatefulSet", "tiny" + suffix);
    tiny.labels = {{"team", "search"}};
    tiny.containers = {container("embed", 2'000, 8, {.level_millis = 700})};
    request_gpus(tiny, "nvidia.com/mig-1g.5gb", 1);
    hold(plan, node, 6, static_cast<std::size_t>(replica), plan.pods.back(),
         {.engine = {.level_millis = 400}, .sm = 500, .tensor = 250, .dram = 200, .used_mib = 3'100});
  }
}

std::size_t add_l4_node(ClusterPlan& plan, const std::string& name) {
  return add_node(plan, {.name = name,
                         .type = "g6.12xlarge",
                         .cores = 48,
                         .gib = 192,
                         .model = "NVIDIA L4",
                         .product = "NVIDIA-L4",
                         .gpu_count = 4,
                         .memory_mib = 23'034,
                         .full_watts = 72});
}

void plan_sliced(ClusterPlan& plan, const std::string& suffix) {
  const std::size_t node = add_l4_node(plan, "g6-a" + suffix);
  share_by_time(plan, node, 4, "nvidia.com/gpu");
  plan.nodes[node].gap_from = minutes(41);
  plan.nodes[node].gap_to = minutes(45);
  plan.nodes[node].gpus[3].has_power = false;
  for (int replica = 0; replica < 6; ++replica) {
    PlannedPod& chat = add_replica(plan, node, "serve", "chat" + suffix, replica, -hours(30));
    chat.labels = {{"team", "chat"}, {"task-type", "inference"}, {"sla", "gold"}, {"tenant", "acme"}};
    PlannedContainer proxy = container("istio-proxy", 100, 0, {.level_millis = 60});
    proxy.memory_request_bytes = std::int64_t{128} << 20;
    proxy.memory_bytes = std::int64_t{90} << 20;
    proxy.is_sidecar = true;
    chat.containers = {container("server", 3'500, 12, {.level_millis = 3'000}), proxy};
    if (replica == 2) chat.containers[0].counter_reset = minutes(60);
    chat.network = {.level_millis = 2'500'000'000};
    request_gpus(chat, "nvidia.com/gpu", 1);
    hold(plan, node, static_cast<std::size_t>(replica % 3), 0, plan.pods.back(),
         {.engine = {.level_millis = 300}, .sm = 600, .tensor = 300, .dram = 400, .used_mib = 9'000});
  }

  const std::size_t renamed = add_l4_node(plan, "g6-b" + suffix);
  share_by_time(plan, renamed, 4, "nvidia.com/gpu.shared");
  for (int replica = 0; replica < 5; ++replica) {
    PlannedPod& embed = add_pod(plan, renamed, "infer", "embed" + suffix + "-" + std::to_string(replica), -hours(11));
    owned(embed, "StatefulSet", "embed" + suffix);
    embed.labels = {{"team", "search"}, {"task-type", "inference"}};
    embed.containers = {container("embed", 2'000, 8, {.level_millis = 1'200})};
    request_gpus(embed, "nvidia.com/gpu.shared", 1);
    hold(plan, renamed, static_cast<std::size_t>(replica % 4), 0, plan.pods.back(),
         {.engine = {.level_millis = 450}, .sm = 500, .tensor = 250, .dram = 300, .used_mib = 6'000});
  }
}

void plan_spot(ClusterPlan& plan, const std::string& suffix) {
  const std::size_t node = add_l4_node(plan, "g6-spot" + suffix);
  plan.nodes[node].capacity_type = "spot";
  plan.nodes[node].price_nanos_per_hour = 1'712'300'000;
  plan.nodes[node].price_nanos_after_step = 2'204'100'000;
  plan.nodes[node].price_step = minutes(35);
  add_resource(plan, node, "nvidia.com/gpu", 4);
  PlannedPod& sweep = add_pod(plan, node, "train", "sweep" + suffix + "-0", -hours(3));
  owned(sweep, "Job", "sweep" + suffix);
  sweep.labels = {{"team", "vision"}, {"task-type", "training"}, {"sla", "bronze"}, {"env", "dev"}};
  sweep.containers = {container("trainer", 20'000, 96, {.level_millis = 22'000})};
  request_gpus(sweep, "nvidia.com/gpu", 3);
  for (std::size_t gpu = 0; gpu < 3; ++gpu) {
    hold(plan, node, gpu, 0, plan.pods.back(),
         {.engine = {.level_millis = 880}, .sm = 780, .tensor = 520, .dram = 500, .used_mib = 20'100});
  }
}

void plan_cpu(ClusterPlan& plan, const std::string& suffix) {
  const std::size_t node = add_node(plan, {.name = "m5-a" + suffix, .type = "m5.xlarge", .cores = 4, .gib = 16});
  PlannedPod& etl = add_pod(plan, node, "batch", "etl" + suffix + "-0", -hours(6));
  owned(etl, "StatefulSet", "etl" + suffix);
  etl.labels = {{"team", "data"}, {"data-source", "events"}};
  etl.containers = {container("etl", 0, 0, {.level_millis = 1'500})};
  etl.containers[0].memory_bytes = std::int64_t{3} << 30;

  for (int turn = 0; turn < 2; ++turn) {
    PlannedPod& nightly = add_pod(plan, node, "batch", "nightly" + suffix, minutes(turn == 0 ? 10 : 70));
    nightly.labels = {{"team", "data"}, {"task-type", "batch"}};
    nightly.containers = {container("job", 1'000, 2, {.level_millis = 900})};
    nightly.finished = nightly.started + minutes(15);
    nightly.removed = nightly.finished + minutes(2);
    nightly.uid_key += "/" + std::to_string(turn);
  }

  PlannedPod& thumbs = add_pod(plan, node, "batch", "thumbs" + suffix, minutes(12) + seconds(3));
  owned(thumbs, "Job", "thumbs" + suffix);
  thumbs.top_kind = "CronJob";
  thumbs.top_name = "thumbs" + suffix;
  thumbs.labels = {{"team", "media"}, {"task-type", "batch"}};
  thumbs.containers = {container("thumbs", 500, 1, {.level_millis = 480})};
  thumbs.finished = thumbs.started + seconds(20);
  thumbs.removed = thumbs.finished + minutes(10);
  thumbs.repeat = minutes(30);

  PlannedPod& metrics = add_pod(plan, node, "monitoring", "prometheus" + suffix + "-0", -hours(100));
  owned(metrics, "StatefulSet", "prometheus" + suffix);
  metrics.labels = {{"app.kubernetes.io/team", "platform"}};
  metrics.claims = {"prometheus-data"};
  metrics.containers = {container("prometheus", 500, 4, {.level_millis = 350})};
}

void plan_daemons(ClusterPlan& plan) {
  const std::size_t node_count = plan.nodes.size();
  for (std::size_t node = 0; node < node_count; ++node) {
    const std::string name = "node-exporter-" + planned_uuid(plan.seed, plan.nodes[node].name).substr(0, 5);
    PlannedPod& daemon = add_pod(plan, node, "kube-system", name, -hours(200));
    owned(daemon, "DaemonSet", "node-exporter");
    daemon.containers = {container("node-exporter", 100, 0, {.level_millis = 30})};
    daemon.containers[0].memory_bytes = std::int64_t{40} << 20;
  }
}

}  // namespace

ClusterPlan sample_plan(std::uint64_t seed, TimePoint start, Nanos scrape_interval, unsigned scale) {
  ClusterPlan plan;
  plan.seed = seed;
  plan.start = start;
  plan.scrape_interval = scrape_interval;
  plan.namespaces = {{"train", {{"bu", "research"}, {"env", "prod"}, {"domain", "models"}}},
                     {"infer", {{"bu", "product"}, {"env", "prod"}}},
                     {"serve", {{"business-unit", "product"}, {"env", "prod"}}},
                     {"notebooks", {{"bu", "research"}, {"env", "dev"}}},
                     {"batch", {{"bu", "data"}, {"env", "prod"}}},
                     {"monitoring", {}},
                     {"kube-system", {}}};
  plan.claims = {{"train", "dataset-cache", std::int64_t{500} << 30},
                 {"monitoring", "prometheus-data", std::int64_t{100} << 30}};
  for (unsigned copy = 0; copy < (scale == 0 ? 1 : scale); ++copy) {
    const std::string suffix = copy == 0 ? "" : "-c" + std::to_string(copy);
    plan_p5(plan, suffix);
    plan_p4d(plan, suffix);
    plan_sliced(plan, suffix);
    plan_spot(plan, suffix);
    plan_cpu(plan, suffix);
  }
  plan_daemons(plan);
  return plan;
}

}  // namespace seedance
