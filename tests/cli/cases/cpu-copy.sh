# This machine's own memory: by one core and by all, and no yardstick beside it. On a machine whose
# clock is coarse 1000 bytes may well be below what it resolves: docs/result-file.md has the rule
# (of five samples there is no interval, so it goes by their median).
kerntime copy -q -d cpu:0 --size 8KiB,1000 --samples 2..5 --max-time 1ms --json file >/dev/null
check_json file
json_value file '[d["id"] for d in j["devices"]]' \
    '[(s["name"], s["variant"], s["step"], s["src"], s["dst"], s["bytes"], s["verified"]) for s in j["series"] if s["kind"] == "copy"]' \
    '[s["status"] for s in j["series"] if s["kind"] == "copy" and s["status"] != (
        "ok" if __import__("statistics").median(s["samples_ns"]) * s["trials"] > max(j["devices"][0]["floor_ns"], j["devices"][0]["grid_ns"])
        else "below_floor")]'
rm file
