# SPDX-License-Identifier: MIT
"""coverage.py KERNTIME MANUAL: whatever the help of the running program names is in the man page and
in the completion of each shell: commands, options with their arguments, workloads, exit codes; and
the keys of a scenario that the program takes are those of the man page."""

import os
import re
import subprocess
import sys
import tempfile

kerntime, manual = sys.argv[1:]
wrong = []


def help_of(*arguments):
    return subprocess.run([kerntime, *arguments], check=True, capture_output=True, text=True).stdout


def written(folder, kind):
    path = os.path.join(folder, kind)
    subprocess.run([manual, kind, path], check=True)
    with open(path) as file:
        return file.read()


def part(text, begin, end):
    """The lines from one that begins so, up to one that ends it."""
    found = re.search(rf"^{begin}.*?(?=^{end}|\Z)", text, re.M | re.S)
    if not found:
        wrong.append(f"no part that begins with {begin}")
    return found.group() if found else ""


def check(where, text, pattern):
    if not re.search(pattern, text, re.M):
        wrong.append(f"{where}: nothing matches {pattern}")


def section(text, title):
    """The indented lines below a title of the help."""
    return part(text, f"{title}:$", r"\S").split("\n", 1)[-1]


def check_option(command, letter, name, argument):
    """`argument` is None or what the help calls it."""
    page = part(texts["man"], rf"\.Ss kerntime {command}\b", r"\.S[sh] ").replace("\\-", "-")
    item = (rf"Fl {letter} , " if letter else "") + rf"Fl -{name}" + (
        f" Ar {re.escape(argument)}" if argument else "")
    check(f"man page, {command}", page, rf"^\.It {item}$")
    bash = part(texts["bash"], rf"    {command}:\*:-\*\)", "    ")
    for word in [f"--{name}"] + ([f"-{letter}"] if letter else []):
        check(f"bash, {command}", bash, rf"[' ]{word}[' ]")
        if argument:
            check("bash", texts["bash"], rf"\b{command}:{word}:\*")
    zsh = part(texts["zsh"], rf"    argument:{command}\)", "    (argument|esac)")
    sign, plus = ("=", r"\+") if argument else ("", "")
    check(f"zsh, {command}", zsh, rf"{{-{letter}{plus},--{name}{sign}}}'\[" if letter else
          rf"'--{name}{sign}\[")
    fish = rf"from {command}'{f' -s {letter}' if letter else ''} -l {name}" + (
        " (-x|-r -F)" if argument else " -d")
    check("fish", texts["fish"], fish)


with tempfile.TemporaryDirectory() as folder:
    texts = {kind: written(folder, kind) for kind in ("man", "bash", "zsh", "fish")}

options = workload_count = term_count = 0
commands = re.findall(r"^  (\w+)", section(help_of("--help"), "Commands"), re.M)
for command in commands:
    text = help_of(command, "--help")
    check("man page", texts["man"], rf"^\.Cm {command}$")
    for letter, name, argument in re.findall(r"^  (?:-(\w),|   ) --([\w-]+)(?: (\S+))?",
                                             section(text, "Options"), re.M):
        check_option(command, letter, name, argument)
        options += 1
    if "\nWorkloads:" in text:
        for workload in re.findall(r"^  (\w+)", section(text, "Workloads"), re.M):
            check("man page", texts["man"], rf"^\.It Cm {workload}$")
            check("bash", texts["bash"], rf"{command}:\*\) what=\(-W '.*\b{workload}\b")
            check("zsh", texts["zsh"], rf":WORKLOAD\.\.\.:\(.*\b{workload}\b")
            check("fish", texts["fish"], rf"from {command}' -a '.*\b{workload}\b")
            workload_count += 1
    for term in [term for title in ("Kinds of memory", "Directions") if f"\n{title}:" in text
                 for term in re.findall(r"^  ([a-z-]+)", section(text, title), re.M)]:
        check("man page", texts["man"].replace("\\-", "-"), rf"^\.It Cm {term}$")
        for shell in ("bash", "zsh", "fish"):
            check(shell, texts[shell], rf"[ '(]{term}[ ')]")
        term_count += 1
    for code in re.findall(r"^  (\d)  ", section(text, "Exit codes"), re.M):
        check("man page", part(texts["man"], r"\.Sh EXIT STATUS", r"\.Sh"), rf"^\.It {code}$")

refusal = subprocess.run([kerntime, "devices", "-d", "sim:0:no_such_key=1"], capture_output=True,
                         text=True).stderr
taken = re.search(r"the keys are ([\w ]+)", refusal).group(1).split()
told = re.findall(r"^\.It Cm (\w+)$", texts["man"].split("Its keys are")[1].split("\n.El")[0], re.M)
if taken != told:
    wrong.append(f"keys of a scenario: the program takes {taken}, the man page tells {told}")

refusal = subprocess.run([kerntime, "run", __file__, "-d", "sim:0"], capture_output=True, text=True).stderr
endings = re.findall(r" \.(\w+)", refusal.split("there are")[-1])
check("bash", texts["bash"], rf"    run:\*\) what=.*@\({'[|]'.join(endings)}\)")
check("zsh", texts["zsh"], rf"\*\.\({'[|]'.join(endings)}\)")

if len(endings) < 5 or len(commands) < 3 or options < 18 or workload_count < 2 or term_count < 8 or len(taken) < 19:
    wrong.append(f"only {commands}, {options} options, {workload_count} workloads, {term_count} terms: is the help read?")
print(f"{commands}, {options} options, {workload_count} workloads, {term_count} terms of copies, {len(taken)} keys of a scenario, {len(endings)} endings of kernel files")
sys.exit("\n".join(wrong) if wrong else 0)
