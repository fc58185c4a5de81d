/* SPDX-License-Identifier: MIT */
/* What the host did meanwhile: of made-up files, and of this very machine. */
#define _GNU_SOURCE /* mkdtemp, nftw */
#include "support/host_state.h"
#include "tests/unit/testing.h"

#include <ftw.h>
#include <kerntime/kerntime.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static void expect_stat(const char *text, double busy_ticks, uint32_t cores)
{
    kt_cpu_stat stat = {.busy_ticks = 5, .cores = 5};
    kt_parse_cpu_stat(text, &stat);
    EXPECT_NUMBER(stat.busy_ticks, busy_ticks);
    assert_int_equal(stat.cores, cores);
}

static void work_is_what_is_neither_idle_nor_waiting(void **state)
{
    /* user nice system idle iowait irq softirq steal guest guest_nice: each in a decimal of its
     * own */
    expect_stat("cpu  1 20 300 4000 50000 600000 7000000 80000000 900000000 9000000000\n"
                "cpu0 1 2 3 4\ncpu1 1 2 3 4\nintr 5 6 7\nctxt 8\n",
                1 + 20 + 300 + 600000 + 7000000 + 80000000, 2);
    expect_stat("cpu 1 20 300 4000\n", 321, 0); /* before Linux 2.6 */
    expect_stat("cpu 1 20 300 4000 50000 600000\n", 600321, 0);
    expect_stat("cpu  1 2 3 4 5 6 7 8", 27, 0); /* cut off after a number */
    expect_stat("cpu0 1 2 3 4\ncpu 1 2 3 4\ncpu17 1 1", 6, 2);
    expect_stat("intr 1 2 3 4\ncpu 1 2 3 4\n", 6, 0);
}

static void what_is_no_such_text_tells_nothing(void **state)
{
    static const char *const texts[] = {"",
                                        "\n\n",
                                        "cpu",
                                        "cpu \n",
                                        "cpu 1 2 3\n",
                                        "cpu 1 2 x 4\n",
                                        "cpu -1 2 3 4\n",
                                        "cpux 1 2 3 4",
                                        "CPU 1 2 3 4",
                                        "cpu a\n1 2 3 4\n"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        expect_stat(texts[i], NAN, 0);
}

static void a_frequency_is_one_number(void **state)
{
    EXPECT_NUMBER(kt_parse_khz("2400000\n"), 2.4e9);
    EXPECT_NUMBER(kt_parse_khz("800000"), 8e8);
    static const char *const texts[] = {"", "\n", "0\n", "<unknown>\n", "-1\n", "2.4\n", "1 2\n"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        EXPECT_NUMBER(kt_parse_khz(texts[i]), NAN);
}

/* ---- a machine made of files ---- */

static char root[] = "/tmp/kerntime-host-XXXXXX";

static int make_root(void **state)
{
    return mkdtemp(root) ? 0 : -1;
}

static int remove_one(const char *path, const struct stat *status, int type, struct FTW *at)
{
    return remove(path);
}

static int remove_root(void **state)
{
    return nftw(root, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

/* Writes a file below the root, and the folders that it needs. */
static void put(const char *path, const char *text)
{
    char full[256];
    snprintf(full, sizeof full, "%s%s", root, path);
    for (char *slash = full + strlen(root); (slash = strchr(slash + 1, '/')) != NULL;
         *slash = '/') {
        *slash = '\0';
        mkdir(full, 0700);
    }
    FILE *file = fopen(full, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

#define CPU "/sys/devices/system/cpu/cpu"

static void a_machine_that_tells_all(void **state)
{
    put("/proc/stat", "cpu  100 0 50 1000 10 0 0 0 0 0\ncpu0 1 1 1 1\ncpu1 1 1 1 1\nintr 1\n");
    put(CPU "0/cpufreq/scaling_cur_freq", "800000\n");
    put(CPU "1/cpufreq/scaling_cur_freq", "3100000\n");
    put(CPU "2/cpufreq/scaling_cur_freq", "9900000\n"); /* of a core that is not on */
    put(CPU "0/cpufreq/scaling_governor", "powersave\n");
    kt_host_state host;
    kt_host_state_at(root, &host);
    EXPECT_NUMBER(host.busy_ns, 150.0 / (double)sysconf(_SC_CLK_TCK) * 1e9);
    assert_int_equal(host.cores, 2);
    EXPECT_NUMBER(host.frequency_hz, 3.1e9);
    assert_string_equal(host.governor, "powersave");
    assert_true(host.own_ns > 0);
    put(CPU "0/cpufreq/scaling_governor",
        "a governor whose name is longer than all that there are");
    kt_host_state_at(root, &host);
    assert_string_equal(host.governor, "a");
}

static void a_machine_that_tells_nothing(void **state)
{
    kt_host_state host;
    kt_host_state_at("/nowhere", &host);
    EXPECT_NUMBER(host.busy_ns, NAN);
    EXPECT_NUMBER(host.frequency_hz, NAN);
    assert_int_equal(host.cores, 0);
    assert_string_equal(host.governor, "");
    assert_true(host.at_ns != 0);
}

static void a_container_has_less_memory(void **state)
{
    uint64_t host_bytes = kt_host_memory_bytes_at("/nowhere");
    assert_true(host_bytes > 1 << 20);
    put("/sys/fs/cgroup/memory.max", "max\n");
    assert_int_equal(kt_host_memory_bytes_at(root), host_bytes);
    put("/sys/fs/cgroup/memory/memory.limit_in_bytes",
        "9223372036854771712\n"); /* none, in version 1 */
    assert_int_equal(kt_host_memory_bytes_at(root), host_bytes);
    put("/sys/fs/cgroup/memory.max", "1048576\n");
    assert_int_equal(kt_host_memory_bytes_at(root), 1048576);
}

/* ---- two readings ---- */

static void others_are_who_is_left(void **state)
{
    const kt_host_state before = {.at_ns = 5000000000, .busy_ns = 100e9, .own_ns = 3e9};
    kt_host_state after = {.at_ns = 7000000000, .busy_ns = 103e9, .own_ns = 4e9};
    EXPECT_NUMBER(kt_host_others(&before, &after), 1); /* (3 - 1) s in 2 s */
    after.own_ns = 6.5e9;
    EXPECT_NUMBER(kt_host_others(&before, &after), 0); /* counted in another way: never below */
    after.busy_ns = NAN;
    EXPECT_NUMBER(kt_host_others(&before, &after), NAN);
    after = (kt_host_state){.at_ns = 5499999999, .busy_ns = 103e9, .own_ns = 4e9};
    EXPECT_NUMBER(kt_host_others(&before, &after), NAN); /* too soon */
    after.at_ns = 5500000000;
    EXPECT_NUMBER(kt_host_others(&before, &after), 4);
}

/* The counters of macOS are of 32 bits, in ticks of 10 ms. */
static void counters_turn_over(void **state)
{
    const double turn_ns = 4294967296.0 * 1e7;
    EXPECT_NUMBER(kt_host_busy_between(4294967290.0 * 1e7, 94.0 * 1e7, turn_ns), 1e9);
    EXPECT_NUMBER(kt_host_busy_between(94.0 * 1e7, 100.0 * 1e7, turn_ns), 6e7);
    EXPECT_NUMBER(kt_host_busy_between(5, 5, turn_ns), 0);
    EXPECT_NUMBER(kt_host_busy_between(NAN, 5, turn_ns), NAN);
}

static volatile double heat;

/* What this process does itself is not the work of others: a second of it would be one core. */
static void own_work_is_not_that_of_others(void **state)
{
    kt_host_state before, after;
    kt_host_state_read(&before);
    if (isnan(before.busy_ns))
        skip();
    double own_before_ns = before.own_ns;
    do {
        for (int i = 0; i < 1000000; i++)
            heat += i;
        kt_host_state_read(&after);
    } while (after.own_ns - own_before_ns < 6e8);
    double span_ns = (double)(after.at_ns - before.at_ns);
    double all = (after.busy_ns - before.busy_ns) / span_ns;
    double own = (after.own_ns - before.own_ns) / span_ns;
    double others = kt_host_others(&before, &after);
    EXPECT_NEAR(others, fmax(0, all - own), 1e-9);
    assert_true(others < all || all == 0); /* some sandboxes tell only zeros */
    assert_true(kt_host_memory_bytes() > 1 << 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(work_is_what_is_neither_idle_nor_waiting),
        cmocka_unit_test(what_is_no_such_text_tells_nothing),
        cmocka_unit_test(a_frequency_is_one_number),
        cmocka_unit_test(a_machine_that_tells_all),
        cmocka_unit_test(a_machine_that_tells_nothing),
        cmocka_unit_test(a_container_has_less_memory),
        cmocka_unit_test(others_are_who_is_left),
        cmocka_unit_test(counters_turn_over),
        cmocka_unit_test(own_work_is_not_that_of_others),
    };
    return cmocka_run_group_tests_name("host_state", tests, make_root, remove_root);
}
