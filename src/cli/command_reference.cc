#include "cli/command_reference.h"

#include <algorithm>

#include "cli/command_specs.h"

namespace seedance {
namespace {

// What the table of commands does not hold.
struct ReferenceWords {
  std::string_view title;
  std::string_view opening;
  std::string_view usage;
  std::string_view option_columns;
  std::string_view all_options;
  std::string_view results;
  std::string_view environment;
  std::string_view exit_status;
  std::string_view formats;
};

constexpr ReferenceWords kEnglishWords{
    "# Command line reference",
    "Made from the table of commands; `SEEDANCE_UPDATE=1 build/default/cli_test` makes it anew. `seedancectl help COMMAND` shows the same.",
    "seedancectl COMMAND [OPTIONS]",
    "| option | default | meaning |\n|---|---|---|\n",
    "Options of every command",
    "## Results\n\n"
    "Results go to the standard output, everything else to the standard error. On a terminal long tables are folded and names shortened; output\n"
    "into a pipe or a file is complete and without colours. Times are those of one zone, which stands behind the window.\n",
    "## Environment\n\n"
    "| variable | meaning |\n|---|---|\n"
    "| `SEEDANCE_SERVER` | the server to ask when `--server` is not given |\n"
    "| `TZ` | the time zone of dates and times when `--tz` is not given: an IANA name, with or without a colon before it; anything else is "
    "said on the standard error and not used |\n"
    "| `LC_ALL`, `LC_MESSAGES`, `LANG` | the language when `--lang` is not given: Chinese when the first that is set starts with `zh` |\n"
    "| `LC_ALL`, `LC_CTYPE`, `LANG` | whether bars are drawn with more than ASCII: when the first that is set names UTF-8 |\n"
    "| `NO_COLOR` | no colours when set |\n"
    "| `COLUMNS` | the width of the terminal |\n",
    "## Exit status\n\n"
    "| status | meaning |\n|---|---|\n"
    "| 0 | fine |\n"
    "| 1 | findings: books that do not close, refused samples or lines, no price |\n"
    "| 2 | wrong use: an unknown word, a value that cannot be read, a thing that does not exist |\n"
    "| 3 | no answer: server, network or store not available, or no right |\n",
    "## Formats\n\n"
    "| format | what it is |\n|---|---|\n"
    "| `table` | for people: money with two decimals, times as the clocks of the zone show them |\n"
    "| `wide` | the table with more columns |\n"
    "| `json` | the answer of the server: money as text with nine decimals, times in RFC 3339 |\n"
    "| `csv` | a header and a line each: money with nine decimals, times in RFC 3339 with the offset of the zone; texts that a spreadsheet would "
    "run are disarmed |\n"
    "| `parquet` | the rows of the ledger as they are |\n"};

constexpr ReferenceWords kChineseWords{
    "# 命令行参考",
    "本页由命令表生成；用 `SEEDANCE_UPDATE=1 build/default/cli_test` 重新生成。`seedancectl help 命令` 显示相同内容。",
    "seedancectl COMMAND [OPTIONS]",
    "| 选项 | 默认值 | 含义 |\n|---|---|---|\n",
    "所有命令通用的选项",
    "## 结果\n\n"
    "结果写到标准输出，其余内容写到标准错误。在终端上，长表会折叠，名称会缩短；写入管道或文件时内容完整且不带颜色。所有时间属于同一时区，时区写在时段之后。\n",
    "## 环境变量\n\n"
    "| 变量 | 含义 |\n|---|---|\n"
    "| `SEEDANCE_SERVER` | 未给出 `--server` 时访问的服务器 |\n"
    "| `TZ` | 未给出 `--tz` 时日期与时间的时区：IANA 名称，前面可带冒号；其他写法会在标准错误中提示且不采用 |\n"
    "| `LC_ALL`、`LC_MESSAGES`、`LANG` | 未给出 `--lang` 时的语言：第一个已设置的变量以 `zh` 开头则为中文 |\n"
    "| `LC_ALL`、`LC_CTYPE`、`LANG` | 条形图能否使用 ASCII 以外的字符：第一个已设置的变量含 UTF-8 时可以 |\n"
    "| `NO_COLOR` | 设置后不使用颜色 |\n"
    "| `COLUMNS` | 终端宽度 |\n",
    "## 退出状态\n\n"
    "| 状态 | 含义 |\n|---|---|\n"
    "| 0 | 正常 |\n"
    "| 1 | 有发现：账目不平衡、样本或行被拒绝、没有价格 |\n"
    "| 2 | 用法有误：未知的词、无法解读的值、不存在的对象 |\n"
    "| 3 | 没有答案：服务器、网络或存储不可用，或没有权限 |\n",
    "## 输出格式\n\n"
    "| 格式 | 说明 |\n|---|---|\n"
    "| `table` | 供人阅读：金额两位小数，时间按该时区的钟面显示 |\n"
    "| `wide` | 列更多的表 |\n"
    "| `json` | 服务器的回答：金额为带九位小数的文本，时间为 RFC 3339 |\n"
    "| `csv` | 一行表头，每项一行：金额带九位小数，时间为带时区偏移量的 RFC 3339；会被电子表格当作公式执行的文本已失效处理 |\n"
    "| `parquet` | 账本的原始行 |\n"};

struct ReferenceWriter {
  Language language;
  const ReferenceWords& words;
  std::string out = {};

  // A bar would end the cell.
  static std::string cell(std::string_view code) {
    std::string escaped;
    for (const char c : code) escaped += c == '|' ? std::string("\\|") : std::string(1, c);
    return "`" + escaped + "`";
  }

  void add_options(std::span<const OptionSpec> options) {
    out += "\n" + std::string(words.option_columns);
    for (const OptionSpec& o : options) {
      std::string names;
      for (std::string_view rest = o.names; !rest.empty();) {
        const std::string_view name = rest.substr(0, rest.find(','));
        rest.remove_prefix(std::min(rest.size(), name.size() + 1));
        names += (names.empty() ? "" : ", ") + cell(std::string(name) + (rest.empty() && !o.value.empty() ? " " + std::string(o.value) : ""));
      }
      out += "| " + names + " | " + (o.standard.empty() ? "" : cell(o.standard)) + " | " + std::string(text(o.about, language)) + " |\n";
    }
  }

  void add_command(const CommandSpec& command) {
    out += "\n### seedancectl " + std::string(command.name) + "\n\n" + std::string(text(command.about, language)) + "\n";
    if (is_command_group(command)) return;
    const std::string_view arguments = command.choices.empty() ? command.arguments : command.choices;
    out += "\n```\nseedancectl " + std::string(command.name) + (arguments.empty() ? "" : " " + std::string(arguments)) + " [OPTIONS]\n```\n";
    if (!command.options.empty()) add_options(command.options);
    if (!command.examples.empty()) out += "\n" + std::string(text(TextId::kExamples, language)) + (language == Language::kChinese ? "：" : ":") + "\n\n```\n" + std::string(command.examples) + "```\n";
  }
};

}  // namespace

std::string command_reference(Language language) {
  ReferenceWriter writer{language, language == Language::kChinese ? kChineseWords : kEnglishWords};
  const ReferenceWords& words = writer.words;
  writer.out = std::string(words.title) + "\n\n" + std::string(text(TextId::kAbout, language)) + "\n\n```\n" + std::string(words.usage) + "\n```\n\n" + std::string(words.opening) + "\n\n## " +
               std::string(text(TextId::kCommands, language)) + "\n";
  for (const CommandSpec& command : command_specs()) writer.add_command(command);
  writer.out += "\n## " + std::string(words.all_options) + "\n";
  writer.add_options(global_options());
  for (const std::string_view part : {words.results, words.formats, words.exit_status, words.environment}) writer.out += "\n" + std::string(part);
  return writer.out;
}

}  // namespace seedance
