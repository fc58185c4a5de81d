# SPDX-License-Identifier: MIT
# Copies are timestamped by another clock than empty steps, between barriers: what takes no longer than an empty step that is timestamped so
# is below the floor, though it takes longer than one that is timestamped by events.
export KERNTIME_BACKENDS=level_zero KERNTIME_LIB_LEVEL_ZERO="$KT_STUB_LEVEL_ZERO_LIB"
for copy_ns in 0 20000; do
    KT_STUB_LEVEL_ZERO=clock=host,copy_ns=$copy_ns \
        kerntime copy --size 4KiB --direction device-device -d level_zero:0 --samples 10..10 --timing device -q \
        --json file >/dev/null 2>&1
    echo "exit $?"
    check_json file
    json_value file '[(s["clock"], s["status"], s["median_ns"] is None, s["discarded"]["below_min_span"]) for s in j["series"] if s["clock"]]' \
        '[d["clock_limits"][0]["min_span_ns"] > 2 * d["min_span_ns"] > 0 for d in j["devices"] if d["backend"] == "level_zero"]'
    rm file
done
