# SPDX-License-Identifier: MIT
"""Makes arguments.inc: a call of every public function with NULL for each pointer, and with enums and indices out of range.

    arguments.py INCLUDE OUTPUT

The headers say what has to come of it. A parameter whose @param names NULL may be NULL. Of one that @return names as
"KT_UNAVAILABLE: `it` is NULL" the call does nothing. Any other one is refused with KT_INVALID, which @return has to list.
"""

import re
import sys

import public_headers

# What is not called, with the reason.
LEFT_OUT = {
    "kt_record": "hot path: reads its site unchecked",
    "kt_record_cycles": "hot path: reads its site unchecked",
    "kt_summarize": "pure arithmetic: reads `n` samples unchecked",
    "kt_transfer_point_of": "pure arithmetic: reads `n` samples unchecked",
    "kt_transfer_fit": "pure arithmetic: reads `count` points unchecked",
    "kt_transfer_fit_lines": "pure arithmetic: reads `count` points unchecked",
}

# A usable value by type; by name where one type has several. Any other pointer is to zeros.
BY_NAME = {"id": '"sim:0"', "device_id": '"sim:0"', "path": '"/dev/null"', "step": '"wall"'}
BY_TYPE = {
    "const char *": '"text"', "double": "1", "size_t": "1", "int64_t": "1", "uint64_t": "1", "uint32_t": "0",
    "const kt_sink *": "&sink", "const kt_job_desc *": "&desc", "const kt_compare_side *": "&sides[0]",
    "const kt_device_info *": "kt_device_get_info(device)",
    "const kt_series *": "kt_result_series(result, 0)", "kt_recording *": "NULL",
    "kt_context *": "context", "kt_device *": "device", "kt_clock *": "clock", "kt_job *": "job", "kt_memory *": "memory",
    "kt_result *": "result", "kt_report *": "report", "kt_snapshot *": "snapshot", "kt_comparison *": "comparison",
    "kt_report_comparison *": "changes", "kt_trace *": "trace", "kt_timer_context *": "timers", "kt_timer *": "timer",
}
INDICES = ("index", "clock", "offset_bytes")


def documented(folder):
    """(name, result, [(type, parameter)], comment) of each exported function."""
    for header in public_headers.names(folder):
        text = open(f"{folder}/{header}").read()
        pattern = r"/\*\*((?:(?!\*/).)*)\*/\s*KT_API\s+([^;(]*?)(\w+)\(([^;]*?)\);"
        for comment, result, name, parameters in re.findall(pattern, text, flags=re.S):
            pairs = re.findall(r"([\w ]+?[ *]+)(\w+)(?:,|$)", " ".join(parameters.split()))
            yield name, result.strip(), [(kind.strip(), parameter) for kind, parameter in pairs], re.sub(r"\n \* ?", "\n", comment)


def of_parameter(comment, parameter):
    found = re.search(r"@param(?:\[out\])? %s\b(.*?)(?=\n@|\Z)" % parameter, comment, flags=re.S)
    return found.group(1) if found else ""


def usable(kind, parameter, enums):
    if kind in enums:
        return f"({kind})0"
    for value in (BY_NAME.get(parameter), BY_TYPE.get(kind), BY_TYPE.get(kind.removeprefix("const "))):
        if value:
            return value
    if kind.endswith("**"):
        return "(void *)&made"
    return "(void *)zeros" if kind.endswith("*") else "0"


def main(folder, output):
    text = public_headers.text_of(folder)
    enums = {name for name, _ in public_headers.bodies(text, "enum")}
    functions = list(documented(folder))
    missing = set(public_headers.functions(text)[0]) - {name for name, *_ in functions}
    if missing:
        sys.exit(f"without a comment: {sorted(missing)}")
    ends = {parameters[0][0]: name for name, _, parameters, _ in functions
            if re.search(r"_(destroy|close)$", name) and parameters[0][0].endswith("**")}
    lines, wrong = [], []
    for name, result, parameters, comment in functions:
        if name in LEFT_OUT:
            continue
        returned = comment.partition("@return")[2]
        values = [usable(kind, parameter, enums) if kind.strip("* ") not in ("void",) or kind == "const void *" else "NULL"
                  for kind, parameter in parameters]
        # What may be NULL is NULL, so that one wrong argument is the only one.
        values = ["NULL" if "NULL" in of_parameter(comment, parameter) and kind.endswith("*") and not kind.endswith("**")
                  and not re.match(r"(const )?kt_(timer|timer_context|snapshot) \*$", kind) else value
                  for value, (kind, parameter) in zip(values, parameters)]
        for place, (kind, parameter) in enumerate(parameters):
            outcome = "INVALID"
            if kind.endswith("*"):
                bad = ["NULL"]
                if "NULL" in of_parameter(comment, parameter) and "may hold NULL" not in of_parameter(comment, parameter):
                    outcome = "ANY"
                if f"`{parameter}` is NULL" in returned or "a handle is NULL" in returned and not kind.endswith("**"):
                    outcome = "UNAVAILABLE" if "KT_UNAVAILABLE" in returned else "ANY"
                if not kind.endswith("**") and "kt_recording *" in (kind for kind, _ in parameters):
                    outcome = "UNAVAILABLE"  # the simulator and the CPU have no recording
            elif kind in enums:
                bad = [f"({kind})-1", f"({kind})9999"]
            elif parameter in INDICES and kind in ("uint32_t", "size_t"):
                bad = ["UINT32_MAX" if kind == "uint32_t" else "SIZE_MAX"]
            else:
                continue
            if outcome == "INVALID" and result == "kt_status" and "KT_INVALID" not in returned and "or a status of" not in returned:
                wrong.append(f"{name}: @return lists no KT_INVALID, though {parameter} may be wrong")
            for value in bad:
                call = f"{name}({', '.join(values[:place] + [value] + values[place + 1:])})"
                what = f'"{name}: {parameter} = {value}"'
                # ends what a call made of what may be NULL
                outs = [kind for kind, _ in parameters if kind.endswith("**")]
                end = f" {ends[outs[0]]}((void *)&made);" if outs and outs[0] in ends else ""
                if result == "kt_status":
                    lines.append(f"GIVES_{outcome}({what}, {call});{end}")
                elif kind in enums and result == "const char *":
                    lines.append(f"GIVES_UNKNOWN({what}, {call});")
                elif result.endswith("*") and outcome != "ANY" or result.endswith("*") and parameter == "index":
                    lines.append(f"GIVES_NOTHING({what}, {call});")
                else:
                    lines.append(f"RETURNS({what}, {call});")
    if wrong:
        sys.exit("\n".join(wrong))
    with open(output, "w") as file:
        file.write("\n".join(lines) + "\n")


main(*sys.argv[1:])
