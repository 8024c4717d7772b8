// The table of all settings. Keep a section together and its lines in the order in which an operator meets them.
#include "config/declarations.h"

namespace seedance {
namespace {

using enum SettingKind;
constexpr Reload kLive = Reload::kLive;
constexpr Reload kRestart = Reload::kRestart;

#define SEEDANCE_AT(member) [](Settings& s) -> SettingField { return &s.member; }

// clang-format off
constexpr SettingDeclaration kDeclarations[] = {
    // --- server
    {"server.address", kText, "127.0.0.1", {}, {}, {}, kRestart,
     "The address to listen on; any other than a loopback address needs `server.tokens_file` or `server.allow_anonymous`.",
     "监听地址；若不是回环地址，必须设置 `server.tokens_file` 或 `server.allow_anonymous`。", SEEDANCE_AT(server.address)},
    {"server.port", kInteger, "7117", "0", "65535", {}, kRestart,
     "The TCP port to listen on; 0 takes any free one.", "监听的 TCP 端口；0 表示任选一个空闲端口。",
     SEEDANCE_AT(server.port)},
    {"server.threads", kInteger, "2", "1", "64", {}, kRestart, "How many threads own the connections and read requests.",
     "管理连接并读取请求的线程数。", SEEDANCE_AT(server.threads)},
    {"server.workers", kInteger, "16", "1", "256", {}, kRestart,
     "How many requests are worked on at the same time; those that wait for the disk share its syncs.",
     "同时处理的请求数上限；等待磁盘的请求共享同一次同步。", SEEDANCE_AT(server.workers)},
    {"server.tls_certificate", kPath, "", {}, {}, {}, kRestart,
     "The PEM file with the certificate chain; empty means plain HTTP.", "PEM 格式的证书链文件；为空表示使用明文 HTTP。",
     SEEDANCE_AT(server.tls_certificate)},
    {"server.tls_key", kPath, "", {}, {}, {}, kRestart, "The PEM file with the private key of the certificate.",
     "证书对应的 PEM 私钥文件。", SEEDANCE_AT(server.tls_key)},
    {"server.tokens_file", kPath, "", {}, {}, {}, kRestart,
     "The file with the access tokens and what each may do; empty means that no token is asked for.",
     "访问令牌及其权限的文件；为空表示不校验令牌。", SEEDANCE_AT(server.tokens_file)},
    {"server.allow_anonymous", kBool, "false", {}, {}, {}, kRestart,
     "Listen beyond loopback without tokens: anyone who reaches the port can read and write.",
     "允许在没有令牌的情况下监听非回环地址：任何能访问该端口的人都可读写。", SEEDANCE_AT(server.allow_anonymous)},
    {"server.body_limit", kBytes, "32MiB", "64KiB", "256MiB", {}, kRestart,
     "The largest request body, before and after decompression; a larger one is answered with 413.",
     "请求体的最大字节数（解压前后均适用）；超出时返回 413。", SEEDANCE_AT(server.body_bytes_max)},
    {"server.connections_max", kInteger, "1024", "8", "65536", {}, kRestart,
     "How many connections may be open at once; one more is closed at once.", "同时打开的最大连接数；超出的连接会立即关闭。",
     SEEDANCE_AT(server.connections_max)},
    {"server.otlp_grpc_listen", kText, "", {}, {}, {}, kRestart,
     "The address and port of the OTLP/gRPC receiver, such as `127.0.0.1:4317`; empty means off. It uses the same TLS files, tokens and "
     "body limit as HTTP.",
     "OTLP/gRPC 接收端的地址与端口，例如 `127.0.0.1:4317`；为空表示关闭。它与 HTTP 使用相同的 TLS 文件、令牌与请求体上限。",
     SEEDANCE_AT(server.otlp_grpc_listen)},
    // --- store
    {"store.directory", kPath, "seedance-data", {}, {}, {}, kRestart,
     "The folder of the ledger and of the log of accepted samples.", "账本与已接收样本日志所在的目录。",
     SEEDANCE_AT(store.directory)},
    {"store.memory_limit", kBytes, "512MiB", "64MiB", "1TiB", {}, kRestart,
     "How much memory the analytical store may take.", "分析存储可使用的内存上限。", SEEDANCE_AT(store.memory_bytes_max)},
    {"store.feature_retention", kDuration, "24h", "1h", "30d", {}, kRestart, "How long feature vectors are kept.",
     "特征向量的保留时长。", SEEDANCE_AT(store.feature_retention)},
    // --- ingest
    {"ingest.accept_any_age", kBool, "false", {}, {}, {}, kRestart,
     "Accept samples older than the correction horizon, as an import of history does.",
     "接受早于修正期限的样本，用于导入历史数据。", SEEDANCE_AT(ingest.accept_any_age)},
    {"ingest.future_limit", kDuration, "10m", "1s", "24h", {}, kRestart,
     "How far ahead of our clock a sample may be before it is refused.", "样本时间最多可超前本机时钟多少；超出则拒收。",
     SEEDANCE_AT(ingest.future_limit)},
    {"ingest.correction_horizon", kDuration, "6h", "1h", "48h", {}, kRestart,
     "How long after its end an hour can still be corrected by late samples.",
     "一个小时结束后，迟到样本仍可修正它的时长。", SEEDANCE_AT(ingest.correction_horizon)},
    {"ingest.provisional_lateness", kDuration, "60s", "1s", "1h", {}, kRestart,
     "How long provisional ledger rows wait for late samples.", "临时账目等待迟到样本的时长。",
     SEEDANCE_AT(ingest.provisional_lateness)},
    {"ingest.signal_lateness", kDuration, "5s", "1s", "10m", {}, kRestart,
     "How long signals and triggers wait for late samples.", "信号与触发器等待迟到样本的时长。",
     SEEDANCE_AT(ingest.signal_lateness)},
    {"ingest.series_max", kInteger, "2000000", "1000", "100000000", {}, kRestart,
     "How many series may be alive; samples of further ones are refused with 503.",
     "可同时存活的序列总数；更多序列的样本以 503 拒收。", SEEDANCE_AT(ingest.series_max)},
    {"ingest.series_per_metric_max", kInteger, "500000", "100", "100000000", {}, kRestart,
     "How many series one metric may have.", "单个指标可拥有的序列数。", SEEDANCE_AT(ingest.series_per_metric_max)},
    {"ingest.labels_max", kInteger, "64", "8", "1024", {}, kRestart, "How many labels one series may have.",
     "单个序列可拥有的标签数。", SEEDANCE_AT(ingest.labels_max)},
    {"ingest.label_value_bytes_max", kBytes, "2KiB", "64B", "64KiB", {}, kRestart, "The longest label value.",
     "标签值的最大长度。", SEEDANCE_AT(ingest.label_value_bytes_max)},
    {"ingest.kept_bytes_max", kBytes, "512MiB", "16MiB", "1TiB", {}, kRestart,
     "Memory for the samples that are kept until their hour is final; when it is full, ingest answers 503.",
     "保留样本（直到所属小时定稿）的内存上限；占满后写入返回 503。", SEEDANCE_AT(ingest.kept_bytes_max)},
    {"ingest.replica_labels", kText, "prometheus_replica,__replica__", {}, {}, {}, kRestart,
     "The labels by which the servers of an HA pair of Prometheus differ, separated by commas: of the series that are equal but for them, the "
     "replica with the most samples counts in each minute. Empty means that every series counts.",
     "区分 Prometheus 高可用副本的标签，以逗号分隔：除这些标签外完全相同的序列，每分钟只采用样本最多的副本。为空表示每个序列都计入。",
     SEEDANCE_AT(ingest.replica_labels)},
    // --- ledger
    {"ledger.cluster", kText, "default", {}, {}, {}, kRestart,
     "The cluster that series without a `cluster` label belong to.", "没有 `cluster` 标签的序列所属的集群名。",
     SEEDANCE_AT(ledger.cluster)},
    {"ledger.currency", kText, "USD", {}, {}, {}, kRestart, "The currency of every amount, as three capital letters.",
     "所有金额的货币，三个大写字母。", SEEDANCE_AT(ledger.currency)},
    {"ledger.split_method", kChoice, "residual", {}, {}, "residual|aws|opencost", kRestart,
     "How the price of a node is split into CPU, memory and GPU.", "节点价格拆分为 CPU、内存与 GPU 的方法。",
     SEEDANCE_AT(ledger.split_method)},
    {"ledger.state_gap_max", kDuration, "5m", "30s", "1h", {}, kRestart,
     "The longest gap between samples of a state, such as a pod's phase or a price, that is bridged.",
     "状态类样本（如 Pod 阶段、价格）之间可以衔接的最长间隔。", SEEDANCE_AT(ledger.state_gap_max)},
    {"ledger.price_outlier_factor", kInteger, "30", "2", "1000000", {}, kLive,
     "A reported price more than this many times above or below the list price is not believed.",
     "上报价格高于或低于目录价超过该倍数时不予采信。", SEEDANCE_AT(ledger.price_outlier_factor)},
    {"ledger.stranded_cpu_millis", kMillis, "1000m", "0", "1000000m", {}, kLive,
     "A free GPU counts as stranded when its node has less free CPU than this.",
     "节点剩余 CPU 少于该值时，其空闲 GPU 视为搁浅。", SEEDANCE_AT(ledger.stranded_cpu_millis)},
    {"ledger.stranded_memory", kBytes, "2GiB", "0B", "16TiB", {}, kLive,
     "A free GPU counts as stranded when its node has less free memory than this.",
     "节点剩余内存少于该值时，其空闲 GPU 视为搁浅。", SEEDANCE_AT(ledger.stranded_memory_bytes)},
    {"ledger.reporting_zone", kText, "UTC", {}, {}, {}, kRestart,
     "The time zone of reports, by its IANA name such as Asia/Shanghai: dates in questions and times in answers are in it.",
     "报表使用的时区，写 IANA 名称，如 Asia/Shanghai：查询中的日期与结果中的时间均按此时区。", SEEDANCE_AT(ledger.reporting_zone)},
    {"ledger.dimensions_file", kPath, "", {}, {}, {}, kLive,
     "The file with the mapping of the eight dimensions; use it or `dimensions`, not both.",
     "八个维度映射规则的文件；它与 `dimensions` 只能二选一。", SEEDANCE_AT(ledger.dimensions_file)},
    // --- log
    {"log.level", kChoice, "info", {}, {}, "debug|info|warn|error", kLive, "The least level that is logged.",
     "记录日志的最低级别。", SEEDANCE_AT(log.level)},
    {"log.format", kChoice, "text", {}, {}, "text|json", kRestart, "The form of log lines.", "日志行的格式。",
     SEEDANCE_AT(log.format)},
    // --- prices
    {"prices.files", kPathList, "", {}, {}, {}, kLive,
     "The CSV files with node prices; a later file overrides an earlier one.", "节点价格的 CSV 文件；后面的文件覆盖前面的。",
     SEEDANCE_AT(prices.files)},
    {"prices.storage_gib_hour", kMoney, "0", "0", "1000", {}, kLive,
     "The price of one GiB of a volume for one hour; 0 means that volumes are not charged.",
     "卷每 GiB 每小时的价格；0 表示卷不计费。", SEEDANCE_AT(prices.storage_gib_hour)},
    {"prices.zone_gib", kMoney, "0", "0", "1000", {}, kLive, "The price of one GiB sent to another zone of the region.",
     "发往同地域其他可用区的每 GiB 价格。", SEEDANCE_AT(prices.zone_gib)},
    {"prices.region_gib", kMoney, "0", "0", "1000", {}, kLive, "The price of one GiB sent to another region.",
     "发往其他地域的每 GiB 价格。", SEEDANCE_AT(prices.region_gib)},
    {"prices.internet_gib", kMoney, "0", "0", "1000", {}, kLive, "The price of one GiB sent to the internet.",
     "发往互联网的每 GiB 价格。", SEEDANCE_AT(prices.internet_gib)},
    // --- shared costs
    {"shared_costs", kTable, {}, {}, {}, {}, kLive,
     "Costs that belong to no pod, such as the control plane or a management fee.",
     "不属于任何 Pod 的费用，例如控制面或管理费。",
     [](Settings& s) -> SettingField { return (s.shared_costs.emplace_back(), std::monostate{}); }},
    {"shared_costs[].name", kText, kRequired, {}, {}, {}, kLive, "The name that reports show.", "报表中显示的名称。",
     SEEDANCE_AT(shared_costs.back().name)},
    {"shared_costs[].per_hour", kMoney, kRequired, "0", "1000000", {}, kLive, "The cost of one hour.", "每小时费用。",
     SEEDANCE_AT(shared_costs.back().per_hour)},
    {"shared_costs[].mode", kChoice, "weighted", {}, {}, "even|weighted|separate", kLive,
     "Shared evenly over namespaces, by their cost, or kept apart.", "按命名空间平均分摊、按其费用加权分摊，或单独列示。",
     SEEDANCE_AT(shared_costs.back().mode)},
    // --- signals
    {"signals", kTable, {}, {}, {}, {}, kRestart, "Series of exporters that the built-in table does not know.",
     "内置映射表未收录的导出器序列。",
     [](Settings& s) -> SettingField { return (s.signals.emplace_back(), std::monostate{}); }},
    {"signals[].metric", kText, kRequired, {}, {}, {}, kRestart, "The name of the exporter's metric.", "导出器的指标名。",
     SEEDANCE_AT(signals.back().metric)},
    {"signals[].signal", kText, kRequired, {}, {}, {}, kRestart, "The signal that it measures.", "它所度量的信号。",
     SEEDANCE_AT(signals.back().signal)},
    {"signals[].scale", kRatio, "1", "-1000000000000", "1000000000000", {}, kRestart,
     "The exporter's value times this is the signal's value.", "导出器的值乘以该系数即为信号值。",
     SEEDANCE_AT(signals.back().scale)},
};
// clang-format on
#undef SEEDANCE_AT

}  // namespace

std::span<const SettingDeclaration> setting_declarations() { return kDeclarations; }

}  // namespace seedance
