/* SPDX-License-Identifier: MIT */
/* Timers of what the program encodes itself, over a backend that is asked whether commands are
 * complete: native/metal.h. */
#include "tests/unit/timer/encoded_fake.h"

#include <kerntime/timer/cpu.h>

#define MOMENT_NS INT64_C(1000000)

static kt_timer_context *timer_context;
static kt_timer *timer;

static int set_up(void **state)
{
    fake_reset();
    fake.has_reported_bits = true;
    kt_reset();
    kt_enable();
    EXPECT_OK(fake_import(4, &timer_context));
    EXPECT_OK(kt_timer_create(timer_context, "work", &timer));
    return 0;
}

/* Whatever was done, nothing is kept. */
static int tear_down(void **state)
{
    kt_timer_destroy(&timer);
    kt_timer_context_close(&timer_context);
    assert_int_equal(fake_used(), 0);
    return 0;
}

static kt_timer_context_counts counts(void)
{
    kt_timer_context_counts all;
    kt_timer_context_get_counts(timer_context, &all);
    return all;
}

static void expect_counts(uint64_t held, uint64_t recorded, uint64_t refused)
{
    kt_timer_context_counts all = counts();
    assert_int_equal(all.pending, held);
    assert_int_equal(all.recorded, recorded);
    assert_int_equal(all.refused, refused);
}

static double elapsed_ns(void)
{
    double ns = NAN;
    EXPECT_OK(kt_timer_elapsed(timer, &ns));
    return ns;
}

/* ---- passes ---- */

static void a_pass_is_taken_in_when_its_commands_are_complete(void **state)
{
    fake_commands commands = {0};
    fake_pass pass = {0};
    int64_t start_ns, end_ns;
    EXPECT_OK(kt_timer_pass_metal(timer, &commands, &pass));
    assert_non_null(pass.timestamps);
    EXPECT_OK(kt_collect(timer_context));
    expect_counts(1, 0, 0);
    assert_int_equal(counts().in_flight, 1);
    assert_int_equal(commands.retained, 1);
    EXPECT_STATUS(kt_timer_wait(timer, MOMENT_NS), KT_TIMEOUT);
    fake_wait(MOMENT_NS, &start_ns, &end_ns);
    fake_run(&pass, &commands, start_ns, end_ns);
    EXPECT_OK(kt_timer_wait(timer, 0));
    expect_counts(0, 1, 0);
    assert_int_equal(commands.retained, 0);
    double true_ns = (double)(end_ns - start_ns);
    EXPECT_NEAR(elapsed_ns(), true_ns, true_ns * 0.001 + fake.period_ns);
}

static void commands_end_in_any_order(void **state)
{
    fake_commands commands[3] = {{0}};
    fake_pass passes[3] = {{0}};
    int64_t start_ns, end_ns;
    for (int i = 0; i < 3; i++)
        EXPECT_OK(kt_timer_pass_metal(timer, &commands[i], &passes[i]));
    fake_wait(MOMENT_NS, &start_ns, &end_ns);
    for (int i = 2; i >= 0; i--) {
        fake_run(&passes[i], &commands[i], start_ns, end_ns);
        EXPECT_OK(kt_collect(timer_context));
        expect_counts((uint64_t)i, (uint64_t)(3 - i), 0);
    }
}

static void what_is_no_duration_is_counted_by_why(void **state)
{
    static const struct {
        kt_timestamp timestamp;
        kt_timestamp_state counted;
    } cases[] = {
        {{.state = KT_TIMESTAMP_ZERO}, KT_TIMESTAMP_ZERO},
        {{.state = KT_TIMESTAMP_ERROR}, KT_TIMESTAMP_ERROR},
        {{.state = KT_TIMESTAMP_OK, .start_ticks = 5000, .end_ticks = 4990}, KT_TIMESTAMP_NEGATIVE},
        {{.state = KT_TIMESTAMP_OK, .start_ticks = 5000, .end_ticks = 5000},
         KT_TIMESTAMP_BELOW_MIN_SPAN},
    };
    for (int i = 0; i < 4; i++) {
        fake_commands commands = {0};
        fake_pass pass = {0};
        EXPECT_OK(kt_timer_pass_metal(timer, &commands, &pass));
        pass.timestamps->timestamp = cases[i].timestamp;
        commands.complete = true;
        EXPECT_OK(kt_collect(timer_context));
        assert_int_equal(counts().discarded[cases[i].counted], 1);
    }
    fake_commands failed = {.complete = true, .failed = true};
    fake_pass pass = {0};
    EXPECT_OK(kt_timer_pass_metal(timer, &failed, &pass));
    EXPECT_OK(kt_collect(timer_context));
    assert_int_equal(counts().discarded[KT_TIMESTAMP_ERROR], 2);
    EXPECT_OK(kt_timer_pass_metal(timer, &failed, &pass));
    fake.read_status = KT_DEVICE_LOST;
    EXPECT_STATUS(kt_collect(timer_context), KT_DEVICE_LOST);
    assert_int_equal(counts().discarded[KT_TIMESTAMP_ERROR], 3);
    expect_counts(0, 0, 0);
}

/* It would run into the time of the timer before. */
static void a_descriptor_that_is_refused_is_emptied(void **state)
{
    fake_commands commands = {0};
    fake_pass pass = {0}, kept = {0};
    EXPECT_OK(kt_timer_pass_metal(timer, &commands, &kept));
    pass = kept;
    kt_disable();
    EXPECT_OK(kt_timer_pass_metal(timer, &commands, &pass));
    assert_null(pass.timestamps);
    kt_enable();
    pass = kept;
    EXPECT_STATUS(kt_timer_pass_metal(timer, NULL, &pass), KT_INVALID);
    EXPECT_TEXT_HAS(kt_error_text(), "timer \"work\": no command buffer");
    assert_null(pass.timestamps);
    EXPECT_STATUS(kt_timer_pass_metal(timer, &commands, NULL), KT_INVALID);
    EXPECT_TEXT_HAS(kt_error_text(), "timer \"work\": no pass descriptor");
    expect_counts(1, 0, 0);
    static const kt_status failures[] = {KT_UNSUPPORTED, KT_LIMIT};
    for (int i = 0; i < 2; i++) {
        pass = kept;
        fake.fill_status = failures[i];
        EXPECT_STATUS(kt_timer_pass_metal(timer, &commands, &pass), failures[i]);
        assert_null(pass.timestamps);
        expect_counts(1, 0, (uint64_t)i); /* what has no room is refused */
    }
    fake.fill_status = KT_OK;
    fake_pass others[3] = {{0}};
    for (int i = 0; i < 3; i++)
        EXPECT_OK(kt_timer_pass_metal(timer, &commands, &others[i]));
    pass = kept;
    EXPECT_STATUS(kt_timer_pass_metal(timer, &commands, &pass), KT_LIMIT);
    assert_null(pass.timestamps);
    expect_counts(4, 0, 2);
    EXPECT_OK(kt_timer_context_discard_metal(timer_context, &commands));
}

/* ---- what is not committed ---- */

static void what_is_discarded_never_was(void **state)
{
    fake_commands kept = {0}, gone = {0};
    fake_pass passes[3] = {{0}};
    int64_t start_ns, end_ns;
    EXPECT_OK(kt_timer_pass_metal(timer, &gone, &passes[0]));
    EXPECT_OK(kt_timer_pass_metal(timer, &kept, &passes[1]));
    EXPECT_OK(kt_timer_add_metal_commands(timer, &gone));
    EXPECT_OK(kt_timer_context_discard_metal(timer_context, &gone));
    assert_int_equal(gone.retained, 0);
    expect_counts(1, 0, 0);
    assert_int_equal(counts().in_flight, 1);
    EXPECT_OK(kt_timer_context_discard_metal(timer_context, &gone)); /* it has none */
    fake_wait(MOMENT_NS, &start_ns, &end_ns);
    fake_run(&passes[1], &kept, start_ns, end_ns);
    EXPECT_OK(kt_timer_wait(timer, 0));
    expect_counts(0, 1, 0);
    EXPECT_STATUS(kt_timer_context_discard_metal(timer_context, NULL), KT_INVALID);
    EXPECT_STATUS(kt_timer_context_discard_metal(NULL, &gone), KT_UNAVAILABLE);
}

static void what_is_neither_is_lost_with_the_timer_context(void **state)
{
    fake_commands commands = {0};
    fake_pass passes[2] = {{0}};
    kt_timer *other = NULL;
    EXPECT_OK(kt_timer_create(timer_context, "other", &other));
    EXPECT_OK(kt_timer_pass_metal(timer, &commands, &passes[0]));
    EXPECT_OK(kt_timer_start_metal(other, &commands, &passes[1]));
    kt_timer_context_close(&timer_context);
    assert_int_equal(commands.retained, 0);
    assert_int_equal(fake_used(), 0);
    EXPECT_STATUS(kt_timer_pass_metal(timer, &commands, &passes[0]), KT_INVALID);
    EXPECT_STATUS(kt_timer_stop_metal(other, &passes[1]), KT_INVALID);
    kt_timer_destroy(&other);
}

/* ---- encoders ---- */

static void between_start_and_stop_is_a_span(void **state)
{
    fake_commands commands = {0};
    fake_pass encoder = {0};
    int64_t start_ns, end_ns;
    double ns;
    EXPECT_OK(kt_timer_start_metal(timer, &commands, &encoder));
    EXPECT_STATUS(kt_timer_elapsed(timer, &ns), KT_NOT_READY);
    fake_wait(MOMENT_NS, &start_ns, &end_ns);
    fake_run(&encoder, &commands, start_ns, end_ns);
    EXPECT_OK(kt_collect(timer_context));
    expect_counts(1, 0, 0); /* not stopped yet */
    EXPECT_OK(kt_timer_stop_metal(timer, &encoder));
    EXPECT_OK(kt_collect(timer_context));
    expect_counts(0, 1, 0);
    double true_ns = (double)(end_ns - start_ns);
    EXPECT_NEAR(elapsed_ns(), true_ns, true_ns * 0.001 + fake.period_ns);
    assert_int_equal(commands.retained, 0);
}

static void misuse_of_start_and_stop_is_reported(void **state)
{
    fake_commands commands = {.complete = true};
    fake_pass encoder = {0}, other = {0};
    EXPECT_STATUS(kt_timer_stop_metal(timer, &encoder), KT_INVALID);
    EXPECT_TEXT_HAS(kt_error_text(), "timer \"work\" was not started");
    EXPECT_STATUS(kt_timer_start_metal(timer, &commands, NULL), KT_INVALID);
    EXPECT_TEXT_HAS(kt_error_text(), "timer \"work\": no encoder");
    EXPECT_OK(kt_timer_start_metal(timer, &commands, &encoder));
    EXPECT_STATUS(kt_timer_start_metal(timer, &commands, &other), KT_INVALID);
    EXPECT_TEXT_HAS(kt_error_text(), "timer \"work\" was started already: stop it first");
    EXPECT_STATUS(kt_timer_stop_metal(timer, &other), KT_INVALID);
    EXPECT_TEXT_HAS(kt_error_text(), "timer \"work\" was started in another encoder");
    EXPECT_STATUS(kt_timer_stop(timer, &encoder), KT_UNSUPPORTED);
    EXPECT_STATUS(kt_timer_start(timer, &encoder), KT_INVALID);
    fake.stop_status = KT_DRIVER_ERROR;
    EXPECT_STATUS(kt_timer_stop_metal(timer, &encoder), KT_DRIVER_ERROR);
    assert_int_equal(counts().discarded[KT_TIMESTAMP_ERROR], 1);
    fake.stop_status = KT_OK;
    EXPECT_STATUS(kt_timer_start(timer, NULL), KT_UNSUPPORTED);
    EXPECT_TEXT_HAS(kt_error_text(),
                    "timer \"work\": work of Metal is timed by kt_timer_pass_metal(), or by "
                    "kt_timer_start_metal() and kt_timer_stop_metal()");
    EXPECT_STATUS(kt_timer_stop(timer, NULL), KT_UNSUPPORTED);
    expect_counts(0, 0, 0);
}

/* Of a start that made no span the stop has nothing to do. */
static void a_start_without_a_span_needs_its_stop(void **state)
{
    fake_commands commands = {0};
    fake_pass encoder = {0};
    static const kt_status failures[] = {KT_UNSUPPORTED, KT_LIMIT, KT_DRIVER_ERROR, KT_OK};
    for (int i = 0; i < 4; i++) {
        fake.fill_status = failures[i];
        if (failures[i] == KT_OK)
            kt_disable();
        EXPECT_STATUS(kt_timer_start_metal(timer, &commands, &encoder), failures[i]);
        EXPECT_OK(kt_timer_stop_metal(timer, &encoder));
        EXPECT_STATUS(kt_timer_stop_metal(timer, &encoder), KT_INVALID);
    }
    expect_counts(0, 0, 1);
    assert_int_equal(commands.retained, 0);
}

/* ---- command buffers, and others' natives ---- */

static void the_time_of_a_whole_command_buffer_is_of_its_own_clock(void **state)
{
    fake_commands commands = {0};
    EXPECT_OK(kt_timer_add_metal_commands(timer, &commands));
    EXPECT_OK(kt_collect(timer_context));
    expect_counts(1, 0, 0);
    commands.complete = true;
    EXPECT_OK(kt_collect(timer_context));
    EXPECT_NUMBER(elapsed_ns(), 42000);
    assert_int_equal(kt_timer_context_get_clock(timer_context, 1)->method,
                     KT_METHOD_COMMAND_BUFFER);
    fake.fill_status = KT_LIMIT;
    EXPECT_STATUS(kt_timer_add_metal_commands(timer, &commands), KT_LIMIT);
    expect_counts(0, 1, 1);
    EXPECT_STATUS(kt_timer_add_metal_commands(timer, NULL), KT_INVALID);
    EXPECT_TEXT_HAS(kt_error_text(), "no command buffer");
}

static void without_metal_there_are_no_spans(void **state)
{
    fake_commands commands = {0};
    fake_pass pass = {0};
    kt_timer_context *cpu = NULL;
    kt_timer *of_cpu = NULL;
    EXPECT_STATUS(kt_timer_pass_metal(NULL, &commands, &pass), KT_UNAVAILABLE);
    EXPECT_STATUS(kt_timer_start_metal(NULL, &commands, &pass), KT_UNAVAILABLE);
    EXPECT_STATUS(kt_timer_stop_metal(NULL, &pass), KT_UNAVAILABLE);
    EXPECT_STATUS(kt_timer_add_metal_commands(NULL, &commands), KT_UNAVAILABLE);
    EXPECT_OK(kt_timer_context_import_cpu(&cpu));
    EXPECT_OK(kt_timer_create(cpu, "cpu", &of_cpu));
    EXPECT_STATUS(kt_timer_pass_metal(of_cpu, &commands, &pass), KT_INVALID);
    EXPECT_TEXT_HAS(kt_error_text(), "timer \"cpu\" is not of Metal");
    EXPECT_STATUS(kt_timer_start_metal(of_cpu, &commands, &pass), KT_INVALID);
    EXPECT_STATUS(kt_timer_stop_metal(of_cpu, &pass), KT_INVALID);
    EXPECT_STATUS(kt_timer_add_metal_commands(of_cpu, &commands), KT_INVALID);
    EXPECT_STATUS(kt_timer_context_discard_metal(cpu, &commands), KT_INVALID);
    EXPECT_TEXT_HAS(kt_error_text(), "this is no device of Metal");
    kt_timer_destroy(&of_cpu);
    kt_timer_context_close(&cpu);
    const kt_metal_import nothing = {.size = sizeof nothing};
    EXPECT_STATUS(kt_timer_context_import_metal(&nothing, &cpu), KT_INVALID);
    EXPECT_TEXT_HAS(kt_error_text(), "no device to import");
    assert_null(cpu);
    kt_recording *recording = NULL;
    EXPECT_STATUS(kt_recording_create(timer_context, NULL, &recording), KT_UNSUPPORTED);
    EXPECT_TEXT_HAS(kt_error_text(), "metal has nothing to record: time its passes and encoders");
}

#define TEST(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_pass_is_taken_in_when_its_commands_are_complete),
        TEST(commands_end_in_any_order),
        TEST(what_is_no_duration_is_counted_by_why),
        TEST(a_descriptor_that_is_refused_is_emptied),
        TEST(what_is_discarded_never_was),
        TEST(what_is_neither_is_lost_with_the_timer_context),
        TEST(between_start_and_stop_is_a_span),
        TEST(misuse_of_start_and_stop_is_reported),
        TEST(a_start_without_a_span_needs_its_stop),
        TEST(the_time_of_a_whole_command_buffer_is_of_its_own_clock),
        TEST(without_metal_there_are_no_spans),
    };
    return cmocka_run_group_tests_name("encoded", tests, NULL, NULL);
}
