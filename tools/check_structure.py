#!/usr/bin/env python3
"""Checks what a compiler does not: who may include whom, sizes, names, dead files, and what the documents claim.

    tools/check_structure.py [ROOT] [--fast]

Prints every violation as file:line: text and ends with "N files checked, N violations"; exits 1 if there is one. --fast
leaves out the only slow check, that every header compiles alone. Standard library only, Python 3.11.
"""
import argparse
import concurrent.futures
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

LINES_LISTED = 400
LINES_MAX = 600
FOLDER_FILES_MAX = 30
SIZED = {".cc", ".h", ".py", ".sh", ".cmake", ".js", ".css", ".html"}
TEXT_BYTES_MAX = 4 << 20
FORBIDDEN_WORDS = {"util", "utils", "helper", "helpers", "common", "misc", "manager", "managers"}
TEST_SUFFIXES = ("_test.cc", "_bench.cc", "_fuzz.cc")
TEST_HEADERS = ("gtest/", "benchmark/")
# Headers of the C library and of the kernel that <...> may name anywhere; C++'s own have no dot and no slash.
SYSTEM_HEADERS = {"arpa/inet.h", "dirent.h", "dlfcn.h", "endian.h", "fcntl.h", "net/if.h", "netdb.h", "netinet/in.h",
                  "netinet/tcp.h", "poll.h", "pthread.h", "sched.h", "signal.h", "spawn.h", "time.h", "unistd.h"}
# The one third-party header that one of ours may name.
HEADER_EXCEPTION = ("src/base/result.h", "tl/expected.hpp")
# Written in pieces, so that this file does not hold what it forbids.
MACHINE_PATH = re.compile(r"(?<![\w.\-/])/(?:" + "|".join(["work", "root", "home"]) + r")/")
REGISTRY_HOST = re.compile("|".join(re.escape(".".join(parts)) for parts in (
    ("registry", "npmjs", "org"), ("pypi", "org"), ("pythonhosted", "org"), ("deb", "debian", "org"),
    ("proxy", "golang", "org"), ("crates", "io"), ("maven", "org"), ("maven", "apache", "org"), ("rubygems", "org"))))
INCLUDE = re.compile(r'^\s*#\s*include\s+([<"])([^>"]+)[>"]')
FENCE = re.compile(r"^\s*(```|~~~)")


class Checker:
    def __init__(self, root):
        self.root = root
        self.violations = []
        self.notes = []
        self.files = self.list_files()
        self.texts = {}

    def list_files(self):
        """Tracked and not ignored files; without git, everything outside build folders."""
        try:
            out = subprocess.run(["git", "-C", str(self.root), "ls-files", "-co", "--exclude-standard", "-z"],
                                 capture_output=True, check=True).stdout.decode()
            names = [name for name in out.split("\0") if name]
        except (OSError, subprocess.CalledProcessError):
            names = []
        if not names:
            skipped = {".git", "build", "node_modules", "__pycache__", ".cache"}
            for folder, folders, files in os.walk(self.root):
                folders[:] = [f for f in folders if f not in skipped]
                names += [str(Path(folder, f).relative_to(self.root)) for f in files]
        return sorted(name for name in set(names) if (self.root / name).is_file())

    def text(self, name):
        if name not in self.texts:
            path = self.root / name
            if not path.is_file():
                return None
            data = path.read_bytes() if path.stat().st_size <= TEXT_BYTES_MAX else b"\0"
            self.texts[name] = None if b"\0" in data else data.decode("utf-8", "replace")
        return self.texts[name]

    def lines(self, name):
        text = self.text(name) or ""
        return text[:-1].split("\n") if text.endswith("\n") else text.split("\n") if text else []

    def fail(self, name, line, text):
        self.violations.append(f"{name}:{line}: {text}")

    # --- the include law

    def read_layers(self):
        """folder -> (folders it may include, third-party prefixes its .cc files may name)"""
        layers = {}
        for number, line in enumerate(self.lines("src/LAYERS"), 1):
            if not line.strip() or line.startswith("#"):
                continue
            if ":" not in line or "|" not in line:
                self.fail("src/LAYERS", number, "not of the form folder: folders | headers")
                continue
            folder, rest = line.split(":", 1)
            allowed, third_party = rest.split("|", 1)
            layers[folder.strip()] = (set(allowed.split()), third_party.split())
        for folder, (allowed, _) in layers.items():
            for other in allowed - set(layers):
                self.fail("src/LAYERS", 1, f"{folder} may include a folder that is not declared: {other}")
        return layers

    def check_includes(self):
        layers = self.read_layers()
        for name in self.files:
            if not name.endswith((".cc", ".h")):
                continue
            parts = name.split("/")
            folder = parts[1] if parts[0] == "src" and len(parts) > 2 else None
            if folder is not None and folder not in layers:
                self.fail(name, 1, f"folder without a line in src/LAYERS: {folder}")
                continue
            for number, line in enumerate(self.lines(name), 1):
                found = INCLUDE.match(line)
                if found and found.group(1) == '"':
                    self.check_own_include(name, number, folder, found.group(2), layers)
                elif found:
                    self.check_foreign_include(name, number, folder, found.group(2), layers)

    def check_own_include(self, name, number, folder, target, layers):
        if not (self.root / "src" / target).is_file() and not (self.root / target).is_file():
            self.fail(name, number, f'no such file below src/: "{target}"')
        elif folder is not None:
            other = target.split("/")[0]
            if other != folder and other not in layers[folder][0]:
                self.fail(name, number, f"{folder} may not include {other}: {target}")

    def check_foreign_include(self, name, number, folder, target, layers):
        is_standard = "/" not in target and "." not in target
        if is_standard or target in SYSTEM_HEADERS or target.startswith(("sys/", "linux/")):
            return
        if folder is None or (name, target) == HEADER_EXCEPTION:
            return
        if name.endswith(TEST_SUFFIXES) and target.startswith(TEST_HEADERS):
            return
        if name.endswith(".h"):
            self.fail(name, number, f"third-party header in a header: {target}")
            return
        named = layers[folder][1]
        if not any(target in (one, one + ".h") or (one.endswith("/") and target.startswith(one)) for one in named):
            self.fail(name, number, f"third-party header that src/LAYERS does not name for {folder}: {target}")

    # --- sizes and names

    def check_sizes(self):
        folders = {}
        for name in self.files:
            if Path(name).suffix in SIZED:
                count = len(self.lines(name))
                if count > LINES_MAX:
                    self.fail(name, count, f"too long, lines allowed and found: {LINES_MAX}, {count}")
                elif count > LINES_LISTED:
                    self.notes.append(f"{name}: long, {count} lines")
            if name.startswith("src/") and name.endswith((".cc", ".h")) and not name.endswith(TEST_SUFFIXES):
                folders.setdefault(os.path.dirname(name), []).append(name)
        for folder, names in folders.items():
            if len(names) > FOLDER_FILES_MAX:
                self.fail(folder, 1, f"too many files beside tests, at most {FOLDER_FILES_MAX}: {len(names)}")

    def check_names(self):
        for name in self.files:
            for word in re.split(r"[_\-.]", os.path.basename(name).lower()):
                if word in FORBIDDEN_WORDS:
                    self.fail(name, 1, f"a file name that says nothing: {word}")

    def check_forbidden_text(self):
        for name in self.files:
            for number, line in enumerate(self.lines(name), 1):
                if MACHINE_PATH.search(line):
                    self.fail(name, number, "a path of some machine")
                if REGISTRY_HOST.search(line):
                    self.fail(name, number, "the host name of a package registry")

    # --- headers

    def headers(self):
        return [name for name in self.files if name.startswith("src/") and name.endswith(".h")]

    def check_header_starts(self):
        for name in self.headers():
            lines = self.lines(name)
            if not lines or not lines[0].startswith("//"):
                self.fail(name, 1, "a header starts with a comment that says what it is for")
            if "#pragma once" not in lines:
                self.fail(name, 1, "no #pragma once")

    def check_types_are_unique(self):
        """Two types of one name in one namespace link without a word and destroy each other's memory."""
        seen = {}
        for name in self.headers():
            for number, line in enumerate(self.lines(name), 1):
                match = re.match(r"(?:struct|class|enum class) ([A-Z]\w*)\s*(?:final\s*)?(?::|\{)", line)
                if not match:
                    continue
                if match.group(1) in seen:
                    self.fail(name, number, f"a type of this name stands in {seen[match.group(1)]} too: {match.group(1)}")
                seen.setdefault(match.group(1), name)

    def check_headers_compile(self):
        compiler = shutil.which("g++") or shutil.which("c++")
        if compiler is None:
            self.notes.append("no C++ compiler here: headers were not compiled")
            return

        # Compiled by way of a small file in the build folder, so that ccache remembers the answer from run to run.
        cache = shutil.which("ccache")
        folder = self.root / "build" / "headers"
        folder.mkdir(parents=True, exist_ok=True)

        def compile_header(name):
            source = folder / (name.removeprefix("src/").replace("/", "__") + ".cc")
            line = f'#include "{name.removeprefix("src/")}"\n'
            if not source.exists() or source.read_text() != line:
                source.write_text(line)
            command = [compiler, "-std=c++20", "-w", "-Isrc", "-c", str(source), "-o", str(source.with_suffix(".o"))]
            done = subprocess.run([cache] * bool(cache) + command, cwd=self.root, capture_output=True, text=True)
            return name, done.returncode, done.stderr

        with concurrent.futures.ThreadPoolExecutor(max_workers=2) as pool:
            for name, status, errors in pool.map(compile_header, self.headers()):
                if status != 0:
                    first = next((line for line in errors.splitlines() if "error" in line), "?")
                    self.fail(name, 1, f"does not compile alone: {first}")

    # --- dead files

    def check_dead_headers(self):
        included = set()
        for name in self.files:
            if not name.endswith((".cc", ".h")):
                continue
            for line in self.lines(name):
                found = INCLUDE.match(line)
                if found and "src/" + found.group(2) != name:
                    included.add("src/" + found.group(2))
        for name in self.headers():
            if name not in included:
                self.fail(name, 1, "a header that no file includes")

    def check_dead_documents(self):
        """Whoever starts at the README or ARCHITECTURE.md and follows what they name must come to every document."""
        documents = [n for n in self.files if n.endswith(".md")]
        # A README is found by standing in its folder.
        reached = {n for n in documents if n in ("README.md", "README.zh-CN.md", "ARCHITECTURE.md")}
        open_ends = sorted(reached)
        while open_ends:
            text = self.text(open_ends.pop()) or ""
            for name in documents:
                if name in reached or not re.search(r"(?<![\w\-])" + re.escape(os.path.basename(name)), text):
                    continue
                reached.add(name)
                open_ends.append(name)
        for name in documents:
            if name not in reached and not os.path.basename(name).startswith("README"):
                self.fail(name, 1, "a document that no path of links from README or ARCHITECTURE reaches")

    # --- what the documents claim

    def check_documents_exist(self):
        for name in ("README.md", "README.zh-CN.md", "ARCHITECTURE.md", "LICENSE", "CONTRIBUTING.md"):
            if name not in self.files:
                self.fail(name, 1, "missing")

    def check_architecture_paths(self):
        tops = {name.split("/")[0] for name in self.files}
        tops |= {name.split("/")[1] for name in self.files if name.startswith("src/") and name.count("/") > 1}
        for number, line in enumerate(self.lines("ARCHITECTURE.md"), 1):
            for token in re.findall(r"`([^`\s]+)`", line):
                path = re.sub(r":\d+$", "", token).rstrip("/")
                if "/" not in path or path.startswith(("/", "http")) or re.search(r"[*<>{}…()=\"$]", path):
                    continue
                if path.split("/")[0] not in tops and not re.search(r"\.(cc|h|md|py|sh|cmake|yaml)$", path):
                    continue
                if not (self.root / path).exists() and not (self.root / "src" / path).exists():
                    self.fail("ARCHITECTURE.md", number, f"no such file: {path}")

    def outline(self, name):
        """The levels of the headings and the text of the fenced blocks, in order."""
        headings, blocks, block = [], [], None
        for line in self.lines(name):
            if FENCE.match(line):
                if block is None:
                    block = [line.strip()]
                else:
                    blocks.append("\n".join(block))
                    block = None
            elif block is not None:
                block.append(line)
            elif re.match(r"^#{1,6} ", line):
                headings.append(line.split(" ")[0])
        return headings, blocks

    def check_readmes_agree(self):
        if "README.md" not in self.files or "README.zh-CN.md" not in self.files:
            return
        english, chinese = self.outline("README.md"), self.outline("README.zh-CN.md")
        if english[0] != chinese[0]:
            self.fail("README.zh-CN.md", 1, f"headings differ: {len(chinese[0])} against {len(english[0])}")
        for index, (ours, theirs) in enumerate(zip(english[1], chinese[1]), 1):
            if ours != theirs:
                self.fail("README.zh-CN.md", 1, f"code block {index} differs from README.md")
        if len(english[1]) != len(chinese[1]):
            self.fail("README.zh-CN.md", 1, f"code blocks differ: {len(chinese[1])} against {len(english[1])}")

    def run(self, fast):
        self.check_includes()
        self.check_sizes()
        self.check_names()
        self.check_forbidden_text()
        self.check_header_starts()
        self.check_types_are_unique()
        self.check_dead_headers()
        self.check_dead_documents()
        self.check_documents_exist()
        self.check_architecture_paths()
        self.check_readmes_agree()
        if not fast:
            self.check_headers_compile()
        for note in self.notes:
            print("note:", note)
        for violation in sorted(self.violations):
            print(violation)
        print(f"{len(self.files)} files checked, {len(self.violations)} violations")
        return 1 if self.violations else 0


def main():
    parser = argparse.ArgumentParser(description="Checks the structure of the source tree.")
    parser.add_argument("root", nargs="?", default=Path(__file__).resolve().parent.parent, type=Path)
    parser.add_argument("--fast", action="store_true", help="do not compile headers")
    arguments = parser.parse_args()
    return Checker(arguments.root.resolve()).run(arguments.fast)


if __name__ == "__main__":
    sys.exit(main())
