#!/usr/bin/env python3
"""Checks that every message which a user can see has a Chinese text, and that the table has no text that nobody says.

    tools/check_texts.py [ROOT] [--list]

Reads the string literals of fail(...), fail_at(...) and their like below src/ as patterns ("not a duration: {}") and compares them with
the table in src/model/message_texts.cc. --list prints the patterns. Exits 1 on a difference. Standard library only, Python 3.11.
"""
import re
import sys
from pathlib import Path

TABLE = "src/model/message_texts.cc"
# The function, and which of its arguments are words for people. A Code or a place stands before them.
CALLS = {"fail": (1, 2), "fail_at": (2, 3), "fail_in": (0,), "refuse": (0, 1), "wrong_shape": (2,), "problem": (1, 2), "Error": (1, 2),
         "BadField": (0,), "not_a_number": (0,), "io_error": (0,), "refused.push_back": (0,)}
BRACED = ("Error", "BadField")
# Functions that return reasons as plain literals.
REASONS = ("src/app/intake/sample_intake.cc",)
# The command line's own texts stand in both languages in src/cli/texts.cc.
OWN_TEXTS = ("text(", "filled(", "TextId::")
CALL = re.compile(r"(?:(?<![\w.:>])(?=\w)|(?<=out\.)(?=refused))(" + "|".join(re.escape(name) for name in CALLS) + r")([({])")
# Places and names of settings that stand before a message: the reader of the table takes them off.
BEFORE = re.compile(r"^(\{\}[^ a-z]*(, line \{\})?|[a-z_]+\.[a-z_]+): ")
LITERAL = re.compile(r'"((?:[^"\\]|\\.)*)"')


def without_comments(text):
    out = re.compile(r'"(?:[^"\\]|\\.)*"|\'(?:[^\'\\]|\\.)\'|//[^\n]*', re.S)
    return out.sub(lambda m: "" if m.group(0).startswith("//") else m.group(0), text)


def closing_quote(text, at):
    """The index of the quote that ends the literal that begins at `at`."""
    quote = text[at]
    at += 1
    while text[at] != quote:
        at += 2 if text[at] == "\\" else 1
    return at


def split_top(text, separator):
    """Splits at a character outside brackets and quotes."""
    parts, depth, start, i = [], 0, 0, 0
    while i < len(text):
        c = text[i]
        if c in "\"'":
            i = closing_quote(text, i)
        elif c in "([{":
            depth += 1
        elif c in ")]}":
            depth -= 1
        elif depth == 0 and text.startswith(separator, i):
            parts.append(text[start:i])
            start = i + len(separator)
        i += 1
    return parts + [text[start:]]


def end_of_call(text, at):
    """The index behind the bracket that opens at `at`."""
    depth = 0
    while at < len(text):
        c = text[at]
        if c in "\"'":
            at = closing_quote(text, at)
        elif c in "([{":
            depth += 1
        elif c in ")]}":
            depth -= 1
            if depth == 0:
                return at + 1
        at += 1
    return at


def patterns_of(expression):
    """All that an expression can say: literals as they are, everything else "{}"; a choice says either."""
    expression = expression.strip()
    while expression.startswith("(") and end_of_call(expression, 0) == len(expression):
        expression = expression[1:-1].strip()
    wrapped = re.fullmatch(r"std::string\((.*)\)", expression, re.S)
    if wrapped and end_of_call(expression, len("std::string")) == len(expression):
        return patterns_of(wrapped.group(1)) if wrapped.group(1).strip().startswith('"') else ["{}"]
    question = split_top(expression, "?")
    if len(question) == 2 and len(split_top(question[1], " : ")) == 2:
        yes, no = split_top(question[1], " : ")
        return patterns_of(yes) + patterns_of(no)
    parts = split_top(expression, "+")
    if len(parts) > 1:
        said = [""]
        for part in parts:
            said = [a + b for a in said for b in patterns_of(part)]
        return [re.sub(r"(\{\})+", "{}", s) for s in said]
    if expression.startswith('"') and not LITERAL.sub("", expression).strip():
        words = "".join(LITERAL.findall(expression))
        return [words.replace('\\"', '"').replace("\\\\", "\\")]
    return ["{}"]


def said_in(path):
    """(line, pattern) of every message in a file."""
    text = without_comments(path.read_text())
    for found in CALL.finditer(text):
        name, opening = found.groups()
        end = end_of_call(text, found.end() - 1)
        arguments = split_top(text[found.end():end - 1], ",")
        if name == "problem":
            braced = [a.strip() for a in arguments if a.strip().startswith("{")]
            if not braced:
                continue
            arguments = split_top(braced[0][1:-1], ",")
        elif opening == "{" and name not in BRACED:
            continue
        for index in CALLS[name]:
            if index >= len(arguments) or any(own in arguments[index] for own in OWN_TEXTS):
                continue
            for pattern in patterns_of(arguments[index]):
                pattern = re.sub(r"(?<=[a-z])\{\}$", "", BEFORE.sub("", pattern))
                if re.search(r"[a-z]{2}", pattern.replace("{}", "")):
                    yield text.count("\n", 0, found.start()) + 1, pattern
    if path.as_posix().endswith(REASONS):
        for found in re.finditer(r'return "([^"]+)";', text):
            yield text.count("\n", 0, found.start()) + 1, found.group(1)


def table_of(path):
    """(line, English, Chinese) of every entry."""
    text = path.read_text()
    for found in re.finditer(r'^    \{((?:\s*"(?:[^"\\]|\\.)*")+),\s*((?:\s*"(?:[^"\\]|\\.)*")+)\},', text, re.M):
        words = ["".join(LITERAL.findall(part)).replace('\\"', '"') for part in found.groups()]
        yield text.count("\n", 0, found.start()) + 1, words[0], words[1]


def main():
    arguments = [a for a in sys.argv[1:] if a != "--list"]
    root = Path(arguments[0]) if arguments else Path(__file__).resolve().parent.parent
    sources = [p for p in sorted((root / "src").rglob("*")) if p.suffix in (".cc", ".h") and not re.search(r"_(test|bench)\.|^made_", p.name)]
    said = [(p.relative_to(root), line, pattern) for p in sources for line, pattern in said_in(p)]
    if "--list" in sys.argv:
        for pattern in dict.fromkeys(pattern for _, _, pattern in said):
            print(pattern)
        return 0
    entries = list(table_of(root / TABLE))
    known = {english for _, english, _ in entries}
    violations = [f"{path}:{line}: no Chinese text in {TABLE}: {pattern}" for path, line, pattern in said if pattern not in known]
    heard = {pattern for _, _, pattern in said}
    everything = "".join(p.read_text().replace('\\"', '"') for p in sources if p.relative_to(root).as_posix() != TABLE)
    for line, english, chinese in entries:
        if english not in heard and max(english.split("{}"), key=len) not in everything:
            violations.append(f"{TABLE}:{line}: nobody says this: {english}")
        if english.count("{") != chinese.count("{"):
            violations.append(f"{TABLE}:{line}: places differ: {english}")
    for violation in violations:
        print(violation)
    print(f"{len(heard)} messages checked, {len(violations)} violations")
    return 1 if violations else 0


if __name__ == "__main__":
    sys.exit(main())
