#include "model/message_texts.h"

#include <optional>
#include <vector>

namespace seedance {
namespace {

// In both texts "{}" stands for the same value; "{+}" for one that is a message itself.
struct MessageText {
  std::string_view english;
  std::string_view chinese;
};

// clang-format off
constexpr MessageText kMessageTexts[] = {
    // Limits
    {"refused a new series of metric {} with {} series, most series has {} with {}, told apart by label {} with {} values in the newest thousand",
     "拒收指标 {} 的新序列（已有 {} 个序列）；序列最多的是 {}，共 {} 个，主要由标签 {} 区分（最新一千个序列中有 {} 个取值）"},
    {"drop a label that changes all the time at the sender, or raise the limit", "请在发送端去掉不断变化的标签，或提高限制"},
    {"tenant {}", "租户 {}"},
    {"too many samples a second of tenant {}, allowed: {}; of this request's {} samples most are of metric {} with {} series, told apart by label {} with {} values",
     "租户 {} 每秒样本过多，允许：{}；本次请求的 {} 个样本中，指标 {} 最多，有 {} 个序列，主要由标签 {} 区分（{} 个取值）"},
    {"too many samples a second of tenant {}, allowed: {}", "租户 {} 每秒样本过多，允许：{}"},
    {"scrape less often, drop series at the sender, or raise the limit of the tenant", "请降低抓取频率、在发送端丢弃部分序列，或提高该租户的限制"},
    {"request is larger than the tenant may send, bytes allowed and found: {}, {}", "请求超过该租户允许的大小，允许与实际的字节数：{}、{}"},
    {"X-Scope-OrgID is no name of a tenant: {}", "X-Scope-OrgID 不是合法的租户名：{}"},
    {"use at most 64 letters, digits, _, - and .", "最多 64 个字符，只能使用字母、数字、_、- 与 ."},
    {"tenants: two entries with the name: {}", "tenants：有两个条目同名：{}"},
    {"too many request bodies in memory, send again", "内存中的请求体过多，请重试"},
    {"body over the limit of bytes: {}", "请求体超过字节数上限：{}"},
    {"the server stops, send again", "服务器正在停止，请重试"},
    {"internal error; the log of the server says more", "内部错误；详见服务器日志"},
    // Telemetry quality
    {"{} % of what it sends cannot be parsed, above 8 %: only the signals that money needs are read from it",
     "其发送内容有 {} % 无法解析，超过 8 %：只读取计费所需的信号"},
    {"{} % of its GPU samples name no device, above 12 %: host and card number stand in for the id",
     "其 GPU 样本有 {} % 未带设备标识，超过 12 %：以主机名与卡号代替"},
    {"{} % of what it sends is refused, above 15 % for three minutes: figures made of it lack the rest",
     "其发送内容有 {} % 被拒收，连续三分钟超过 15 %：相关数字缺少这部分数据"},
    {"what it sent and what arrived are {} % apart, above 0.5 %", "其发送量与到达量相差 {} %，超过 0.5 %"},
    {"its clock is {} s ahead of ours, above 5 s: its samples are taken at its own time", "其时钟比本机快 {} 秒，超过 5 秒：样本按其自身时间计入"},
    {"its newest samples are {} s old, above 300 s: the present is not there yet", "其最新样本已是 {} 秒前的，超过 300 秒：当前时段的数据尚未到达"},
    {"its profiling counters stand at 0 while utilization is {} %: how well it was used is undetermined",
     "其性能剖析计数器停在 0，而利用率为 {} %：使用效率无法判断"},
    // Settings
    {"not an address and a port: {}", "不是“地址:端口”：{}"},
    {"write it like 127.0.0.1:4317 or [::1]:4317", "请写成 127.0.0.1:4317 或 [::1]:4317 的形式"},
    {"unknown key: {}", "未知字段：{}"},
    {"did you mean \"{}\"?", "是否应为 \"{}\"？"},
    {"missing key: {}", "缺少字段：{}"},
    {"empty value: {}", "字段值为空：{}"},
    {"empty", "不能为空"},
    {"duplicate key, first on line {}: {}", "字段重复，首次出现在第 {} 行：{}"},
    {"a dimension has to be a map", "维度须为映射"},
    {"a key has to be plain text", "键须为纯文本"},
    {"a list is expected", "此处应为列表"},
    {"a list is expected: {}", "此处应为列表：{}"},
    {"a list is expected for labels", "labels 应为列表"},
    {"a list is expected for rules", "rules 应为列表"},
    {"a map is expected for {}", "此处应为映射：{}"},
    {"a map of dimensions is expected", "此处应为维度的映射"},
    {"a map of settings is expected", "此处应为配置项的映射"},
    {"a map of settings is expected for {}", "此处应为配置项的映射：{}"},
    {"a rule has to be a map", "规则须为映射"},
    {"a rule without a condition", "规则缺少条件"},
    {"a rule without value", "规则缺少 value"},
    {"text expected for {}", "此处应为文本：{}"},
    {"one value is expected", "此处应为单个值"},
    {"paths are expected", "此处应为路径"},
    {"aliases are not allowed here", "此处不允许使用别名"},
    {"anchors are not allowed here", "此处不允许使用锚点"},
    {"tags are not allowed here", "此处不允许使用标签（tag）"},
    {"nested too deep, levels allowed: {}", "嵌套过深，允许的层数：{}"},
    {"list too long, entries allowed: {}", "列表过长，允许的条目数：{}"},
    {"too many rules, allowed: {}", "规则过多，允许的数量：{}"},
    {"label key given twice: {}", "标签键重复：{}"},
    {"use `default` for what always holds", "始终成立的取值请写在 `default`"},
    {"file too large, bytes allowed and found: {}, {}", "文件过大，允许与实际的字节数：{}、{}"},
    {"more than one document in the file", "文件中有多个 YAML 文档"},
    {"not valid YAML: {}", "YAML 格式有误：{}"},
    {"the text holds a zero byte", "文本中含有零字节"},
    {"both dimensions and ledger.dimensions_file are given", "dimensions 与 ledger.dimensions_file 不能同时给出"},
    {"keep the mapping in one place", "映射规则请只写在一处"},
    {"not a loopback address and no server.tokens_file: {}", "不是回环地址，且未设置 server.tokens_file：{}"},
    {"set server.tokens_file, listen on 127.0.0.1, or set server.allow_anonymous: true", "请设置 server.tokens_file，或监听 127.0.0.1，或设置 server.allow_anonymous: true"},
    {"server.tls_certificate and server.tls_key belong together, only one is given: {}", "server.tls_certificate 与 server.tls_key 须同时给出，目前只有：{}"},
    {"above ingest.provisional_lateness of {}: {}", "大于 ingest.provisional_lateness（{}）：{}"},
    {"above ingest.series_max of {}: {}", "大于 ingest.series_max（{}）：{}"},
    {"not three capital letters: {}", "不是三个大写字母：{}"},
    {"shared_costs: two entries with the name: {}", "shared_costs：名称重复：{}"},
    {"signals: two entries for the metric: {}", "signals：指标重复：{}"},
    {"unknown mode of a shared cost: {}", "未知的共享成本分摊方式：{}"},
    {"unknown split method: {}", "未知的价格拆分方法：{}"},
    {"use residual, aws or opencost", "可用 residual、aws 或 opencost"},
    {"unknown signal: {}", "未知信号：{}"},
    {"docs/signals.md lists them", "完整列表见 docs/signals.md"},
    // Values
    {"not a whole number: {}", "不是整数：{}"},
    {"number out of range: {}", "数值超出范围：{}"},
    {"not a number: {}", "不是数：{}"},
    {"neither true nor false: {}", "既不是 true 也不是 false：{}"},
    {"out of bounds {} to {}: {}", "超出范围 {} 到 {}：{}"},
    {"not one of {}: {}", "取值须为 {} 之一：{}"},
    {"bytes without a unit: {}", "字节数缺少单位：{}"},
    {"write a whole number with B, KiB, MiB, GiB or TiB", "请写整数加单位 B、KiB、MiB、GiB 或 TiB"},
    {"decimal byte units are not accepted: {}", "不接受十进制字节单位：{}"},
    {"write MiB or GiB", "请写 MiB 或 GiB"},
    {"text too long, bytes: {}", "文本过长，字节数：{}"},
    {"control character in text", "文本中含有控制字符"},
    {"not an amount of money: {}", "不是金额：{}"},
    {"write digits with at most nine decimals, such as 21.957642", "请写数字，最多九位小数，如 21.957642"},
    {"not a sum with nine decimals: {}", "不是带九位小数的金额：{}"},
    {"not an instant: {}", "不是时刻：{}"},
    {"write 2026-11-30T14:00:00Z or 2026-11-30T14:00:00+08:00", "请写成 2026-11-30T14:00:00Z 或 2026-11-30T14:00:00+08:00"},
    {"not a duration: {}", "不是时长：{}"},
    {"write a number and one of s, m, h, d, w, such as 24h", "请写数字加单位 s、m、h、d 或 w，如 24h"},
    {"unknown time zone: {}", "未知时区：{}"},
    {"write an IANA name such as Asia/Shanghai, or UTC", "请写 IANA 名称，如 Asia/Shanghai，或 UTC"},
    // Questions
    {"window ends before it starts: {}", "时段的终点早于起点：{}"},
    {"write FROM..TO with FROM before TO", "请写成 FROM..TO，且 FROM 早于 TO"},
    {"step is not whole hours: {}", "步长不是整小时：{}"},
    {"use 1h, 6h, 24h, ...", "可用 1h、6h、24h 等"},
    {"unknown grouping: {}", "未知的分组维度：{}"},
    {"unknown idle mode: {}", "未知的空闲成本处理方式：{}"},
    {"use separate, share or hide", "可用 separate、share 或 hide"},
    {"unknown subject: {}", "未知的排行对象：{}"},
    {"use gpus, pods or workloads", "可用 gpus、pods 或 workloads"},
    {"unknown sort: {}", "未知的排序依据：{}"},
    {"use wasted or cost", "可用 wasted 或 cost"},
    {"unknown state: {}", "未知状态：{}"},
    {"use free, stranded, idle, busy, undetermined", "可用 free、stranded、idle、busy、undetermined"},
    {"not a filter: {}", "不是筛选条件：{}"},
    {"write key=value[,value] or key!=value", "请写成 key=value[,value] 或 key!=value"},
    {"limit is not a number from 1 to 1000: {}", "limit 须为 1 到 1000 的整数：{}"},
    {"limit is not a number from 1 to 100000", "limit 须为 1 到 100000 的整数"},
    {"too many groups", "分组过多"},
    {"add a filter or remove a dimension", "请增加筛选条件或减少维度"},
    {"which node is not said", "未指定节点"},
    {"add ?node=NAME", "请加上 ?node=NAME"},
    {"node has no name", "节点没有名称"},
    {"unknown row kind: {}", "未知的账目类型：{}"},
    {"unknown line kind in a report: {}", "报表中有未知的行类型：{}"},
    // Prices
    {"no price", "没有价格"},
    {"no price for {} {} {} {}", "没有价格：{} {} {} {}"},
    {"import one: seedancectl prices import FILE (columns provider,region,instance_type,on_demand_usd_hr,spot_usd_hr)",
     "请导入：seedancectl prices import FILE（列 provider,region,instance_type,on_demand_usd_hr,spot_usd_hr）"},
    {"neither a node nor an instance type of the price book: {}", "既不是节点，也不是价格表中的实例类型：{}"},
    {"seedancectl prices list", "查看价格表：seedancectl prices list"},
    {"not a price list", "不是价格表"},
    {"the header needs instance_type (or node) and one of on_demand_usd_hr, price_usd_hr, spot_usd_hr",
     "表头须有 instance_type（或 node）以及 on_demand_usd_hr、price_usd_hr、spot_usd_hr 之一"},
    {"price list is empty", "价格表为空"},
    {"price list is over 64 MiB", "价格表超过 64 MiB"},
    {"price list cannot be kept: {}", "价格表无法保存：{}"},
    {"price list cannot be read: {}", "价格表无法读取：{}"},
    {"price is negative: {}", "价格为负：{}"},
    {"price is absurd: {}", "价格不合理：{}"},
    {"price is {} times or more off the book: {} {}", "价格与价格表相差 {} 倍或以上：{} {}"},
    {"currency is not a three-letter code: {}", "货币不是三字母代码：{}"},
    {"neither instance_type nor node is given", "instance_type 与 node 均未给出"},
    {"capacity kind is not on-demand, spot or reserved: {}", "计费方式不是 on-demand、spot 或 reserved：{}"},
    {"field is longer than 65536 bytes at line {}", "字段超过 65536 字节，第 {} 行"},
    {"more than 1000 fields at line {}", "字段超过 1000 个，第 {} 行"},
    {"quote is not closed at line {}", "引号未闭合，第 {} 行"},
    {"text behind a closed quote at line {}", "闭合的引号后还有文本，第 {} 行"},
    // Samples
    {"line {}", "第 {} 行"},
    {"longer than {} bytes", "超过 {} 字节"},
    {"no # EOF after line {}", "第 {} 行之后缺少 # EOF"},
    {"the text was cut off; export it again", "文本不完整，请重新导出"},
    {"text after # EOF: {}", "# EOF 之后还有文本：{}"},
    {"comma or brace expected after a label", "标签之后应为逗号或花括号"},
    {"label without a value: {}", "标签没有值：{}"},
    {"opening quote expected: {}", "此处应为左引号：{}"},
    {"closing quote missing: {}", "缺少右引号：{}"},
    {"sample without a time stamp", "样本没有时间戳"},
    {"export with time stamps, as promtool tsdb dump-openmetrics writes them", "请导出带时间戳的文本，例如用 promtool tsdb dump-openmetrics"},
    {"text after the time stamp: {}", "时间戳之后还有文本：{}"},
    {"time stamp in milliseconds has a fraction: {}", "毫秒时间戳带有小数：{}"},
    {"read it as seconds", "请按秒读取"},
    {"not a time stamp", "不是时间戳"},
    {"time stamp out of range", "时间戳超出范围"},
    {"not a value", "不是数值"},
    {"value out of range", "数值超出范围"},
    {"no metric name", "没有指标名"},
    {"empty label name", "标签名为空"},
    {"label name too long", "标签名过长"},
    {"label value too long", "标签值过长"},
    {"label name is not UTF-8", "标签名不是 UTF-8"},
    {"label value is not UTF-8", "标签值不是 UTF-8"},
    {"label name given twice", "标签名重复"},
    {"more labels than the limit of {}", "标签数超过上限 {}"},
    {"label is not a protobuf message: {}", "标签不是 protobuf 消息：{}"},
    {"send io.prometheus.write.v2.Request, or announce prometheus.WriteRequest in the Content-Type", "请发送 io.prometheus.write.v2.Request，或在 Content-Type 中声明 prometheus.WriteRequest"},
    {"remote write 1.0 message where 2.0 was announced", "声明为 remote write 2.0，实际为 1.0 消息"},
    {"the first symbol is not the empty text", "第一个符号不是空文本"},
    {"labels of one request are more bytes than the limit: {}", "单个请求的标签超过字节上限：{}"},
    {"empty body where zstd is expected", "请求体为空，此处应为 zstd"},
    {"corrupt zstd body: {}", "zstd 请求体损坏：{}"},
    {"zstd body holds more bytes than the limit: {}", "zstd 请求体超过字节上限：{}"},
    {"zstd body is cut off", "zstd 请求体不完整"},
    {"feature vectors cannot be compressed: {}", "特征向量无法压缩：{}"},
    {"feature vectors cannot be written: {}", "特征向量无法写入：{}"},
    {"feature vectors cannot be removed: {}: {}", "特征向量无法删除：{}：{}"},
    {"amount is absurd: {}", "数值不合理：{}"},
    {"not a protobuf message: {}", "不是 protobuf 消息：{}"},
    {"field {}", "字段 {}"},
    {"wrong wire type in a Label", "Label 的线路类型有误"},
    {"wrong wire type in a Sample", "Sample 的线路类型有误"},
    {"wrong wire type in a TimeSeries", "TimeSeries 的线路类型有误"},
    {"wrong wire type in a WriteRequest", "WriteRequest 的线路类型有误"},
    {"remote write 2.0 message where 1.0 was announced", "声明为 remote write 1.0，实为 2.0 消息"},
    {"send prometheus.WriteRequest, or announce io.prometheus.write.v2.Request in the Content-Type",
     "请发送 prometheus.WriteRequest，或在 Content-Type 中声明 io.prometheus.write.v2.Request"},
    {"remote write message is not spoken here: {}", "不支持该 remote write 消息：{}"},
    {"senders fall back to remote write 1.0 after this answer", "发送端收到该响应后会改用 remote write 1.0"},
    {"content type is not application/x-protobuf: {}", "Content-Type 不是 application/x-protobuf：{}"},
    {"content type is not application/x-protobuf or application/json: {}", "Content-Type 不是 application/x-protobuf 或 application/json：{}"},
    {"content encoding is not gzip: {}", "Content-Encoding 不是 gzip：{}"},
    {"json request is not UTF-8", "JSON 请求不是 UTF-8"},
    {"content encoding is not snappy: {}", "Content-Encoding 不是 snappy：{}"},
    {"more samples in one request than the limit: {}", "单个请求的样本数超过上限：{}"},
    {"lower max_samples_per_send of the sender", "请调低发送端的 max_samples_per_send"},
    {"empty body where a snappy block is expected", "请求体为空，此处应为 snappy 块"},
    {"an empty request is the one byte 0x00", "空请求应为单个字节 0x00"},
    {"snappy framed format in a remote write body", "remote write 请求体用了 snappy 帧格式"},
    {"send the snappy block format", "请发送 snappy 块格式"},
    {"corrupt snappy preamble in a body of bytes: {}", "snappy 前导损坏，请求体字节数：{}"},
    {"corrupt snappy block of bytes: {}", "snappy 块损坏，字节数：{}"},
    {"the body must be one snappy block whose preamble states its exact length", "请求体须为单个 snappy 块，其前导给出准确长度"},
    {"snappy block declares more bytes than the limit: {} > {}", "snappy 块声明的字节数超过上限：{} > {}"},
    {"send fewer samples a request", "请减少每个请求的样本数"},
    {"corrupt gzip: truncated", "gzip 损坏：内容被截断"},
    {"corrupt gzip: {}", "gzip 损坏：{}"},
    {"gzip ends too early, after plain bytes: {}", "gzip 过早结束，已解压字节数：{}"},
    {"gzip expands to more bytes than the limit: {}", "gzip 解压后超过字节上限：{}"},
    {"no memory for gzip", "内存不足，无法解压 gzip"},
    {"timestamp is not a time in milliseconds", "时间戳不是毫秒时间"},
    {"timestamp is too far in the future", "时间戳超前过多"},
    {"sample is older than the correction horizon", "样本早于修正期限"},
    {"sample is older than the correction horizon: its hour is final", "样本早于修正期限：所属小时已定稿"},
    {"{} samples were refused, {} kept: {}", "拒绝 {} 个样本，保留 {} 个：{+}"},
    {"kept samples use more memory than ingest.kept_bytes_max: {}", "保留样本占用的内存超过 ingest.kept_bytes_max：{}"},
    {"raise ingest.kept_bytes_max, shorten ingest.correction_horizon, or import a shorter stretch of time",
     "请调大 ingest.kept_bytes_max、缩短 ingest.correction_horizon，或导入更短的时段"},
    // JSON
    {"json is nested deeper than 64 levels", "JSON 嵌套超过 64 层"},
    {"json text is over 64 MiB", "JSON 文本超过 64 MiB"},
    {"not json at byte {}", "不是 JSON，字节位置：{}"},
    // Files and the store
    {"no such file: {}", "文件不存在：{}"},
    {"file cannot be opened: {}", "文件无法打开：{}"},
    {"file cannot be read", "文件无法读取"},
    {"file cannot be read: {}", "文件无法读取：{}"},
    {"cannot read the file: {}", "文件无法读取：{}"},
    {"cannot write the file: {}", "文件无法写入：{}"},
    {"cannot read the token file: {}", "令牌文件无法读取：{}"},
    {"cannot read the {}: {}", "无法读取 {}：{}"},
    {"a token and a role expected", "此处应为令牌和角色"},
    {"write `token role` with role reader, writer or admin, and behind it a tenant when it has one",
     "请写成 `令牌 角色`，角色为 reader、writer 或 admin；如属于某个租户，在其后写租户名"},
    {"check the path and the rights of the file", "请检查文件的路径和权限"},
    {"check the path and the rights of its folder", "请检查所在目录的路径和权限"},
    {"is there room on the disk?", "磁盘空间是否充足？"},
    {"store directory cannot be made: {}: {}", "存储目录无法创建：{}：{}"},
    {"store directory cannot be written", "存储目录无法写入"},
    {"store is in use by another process: {}", "存储正被其他进程使用：{}"},
    {"ask the running server instead of --store", "请改为访问正在运行的服务器，而不是 --store"},
    {"a running server holds the store: ask it with --server", "存储正由运行中的服务器占用：请用 --server 访问"},
    {"the store was written by an older version", "存储由较旧的版本写入"},
    {"start seedanced on it once, or import into it: that brings it up to date", "请用 seedanced 启动一次，或向其导入数据，即可升级"},
    {"store: no connection", "存储：没有连接"},
    {"store: {}", "存储：{}"},
    {"file cannot be written", "文件无法写入"},
    {"file cannot be cut", "文件无法截断"},
    {"file cannot be synced", "文件无法同步到磁盘"},
    {"file cannot be opened", "文件无法打开"},
    {"file cannot be renamed", "文件无法重命名"},
    {"file cannot be removed", "文件无法删除"},
    {"folder cannot be read: {}: {}", "文件夹无法读取：{}：{}"},
    {"folder cannot be opened", "文件夹无法打开"},
    {"folder cannot be synced", "文件夹无法同步到磁盘"},
    {"sample log was written by an older version: {}", "样本日志由较旧的版本写入：{}"},
    {"let that version settle its hours, or move the file away; nothing of it was changed", "请让该版本结算完其中的小时，或移走该文件；文件内容未被改动"},
    {"sample log is damaged at byte {}: {}", "样本日志在字节 {} 处损坏：{}"},
    {"sample log lacks the file that its checkpoint goes on with: {}/{}", "样本日志缺少其检查点之后的文件：{}/{}"},
    {"bring the file back, or move the whole folder away to start without samples", "请恢复该文件，或将整个目录移走后从无样本状态启动"},
    {"checkpoint of the sample log is damaged at byte {}: {}", "样本日志的检查点在字节 {} 处损坏：{}"},
    {"bring the file back from a copy, or move the whole folder away to start without the samples of the open hours; nothing was changed",
     "请从副本恢复该文件，或将整个目录移走，在没有未定稿小时样本的情况下启动；未做任何改动"},
    {"checkpoint of the sample log waits too long for a request", "样本日志的检查点等待请求的时间过长"},
    {"it is tried again; the log grows meanwhile", "稍后会重试；其间日志会继续增长"},
    {"spelling of a series out of its place", "序列的写法不在应有的位置"},
    {"name of a tenant is longer than 64 bytes", "租户名超过 64 字节"},
    {"name it by a shorter word", "请使用较短的名称"},
    {"move the file away to start without it; the hours it held will lack its samples", "请移走该文件后再启动；其所含小时将缺少这些样本"},
    {"sample log cannot be synced: {}", "样本日志无法同步到磁盘：{}"},
    {"sample log cannot be written", "样本日志无法写入"},
    {"log file cannot be cut", "日志文件无法截断"},
    {"log file cannot be cut back: {}", "日志文件无法回退：{}"},
    {"the disk fails; restart after it is replaced", "磁盘故障，请更换后重新启动"},
    {"free disk space under the store directory; senders keep their data and retry", "请在存储目录所在磁盘腾出空间；发送端会保留数据并重试"},
    // Network
    {"no answer in time from {}: {}", "未在时限内响应：{}：{}"},
    {"no connection to {}: {}", "无法连接 {}：{}"},
    {"is the server running and reachable at {}?", "服务器是否正在运行，且可通过 {} 访问？"},
    {"is {} overloaded?", "{} 是否过载？"},
    {"certificate not trusted: {}: {}", "证书不受信任：{}：{}"},
    {"name the certificate authority of {} as ca file", "请用 CA 文件指定 {} 的证书颁发机构"},
    {"transfer stopped: {}", "传输中止：{}"},
    {"answer over the limit of {} bytes: {}", "响应超过 {} 字节的上限：{}"},
    {"not an http url: {}", "不是 HTTP 地址：{}"},
    {"write http://host:port or https://host:port", "请写成 http://host:port 或 https://host:port"},
    {"line break in an http header of the request: {}", "请求头中有换行：{}"},
    {"line break in the bearer token for: {}", "令牌中有换行，目标：{}"},
    {"no bearer token", "没有提供令牌"},
    {"send the header Authorization: Bearer <token>", "请发送请求头 Authorization: Bearer <token>"},
    {"unknown bearer token", "未知令牌"},
    {"add the token to the token file of the server", "请将该令牌写入服务器的令牌文件"},
    {"the token has role {}, needed is {}", "令牌的角色是 {}，需要的角色是 {}"},
    {"use a token with this role, or admin", "请使用该角色或 admin 的令牌"},
    {"no such path: {}", "路径不存在：{}"},
    {"GET /api/v1/openapi.yaml lists them", "路径列表见 GET /api/v1/openapi.yaml"},
    {"method is not known here: {}", "不支持该方法：{}"},
    {"not a numeric address: {}", "不是数字形式的地址：{}"},
    {"write 127.0.0.1, 0.0.0.0 or ::", "请写 127.0.0.1、0.0.0.0 或 ::"},
    {"listen: {}", "监听失败：{}"},
    {"port is taken by another program", "端口已被其他程序占用"},
    {"stop that program or choose another port", "请停止该程序或另选端口"},
    {"no right to listen", "没有监听权限"},
    {"choose a port above 1023", "请选择大于 1023 的端口"},
    {"this machine has no such address", "本机没有该地址"},
    {"listen on 0.0.0.0 or on an address of this machine", "请监听 0.0.0.0 或本机的某个地址"},
    {"port is not a number from 0 to 65535: {}", "端口须为 0 到 65535 的整数：{}"},
    {"the http server does not start on port {}", "HTTP 服务无法在端口 {} 启动"},
    {"check the limit of open files and threads", "请检查打开文件数和线程数的上限"},
    {"the http server does not start with this TLS certificate and key: {}", "HTTP 服务无法使用该 TLS 证书和私钥启动：{}"},
    {"check that both are PEM and belong together", "请确认两者均为 PEM 格式且相互匹配"},
    {"TLS needs a certificate file and a key file", "TLS 需要证书文件和私钥文件"},
    {"set both, or neither for plain HTTP", "请同时设置两者；明文 HTTP 则都不设置"},
    {"set both, or neither for plain text", "请同时设置两者；明文则都不设置"},
    {"the grpc server does not start with this TLS certificate and key: {}", "gRPC 服务无法使用该 TLS 证书和私钥启动：{}"},
    {"check that the port is free, that the address is one of this machine, and that the TLS files belong together", "请确认端口空闲、地址属于本机，且 TLS 文件相互匹配"},
    {"TLS was asked for, but libmicrohttpd was built without it", "要求使用 TLS，但 libmicrohttpd 未包含 TLS 支持"},
    {"install a libmicrohttpd with GnuTLS, or terminate TLS before this server", "请安装带 GnuTLS 的 libmicrohttpd，或在本服务之前终结 TLS"},
    // Server programs
    {"option lacks its value: {}", "选项缺少值：{}"},
    {"unknown option: {}", "未知选项：{}"},
    {"seedanced --help", "查看帮助：seedanced --help"},
    // The first that fits is taken, so the widest stands last.
    {"use {}", "可用 {}"},
    // Import from Prometheus
    {"hours of this store are final, their samples are gone: before {}", "该存储目录中的这些小时已定稿，样本已释放：{} 之前"},
    {"choose a window that begins there, or fill a store of its own with --store DIR", "请选择从该时刻开始的时段，或用 --store DIR 导入到新的存储目录"},
    {"server does not take remote writes: status {}: {}", "服务器不接受远程写入：状态码 {}：{+}"},
    {"server does not take remote writes: status {}", "服务器不接受远程写入：状态码 {}"},
    {"give a token of the role writer with --token-file", "请用 --token-file 提供 writer 角色的令牌"},
    {"prometheus refuses access: {}: {}: status {}", "Prometheus 拒绝访问：{}：{}：状态码 {}"},
    {"give a token with --prometheus-token-file", "请用 --prometheus-token-file 提供令牌"},
    {"no prometheus api at this address: {}: {}: status {}", "该地址没有 Prometheus API：{}：{}：状态码 {}"},
    {"write the address in front of /api/v1, with the path that a proxy or Thanos, Mimir or VictoriaMetrics needs",
     "请填写 /api/v1 之前的地址，包括代理、Thanos、Mimir 或 VictoriaMetrics 所需的路径"},
    {"prometheus does not answer: {}: {}: status {}: {}", "Prometheus 没有给出结果：{}：{}：状态码 {}：{}"},
    {"server does not show its configuration: {}: status {}", "服务器不公开其配置：{}：状态码 {}"},
    {"server does not show its configuration: {}", "服务器不公开其配置：{}"},
    {"answer of prometheus cannot be read: {}: {}: {}", "无法解读 Prometheus 的响应：{}：{}：{+}"},
    {"one second of a metric is too much for an answer: {}: {}", "单个指标一秒的数据已超出响应上限：{}：{+}"},
    {"prometheus has no metric that is read here in this window: {}", "该 Prometheus 在此时段内没有可用的指标：{}"},
    {"check the window, and that it scrapes kube-state-metrics and DCGM exporter", "请检查时段，并确认它抓取了 kube-state-metrics 和 DCGM exporter"},
    {"window lies in the future: {}", "时段在未来：{}"},
    {"not an answer of the prometheus api: no matrix in it", "不是 Prometheus API 的响应：其中没有 matrix"},
    {"not an answer of the prometheus api: no list of label values in it", "不是 Prometheus API 的响应：其中没有标签值列表"},
    {"not an answer of the prometheus api: {}", "不是 Prometheus API 的响应：{}"},
};
// clang-format on

constexpr std::size_t kMessageBytesMax = 4'096;  // whatever is longer was not written by us
constexpr int kMessagePartsMax = 16;
constexpr int kMessageDepthMax = 2;
constexpr std::string_view kColon = ": ";
constexpr std::string_view kChineseColon = "：";

// The values of a text at the places of a pattern, or nothing when it is another text.
//
// A pattern without a colon does not reach over one: "line {}" is not all of "line 2: no metric name".
std::optional<std::vector<std::string_view>> values_in(std::string_view pattern, std::string_view text) {
  if (pattern.find(kColon) == std::string_view::npos && text.find(kColon) != std::string_view::npos) return std::nullopt;
  std::vector<std::string_view> values;
  for (;;) {
    const std::size_t place = pattern.find("{}");
    if (place == std::string_view::npos) return pattern == text ? std::optional(values) : std::nullopt;
    if (!text.starts_with(pattern.substr(0, place))) return std::nullopt;
    text.remove_prefix(place);
    pattern.remove_prefix(place + 2);
    const std::string_view next = pattern.substr(0, pattern.find("{}"));
    const bool is_last = next.size() == pattern.size();
    if (is_last && !text.ends_with(next)) return std::nullopt;
    const std::size_t end = is_last ? text.size() - next.size() : text.find(next);
    if (end == std::string_view::npos) return std::nullopt;
    values.push_back(text.substr(0, end));
    text.remove_prefix(end);
  }
}

std::optional<std::string> chinese_of(std::string_view text, int depth);

std::string filled_message(std::string_view chinese, const std::vector<std::string_view>& values, int depth) {
  std::string out;
  for (const std::string_view value : values) {
    const std::size_t place = chinese.find('{');
    const bool is_message = chinese.substr(place).starts_with("{+}");
    out += chinese.substr(0, place);
    out += is_message ? chinese_of(value, depth + 1).value_or(std::string(value)) : std::string(value);
    chinese.remove_prefix(place + (is_message ? 3 : 2));
  }
  return out.append(chinese);
}

std::optional<std::string> chinese_of_whole(std::string_view text, int depth) {
  for (const MessageText& entry : kMessageTexts) {
    if (const auto values = values_in(entry.english, text)) return filled_message(entry.chinese, *values, depth);
  }
  return std::nullopt;
}

// Colons divide a text into places, messages and values: from each part on, the rest may be one message, or the part alone. Colons
// before a message and behind one become Chinese, those inside values stay.
std::optional<std::string> chinese_of(std::string_view text, int depth) {
  if (depth > kMessageDepthMax) return std::nullopt;
  std::string done;            // up to the last message, in Chinese
  std::string left;            // what came behind it, as it is
  bool is_ours = false;
  bool is_last_ours = false;
  for (int parts = 0;; ++parts) {
    const std::size_t colon = parts < kMessagePartsMax ? text.find(kColon) : std::string_view::npos;
    std::string_view part = text;
    std::optional<std::string> found = chinese_of_whole(text, depth);
    const bool is_end = found || colon == std::string_view::npos;
    if (!is_end) {
      part = text.substr(0, colon);
      found = chinese_of_whole(part, depth);
    }
    if (found) {
      for (std::size_t at = left.find(kColon); at != std::string::npos; at = left.find(kColon, at)) left.replace(at, kColon.size(), kChineseColon);
      done += left + std::string(parts > 0 ? kChineseColon : std::string_view{}) + *found;
      left.clear();
      is_ours = true;
    } else {
      left += (parts == 0 ? std::string_view{} : is_last_ours ? kChineseColon : kColon);
      left += part;
    }
    is_last_ours = found.has_value();
    if (is_end) break;
    text.remove_prefix(colon + kColon.size());
  }
  return is_ours ? std::optional(done + left) : std::nullopt;
}

}  // namespace

// Lines behind the first one quote the user's own text.
std::string message_in(Language language, std::string_view english) {
  const std::string_view first = english.substr(0, english.find('\n'));
  if (language == Language::kEnglish || first.size() > kMessageBytesMax) return std::string(english);
  const std::optional<std::string> chinese = chinese_of(first, 0);
  return chinese ? *chinese + std::string(english.substr(first.size())) : std::string(english);
}

Error error_in(Language language, Error error) {
  error.message = message_in(language, error.message);
  error.hint = message_in(language, error.hint);
  return error;
}

}  // namespace seedance
