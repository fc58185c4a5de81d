# A faulty configuration costs one row: its process crashes or hangs, its output is wrong, it does not compile. All others
# are measured, and all documents have them.
unset KERNTIME_LIB_OPENCL
export OCL_ICD_VENDORS=pocl.icd
kerntime devices -d opencl >devices 2>&1 || skip "no PoCL here: $(cat devices)"
grep -q "Portable Computing Language" devices || skip "opencl is not PoCL here"
cat >fault.cl <<'END'
/* kerntime: -n 1024 --max-time 10ms */
kernel void fault(global const float *x, global float *y, uint n)
{
    size_t i = get_global_id(0);
    float value = 2 * x[i];
#if FAULT == 1
    *(global float *)(size_t)(n > 5 ? 64 : i) = value; /* where no memory is */
#elif FAULT == 2
    volatile int zero = 0;
    while (zero == 0)
        value += 1;
#elif FAULT == 3
    value += i == 17;
#elif FAULT == 4
    value += UNKNOWN;
#endif
    y[i] = value;
}
END
sed -i 's/ --max-time 10ms//' fault.cl
measure="--samples 5..20 --max-time 20ms -d opencl:0"
kerntime run fault.cl -D FAULT=0,1,2,3,4,5 --timeout 3s $measure --json file --csv rows --t4 t4 >table 2>errors
echo "exit $?"
check_json file
check_csv file rows
json_value file '[(r["name"], r["variant"], r["status"] == "failed", r["n"] > 0) for r in j["series"] if r["kind"] == "kernel"]'
json_value file '[sorted({r["variant"] for r in j["series"] if r["error"] and w in r["error"]}) for w in ("signal 11", "expected", "UNKNOWN")]'
grep -c 'UNKNOWN is not defined' errors
sed -n 's/^fastest: .* \([0-9] wrong.*\)/\1/p' table
echo "one answer: $(grep -c '^fastest: ' table)"
kerntime compare file file >/dev/null 2>errors
# A name or an argument that is not there, and what no device can do.
try kerntime run fault.cl -D FAULT=0 -a z=1 $measure -q 2>errors
sed 's/\(kerntime: .*\): .*fault.cl/\1: fault.cl/' errors >&2
try kerntime run fault.cl -D FAULT=4 $measure -q >/dev/null 2>errors
rm file rows t4 table errors fault.cl devices
