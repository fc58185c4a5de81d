/* SPDX-License-Identifier: MIT */
/* The panels of copies in the figure's script: throughput by size, what stands behind it, what has
 * no line, and how directions look. */
#include "tests/unit/output/figure_document.h"

/* A time of a copy on a device, with an interval of -20 % .. +25 %; NaN: it is not possible. */
static kt_series *add(const char *device, const char *direction, int64_t size, const char *step,
                      double ns)
{
    uint32_t i = d.document.series_count++;
    bool measured = !isnan(ns);
    assert_true(i < SERIES_MAX);
    snprintf(d.names[i], sizeof d.names[i], "copy/%lld", (long long)size);
    d.params[i] = (kt_param){"size", size};
    d.samples[i] = ns;
    d.series[i] = (kt_series){.name = d.names[i],
                              .workload = "copy",
                              .variant = direction,
                              .device = device,
                              .params = &d.params[i],
                              .param_count = 1,
                              .step = step,
                              .kind = strcmp(step, "wall") == 0 ? KT_SERIES_WALL : KT_SERIES_COPY,
                              .status = measured ? KT_SERIES_OK : KT_SERIES_NOT_POSSIBLE,
                              .bytes = (double)size,
                              .samples_ns = &d.samples[i],
                              .summary = {.n = measured,
                                          .mean = ns,
                                          .median = ns,
                                          .ci95_low = 0.8 * ns,
                                          .ci95_high = 1.25 * ns},
                              .speedup = NAN};
    return &d.series[i];
}

/* ---- lines ---- */

/* 8192 bytes in 1000 ns, 1250 ns and 800 ns. */
static void throughput_and_its_interval(void **state)
{
    add("opencl:0", "heap-device", 65536, "copy", 2000);
    add("opencl:0", "heap-device", 8192, "copy", 1000);
    add("opencl:0", "heap-device", 8192, "wall", 4000);
    print_script();
    EXPECT_TEXT_HAS(output, "$curve1 << EOD\n8192 8.192 6.5536 10.24\n"
                            "65536 32.768 26.2144 40.96\nEOD\n");
    assert_int_equal(count_in_output("<< EOD"), 1);
    EXPECT_TEXT_HAS(output, "title 'heap-device'\n");
    EXPECT_TEXT_HAS(output, "noenhanced 'opencl:0'\n");
    EXPECT_TEXT_HAS(output, "'Bars: 95 % interval of the median. A gap: not measured, or too "
                            "short to rank. Device time, if not called wall time.'\n");
    expect_not_in_output("memcpy");
    expect_not_in_output(", wall time'");
}

static void wall_time_where_there_is_no_other(void **state)
{
    add("a:0", "heap-device", 8192, "copy", NAN);
    add("a:0", "heap-device", 8192, "wall", 4096);
    add("a:0", "device-heap", 8192, "copy", 8192);
    add("a:0", "device-heap", 8192, "wall", 4096);
    print_script();
    EXPECT_TEXT_HAS(output, "$curve1 << EOD\n8192 2 1.6 2.5\nEOD\n");
    EXPECT_TEXT_HAS(output, "$curve2 << EOD\n8192 1 0.8 1.25\nEOD\n");
    EXPECT_TEXT_HAS(output, "title 'heap-device, wall time'");
    EXPECT_TEXT_HAS(output, "title 'device-heap'\n");
}

static void what_is_missing_is_a_gap(void **state)
{
    add("a:0", "heap-device", 8192, "copy", 8192);
    add("a:0", "heap-device", 16384, "copy", NAN);
    add("a:0", "heap-device", 32768, "copy", 16384)->summary.ci95_low = -1;
    add("a:0", "heap-device", 65536, "copy", 65536)->bytes = NAN;
    print_script();
    EXPECT_TEXT_HAS(output, "$curve1 << EOD\n8192 1 0.8 1.25\n16384 NaN NaN NaN\n"
                            "32768 2 1.6 Inf\n65536 NaN NaN NaN\nEOD\n");
}

static void no_line_for_what_copies_nothing(void **state)
{
    for (int i = 0; i < 6; i++) {
        add("a:0", "heap-device", 8192 << i, "copy", 8192 << i);
        add("a:0", "device-host-map", 8192 << i, "copy", 300)->zero_copy = 1;
        add("a:0", "device-host-map", 8192 << i, "wall", 900)->zero_copy = 1;
        add("a:0", "host-device", 8192 << i, "copy", NAN);
        add("a:0", "host-device-map", 8192 << i, "copy", 5000);
        add("a:0", "device-heap-map", 8192 << i, "copy", 20)->status = KT_SERIES_BELOW_MIN_SPAN;
        d.series[d.document.series_count - 1].zero_copy = 1;
        d.series[d.document.series_count - 1].summary.median = NAN;
        d.series[d.document.series_count - 1].trials = 1;
    }
    d.devices[0].info = (kt_device_info){.id = "a:0"};
    d.devices[0].has_timer_limits = true;
    d.devices[0].limits = (kt_timer_limits){.trusted = 1, .min_span_ns = 30, .resolution_ns = 1};
    d.document.device_count = 1;
    print_script();
    assert_int_equal(count_in_output("<< EOD"), 1);
    assert_int_equal(count_in_output("title 'heap-device'"), 1);
    EXPECT_TEXT_HAS(output, "'device-host-map: zero-copy,'\n");
    EXPECT_TEXT_HAS(output, "'300.0 ns whatever the size'\n");
    EXPECT_TEXT_HAS(output, "'host-device: not measured'\n");
    EXPECT_TEXT_HAS(output, "'host-device-map: mapped'\n");
    EXPECT_TEXT_HAS(output, "'device-heap-map: zero-copy,'\n");
    EXPECT_TEXT_HAS(output, "'< 30.0 ns whatever the size'\n");
    expect_not_in_output("title 'device-host-map");
    expect_not_in_output("title 'host-device");
}

static void nothing_at_all(void **state)
{
    add("a:0", "heap-device", 8192, "copy", NAN);
    print_script();
    assert_int_equal(count_in_output("<< EOD"), 0);
    EXPECT_TEXT_HAS(output, "unset xtics\nunset ytics\n");
    EXPECT_TEXT_HAS(output, "plot NaN notitle\n");
    EXPECT_TEXT_HAS(output, "'heap-device: not measured'\n");
}

/* 1, 2 and 4 GB/s by two runs: the median of 8192 and 16384 ns is the lower one. */
static void medians_over_runs(void **state)
{
    add("a:0", "heap-device", 8192, "copy", 4096);
    add("a:0", "heap-device", 8192, "copy", 8192)->run = 1;
    add("a:0", "heap-device", 8192, "copy", 2048)->run = 2;
    print_script();
    EXPECT_TEXT_HAS(output, "$curve1 << EOD\n8192 2 1 4\nEOD\n");
    EXPECT_TEXT_HAS(output, "'Medians over 3 runs, bars from the lowest to the highest. A gap:");
}

/* ---- the yardstick ---- */

static void memcpy_stands_behind_other_devices(void **state)
{
    add("cpu:0", "heap-heap", 8192, "copy", 8192);
    add("cpu:0", "heap-heap-all-cores", 8192, "copy", 1024);
    add("a:0", "heap-device", 8192, "copy", 4096);
    print_script();
    const char *cpu = strstr(output, "'cpu:0'\n"), *other = strstr(output, "'a:0'\n");
    assert_true(cpu && other && other < cpu);
    EXPECT_TEXT_HAS(other, "plot NaN notitle, \\\n"
                           "  $curve2 using 1:2 with linespoints lc rgb '#909090' lw 1.5 dt 1 ");
    EXPECT_TEXT_HAS(other,
                    "  $curve3 using 1:2 with linespoints lc rgb '#909090' lw 1.5 dt (3,3) ");
    EXPECT_TEXT_HAS(other, "title 'memcpy, one core', \\\n  NaN ");
    EXPECT_TEXT_HAS(other, "title 'memcpy, all cores'\n");
    assert_int_equal(count_in_output("memcpy, one core"), 1); /* not in its own panel */
    EXPECT_TEXT_HAS(output, "wall time. Grey: heap-heap of cpu:0.'\n");
}

/* ---- axes ---- */

/* All panels have the same: 3 .. 70 GB/s go from 2 to 100. */
static void one_range_for_all(void **state)
{
    add("a:0", "heap-device", 3000, "copy", 1000)->summary.ci95_high = 1e6; /* its bar is cut */
    add("b:0", "heap-device", 70000, "copy", 1000);
    print_script();
    assert_int_equal(count_in_output("\nplot "), 2);
    assert_int_equal(count_in_output("range ["), 2);
    EXPECT_TEXT_HAS(output, "$curve1 using 1:($3 <= $4 ? $2 : NaN):(inside($3)):(inside($4)) with");
    EXPECT_TEXT_HAS(
        output, "  '' using 1:($3 < bottom ? bottom : NaN) with points lc rgb '#0072B2' pt 11 ");
    assert_int_equal(count_in_output("? bottom : NaN"), 1);
    EXPECT_TEXT_HAS(output, "median. Arrows: bars that end beyond the axis. A gap");
    EXPECT_TEXT_HAS(output, "set xrange [1875:112000]\nset logscale x 2\n"); /* a factor of 1.6 */
    EXPECT_TEXT_HAS(output, "set yrange [2:100]\nset logscale y 10\n");
    EXPECT_TEXT_HAS(output, "set ytics nomirror out ('2' 2, '5' 5, '10' 10, '20' 20, '50' 50, "
                            "'100' 100)\n");
    EXPECT_TEXT_HAS(output, "set xtics nomirror out ('2 KiB' 2048, '4 KiB' 4096, '8 KiB' 8192, "
                            "'16 KiB' 16384, '32 KiB' 32768, '64 KiB' 65536)\n");
    /* One value alone has room on both sides. */
    begin(NULL);
    add("a:0", "heap-device", 10000, "copy", 1000);
    print_script();
    EXPECT_TEXT_HAS(output, "set yrange [5:20]\n");
}

static void tics_from_8_kib_to_1_gib(void **state)
{
    add("a:0", "heap-device", 8192, "copy", 1000);
    add("a:0", "heap-device", 1 << 30, "copy", 1e8);
    print_script();
    EXPECT_TEXT_HAS(output,
                    "('8 KiB' 8192, '' 16384 1, '' 32768 1, '64 KiB' 65536, '' 131072 1, "
                    "'' 262144 1, '512 KiB' 524288, '' 1048576 1, '' 2097152 1, '4 MiB' 4194304, "
                    "'' 8388608 1, '' 16777216 1, '32 MiB' 33554432, '' 67108864 1, "
                    "'' 134217728 1, '256 MiB' 268435456, '' 536870912 1, '1 GiB' 1073741824)\n");
}

/* ---- looks ---- */

#define KINDS 4

static const char *const kinds[KINDS] = {"heap", "host", "device", "shared"};

/* Without colour, too. */
static void all_directions_look_different(void **state)
{
    static char names[2 * KINDS * KINDS][32];
    static char looks[2 * KINDS * KINDS][256];
    unsigned n = 0;
    for (unsigned i = 0; i < 2 * KINDS * KINDS; i++, n++) {
        snprintf(names[n], sizeof names[n], "%s-%s%s", kinds[i / 2 / KINDS], kinds[i / 2 % KINDS],
                 i % 2 ? "-all-cores" : "");
        add("a:0", names[n], 8192, "copy", 1000);
    }
    print_script();
    for (unsigned i = 0; i < n; i++) {
        look_of(names[i], looks[i]);
        const char *look = strstr(looks[i], "' lw");
        assert_non_null(look);
        for (unsigned k = 0; look && k < i; k++)
            if (strcmp(look, strstr(looks[k], "' lw")) == 0)
                fail_msg("%s looks like %s: %s", names[i], names[k], look);
    }
}

static void a_direction_looks_the_same_everywhere(void **state)
{
    char look[256], other[256];
    add("a:0", "host-device", 8192, "copy", 1000);
    add("a:0", "device-host", 8192, "copy", 1000);
    print_script();
    EXPECT_TEXT_HAS(look_of("host-device", look), "lc rgb '#E69F00' lw 2 ps 0.9 dt 1 pt 5");
    EXPECT_TEXT_HAS(look_of("device-host", look),
                    "lc rgb '#E69F00' lw 2 ps 0.9 pi -1 dt (8,4) pt 4");
    begin(NULL);
    add("b:0", "heap-heap", 8192, "copy", 1000);
    add("b:0", "device-host", 8192, "wall", 1000);
    print_script();
    assert_string_equal(look_of("device-host, wall time", other), look);
}

/* ---- panels ---- */

static void panels_stand_side_by_side_if_they_are_many(void **state)
{
    static char ids[13][8];
    for (int i = 0; i < 13; i++) {
        snprintf(ids[i], sizeof ids[i], "a:%d", i);
        add(ids[i], "heap-device", 8192, "copy", 1000);
        print_script();
        assert_int_equal(count_in_output("\nplot "), i + 1);
        /* Lines of 18 pixels: 4 above and below the rows, 25 a row. */
        int columns = i < 4 ? 1 : i < 12 ? 2 : 3, rows = i / columns + 1;
        char first[64], layout[64];
        snprintf(first, sizeof first, "width = %d; height = %d; lines = 1\n", 1000 * columns,
                 (4 + 25 * rows) * 18);
        snprintf(layout, sizeof layout, "set multiplot layout %d, %d margins ", rows, columns);
        EXPECT_TEXT_HAS(output, first);
        EXPECT_TEXT_HAS(output, layout);
    }
}

/* Workloads come first. */
static void kernels_keep_their_panels(void **state)
{
    add("a:0", "heap-device", 8192, "copy", 1000);
    kt_series *kernel = add("a:0", NULL, 32, "work", 100);
    kernel->workload = kernel->name = "work";
    kernel->kind = KT_SERIES_KERNEL;
    print_script();
    assert_int_equal(count_in_output("\nplot "), 2);
    EXPECT_TEXT_HAS(output, "'work: time by size'");
    EXPECT_TEXT_HAS(output, "8192 8.192 6.5536 10.24\n");
    EXPECT_TEXT_HAS(output, " A gap: not measured, or nothing to compare with.'\n");
    EXPECT_TEXT_HAS(output, "noenhanced 'A gap: not measured, or too short to rank.");
    /* A workload of that name whose variant is no direction is one like others. */
    begin(NULL);
    add("a:0", "coalesced", 32, "work", 100)->kind = KT_SERIES_KERNEL;
    print_script();
    EXPECT_TEXT_HAS(output, "'copy, coalesced: time by size'");
    expect_not_in_output("GB/s");
}

static void copies_for_print(void **state)
{
    add("cpu:0", "heap-heap", 8192, "copy", 8192);
    add("a:0", "heap-device", 8192, "copy", 4096);
    add("a:0", "host-device", 8192, "copy", NAN);
    d.options.width_mm = 170;
    print_script();
    EXPECT_TEXT_HAS(output, "width = 642.52; ");
    EXPECT_TEXT_HAS(output, "set multiplot layout 1, 2 margins "); /* 80 mm each */
    EXPECT_TEXT_HAS(output, "graph 0, graph 0 - 46.0 / ");
    EXPECT_TEXT_HAS(output, "font ',9' noenhanced 'host-device: not measured'\n");
    d.options.plain = 1;
    print_script();
    expect_not_in_output("not measured");
    EXPECT_TEXT_HAS(output, " noenhanced 'a:0'\n");
}

static void points_as_csv(void **state)
{
    add("a:0", "heap-device", 8192, "copy", 4096);
    add("a:0", "host-device", 8192, "copy", NAN);
    add("a:0", "host-device", 8192, "wall", 8192);
    d.options.points = 1;
    print_script();
    assert_string_equal(output, "workload,variant,device,time,size,quantity,value,low,high\n"
                                "copy,heap-device,a:0,device,8192,gb_per_s,2,1.6,2.5\n"
                                "copy,host-device,a:0,wall,8192,gb_per_s,1,0.8,1.25\n");
}

/* ---- texts ---- */

static void make_hostile(void)
{
    static char direction[sizeof hostile + 16];
    begin(NULL);
    snprintf(direction, sizeof direction, "heap-device-%s", hostile);
    add(hostile, direction, 8192, "wall", 1000);
    add("a:0", direction, 8192, "copy", NAN);
    add("a:0", direction, 8192, "wall", 1000);
    add("b:0", direction, 8192, "copy", NAN);
    make_hostile_head();
    print_script();
}

static void no_text_gets_out_of_its_quotes(void **state)
{
    make_hostile();
    expect_quoted();
    EXPECT_TEXT_HAS(output, "title 'heap-device-`t");
    EXPECT_TEXT_HAS(output, " noenhanced '`touch pwned` ");
}

int main(int argc, char **argv)
{
    if (print_hostile(argc, argv, make_hostile))
        return 0;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(throughput_and_its_interval, begin),
        cmocka_unit_test_setup(wall_time_where_there_is_no_other, begin),
        cmocka_unit_test_setup(what_is_missing_is_a_gap, begin),
        cmocka_unit_test_setup(no_line_for_what_copies_nothing, begin),
        cmocka_unit_test_setup(nothing_at_all, begin),
        cmocka_unit_test_setup(medians_over_runs, begin),
        cmocka_unit_test_setup(memcpy_stands_behind_other_devices, begin),
        cmocka_unit_test_setup(one_range_for_all, begin),
        cmocka_unit_test_setup(tics_from_8_kib_to_1_gib, begin),
        cmocka_unit_test_setup(all_directions_look_different, begin),
        cmocka_unit_test_setup(a_direction_looks_the_same_everywhere, begin),
        cmocka_unit_test_setup(panels_stand_side_by_side_if_they_are_many, begin),
        cmocka_unit_test_setup(kernels_keep_their_panels, begin),
        cmocka_unit_test_setup(copies_for_print, begin),
        cmocka_unit_test_setup(points_as_csv, begin),
        cmocka_unit_test_setup(no_text_gets_out_of_its_quotes, begin),
    };
    return cmocka_run_group_tests_name("figure_copies", tests, NULL, NULL);
}
