#include "script.h"

#include "stub.h"
#include "tests/drivers/frame/script.h"

#define AS_OTHER   UINT64_MAX
#define LONGEST_NS (UINT64_C(1) << 50)
#define BYTES_MAX  (UINT64_C(1) << 44)
#define NUMBER_MAX UINT32_MAX

struct script script = {
    .drivers = 1,
    .devices = 1,
    .vendor = VENDOR_INTEL,
    .groups = GROUPS_ONE,
    .call_ns = 20,
    .hz = 19200000,
    .bits = 36,
    .kernel_bits = 32,
    .context_percent = 100,
    .tiles = 1,
    .extension = 1,
    .kernel_ns = 10000,
    .copy_ns = AS_OTHER,
    .barrier_ticks = 3,
    .gap_ns = 2000,
    .every = 1,
    .total_bytes = UINT64_C(1) << 30,
    .max_alloc = AS_OTHER,
};

static const struct script_key keys[] = {
    {"drivers", &script.drivers, NULL, 0, DRIVERS_MAX, NULL},
    {"devices", &script.devices, NULL, 0, DEVICES_MAX, NULL},
    {"integrated", &script.integrated, NULL, 0, 1, NULL},
    {"vendor", &script.vendor, NULL, 0, UINT16_MAX, NULL},
    {"groups", &script.groups, "one pvc dg2 copy_first none apart", 0, 0, NULL},
    {"clock", &script.clock, "simulated host", 0, 0, NULL},
    {"call_ns", &script.call_ns, NULL, 0, LONGEST_NS, NULL},
    {"poll_ns", &script.poll_ns, NULL, 0, LONGEST_NS, NULL},
    {"late", &script.late, NULL, 0, NUMBER_MAX, NULL},
    {"unit", &script.unit, "both old refused hz zero", 0, 0, NULL},
    {"hz", &script.hz, NULL, 1000, 1000000000, NULL},
    {"bits", &script.bits, NULL, 1, 64, NULL},
    {"kernel_bits", &script.kernel_bits, NULL, 1, 64, NULL},
    {"garbage", &script.garbage, NULL, 0, 1, NULL},
    {"context_percent", &script.context_percent, NULL, 1, 100, NULL},
    {"tiles", &script.tiles, NULL, 1, TILES_MAX, NULL},
    {"extension", &script.extension, NULL, 0, 1, NULL},
    {"calibrated_timestamps", &script.calibrated_timestamps, "good unsupported lost missing slow",
     0, 0, NULL},
    {"kernel_ns", &script.kernel_ns, NULL, 0, LONGEST_NS, NULL},
    {"kernel_ticks", &script.kernel_ticks, NULL, 0, LONGEST_NS, NULL},
    {"copy_ns", &script.copy_ns, NULL, 0, LONGEST_NS, NULL},
    {"barrier_ticks", &script.barrier_ticks, NULL, 0, NUMBER_MAX, NULL},
    {"gap_ns", &script.gap_ns, NULL, 0, LONGEST_NS, NULL},
    {"timestamps", &script.timestamps, "good zero unwritten backwards not_ready error", 0, 0, NULL},
    {"every", &script.every, NULL, 1, NUMBER_MAX, NULL},
    {"query_ns", &script.query_ns, NULL, 0, LONGEST_NS, NULL},
    {"signalled", &script.signalled, "asked cached", 0, 0, NULL},
    {"aub", &script.aub, NULL, 0, 1, NULL},
    {"immediate", &script.immediate, "late at_once", 0, 0, NULL},
    {"total_bytes", &script.total_bytes, NULL, 1, BYTES_MAX, NULL},
    {"max_alloc", &script.max_alloc, NULL, 1, BYTES_MAX, NULL},
    {"build", &script.build, "good fail late", 0, 0, NULL},
    {"hang", &script.hang, NULL, 0, UINT64_MAX, NULL},
    {"lost", &script.lost, NULL, 0, UINT64_MAX, NULL},
    {"strict", &report_strict, NULL, 0, 1, NULL},
    {"fail", NULL, NULL, 0, 0, report_read_fail},
    {"error", &script.error, "device_memory host_memory lost uninitialized unknown", 0, 0, NULL},
};

void script_read(void)
{
    script_keys_read("level_zero_stub", "KT_STUB_LEVEL_ZERO", keys, sizeof keys / sizeof keys[0]);
    if (script.copy_ns == AS_OTHER)
        script.copy_ns = script.kernel_ns;
    if (script.max_alloc == AS_OTHER)
        script.max_alloc = script.total_bytes;
    clock_begin();
}
