#include "script.h"

#include "stub.h"
#include "tests/drivers/frame/script.h"

#define AS_KERNEL_NS UINT64_MAX
#define AS_TOTAL     UINT64_MAX
#define LONGEST_NS   (UINT64_C(1) << 50)
#define BYTES_MAX    (UINT64_C(1) << 44)
#define NUMBER_MAX   UINT32_MAX

struct script script = {
    .devices = 1,
    .version = STUB_HIP ? 50221153 : 12040,
    .start = 1000000007,
    .call_ns = 20,
    .kernel_ns = 1000,
    .empty_ns = AS_KERNEL_NS,
    .copy_ns = AS_KERNEL_NS,
    .record_ns = 250,
    .launch_gap_ns = 200,
    .step_ns = 500,
    .every = 1,
    .depth = 1024,
    .total_bytes = UINT64_C(1) << 30,
    .free_bytes = AS_TOTAL,
    .l2_bytes = UINT64_C(1) << 20,
    .managed = 1,
    .concurrent = 1,
    .capability = STUB_HIP ? 90 : 75,
    .units = 4,
    .max_threads = 1024,
    .error = CUDA_UNKNOWN,
};

static const struct script_key keys[] = {
    {"init", &script.init, NULL, 0, 999, NULL},
    {"devices", &script.devices, NULL, 0, DEVICES_MAX, NULL},
    {"version", &script.version, NULL, 0, INT32_MAX, NULL},
    {"clock", &script.clock, "simulated host", 0, 0, NULL},
    {"start", &script.start, NULL, 0, LONGEST_NS, NULL},
    {"call_ns", &script.call_ns, NULL, 0, LONGEST_NS, NULL},
    {"poll_ns", &script.poll_ns, NULL, 0, LONGEST_NS, NULL},
    {"late", &script.late, NULL, 0, NUMBER_MAX, NULL},
    {"kernel_ns", &script.kernel_ns, NULL, 0, LONGEST_NS, NULL},
    {"empty_ns", &script.empty_ns, NULL, 0, LONGEST_NS, NULL},
    {"copy_ns", &script.copy_ns, NULL, 0, LONGEST_NS, NULL},
    {"record_ns", &script.record_ns, NULL, 0, LONGEST_NS, NULL},
    {"launch_gap_ns", &script.launch_gap_ns, NULL, 0, LONGEST_NS, NULL},
    {"step_ns", &script.step_ns, NULL, 1, LONGEST_NS, NULL},
    {"elapsed", &script.elapsed, "good negative nothing not_ready invalid captured", 0, 0, NULL},
    {"events_ppm", &script.events_ppm, NULL, 0, 1000000, NULL},
    {"every", &script.every, NULL, 1, NUMBER_MAX, NULL},
    {"blocking", &script.blocking, "works ignored refused patient", 0, 0, NULL},
    {"give_up", &script.give_up, NULL, 0, NUMBER_MAX, NULL},
    {"give_up_every", &script.give_up_every, NULL, 0, NUMBER_MAX, NULL},
    {"depth", &script.depth, NULL, 1, NUMBER_MAX, NULL},
    {"total_bytes", &script.total_bytes, NULL, 1, BYTES_MAX, NULL},
    {"free_bytes", &script.free_bytes, NULL, 0, BYTES_MAX, NULL},
    {"l2_bytes", &script.l2_bytes, NULL, 0, NUMBER_MAX / 2, NULL},
    {"managed", &script.managed, NULL, 0, 1, NULL},
    {"concurrent", &script.concurrent, NULL, 0, 1, NULL},
    {"capability", &script.capability, NULL, 10, 999, NULL},
    {"units", &script.units, NULL, 1, NUMBER_MAX / 2, NULL},
    {"max_threads", &script.max_threads, NULL, 1, 1024, NULL},
    {"capturing", &script.capturing, NULL, 0, 1, NULL},
    {"build", &script.build, "good fail", 0, 0, NULL},
    {"wrong", &script.wrong, NULL, 0, UINT64_MAX, NULL},
    {"skip_copy", &script.skip_copy, NULL, 0, UINT64_MAX, NULL},
    {"hang", &script.hang, NULL, 0, UINT64_MAX, NULL},
    {"hang_copy", &script.hang_copy, NULL, 0, UINT64_MAX, NULL},
    {"lost", &script.lost, NULL, 0, UINT64_MAX, NULL},
    {"strict", &report_strict, NULL, 0, 1, NULL},
    {"fail", NULL, NULL, 0, 0, report_read_fail},
    {"error", &script.error, NULL, 1, 999, NULL},
};

void script_read(void)
{
    script_keys_read("cuda_hip_stub", STUB_HIP ? "KT_STUB_HIP" : "KT_STUB_CUDA", keys,
                     sizeof keys / sizeof keys[0]);
    if (script.empty_ns == AS_KERNEL_NS)
        script.empty_ns = script.kernel_ns;
    if (script.copy_ns == AS_KERNEL_NS)
        script.copy_ns = script.kernel_ns;
    if (script.free_bytes > script.total_bytes)
        script.free_bytes = script.total_bytes;
}
