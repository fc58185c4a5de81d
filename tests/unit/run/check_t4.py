# SPDX-License-Identifier: MIT
"""check_t4.py FILE: fits what the autotuners' results format T4, version 1.0.0, asks for."""

import json
import pathlib
import sys

import jsonschema

# Facts of results-schema.json of KernelTuner/kernel_tuner (kernel_tuner/schema/T4/1.0.0). The one of odgaard/TuningSchema
# takes numbers alone as values of measurements.
number, text, some = {"type": "number"}, {"type": "string"}, {"type": "array"}
measurement = {"type": "object", "properties": {"name": text, "unit": text, "value": number}}
times = {"compilation_time": number, "runtimes": some, "framework": number, "search_algorithm": number, "validation": number}
row = {
    "type": "object",
    "required": ["configuration", "times", "invalidity", "correctness"],
    "properties": {
        "timestamp": text,
        "configuration": {"type": "object"},
        "objectives": some,
        "times": {"type": "object", "properties": times},
        "invalidity": {"enum": ["timeout", "compile", "runtime", "correctness", "constraints", "correct"]},
        "correctness": number,
        "measurements": {"type": "array", "items": measurement},
    },
}
schema = {
    "type": "object",
    "required": ["schema_version", "results"],
    "properties": {
        "schema_version": {"type": "string", "pattern": r"^[0-9]+\.[0-9]+\.[0-9]+$"},
        "results": {"type": "array", "items": row, "minItems": 1},
    },
}

document = json.loads(pathlib.Path(sys.argv[1]).read_text(encoding="utf-8"))
validator = jsonschema.Draft202012Validator(schema)
for error in validator.iter_errors(document):
    sys.exit(f"{'/'.join(map(str, error.absolute_path))}: {error.message[:300]}")

# No key but those of the format, which are easily mistyped; objectives are among the measurements.
for result in document["results"]:
    unknown = set(result) - set(row["properties"]) | set(result["times"]) - set(times)
    if unknown:
        sys.exit(f"keys that the format does not have: {unknown}")
    names = [each["name"] for each in result["measurements"]]
    if result["times"]["runtimes"] and not set(result["objectives"]) <= set(names):
        sys.exit(f"objectives {result['objectives']} are not among {names}")

# What the schema is there to find.
for spoil in (lambda d: d["results"][0].pop("times"), lambda d: d["results"][0].update(invalidity="crashed"),
              lambda d: d["results"][0].update(correctness=None), lambda d: d.pop("schema_version")):
    spoilt = json.loads(json.dumps(document))
    spoil(spoilt)
    if validator.is_valid(spoilt):
        sys.exit("the schema takes a document that was spoilt")
