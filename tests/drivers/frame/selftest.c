/* SPDX-License-Identifier: MIT */
/* Each kind of misuse, through the frame alone: this program is stub and test in one. */
#include "tests/drivers/frame/cases.h"
#include "tests/drivers/frame/frame.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { KIND_DEVICE, KIND_PART };
enum { BYTES = 100 };

static struct script {
    uint64_t size, mode;
    struct script_list list;
} script = {.size = 3};

static struct report_entry entries[] = {{.name = "make"}, {.name = "use"}};
const struct report_of report_of = {"frame", "KT_STUB_FRAME_COUNTS", entries, 2};
const char *const kind_names[] = {"device", "part", NULL};

static void read_list(char *text)
{
    script_read_list(&script.list, text, "one two", 0);
}

void script_read(void)
{
    static const struct script_key keys[] = {
        {"size", &script.size, NULL, 1, 9, NULL},
        {"mode", &script.mode, "plain other", 0, 0, NULL},
        {"list", NULL, NULL, 0, 0, read_list},
        {"clock", &device_clock.kind, CLOCK_CHOICES, 0, 0, NULL},
        {"strict", &report_strict, NULL, 0, 1, NULL},
        {"fail", NULL, NULL, 0, 0, report_read_fail},
    };
    script_keys_read("frame", "KT_STUB_FRAME", keys, sizeof keys / sizeof keys[0]);
}

void report_own(FILE *file)
{
    objects_report(file);
    report_leak(file, "memory", memory_alive(0));
    report_caller = "exit";
    memory_check_all();
}

struct test_case {
    const char *script;
    void (*run)(void);
    const char *report; /* a line that the report must hold; NULL: neither leak nor misuse */
};

static struct object *make(unsigned kind, void *context)
{
    return object_create(kind, sizeof(struct object), context);
}

/* ---- objects ---- */

static void nothing(void) {}

static void sound(void)
{
    struct object *device = make(KIND_DEVICE, NULL);
    make(KIND_PART, device);
    make(KIND_PART, device)->implicit = true;
    CHECK(object_use(device, KIND_DEVICE) == device);
    CHECK(objects_drop(KIND_PART, device) == 1);
    object_end(device, KIND_DEVICE);
    object_end(NULL, KIND_PART);
}

static void leaks(void)
{
    make(KIND_PART, make(KIND_DEVICE, NULL));
    make(KIND_PART, NULL)->implicit = true;
}

static void ends_twice(void)
{
    struct object *device = make(KIND_DEVICE, NULL);
    object_end(device, KIND_DEVICE);
    object_end(device, KIND_DEVICE);
}

static void uses_late(void)
{
    struct object *device = make(KIND_DEVICE, NULL);
    object_end(device, KIND_DEVICE);
    make(KIND_DEVICE, NULL);
    CHECK(!object_use(device, KIND_DEVICE));
}

static void mistakes_kind(void)
{
    CHECK(!object_use(make(KIND_DEVICE, NULL), KIND_PART) && !object_use(NULL, KIND_PART));
}

static void ends_whole_first(void)
{
    struct object *device = make(KIND_DEVICE, NULL);
    make(KIND_PART, device);
    object_end(device, KIND_DEVICE);
}

static void ends_before_work(void)
{
    struct object *part = make(KIND_PART, NULL);
    part->pending = 1;
    object_end(part, KIND_PART);
}

/* ---- memory ---- */

static void writes_beyond(void)
{
    struct block *block = memory_create(0, NULL, BYTES, 0);
    CHECK(memory_find(block->data + BYTES - 1) == block && !memory_find(block->data + BYTES));
    CHECK(memory_behind(block->data + 1) == BYTES - 1);
    block->data[BYTES] = 0;
    memory_end(block);
    CHECK(!memory_find(block->data));
}

static void writes_before(void)
{
    memory_create(0, NULL, BYTES, 256)->data[-1] = 0;
}

/* ---- calls ---- */

static void fails(void)
{
    bool failed[3];
    for (int i = 0; i < 3; i++) {
        failed[i] = call_enter(1);
        call_leave();
    }
    CHECK(failed[0] == (script.size == 1) && failed[1] && failed[2] == (script.size == 1));
}

static void *use_alone(void *met)
{
    call_enter_alone(1, &script, met);
    EXPECT_USE(!*(bool *)met, "is used by two threads at once");
    call_leave();
    return met;
}

/* The first thread waits inside its call, and lets the other one in. */
static void two_threads(void)
{
    pthread_t thread;
    bool met;
    call_enter_alone(0, &script, &met);
    static bool other_met;
    CHECK(pthread_create(&thread, NULL, use_alone, &other_met) == 0);
    while (atomic_load(&entries[1].calls) == 0)
        call_pause();
    call_leave();
    pthread_join(thread, NULL);
    CHECK(other_met && !met);
    use_alone(&met);
    CHECK(!met);
}

static void many_misuses(void)
{
    for (int i = 0; i < 66; i++)
        misuse("number %d", i);
}

/* ---- clock ---- */

static void simulated(void)
{
    int64_t start = clock_now();
    clock_advance(5);
    clock_reach(start + 9);
    clock_reach(start + 2);
    CHECK(start == 1000000007 && clock_now() == start + 9);
    int64_t least = 15, most = 0;
    for (int i = 0; i < 100; i++) {
        int64_t before = clock_now();
        clock_add_noise();
        int64_t noise = clock_now() - before;
        least = noise < least ? noise : least;
        most = noise > most ? noise : most;
    }
    CHECK(least == 0 && most == 15);
    CHECK(clock_cut(UINT64_MAX, 36) == 0xFFFFFFFFF && clock_cut(UINT64_MAX, 0) == UINT64_MAX);
    CHECK(clock_duration(7) == 7);
    clock_take(0);
    CHECK(clock_duration(7) == 0);
}

static void real(void)
{
    bool host = device_clock.kind == CLOCK_HOST;
    uint64_t before = host ? clock_host_ns(CLOCK_MONOTONIC_RAW) : device_clock.start;
    uint64_t ticks = clock_ticks();
    CHECK(ticks >= before && ticks - before < UINT64_C(10000000000));
    clock_advance(INT64_C(1) << 60);
    clock_reach((int64_t)ticks + 1000);
    CHECK(clock_ticks() - ticks >= 1000 && clock_ticks() - ticks < UINT64_C(10000000000));
}

/* ---- kernels ---- */

static void runs_kernel(void)
{
    const group_kernel *saxpy = named_kernel_find("saxpy");
    float x[4] = {1, 2, 3, 4}, y[4] = {0};
    void *const memories[] = {x, y};
    const uint32_t groups[3] = {1, 1, 1}, size[3] = {4, 1, 1};
    CHECK(saxpy && named_kernel_memories(saxpy) == 2 && !named_kernel_find("saxp"));
    CHECK(named_kernel_elements(saxpy, 0, 4, groups, size) == 4);
    CHECK(named_kernel_elements(named_kernel_find("matmul_naive"), 0, 4, groups, size) == 16);
    const named_kernel_number n = {.word = 4};
    named_kernel_run(&(named_kernel_launch){.kernel = saxpy,
                                            .memories = memories,
                                            .numbers = &n,
                                            .groups = groups,
                                            .group_size = size});
    CHECK(y[0] != 0 && y[1] == 2 * y[0] && y[3] == 4 * y[0]);
    report_kernel("saxpy", true);
    report_kernel("other", false);
}

static void read_lists(void)
{
    CHECK(script.list.count == 2 && script.list.items[0] == 1 && script.list.items[1] == 0);
    CHECK(script.size == 9 && script.mode == 1);
}

static const struct test_case cases[] = {
    {"", sound, NULL},
    {"", leaks, "leak device 1"},
    {"", leaks, "leak part 1"},
    {"", ends_twice, "misuse 1 make: device was destroyed"},
    {"", uses_late, "misuse 1 make: device was destroyed"},
    {"", mistakes_kind, "misuse 2 make: no part"},
    {"", ends_whole_first, "misuse 1 make: 1 objects of this device are left"},
    {"", ends_before_work, "misuse 1 make: part is in use by a submission"},
    {"", writes_beyond, "misuse 1 make: memory was written beyond its ends"},
    {"", writes_before, "misuse 1 exit: memory was written beyond its ends"},
    {"", writes_before, "leak memory 1"},
    {"fail=use:2", fails, "use 3"},
    {"fail=any:3", fails, "use 3"}, /* the first call is make */
    {"fail=use:0,size=1", fails, "use 3"},
    {"", two_threads, "misuse 1 use: is used by two threads at once"},
    {"", many_misuses, "misuse 2 others"},
    {"", simulated, NULL},
    {"clock=host", real, NULL},
    {"clock=own", real, NULL},
    {"", runs_kernel, "kernel saxpy 1"},
    {"", runs_kernel, "unknown kernel other 1"},
    {"size=9,mode=other,list=two+one", read_lists, NULL},
    {"strict=1", ends_twice, "abort: frame: misuse: make: device was destroyed"},
    {"sizes=1", nothing, "abort: unknown key"},
    {"size", nothing, "abort: no '='"},
    {"size=-1", nothing, "abort: not a number"},
    {"size=10", nothing, "abort: number out of range"},
    {"mode=plai", nothing, "abort: unknown choice"},
    {"list=one+one+one+one+one", nothing, "abort: list too long"},
    {"fail=made:1", nothing, "abort: unknown function"},
};

static void run_case(const struct test_case *test, void *library)
{
    (void)library;
    call_enter(0);
    call_leave();
    report_caller = "make";
    test->run();
}

int main(void)
{
    static const struct stub stub = {"KT_STUB_FRAME", "KT_STUB_FRAME_COUNTS", run_case};
    bool good = true;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        good &= stub_case_run(&stub, NULL, cases[i].script, cases[i].report, &cases[i]);
    return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
