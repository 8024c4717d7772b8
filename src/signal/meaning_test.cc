#include "signal/meaning.h"

#include <algorithm>
#include <initializer_list>

#include <gtest/gtest.h>

namespace seedance {
namespace {

// The meaning of one series, as texts.
struct Read {
  bool usable = false;
  bool by_exporter = false;
  SignalId signal = SignalId::kCount;
  std::string cluster, node, namespace_name, pod, pod_uid, container, device, instance, profile, model, detail, detail2;
};

Read read_series(const std::string& metric, std::initializer_list<Label> labels) {
  static const Catalogue catalogue;
  SymbolTable symbols;
  Labels all(labels);
  all.push_back({"__name__", metric});
  std::erase_if(all, [](const Label& l) { return l.value.empty(); });  // an empty label is an absent one
  std::sort(all.begin(), all.end());
  const auto meaning = meaning_of(all, catalogue, symbols);
  if (!meaning) return {};
  const auto text = [&](Symbol s) { return std::string(symbols.text(s)); };
  return {true, meaning->is_pod_by_exporter, meaning->signal, text(meaning->cluster), text(meaning->node), text(meaning->namespace_name), text(meaning->pod), text(meaning->pod_uid),
          text(meaning->container), text(meaning->device), text(meaning->instance), text(meaning->profile), text(meaning->model), text(meaning->detail),
          text(meaning->detail2)};
}

constexpr const char* kUtil = "DCGM_FI_DEV_GPU_UTIL";

TEST(MeaningTest, GpuIsKnownByEverySpellingOfItsUuid) {
  for (const char* name : {"UUID", "uuid", "gpu_uuid"}) EXPECT_EQ(read_series(kUtil, {{name, "GPU-1"}, {"Hostname", "n1"}}).device, "GPU-1") << name;
}

TEST(MeaningTest, GpuWithoutUuidIsItsPlace) {
  EXPECT_EQ(read_series(kUtil, {{"gpu", "3"}, {"Hostname", "n1"}}).device, "n1#3");
  EXPECT_EQ(read_series(kUtil, {{"device", "nvidia3"}, {"node", "n1"}}).device, "n1#nvidia3");
  EXPECT_FALSE(read_series(kUtil, {{"Hostname", "n1"}}).usable);
}

TEST(MeaningTest, HostIsKnownByEverySpelling) {
  for (const char* name : {"Hostname", "hostname", "node", "instance"}) EXPECT_EQ(read_series(kUtil, {{"UUID", "GPU-1"}, {name, "n1"}}).node, "n1") << name;
  EXPECT_EQ(read_series(kUtil, {{"UUID", "GPU-1"}, {"Hostname", "n1"}, {"instance", "10.0.0.1:9400"}}).node, "n1");
  // From OpenTelemetry `instance` is whatever the service calls itself.
  EXPECT_EQ(read_series(kUtil, {{"UUID", "GPU-1"}, {"k8s_node_name", "n1"}, {"instance", "worker-0"}}).node, "n1");
  EXPECT_EQ(read_series("node_memory_MemTotal_bytes", {{"k8s_node_name", "n1"}, {"instance", "worker-0"}}).node, "n1");
}

TEST(MeaningTest, ModelIsKnownByEverySpelling) {
  for (const char* name : {"modelName", "model_name", "modelname"}) EXPECT_EQ(read_series(kUtil, {{"UUID", "GPU-1"}, {name, "NVIDIA L4"}}).model, "NVIDIA L4") << name;
}

TEST(MeaningTest, PlainPodLabelsMayBeTheScrapers) {
  EXPECT_FALSE(read_series(kUtil, {{"UUID", "GPU-1"}, {"pod", "p"}}).by_exporter);
  EXPECT_TRUE(read_series(kUtil, {{"UUID", "GPU-1"}, {"pod", "meter"}, {"exported_pod", "p"}}).by_exporter);
  for (const char* label : {"dra_claim_name", "dra_device_name"}) EXPECT_TRUE(read_series(kUtil, {{"UUID", "GPU-1"}, {"pod", "p"}, {label, "gpu-0"}}).by_exporter);
  const Read exporter = read_series(kUtil, {{"UUID", "GPU-1"}, {"pod", "nvidia-dcgm-exporter-x7k2p"}, {"container", "exporter"}});
  EXPECT_EQ(exporter.pod, "") << "nobody is named";
}

TEST(MeaningTest, MigInstanceIsKnownInBothCases) {
  for (const auto& [id, profile] : {std::pair("GPU_I_ID", "GPU_I_PROFILE"), std::pair("gpu_i_id", "gpu_i_profile")}) {
    const Read read = read_series(kUtil, {{"UUID", "GPU-1"}, {id, "5"}, {profile, "2g.10gb"}});
    EXPECT_EQ(read.instance, "5");
    EXPECT_EQ(read.profile, "2g.10gb");
  }
}

TEST(MeaningTest, HolderIsKnownByEverySpelling) {
  for (const auto& [name_space, pod, container] :
       {std::tuple("namespace", "pod", "container"), std::tuple("exported_namespace", "exported_pod", "exported_container"),
        std::tuple("pod_namespace", "pod_name", "container_name"), std::tuple("namespace", "podname", "container"),
        std::tuple("k8s_namespace_name", "k8s_pod_name", "k8s_container_name")}) {
    const Read read = read_series(kUtil, {{"UUID", "GPU-1"}, {name_space, "ml"}, {pod, "train-0"}, {container, "main"}});
    EXPECT_EQ(read.namespace_name, "ml") << name_space;
    EXPECT_EQ(read.pod, "train-0") << pod;
    EXPECT_EQ(read.container, "main") << container;
  }
}

TEST(MeaningTest, ExportedLabelsWinOverTheScrapersOwn) {
  const Read read = read_series(kUtil, {{"UUID", "GPU-1"}, {"exported_namespace", "ml"}, {"exported_pod", "train-0"}, {"exported_container", "main"},
                                        {"namespace", "gpu-operator"}, {"pod", "nvidia-dcgm-exporter-x7k2p"}, {"container", "nvidia-dcgm-exporter"}});
  EXPECT_EQ(read.namespace_name + "/" + read.pod + "/" + read.container, "ml/train-0/main");
}

TEST(MeaningTest, ExporterPodsAreNobody) {
  EXPECT_EQ(read_series(kUtil, {{"UUID", "GPU-1"}, {"k8s_pod_name", "otel-collector-agent-x"}, {"k8s_namespace_name", "monitoring"}}).pod, "");
  EXPECT_EQ(read_series(kUtil, {{"UUID", "GPU-1"}, {"k8s_pod_name", "agent-x"}, {"k8s_container_name", "otc-container"}}).pod, "");
  for (const auto& [pod, container] : {std::pair("nvidia-dcgm-exporter-x7k2p", "nvidia-dcgm-exporter"), std::pair("dcgm-exporter-bbbbb", "exporter"),
                                       std::pair("gpu-metrics-0", "dcgm-exporter")}) {
    const Read read = read_series(kUtil, {{"UUID", "GPU-1"}, {"namespace", "monitoring"}, {"pod", pod}, {"container", container}});
    EXPECT_TRUE(read.usable);
    EXPECT_EQ(read.pod, "") << pod;
    EXPECT_EQ(read.namespace_name, "") << pod;
  }
}

TEST(MeaningTest, EmptyPodLabelIsNoPod) { EXPECT_EQ(read_series(kUtil, {{"UUID", "GPU-1"}, {"pod", ""}, {"namespace", ""}}).pod, ""); }

TEST(MeaningTest, ClusterIsReadFromBothSpellings) {
  EXPECT_EQ(read_series(kUtil, {{"UUID", "GPU-1"}, {"cluster", "a"}}).cluster, "a");
  EXPECT_EQ(read_series(kUtil, {{"UUID", "GPU-1"}, {"k8s_cluster_name", "a"}}).cluster, "a");
}

constexpr const char* kUid = "0a1b2c3d-1111-2222-3333-444455556666";

TEST(CgroupTest, UidIsFoundInEveryDriversPath) {
  for (const char* id : {"/kubepods/burstable/pod0a1b2c3d-1111-2222-3333-444455556666/abcdef",
                         "/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod0a1b2c3d_1111_2222_3333_444455556666.slice/cri-containerd-ab.scope",
                         "/kubepods.slice/kubepods-pod0a1b2c3d_1111_2222_3333_444455556666.slice", "/pod0a1b2c3d-1111-2222-3333-444455556666"}) {
    EXPECT_EQ(pod_uid_of_cgroup(id), kUid) << id;
  }
}

TEST(CgroupTest, PathsWithoutAUidGiveNothing) {
  for (const char* id : {"", "/", "/kubepods.slice", "/system.slice/podman.service", "/kubepods/pod0a1b2c3d", "/kubepods/podzzzzzzzz-1111-2222-3333-444455556666",
                         "/kubepods/pod0123456789abcdef0123456789abcdef/x", "pod"}) {
    EXPECT_EQ(pod_uid_of_cgroup(id), "") << id;
  }
}

TEST(MeaningTest, ContainerUsageTakesTheUidOfItsCgroup) {
  const Read read = read_series("container_cpu_usage_seconds_total", {{"namespace", "ml"}, {"pod", "train-0"}, {"container", "main"}, {"cpu", "total"},
                                                                      {"id", "/kubepods/pod0a1b2c3d-1111-2222-3333-444455556666/x"}});
  EXPECT_EQ(read.pod_uid, kUid);
  EXPECT_EQ(read.container, "main");
}

TEST(MeaningTest, ContainerUsageSkipsTotalsPausesAndSingleCpus) {
  const char* metric = "container_cpu_usage_seconds_total";
  EXPECT_FALSE(read_series(metric, {{"namespace", "ml"}, {"pod", "p"}}).usable) << "a cgroup total";
  EXPECT_FALSE(read_series(metric, {{"namespace", "ml"}, {"pod", "p"}, {"container", "POD"}}).usable) << "the pause container";
  EXPECT_FALSE(read_series(metric, {{"namespace", "ml"}, {"pod", "p"}, {"container", "c"}, {"cpu", "cpu03"}}).usable) << "one CPU of many";
  EXPECT_FALSE(read_series(metric, {{"container", "c"}}).usable) << "no pod";
  EXPECT_TRUE(read_series(metric, {{"namespace", "ml"}, {"pod", "p"}, {"container", "c"}}).usable);
  EXPECT_FALSE(read_series("container_memory_working_set_bytes", {{"namespace", "ml"}, {"pod", "p"}}).usable);
}

TEST(MeaningTest, ContainerUsageUnderTargetLabelsIsTheExportedOne) {
  for (const char* metric : {"container_cpu_usage_seconds_total", "container_network_transmit_bytes_total"}) {
    const Read read = read_series(metric, {{"exported_namespace", "ml"}, {"exported_pod", "train-0"}, {"exported_container", "main"}, {"namespace", "kube-system"},
                                           {"pod", "cadvisor-x"}, {"container", "cadvisor"}, {"interface", "eth0"}});
    EXPECT_EQ(read.namespace_name + "/" + read.pod, "ml/train-0") << metric;
  }
}

TEST(MeaningTest, LoopbackIsNoTraffic) {
  EXPECT_FALSE(read_series("container_network_transmit_bytes_total", {{"namespace", "ml"}, {"pod", "p"}, {"interface", "lo"}}).usable);
  EXPECT_EQ(read_series("container_network_transmit_bytes_total", {{"namespace", "ml"}, {"pod", "p"}, {"interface", "eth0"}}).detail, "eth0");
}

TEST(MeaningTest, StateSeriesNameTheirObject) {
  const Read requests = read_series("kube_pod_container_resource_requests",
                                    {{"namespace", "ml"}, {"pod", "p"}, {"uid", "u1"}, {"container", "c"}, {"resource", "nvidia_com_gpu"}, {"node", "n1"}});
  EXPECT_EQ(requests.pod_uid + "/" + requests.container + "/" + requests.detail, "u1/c/nvidia_com_gpu");
  EXPECT_EQ(read_series("kube_pod_status_phase", {{"namespace", "ml"}, {"pod", "p"}, {"uid", "u1"}, {"phase", "Running"}}).detail, "Running");
  EXPECT_EQ(read_series("kube_node_info", {{"node", "n1"}, {"provider_id", "aws:///us-east-1a/i-1"}, {"system_uuid", "s"}}).detail, "aws:///us-east-1a/i-1");
  EXPECT_EQ(read_series("kube_node_info", {{"node", "n1"}, {"system_uuid", "s"}}).detail, "s");
}

TEST(MeaningTest, StateSeriesUnderTargetLabelsIsTheExportedOne) {
  const Read read = read_series("kube_pod_info", {{"exported_namespace", "ml"}, {"exported_pod", "p"}, {"exported_node", "gpu-1"}, {"uid", "u1"},
                                                  {"namespace", "monitoring"}, {"pod", "kube-state-metrics-0"}, {"node", "infra-1"}});
  EXPECT_EQ(read.namespace_name + "/" + read.pod + "@" + read.node, "ml/p@gpu-1");
}

TEST(MeaningTest, OwnersThatDoNotControlAreNotOwners) {
  EXPECT_FALSE(read_series("kube_pod_owner", {{"namespace", "ml"}, {"pod", "p"}, {"uid", "u"}, {"owner_kind", "Node"}, {"owner_name", "n"}, {"owner_is_controller", "false"}}).usable);
  const Read owner = read_series("kube_replicaset_owner", {{"namespace", "ml"}, {"replicaset", "web-1"}, {"owner_kind", "Deployment"}, {"owner_name", "web"}});
  EXPECT_EQ(owner.container + "<" + owner.detail + "/" + owner.detail2, "web-1<Deployment/web");
}

TEST(MeaningTest, OwnerOfAJobIsStateNotASignalOfTheJob) {
  const Read owner = read_series("kube_job_owner", {{"namespace", "ml"}, {"job_name", "nightly-1"}, {"owner_kind", "CronJob"}, {"owner_name", "nightly"}});
  EXPECT_EQ(owner.container + "<" + owner.detail + "/" + owner.detail2, "nightly-1<CronJob/nightly");
}

TEST(MeaningTest, JobSignalsNeedAPod) {
  EXPECT_FALSE(read_series("seedance_job_data_wait_ratio", {{"rank", "0"}}).usable);
  EXPECT_EQ(read_series("seedance_job_data_wait_ratio", {{"namespace", "ml"}, {"pod", "p"}, {"uid", "u1"}}).pod_uid, "u1");
  EXPECT_EQ(read_series("vllm:num_requests_running", {{"k8s_namespace_name", "ml"}, {"k8s_pod_name", "p"}}).pod, "p");
}

TEST(MeaningTest, UnknownMetricSaysNothing) { EXPECT_FALSE(read_series("up", {{"job", "x"}}).usable); }

}  // namespace
}  // namespace seedance
