/* SPDX-License-Identifier: MIT */
/*
 * Pairs of the GPU's clock and the host's, over a runtime that has one method: a
 * sampleTimestamps:gpuTimestamp: that reads the two clocks where the test wants it to. What holds:
 * the moment at which the GPU's was read lies within the pair, however the call blocks.
 */
#include "backends/metal/pairs.h"
#include "tests/unit/testing.h"

#define PERIOD_NS 10 /* of a tick of the GPU's clock */
#define READ_NS   5  /* what reading a clock of the host takes */
#define CALL_NS   2000

typedef enum call_kind {
    CALL_GOOD,
    CALL_QUICK, /* answers what it answered before, at once */
    CALL_ZERO,
    CALL_ERROR,
    CALL_STRANGE /* the CPU side is of another clock */
} call_kind;

static struct {
    int64_t now_ns;
    objc_timebase timebase;
    bool tells_ticks; /* the CPU side is in ticks */
    call_kind kind;
    int64_t blocks_ns;    /* the call takes so much more, ... */
    bool blocks_at_first; /* ... before both clocks are read, or after */
    uint64_t random;
    int64_t read_ns; /* when the GPU's clock was read last */
    uint64_t last_gpu, last_cpu;
    unsigned calls;
} fake;

static int64_t fake_now(void *user)
{
    (void)user;
    return fake.now_ns += READ_NS;
}

static uint64_t fake_mach(void)
{
    fake.now_ns += READ_NS;
    return (uint64_t)fake.now_ns * fake.timebase.denom / fake.timebase.numer;
}

static uint64_t cpu_side(int64_t ns)
{
    uint64_t ticks = (uint64_t)ns * fake.timebase.denom / fake.timebase.numer;
    return fake.tells_ticks ? ticks : ticks * fake.timebase.numer / fake.timebase.denom;
}

/* Both clocks are read anywhere within what the call itself takes. */
static void sample_timestamps(objc_id object, objc_selector selector, uint64_t *cpu, uint64_t *gpu)
{
    (void)object, (void)selector;
    fake.calls++;
    if (fake.kind == CALL_QUICK) {
        *cpu = fake.last_cpu;
        *gpu = fake.last_gpu;
        fake.now_ns += 20;
        return;
    }
    int64_t begin_ns = fake.now_ns + (fake.blocks_at_first ? fake.blocks_ns : 0);
    int64_t read_ns = begin_ns + (int64_t)(random_share(&fake.random) * CALL_NS);
    fake.read_ns = begin_ns + (int64_t)(random_share(&fake.random) * CALL_NS);
    fake.last_cpu = cpu_side(read_ns) + (fake.kind == CALL_STRANGE ? UINT64_C(1) << 60 : 0);
    fake.last_gpu = (uint64_t)fake.read_ns / PERIOD_NS;
    *cpu = fake.last_cpu;
    *gpu = fake.kind == CALL_ZERO    ? 0
           : fake.kind == CALL_ERROR ? METAL_SAMPLE_ERROR
                                     : fake.last_gpu;
    fake.now_ns += CALL_NS + fake.blocks_ns;
}

static objc_bool responds_to(objc_id object, objc_selector selector, objc_selector asked)
{
    (void)object, (void)selector, (void)asked;
    return 1;
}

static objc_class get_class(objc_id object)
{
    return (objc_class)object;
}

static metal_api api;

static objc_method get_method(objc_class class, objc_selector selector)
{
    (void)class;
    return selector == api.selectors[METAL_SENDS_sample_timestamps] ? (objc_method)sample_timestamps
                                                                    : (objc_method)responds_to;
}

static void *push(void)
{
    return NULL;
}

static void pop(void *pool)
{
    (void)pool;
}

static metal_pairs pairs;
static char device, selectors[2];

static void begin(objc_timebase timebase, bool tells_ticks)
{
    memset(&fake, 0, sizeof fake);
    fake.now_ns = INT64_C(5000000000);
    fake.timebase = timebase;
    fake.tells_ticks = tells_ticks;
    fake.random = 20261123;
    api = (metal_api){.objc = {.object_getClass = get_class,
                               .class_getMethodImplementation = get_method,
                               .objc_autoreleasePoolPush = push,
                               .objc_autoreleasePoolPop = pop,
                               .mach_absolute_time = fake_mach,
                               .timebase = timebase}};
    api.selectors[METAL_SENDS_sample_timestamps] = (objc_selector)&selectors[0];
    api.selectors[METAL_SENDS_responds_to] = (objc_selector)&selectors[1];
    pairs = (metal_pairs){0};
    EXPECT_OK(
        kt_metal_pairs_init(&pairs, &api, (objc_id)&device, &(kt_host_clock){.now = fake_now}));
}

static int end(void **state)
{
    kt_metal_pairs_fini(&pairs);
    return 0;
}

/* Returns how wide it is. */
static int64_t take_true_pair(void)
{
    kt_clock_pair pair;
    fake.now_ns += 50000; /* the clocks go on */
    EXPECT_OK(kt_metal_pairs_take(&pairs, &pair));
    assert_true(pair.ticks == fake.last_gpu);
    assert_in_range(fake.read_ns, pair.host_before_ns, pair.host_after_ns);
    return pair.host_after_ns - pair.host_before_ns;
}

static const objc_timebase apple = {125, 3}, intel = {1, 1};

static void in_every_shape(void (*test)(void))
{
    for (int ticks = 0; ticks < 2; ticks++) {
        begin(apple, ticks);
        test();
        end(NULL);
        begin(intel, ticks);
        test();
        end(NULL);
    }
}

static void block_at_times(void)
{
    /* The shortest call and a tick on either side of the CPU's reading. */
    const int64_t narrow_ns = 2 * (CALL_NS + 4 * READ_NS + 2 * 42);
    take_true_pair();
    for (int i = 0; i < 1000; i++) {
        fake.blocks_ns = i % 3 ? 0 : 100000 + 1000 * i;
        fake.blocks_at_first = i % 2;
        assert_true(take_true_pair() <= narrow_ns);
    }
}

static void a_pair_holds_the_reading_and_not_the_blocking(void **state)
{
    in_every_shape(block_at_times);
}

/* As drivers do that are asked again too soon. Such a call is quicker than any that reads the
 * clocks, so it does not tell how far apart two readings may be. */
static void be_quick_at_times(void)
{
    for (int i = 0; i < 1000; i++) {
        take_true_pair();
        if (i % 10)
            continue;
        kt_clock_pair pair;
        fake.kind = CALL_QUICK;
        EXPECT_OK(kt_metal_pairs_take(&pairs, &pair));
        fake.kind = CALL_GOOD;
    }
}

static void a_call_that_reads_no_clock_does_not_count(void **state)
{
    in_every_shape(be_quick_at_times);
}

static void what_is_of_no_known_clock_narrows_nothing(void **state)
{
    begin(apple, false);
    fake.kind = CALL_STRANGE;
    fake.blocks_ns = 1000000;
    for (int i = 0; i < 100; i++)
        assert_true(take_true_pair() >= CALL_NS + fake.blocks_ns);
}

static void no_time_of_the_gpu_is_refused(void **state)
{
    static const call_kind kinds[] = {CALL_ZERO, CALL_ERROR};
    for (int i = 0; i < 2; i++) {
        kt_clock_pair pair;
        begin(intel, false);
        fake.kind = kinds[i];
        EXPECT_STATUS(kt_metal_pairs_take(&pairs, &pair), KT_UNSUPPORTED);
        EXPECT_TEXT_HAS(kt_error_text(), "no time of the GPU");
        assert_int_equal(fake.calls, 4); /* it may have been but that one */
        fake.kind = CALL_GOOD;
        take_true_pair();
        end(NULL);
    }
    begin(intel, false);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_pair_holds_the_reading_and_not_the_blocking),
        cmocka_unit_test(a_call_that_reads_no_clock_does_not_count),
        cmocka_unit_test_teardown(what_is_of_no_known_clock_narrows_nothing, end),
        cmocka_unit_test_teardown(no_time_of_the_gpu_is_refused, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
