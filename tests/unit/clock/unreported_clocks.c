/* SPDX-License-Identifier: MIT */
/* Clocks of whose ticks no driver tells anything: of the program's own devices, which
 * kt_timer_context_calibrate() follows, and of devices that kerntime opens, where they may be clocks of
 * the host. */
#include "device/device.h"
#include "support/host_clock.h"
#include "tests/unit/rig.h"
#include "tests/unit/timer/encoded_fake.h"

#include <kerntime/timer/cpu.h>
#include <pthread.h>
#include <stdio.h>

#define MOMENT_NS INT64_C(2000000)

static double off(double value, double truth)
{
    return fabs(value / truth - 1);
}

static kt_clock_state state_of(const kt_timer_context *timer_context)
{
    kt_clock_state state;
    EXPECT_OK(kt_timer_context_get_clock_state(timer_context, 0, &state));
    return state;
}

/* ---- of the program's own ---- */

static void the_period_is_found_while_importing(void **state)
{
    static const double periods_ns[] = {1e9 / 12e6, 1e9 / 24e6, 10, 1};
    for (int i = 0; i < 4; i++) {
        kt_timer_context *timer_context = NULL;
        fake_reset();
        fake.period_ns = periods_ns[i];
        EXPECT_OK(fake_import(0, &timer_context));
        const kt_clock_info *clock = kt_timer_context_get_clock(timer_context, 0);
        kt_clock_state known = state_of(timer_context);
        assert_true(off(clock->period_ns, fake.period_ns) < 1e-3);
        EXPECT_NUMBER(clock->period_ns, known.period_ns);
        assert_true(off(clock->period_uncertainty_ns, known.period_uncertainty_ns) <= 0.01);
        EXPECT_NEAR(clock->period_ns, fake.period_ns, 4 * known.period_uncertainty_ns);
        assert_int_equal(clock->period_source, KT_SOURCE_CALIBRATED_TIMESTAMPS);
        assert_int_equal(known.source, KT_SOURCE_CALIBRATED_TIMESTAMPS);
        assert_string_equal(clock->domain, ""); /* it has a zero of its own */
        assert_int_equal(clock->valid_bits, 0);
        assert_true(clock->valid_bits_min >= 20);
        assert_string_equal(kt_timer_context_get_clock(timer_context, 1)->name, "command-buffer");
        assert_null(kt_timer_context_get_clock(timer_context, 2));
        EXPECT_STATUS(kt_timer_context_get_clock_state(timer_context, 1, &known), KT_UNSUPPORTED);
        EXPECT_TEXT_HAS(kt_error_text(), "the clock \"command-buffer\" is not followed");
        EXPECT_STATUS(kt_timer_context_get_clock_state(timer_context, 2, &known), KT_INVALID);
        kt_timer_context_close(&timer_context);
    }
}

static void it_is_known_better_the_longer_it_is_followed(void **state)
{
    kt_timer_context *timer_context = NULL;
    fake_reset();
    EXPECT_OK(fake_import(0, &timer_context));
    kt_clock_state first = state_of(timer_context);
    uint32_t read = fake.pairs;
    int64_t begin_ns = kt_host_now_ns();
    while (kt_host_now_ns() - begin_ns < INT64_C(300000000)) {
        EXPECT_OK(kt_timer_context_calibrate(timer_context));
        kt_system_clock.sleep(kt_system_clock.user, 1000000);
    }
    double elapsed_ns = (double)(kt_host_now_ns() - begin_ns);
    kt_clock_state last = state_of(timer_context);
    assert_true(last.pairs >= first.pairs + 3);
    assert_true((double)(fake.pairs - read) <=
                elapsed_ns / 1e7 + 1); /* however often it was called */
    assert_true(last.period_uncertainty_ns < first.period_uncertainty_ns);
    EXPECT_NUMBER(kt_timer_context_get_clock(timer_context, 0)->period_ns, last.period_ns);
    assert_true(off(last.period_ns, fake.period_ns) < 1e-4);
    kt_timer_context_close(&timer_context);
}

/* Not with what was known when it was filled. */
static void a_span_is_reckoned_with_what_is_known_when_it_is_taken_in(void **state)
{
    kt_timer_context *timer_context = NULL;
    kt_timer *timer = NULL;
    fake_commands commands = {0};
    fake_pass pass = {0};
    int64_t start_ns, end_ns;
    double ns;
    fake_reset();
    EXPECT_OK(fake_import(0, &timer_context));
    EXPECT_OK(kt_timer_create(timer_context, "work", &timer));
    EXPECT_OK(kt_timer_pass_metal(timer, &commands, &pass));
    fake_wait(MOMENT_NS, &start_ns, &end_ns);
    fake_run(&pass, &commands, start_ns, end_ns);
    uint64_t ticks = pass.timestamps->timestamp.end_ticks - pass.timestamps->timestamp.start_ticks;
    fake_wait(5 * MOMENT_NS, &start_ns, &end_ns);
    double before_ns = kt_timer_context_get_clock(timer_context, 0)->period_ns;
    EXPECT_OK(kt_timer_context_calibrate(timer_context));
    double now_ns = kt_timer_context_get_clock(timer_context, 0)->period_ns;
    assert_true(before_ns != now_ns);
    EXPECT_OK(kt_collect(timer_context));
    EXPECT_OK(kt_timer_elapsed(timer, &ns));
    EXPECT_NUMBER(ns, (double)ticks * now_ns);
    kt_timer_destroy(&timer);
    kt_timer_context_close(&timer_context);
}

static void errors_of_pairs_are_those_of_the_import(void **state)
{
    kt_timer_context *timer_context = NULL;
    static const kt_status failures[] = {KT_DRIVER_ERROR, KT_UNSUPPORTED, KT_NO_MEMORY};
    for (int i = 0; i < 3; i++) {
        fake_reset();
        fake.pair_status = failures[i];
        EXPECT_STATUS(fake_import(0, &timer_context), failures[i]);
        assert_null(timer_context);
    }
    fake_reset();
    fake.stands = true;
    EXPECT_STATUS(fake_import(0, &timer_context), KT_UNSUPPORTED);
    EXPECT_TEXT_HAS(kt_error_text(), "Metal: its clock \"gpu\" stands still: ");
    EXPECT_TEXT_HAS(kt_error_text(), " readings all showed tick 4711");
}

static void what_was_known_stays_when_no_pair_comes(void **state)
{
    kt_timer_context *timer_context = NULL;
    int64_t start_ns, end_ns;
    fake_reset();
    EXPECT_OK(fake_import(0, &timer_context));
    double period_ns = kt_timer_context_get_clock(timer_context, 0)->period_ns;
    fake.pair_status = KT_DRIVER_ERROR;
    fake_wait(20 * MOMENT_NS, &start_ns, &end_ns);
    EXPECT_STATUS(kt_timer_context_calibrate(timer_context), KT_DRIVER_ERROR);
    EXPECT_TEXT_HAS(kt_error_text(), "no such pairs");
    EXPECT_NUMBER(kt_timer_context_get_clock(timer_context, 0)->period_ns, period_ns);
    EXPECT_NUMBER(state_of(timer_context).period_ns, period_ns);
    fake.pair_status = KT_OK;
    fake_wait(20 * MOMENT_NS, &start_ns, &end_ns);
    EXPECT_OK(kt_timer_context_calibrate(timer_context));
    assert_true(kt_timer_context_get_clock(timer_context, 0)->period_ns != period_ns);
    kt_timer_context_close(&timer_context);
    EXPECT_STATUS(kt_timer_context_calibrate(NULL), KT_UNAVAILABLE);
    kt_clock_state nothing;
    EXPECT_STATUS(kt_timer_context_get_clock_state(NULL, 0, &nothing), KT_UNAVAILABLE);
}

static void other_timer_contexts_have_nothing_to_calibrate(void **state)
{
    kt_timer_context *timer_context = NULL;
    kt_clock_state nothing;
    EXPECT_OK(kt_timer_context_import_cpu(&timer_context));
    EXPECT_OK(kt_timer_context_calibrate(timer_context));
    EXPECT_STATUS(kt_timer_context_get_clock_state(timer_context, 0, &nothing), KT_UNSUPPORTED);
    kt_timer_context_close(&timer_context);
}

/* ---- a width that nobody tells ---- */

/* ns of a turn are about 1 s, in the middle of which the import begins: it is over well before the
 * end. */
#define TURN_BITS 30

static kt_status time_across(kt_timer *timer, int64_t start_ns, int64_t end_ns)
{
    fake_commands commands = {0};
    fake_pass pass = {0};
    EXPECT_OK(kt_timer_pass_metal(timer, &commands, &pass));
    fake_run(&pass, &commands, start_ns, end_ns);
    return kt_timer_wait(timer, 0);
}

static void a_turn_shows_the_width(void **state)
{
    kt_timer_context *timer_context = NULL;
    kt_timer *timer = NULL;
    double ns;
    fake_reset();
    fake.period_ns = 1;
    fake.bits = TURN_BITS;
    int64_t now_ns = kt_host_now_ns(), turn_ns = INT64_C(1) << TURN_BITS;
    fake.offset_ns = turn_ns - now_ns % turn_ns + turn_ns / 4 * 2;
    EXPECT_OK(fake_import(0, &timer_context));
    EXPECT_OK(kt_timer_create(timer_context, "work", &timer));
    assert_int_equal(kt_timer_context_get_clock(timer_context, 0)->valid_bits, 0);
    assert_int_equal(kt_timer_context_get_clock(timer_context, 0)->valid_bits_min, TURN_BITS);
    /* Across the first turn nothing can be told of how long it was. */
    int64_t start_ns = kt_host_now_ns(), end_ns;
    fake_commands commands = {0};
    fake_pass pass = {0};
    EXPECT_OK(kt_timer_pass_metal(timer, &commands, &pass));
    while (fake_ticks(kt_host_now_ns()) >= (uint64_t)turn_ns / 4)
        kt_system_clock.sleep(kt_system_clock.user, MOMENT_NS);
    end_ns = kt_host_now_ns();
    fake_run(&pass, &commands, start_ns, end_ns);
    EXPECT_OK(kt_timer_wait(timer, 0));
    EXPECT_STATUS(kt_timer_elapsed(timer, &ns), KT_DRIVER_ERROR);
    EXPECT_TEXT_HAS(kt_error_text(), kt_timestamp_state_name(KT_TIMESTAMP_AMBIGUOUS));
    for (int i = 0; i < 20 && kt_timer_context_get_clock(timer_context, 0)->valid_bits == 0; i++) {
        EXPECT_OK(kt_timer_context_calibrate(timer_context));
        kt_system_clock.sleep(kt_system_clock.user, 6 * MOMENT_NS);
    }
    assert_int_equal(kt_timer_context_get_clock(timer_context, 0)->valid_bits, TURN_BITS);
    assert_int_equal(state_of(timer_context).wraps, 1);
    /* Then a span that lies across one is as good as any. */
    EXPECT_OK(kt_timer_pass_metal(timer, &commands, &pass));
    start_ns = kt_host_now_ns();
    fake.offset_ns += turn_ns - (int64_t)fake_ticks(start_ns) - MOMENT_NS / 2;
    kt_system_clock.sleep(kt_system_clock.user, MOMENT_NS);
    end_ns = kt_host_now_ns();
    assert_true(fake_ticks(end_ns) < fake_ticks(start_ns));
    fake_run(&pass, &commands, start_ns, end_ns);
    EXPECT_OK(kt_timer_wait(timer, 0));
    EXPECT_OK(kt_timer_elapsed(timer, &ns));
    EXPECT_NEAR(ns, (double)(end_ns - start_ns), 0.001 * (double)(end_ns - start_ns));
    kt_timer_destroy(&timer);
    kt_timer_context_close(&timer_context);
}

static void of_unknown_width_spans_within_a_turn_are_good(void **state)
{
    kt_timer_context *timer_context = NULL;
    kt_timer *timer = NULL;
    int64_t start_ns, end_ns;
    double ns;
    fake_reset();
    EXPECT_OK(fake_import(0, &timer_context));
    EXPECT_OK(kt_timer_create(timer_context, "work", &timer));
    for (int i = 0; i < 3; i++) {
        fake_commands commands = {0};
        fake_pass pass = {0};
        EXPECT_OK(kt_timer_pass_metal(timer, &commands, &pass));
        fake_wait(MOMENT_NS, &start_ns, &end_ns);
        fake_run(&pass, &commands, start_ns, end_ns);
        EXPECT_OK(kt_timer_wait(timer, 0));
        EXPECT_OK(kt_timer_elapsed(timer, &ns));
        EXPECT_NEAR(ns, (double)(end_ns - start_ns), 0.001 * MOMENT_NS + 2 * fake.period_ns);
    }
    /* What began before it was filled is refuted by the host's clock. */
    fake_wait(MOMENT_NS, &start_ns, &end_ns);
    EXPECT_OK(time_across(timer, start_ns - 50 * MOMENT_NS, end_ns));
    EXPECT_STATUS(kt_timer_elapsed(timer, &ns), KT_DRIVER_ERROR);
    kt_timer_destroy(&timer);
    kt_timer_context_close(&timer_context);
}

/* Nor is it known when such a command began: what is less than half of the least turn that shows
 * such ticks is a span. */
static void without_a_beginning_half_a_turn_is_the_most(void **state)
{
    const uint64_t turn = UINT64_C(1) << 50; /* more than the pairs have shown */
    static const struct {
        uint64_t share; /* of a turn, in 16ths */
        bool is_span;
    } cases[] = {{1, true}, {7, true}, {9, false}, {15, false}};
    kt_timer_context *timer_context = NULL;
    kt_timer *timer = NULL;
    double ns;
    fake_reset();
    EXPECT_OK(fake_import(0, &timer_context));
    EXPECT_OK(kt_timer_create(timer_context, "work", &timer));
    assert_true(kt_timer_context_get_clock(timer_context, 0)->valid_bits_min < 50);
    for (int i = 0; i < 4; i++) {
        fake_commands commands = {.complete = true};
        uint64_t ticks = turn / 16 * cases[i].share;
        fake.whole = (kt_timestamp){
            .state = KT_TIMESTAMP_OK, .start_ticks = turn - 1 - ticks, .end_ticks = turn - 1};
        EXPECT_OK(kt_timer_add_metal_commands(timer, &commands));
        EXPECT_OK(kt_collect(timer_context));
        kt_status status = kt_timer_elapsed(timer, &ns);
        assert_int_equal(status, cases[i].is_span ? KT_OK : KT_DRIVER_ERROR);
        if (cases[i].is_span)
            EXPECT_NUMBER(ns,
                          (double)ticks * kt_timer_context_get_clock(timer_context, 0)->period_ns);
    }
    kt_timer_context_counts counts;
    kt_timer_context_get_counts(timer_context, &counts);
    assert_int_equal(counts.discarded[KT_TIMESTAMP_AMBIGUOUS], 2);
    kt_timer_destroy(&timer);
    kt_timer_context_close(&timer_context);
}

/* ---- clocks of the host ---- */

static void a_clock_of_the_host_is_recognised(void **state)
{
    kt_timer_context *timer_context = NULL;
    int64_t start_ns, end_ns;
    fake_reset();
    fake.is_monotonic = true;
    EXPECT_OK(fake_import(0, &timer_context));
    const kt_clock_info *clock = kt_timer_context_get_clock(timer_context, 0);
    EXPECT_NUMBER(clock->period_ns, 1);
    EXPECT_NUMBER(clock->period_uncertainty_ns, 0);
    assert_int_equal(clock->period_source, KT_SOURCE_CALIBRATED_TIMESTAMPS);
    assert_int_equal(clock->valid_bits, 64);
    assert_string_equal(clock->domain, "CLOCK_MONOTONIC");
    uint32_t read = fake.pairs;
    fake_wait(10 * MOMENT_NS, &start_ns, &end_ns);
    EXPECT_OK(kt_timer_context_calibrate(timer_context));
    assert_int_equal(fake.pairs, read); /* the host alone is read */
    EXPECT_NUMBER(clock->period_ns, 1);
    kt_timer_context_close(&timer_context);
}

/* Though its ticks are of the same length, it is none of the host's. */
static void a_clock_that_is_off_has_no_domain(void **state)
{
    static const struct {
        int64_t offset_ns;
        double period_ns;
        const char *domain;
    } clocks[] = {{0, 1, "CLOCK_MONOTONIC_RAW"},
                  {INT64_C(1000000000), 1, ""},
                  {INT64_C(-1000000000), 1, ""},
                  {0, 1 + 3e-5, ""}}; /* of the same zero at another rate */
    for (int i = 0; i < 4; i++) {
        kt_timer_context *timer_context = NULL;
        fake_reset();
        fake.offset_ns = clocks[i].offset_ns;
        fake.period_ns = clocks[i].period_ns;
        EXPECT_OK(fake_import(0, &timer_context));
        const kt_clock_info *clock = kt_timer_context_get_clock(timer_context, 0);
        assert_string_equal(clock->domain, clocks[i].domain);
        assert_true(off(clock->period_ns, clocks[i].period_ns) < 1e-3);
        assert_int_equal(clock->valid_bits, i == 0 ? 64 : 0);
        kt_timer_context_close(&timer_context);
    }
}

static const kt_backend *real;

static kt_status device_pair(void *device, uint32_t clock, kt_clock_pair *pair)
{
    return fake_instrumentation.timer_context_clock_pair(NULL, clock, pair);
}

/* As of the program's own devices, so of those that kerntime opens; by what is told beforehand it
 * is as ever. */
static void so_are_those_of_devices(void **state)
{
    static const struct {
        bool is_monotonic;
        double reported_ns;
        uint32_t reported_bits, timer;
        const char *domain;
    } cases[] = {{true, NAN, 0, 0, "CLOCK_MONOTONIC"},
                 {true, 1, 64, 0, "CLOCK_MONOTONIC"},
                 {true, NAN, 64, 0, ""},
                 {true, NAN, 0, 1, ""},
                 {false, NAN, 0, 0, ""}};
    for (int i = 0; i < 5; i++) {
        kt_clock_state known;
        fake_reset();
        fake.period_ns = 1;
        fake.is_monotonic = cases[i].is_monotonic;
        rig *r = rig_make("cpu:0", 0);
        real = r->device->backend;
        kt_backend backend = *real;
        backend.clock_pair = device_pair;
        r->device->backend = &backend;
        kt_clock_info *info = &r->device->info.clocks[0];
        *info = (kt_clock_info){.name = "gpu",
                                .method = KT_METHOD_DEVICE_TIMESTAMP,
                                .period_ns = cases[i].reported_ns,
                                .valid_bits = cases[i].reported_bits,
                                .timer = cases[i].timer,
                                .frequency_hz = NAN,
                                .uncertainty_ns = NAN,
                                .drift_ppm = NAN};
        for (int again = 0; again < 2; again++) { /* what was found is known */
            kt_clock *clock = rig_clock(r, 0, NULL);
            kt_clock_get_state(clock, &known);
            assert_string_equal(info->domain, cases[i].domain);
            assert_true(off(info->period_ns, 1) < 1e-3);
            assert_true(!cases[i].domain[0] || info->period_ns == 1);
            assert_int_equal(info->valid_bits, cases[i].domain[0] ? 64 : cases[i].reported_bits);
        }
        r->device->backend = real;
    }
}

/* ---- at once ---- */

#define ROUNDS 200

static kt_timer_context *shared;
static atomic_bool over;

static void *calibrate(void *user)
{
    while (!over) {
        kt_clock_state known;
        if (kt_timer_context_calibrate(shared) != KT_OK ||
            kt_timer_context_get_clock_state(shared, 0, &known) != KT_OK || !(known.period_ns > 0))
            return (void *)1;
    }
    return NULL;
}

static void *collect(void *user)
{
    while (!over)
        if (kt_collect(shared) != KT_OK)
            return (void *)1;
    return NULL;
}

static void calibrating_goes_on_beside_all_else(void **state)
{
    pthread_t threads[3];
    kt_timer *timer = NULL;
    void *failed = NULL;
    fake_reset();
    over = false;
    EXPECT_OK(fake_import(0, &shared));
    EXPECT_OK(kt_timer_create(shared, "work", &timer));
    for (int i = 0; i < 3; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, i < 2 ? calibrate : collect, NULL), 0);
    for (int i = 0; i < ROUNDS; i++) {
        fake_commands commands = {0}, dropped = {0};
        fake_pass passes[2] = {{0}};
        int64_t start_ns, end_ns;
        EXPECT_OK(kt_timer_pass_metal(timer, &dropped, &passes[0]));
        EXPECT_OK(kt_timer_start_metal(timer, &commands, &passes[1]));
        fake_wait(100000, &start_ns, &end_ns);
        fake_run(&passes[1], &commands, start_ns, end_ns);
        EXPECT_OK(kt_timer_stop_metal(timer, &passes[1]));
        EXPECT_OK(kt_timer_context_discard_metal(shared, &dropped));
        EXPECT_OK(kt_timer_wait(timer, 0));
    }
    over = true;
    for (int i = 0; i < 3; i++) {
        assert_int_equal(pthread_join(threads[i], &failed), 0);
        assert_null(failed);
    }
    kt_timer_context_counts counts;
    kt_timer_context_get_counts(shared, &counts);
    assert_int_equal(counts.recorded, ROUNDS);
    assert_int_equal(counts.pending, 0);
    kt_timer_destroy(&timer);
    kt_timer_context_close(&shared);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_period_is_found_while_importing),
        cmocka_unit_test(it_is_known_better_the_longer_it_is_followed),
        cmocka_unit_test(a_span_is_reckoned_with_what_is_known_when_it_is_taken_in),
        cmocka_unit_test(errors_of_pairs_are_those_of_the_import),
        cmocka_unit_test(what_was_known_stays_when_no_pair_comes),
        cmocka_unit_test(other_timer_contexts_have_nothing_to_calibrate),
        cmocka_unit_test(a_turn_shows_the_width),
        cmocka_unit_test(of_unknown_width_spans_within_a_turn_are_good),
        cmocka_unit_test(without_a_beginning_half_a_turn_is_the_most),
        cmocka_unit_test(a_clock_of_the_host_is_recognised),
        cmocka_unit_test(a_clock_that_is_off_has_no_domain),
        cmocka_unit_test(so_are_those_of_devices),
        cmocka_unit_test(calibrating_goes_on_beside_all_else),
    };
    return cmocka_run_group_tests_name("unreported_clocks", tests, NULL, rig_end);
}
