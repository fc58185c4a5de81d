# SPDX-License-Identifier: MIT
# A faulty configuration costs one row: its process crashes or hangs, its output is wrong, it does not compile. All others
# are measured, and all documents have them.
unset KERNTIME_LIB_OPENCL
export OCL_ICD_VENDORS=pocl.icd
kerntime devices -d opencl >devices 2>&1 || skip "no PoCL here: $(cat devices)"
grep -q "Portable Computing Language" devices || skip "opencl is not PoCL here"
cat >fault.cl <<'END'
/* kerntime: -n 256Ki */
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
measure="--samples 5..20 --max-time 20ms -d opencl:0"
kerntime run fault.cl -D FAULT=0,1,2,3,4,5 --timeout 8s $measure --json file --csv rows --t4 t4 >table 2>errors
echo "exit $?"
check_json file
check_csv file rows
json_value file '[(r["name"], r["variant"], r["n"] > 0) for r in sorted(j["series"], key=lambda r: r["variant"]) if r["kind"] == "kernel"]' \
    '[r["status"] == "failed" for r in j["series"] if r["kind"] == "kernel"]' \
    '[sorted({r["variant"] for r in j["series"] if r["error"] and w in r["error"]}) for w in ("signal 11", "8 s", "expected", "UNKNOWN")]' \
    '{tuple(r["params"]) for r in j["series"]}' '{r["variant"] for r in j["series"] if r.get("wrong")}'
grep -c 'UNKNOWN is not defined' errors
grep -c "use of undeclared identifier 'UNKNOWN'" errors
sed -n 's/^fastest: .* \([0-9] wrong.*\)/\1/p' table
kerntime compare file file -q | grep -c '^Overall'
# The file has the set of the fastest: as many variants as the answer says, without their wall times.
set=$(tr '\n' ' ' <table | sed -n 's/.*fastest: .*(\([12]\) of 6)\. .*/\1/p')
json_value file "sum(r.get('fastest', False) for r in j['series']) == $set" '{r["kind"] for r in j["series"] if "fastest" in r}'

# On a terminal a failure is told once, by its message or the table, and in lines that break at blanks.
python3 "$here/terminal.py" raw kerntime run fault.cl -D FAULT=0,3 $measure >screen
echo "exit $?, $(tr '\r\n' '  ' <raw | grep -o 'expected' | wc -l) message"
grep -A1 '^kerntime: fault.cl' screen
rm screen raw

# A first configuration that crashes when it runs on its own output says nothing about what is right.
cat >first.cl <<'END'
kernel void first(global float *p, global float *y, uint n)
{
    size_t i = get_global_id(0);
    if (i >= n)
        return;
#if FIRST
    *(global float *)(p[i] < 0 ? (size_t)64 : (size_t)&y[i]) = 5;
    p[i] = -1;
#else
    y[i] = 1;
#endif
}
END
kerntime run first.cl -n 1024 -D FIRST=1,0 -a 'p=iota x n' -a 'y=zeros x n' $measure -q --json file 2>errors >table
echo "exit $?"
json_value file '[(r["variant"], r["status"] == "failed") for r in sorted(j["series"], key=lambda r: r["variant"]) if r["kind"] == "kernel"]'
rm first.cl

# Mistakes end before work, and write no file.
for words in "-a z=1" "--global 100000 --local 64" "--expect z=@x.npy" "-a x=@x.npy"; do
    kerntime run fault.cl -D FAULT=0,5 $words $measure -q --json none 2>errors
    echo "exit $?, $(wc -l <errors) line: $(sed 's/.* on opencl:0: //' errors)"
done
kerntime run fault.cl -D FAULT=4 $measure -q >table 2>errors
echo "exit $?"
kerntime run fault.cl -n 1Ti -D FAULT=0 $measure -q >table 2>errors
echo "exit $?"

# Another kernel says what is right.
sed 's/2 \* x/3 * x/' fault.cl >other.cl
kerntime run fault.cl -D FAULT=0 --check other.cl $measure -q >table 2>errors
echo "exit $?, $(grep -c ' expected .* differ' errors) line"
kerntime run fault.cl other.cl -D FAULT=0 --check fault.cl $measure -q --json - 2>errors >file
echo "exit $?"
json_value file '[(r["variant"], r["n"] > 0) for r in j["series"] if r["kind"] == "kernel"]'
ls "$TMPDIR"
rm file rows t4 table errors fault.cl other.cl devices
