#include "script.h"

#include "tests/drivers/frame/script.h"

/* No duration: what empty_ns is until the script has been read. */
#define AS_KERNEL_NS UINT64_MAX

struct script script = {
    .platforms = 1,
    .devices = 1,
    .type = TYPE_GPU,
    .timer_resolution = 1,
    .kernel_ns = 1000,
    .empty_ns = AS_KERNEL_NS,
    .noise = 1,
    .max_alloc = UINT64_C(1) << 30,
    .memory = UINT64_MAX,
};

/* Half the range is headroom: a simulated clock of so long kernels must not overflow in a test. */
static const uint64_t LONGEST_NS = UINT64_C(1) << 40;

static const struct script_key keys[] = {
    {"platforms", &script.platforms, NULL, 0, 1, NULL},
    {"devices", &script.devices, NULL, 0, MAX_DEVICES, NULL},
    {"type", &script.type, "gpu cpu", 0, 0, NULL},
    {"timer_resolution", &script.timer_resolution, NULL, 0, UINT32_MAX, NULL},
    {"kernel_ns", &script.kernel_ns, NULL, 0, LONGEST_NS, NULL},
    {"empty_ns", &script.empty_ns, NULL, 0, LONGEST_NS, NULL},
    {"timestamps", &script.timestamps, "good fake zero swapped backwards coarse", 0, 0, NULL},
    {"spoil_from", &script.spoil_from, NULL, 1, UINT64_MAX, NULL},
    {"no_profiling_info", &script.no_profiling_info, NULL, 0, 1, NULL},
    {"build", &script.build, "good fail", 0, 0, NULL},
    {"hang", &script.hang, NULL, 0, UINT64_MAX, NULL},
    {"lost", &script.lost, NULL, 0, UINT64_MAX, NULL},
    {"event_error", &script.event_error, NULL, 0, UINT64_MAX, NULL},
    {"wrong", &script.wrong, NULL, 0, UINT64_MAX, NULL},
    {"skip", &script.skip, NULL, 0, UINT64_MAX, NULL},
    {"skip_copy", &script.skip_copy, NULL, 0, UINT64_MAX, NULL},
    {"half_copy", &script.half_copy, NULL, 0, UINT64_MAX, NULL},
    {"late", &script.late, NULL, 0, ASKS_ENDED - 1, NULL},
    {"lag", &script.lag, NULL, 0, UINT32_MAX, NULL},
    {"noise", &script.noise, NULL, 0, 1, NULL},
    {"max_alloc", &script.max_alloc, NULL, 1, UINT64_C(1) << 40, NULL},
    {"memory", &script.memory, NULL, 0, UINT64_MAX, NULL},
    {"clock", &script.clock, "simulated host own", 0, 0, NULL},
    {"timer", &script.timer, "usual none zero fail", 0, 0, NULL},
    {"svm", &script.svm, "coarse none", 0, 0, NULL},
    {"version", &script.version, "3.0 2.1 2.0 1.2 1.1", 0, 0, NULL},
};

void script_read(void)
{
    script_keys_read("opencl_stub", "KT_STUB_OPENCL", keys, sizeof keys / sizeof keys[0]);
    if (script.empty_ns == AS_KERNEL_NS)
        script.empty_ns = script.kernel_ns;
}
