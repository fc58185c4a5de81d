/* SPDX-License-Identifier: MIT */
/* The figure's script: which curves it has, where they have gaps, what stands at the axes; and that
 * nothing of a hostile text gets out of its quotes. */
#include "output/axis.h"
#include "tests/unit/output/figure_document.h"

static kt_param *add_param(int64_t size)
{
    kt_param *param = &d.params[d.document.series_count + d.document.baseline_count];
    *param = (kt_param){"size", size};
    return param;
}

/* Device time ("step") or wall time of work on a device, with an interval of -20 % .. +25 %. */
static kt_series *add(const char *device, int64_t size, const char *step, double ns)
{
    kt_series *series = &d.series[d.document.series_count];
    *series = (kt_series){
        .name = "work",
        .workload = "work",
        .device = device,
        .params = add_param(size),
        .param_count = 1,
        .step = step,
        .kind = strncmp(step, "wall", 4) == 0 ? KT_SERIES_WALL : KT_SERIES_KERNEL,
        .summary = {.n = 10, .median = ns, .ci95_low = 0.8 * ns, .ci95_high = 1.25 * ns},
        .speedup = NAN};
    d.document.series_count++;
    return series;
}

static void add_baseline(const char *name, int64_t size, double ns)
{
    d.baselines[d.document.baseline_count] =
        (kt_baseline){.workload = "work",
                      .params = add_param(size),
                      .param_count = 1,
                      .name = name,
                      .flags = "-O2",
                      .summary = {.median = ns, .ci95_low = ns, .ci95_high = ns}};
    d.document.baseline_count++;
}

/* Speed-ups as the report fills them in, and the script. */
static void print(void)
{
    for (uint32_t i = 0; i < d.document.series_count; i++)
        for (uint32_t k = 0; k < d.document.baseline_count; k++)
            if (strcmp(d.baselines[k].name, "sequential") == 0 &&
                d.baselines[k].params->value == d.series[i].params->value)
                d.series[i].speedup = d.baselines[k].summary.median / d.series[i].summary.median;
    print_script();
}

/* ---- curves ---- */

static void speedups_and_their_intervals(void **state)
{
    add_baseline("sequential", 32, 1000);
    add_baseline("best", 32, 500);
    add("opencl:0", 32, "work", 250);
    add("opencl:0", 32, "wall", 400);
    add("opencl:0", 32, "wall_timestamped", 1);
    print();
    /* 1000 / 250; 1000 / 312.5 and 1000 / 200 */
    EXPECT_TEXT_HAS(output, "$curve1 << EOD\n32 4 3.2 5\nEOD\n");
    EXPECT_TEXT_HAS(output, "$curve2 << EOD\n32 2.5 2 3.125\nEOD\n");
    EXPECT_TEXT_HAS(output, "$curve3 << EOD\n32 2 2 2\nEOD\n");
    assert_int_equal(count_in_output("<< EOD"), 3);
    EXPECT_TEXT_HAS(output, "title 'opencl:0 device time'");
    EXPECT_TEXT_HAS(output, "title 'opencl:0 wall time'");
    EXPECT_TEXT_HAS(output, "title 'best CPU (-O2)'");
    EXPECT_TEXT_HAS(output, "1 with lines lc rgb '#707070' lw 1 dt 1 title 'sequential CPU (-O2)'");
    EXPECT_TEXT_HAS(output, "work: speed-up over one CPU core by size'");
    EXPECT_TEXT_HAS(output, "set ylabel 'speed-up (sequential CPU = 1)'");
    EXPECT_TEXT_HAS(output, "'a cpu, 2 cores, 2026-11-21, kerntime 0'");
}

/* The bar of a speed-up holds the intervals of both medians: 4 exp(+-sqrt(2) log(1.25)). */
static void uncertain_baselines_widen_speedups(void **state)
{
    add_baseline("sequential", 32, 1000);
    d.baselines[0].summary.ci95_low = 800;
    d.baselines[0].summary.ci95_high = 1250;
    add("opencl:0", 32, "work", 250);
    print();
    EXPECT_TEXT_HAS(output, "$curve1 << EOD\n32 4 2.917");
    EXPECT_TEXT_HAS(output, " 5.484");
    d.baselines[0].summary.ci95_low = d.baselines[0].summary.ci95_high = NAN;
    print();
    EXPECT_TEXT_HAS(output, "$curve1 << EOD\n32 4 NaN NaN\nEOD\n");
}

/* Half a step of a coarse clock may lead below 0: no speed-up is too high. An arrow says so. */
static void an_interval_from_below_0(void **state)
{
    add_baseline("sequential", 32, 1000);
    add("opencl:0", 32, "work", 250)->summary.ci95_low = -250;
    print();
    EXPECT_TEXT_HAS(output, "$curve1 << EOD\n32 4 3.2 Inf\nEOD\n");
    EXPECT_TEXT_HAS(output, "set yrange [0:4.32]\n");
    EXPECT_TEXT_HAS(output, "bottom = 0; top = 4.32; inside(y) = y < bottom ? bottom : ");
    EXPECT_TEXT_HAS(output,
                    "  '' using 1:($4 > top ? top : NaN) with points lc rgb '#0072B2' pt 9 ");
    expect_not_in_output("$3 < bottom");
    EXPECT_TEXT_HAS(output, "median. Arrows: bars that end beyond the axis. A gap");
}

static void no_arrow_where_all_bars_end(void **state)
{
    add("a:0", 32, "work", 250);
    print();
    EXPECT_TEXT_HAS(output, "$curve1 using 1:($3 <= $4 ? $2 : NaN):(inside($3)):(inside($4)) with "
                            "yerrorbars lc rgb '#0072B2' lw 1 pt -1 ps 0.5 notitle, \\\n  '' using "
                            "1:2 with points");
    expect_not_in_output("Arrows");
}

static void without_a_baseline_times(void **state)
{
    add_baseline("best", 32, 500); /* is no unit alone, but a time like others */
    add("sim:0", 32, "work", 250);
    add("sim:0", 32, "wall", 400);
    print();
    EXPECT_TEXT_HAS(output, "$curve1 << EOD\n32 250 200 312.5\nEOD\n");
    EXPECT_TEXT_HAS(output, "$curve2 << EOD\n32 400 320 500\nEOD\n");
    EXPECT_TEXT_HAS(output, "$curve3 << EOD\n32 500 500 500\nEOD\n");
    assert_int_equal(count_in_output("<< EOD"), 3);
    EXPECT_TEXT_HAS(output, "title 'best CPU (-O2)'");
    EXPECT_TEXT_HAS(output, "work: time by size'");
    EXPECT_TEXT_HAS(output, "set ylabel 'time per dispatch'");
    expect_not_in_output("speed-up");
    expect_not_in_output("sequential");
    d.baselines[0].summary.ci95_low = 480;
    d.baselines[0].summary.ci95_high = 530;
    print();
    EXPECT_TEXT_HAS(output, "$curve3 << EOD\n32 500 480 530\nEOD\n");
}

/* ---- what y shows ---- */

static void add_work(void)
{
    add_baseline("sequential", 32, 1000);
    add_baseline("best", 32, 500);
    add("a:0", 32, "first", 50)->bytes = 10;
    kt_series *total = add("a:0", 32, "total", 250);
    total->bytes = 5000;
    total->flops = 1e5;
}

static void speedups_over_the_best_baseline(void **state)
{
    add_work();
    d.options.values = KT_FIGURE_SPEEDUP_BEST;
    print();
    EXPECT_TEXT_HAS(output, "$curve1 << EOD\n32 2 1.6 2.5\nEOD\n");
    assert_int_equal(count_in_output("<< EOD"), 1);
    EXPECT_TEXT_HAS(output, "set ylabel 'speed-up (best CPU = 1)'\n");
    EXPECT_TEXT_HAS(output, "1 with lines lc rgb '#707070' lw 1 dt 1 title 'best CPU (-O2)'");
    expect_not_in_output("sequential");
}

/* Bytes and operations of the whole work, for baselines, too. */
static void rates_with_baselines(void **state)
{
    add_work();
    d.options.values = KT_FIGURE_GBS;
    print();
    EXPECT_TEXT_HAS(output, "$curve1 << EOD\n32 20 16 25\nEOD\n");
    EXPECT_TEXT_HAS(output, "$curve2 << EOD\n32 5 5 5\nEOD\n");
    EXPECT_TEXT_HAS(output, "$curve3 << EOD\n32 10 10 10\nEOD\n");
    EXPECT_TEXT_HAS(output, "set ylabel 'throughput (GB/s)'\n");
    EXPECT_TEXT_HAS(output, "title 'sequential CPU (-O2)'");
    expect_not_in_output("1 with lines");
    d.options.values = KT_FIGURE_GFLOPS;
    print();
    EXPECT_TEXT_HAS(output, "$curve1 << EOD\n32 400 320 500\nEOD\n");
    EXPECT_TEXT_HAS(output, "set ylabel 'arithmetic (GFLOP/s)'\n");
    d.options.values = KT_FIGURE_TIME;
    print();
    EXPECT_TEXT_HAS(output, "$curve2 << EOD\n32 1000 1000 1000\nEOD\n");
}

/* What a workload suggests counts until the user says something else. */
static void a_workload_suggests_unit_and_values(void **state)
{
    const kt_figure_workload workloads[] = {{"other", "keys", KT_FIGURE_GFLOPS},
                                            {"work", "rows", KT_FIGURE_GBS}};
    add_work();
    d.options.workloads = workloads;
    d.options.workload_count = 2;
    print();
    EXPECT_TEXT_HAS(output,
                    "set xlabel 'size (rows)' noenhanced\nset ylabel 'throughput (GB/s)'\n");
    d.options.values = KT_FIGURE_SPEEDUP;
    print();
    EXPECT_TEXT_HAS(output, "set ylabel 'speed-up (sequential CPU = 1)'\n");
}

static void no_values_are_no_curves(void **state)
{
    add("a:0", 32, "work", 100);
    d.options.values = KT_FIGURE_GBS;
    print();
    assert_int_equal(count_in_output("<< EOD"), 0);
    EXPECT_TEXT_HAS(output, "set label 'there are no such values' at");
}

static void points_as_csv(void **state)
{
    add_work();
    add("a:0", 64, "total", -1)->status = KT_SERIES_FAILED; /* no row */
    d.series[1].summary.ci95_low = 0;
    d.series[1].variant = d.series[0].variant = d.series[2].variant = "tiled";
    d.options.points = 1;
    print();
    assert_string_equal(output, "workload,variant,device,time,size,quantity,value,low,high\n"
                                "work,tiled,a:0,device,32,speedup,4,3.2,inf\n"
                                "work,,,best,32,speedup,2,2,2\n");
}

static void bad_options_are_refused(void **state)
{
    const kt_figure_workload nameless = {NULL, "rows", KT_FIGURE_GBS};
    const kt_figure_options bad[] = {
        {.values = (kt_figure_values)(KT_FIGURE_GFLOPS + 1)},
        {.width_mm = 39.9},
        {.width_mm = 1001},
        {.width_mm = NAN},
        {.workload_count = 1},
        {.workload_count = 1, .workloads = &nameless},
    };
    const kt_sink sink = {.write = collect};
    kt_report *report;
    assert_int_equal(kt_report_create(&report, NULL), KT_OK);
    output_bytes = 0;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        kt_figure_options options = bad[i];
        options.size = sizeof options;
        assert_int_equal(kt_report_write_figure(report, &options, &sink), KT_INVALID);
    }
    assert_int_equal(output_bytes, 0);
    assert_int_equal(kt_report_write_figure(report, NULL, &sink), KT_OK);
    EXPECT_TEXT_HAS(output, "width = 1000; height = ");
    kt_report_destroy(&report);
}

/* ---- for print ---- */

/* 85 mm are 321 pixels; legends are above the axes. */
static void the_width_for_print(void **state)
{
    add("a:0", 32, "work", 100);
    d.options.width_mm = 85;
    print();
    EXPECT_TEXT_HAS(output, "width = 321.26; height = ");
    EXPECT_TEXT_HAS(output, " left bottom vertical maxrows 1 spacing lines samplen 3\n");
    EXPECT_TEXT_HAS(output, "font ',10' noenhanced 'work'\n");
    EXPECT_TEXT_HAS(output, "font ',9' noenhanced 'a cpu, 2 cores, 2026-11-21, kerntime 0'\n");
    /* Notes are wrapped between words. */
    EXPECT_TEXT_HAS(output, "'Bars: 95 % interval of the median. A gap: not measured, or'\n");
    EXPECT_TEXT_HAS(output, "'nothing to compare with.'\n");
}

static void plain_figures_have_no_texts_around(void **state)
{
    add("a:0", 32, "work", 100);
    d.options.plain = 1;
    print();
    expect_not_in_output("\nset label");
    /* Of several panels each keeps a name. */
    add("a:0", 32, "work", 100)->workload = "other";
    print();
    assert_int_equal(count_in_output("\nset label"), 2);
    EXPECT_TEXT_HAS(output, " noenhanced 'other'\n");
}

/* ---- gaps ---- */

static void what_is_missing_is_a_gap(void **state)
{
    add("a:0", 16, "work", 100)->status = KT_SERIES_PARTIAL;
    add("a:0", 32, "work", 200)->status = KT_SERIES_FAILED;
    add("a:0", 64, "work", 400)->status = KT_SERIES_BELOW_MIN_SPAN;
    add("a:0", 128, "work", 800)->status = KT_SERIES_NOT_POSSIBLE;
    kt_series *few = add("a:0", 256, "work", 1600);
    few->summary.ci95_low = few->summary.ci95_high = NAN;
    add("a:0", 512, "work", NAN);
    add("a:0", 1024, "work", 0); /* no place on a logarithmic axis */
    add("b:0", 2048, "work", 100);
    print();
    EXPECT_TEXT_HAS(output, "$curve1 << EOD\n16 100 80 125\n32 NaN NaN NaN\n64 NaN NaN NaN\n"
                            "128 NaN NaN NaN\n256 1600 NaN NaN\n512 NaN NaN NaN\n"
                            "1024 NaN NaN NaN\n2048 NaN NaN NaN\nEOD\n");
    EXPECT_TEXT_HAS(output, "set xtics nomirror out ('16' 16, '256' 256, '2048' 2048)\n");
}

/* A device without device time has only its wall time, one without any time is not there. */
static void curves_without_points_are_left_out(void **state)
{
    add("a:0", 32, "work", NAN)->status = KT_SERIES_NOT_POSSIBLE;
    add("a:0", 32, "wall", 100);
    add("b:0", 32, "work", NAN)->status = KT_SERIES_FAILED;
    print();
    assert_int_equal(count_in_output("<< EOD"), 1);
    EXPECT_TEXT_HAS(output, "title 'a:0 wall time'");
    expect_not_in_output("b:0");
    begin(NULL);
    add("a:0", 32, "work", NAN)->status = KT_SERIES_FAILED;
    print();
    EXPECT_TEXT_HAS(output, "'nothing was measured'");
    assert_int_equal(count_in_output("<< EOD"), 0);
    EXPECT_TEXT_HAS(output, "unset ytics");
    begin(NULL);
    print();
    EXPECT_TEXT_HAS(output, "unset multiplot\n");
    expect_not_in_output("\nplot ");
}

static void steps_count_together(void **state)
{
    add("a:0", 32, "first", 100);
    add("a:0", 32, "second", 200);
    add("a:0", 32, "total", 300);
    add("a:0", 32, "span", 350);
    print();
    EXPECT_TEXT_HAS(output, "$curve1 << EOD\n32 300 240 375\nEOD\n");
    assert_int_equal(count_in_output("<< EOD"), 1);
}

/* In order of size, whatever the order of measuring. */
static void sizes_in_order(void **state)
{
    add("a:0", 64, "work", 100);
    add("a:0", 9, "work", 100);
    add("a:0", 512, "work", 100);
    print();
    EXPECT_TEXT_HAS(output, "\n9 100 80 125\n64 100 80 125\n512 100 80 125\n");
}

/* ---- looks ---- */

static void a_device_looks_the_same_in_every_panel(void **state)
{
    for (int64_t size = 32; size <= 128; size *= 2) {
        add("a:0", size, "work", 100);
        add("a:0", size, "wall", 100);
        add("b:0", size, "work", 100);
        add("b:0", size, "wall", 100);
        add("b:0", size, "other", 100)->workload = "other"; /* where there is no a:0 */
    }
    print();
    assert_int_equal(count_in_output("\nplot "), 2);
    char look[256];
    EXPECT_TEXT_HAS(look_of("a:0 device time", look), "lc rgb '#0072B2' lw 2 ps 1.1 dt 1 pt 7");
    EXPECT_TEXT_HAS(look_of("a:0 wall time", look),
                    "lc rgb '#0072B2' lw 2 ps 1.1 pi -1 dt (8,5) pt 6");
    EXPECT_TEXT_HAS(look_of("b:0 wall time", look),
                    "lc rgb '#E69F00' lw 2 ps 1.1 pi -1 dt (8,5) pt 4");
    assert_int_equal(
        count_in_output("lc rgb '#E69F00' lw 2 ps 1.1 dt 1 pt 5 title 'b:0 device time'"), 2);
}

/* Of two sizes, nothing is known between them. */
static void two_points_have_no_line(void **state)
{
    add_baseline("best", 32, 500);
    add("a:0", 32, "work", 100);
    add("a:0", 64, "work", 100);
    add("a:0", 64, "wall", 100);
    print();
    EXPECT_TEXT_HAS(output,
                    "using 1:2 with points lc rgb '#0072B2' lw 2 ps 1.1 pt 7 title 'a:0 dev");
    EXPECT_TEXT_HAS(output, "using 1:2 with points lc rgb '#707070' lw 1 pt 2 ps 0.6 title 'best");
    expect_not_in_output("linespoints");
    add("a:0", 128, "work", 100);
    print();
    assert_int_equal(count_in_output("with linespoints"), 3);
}

static void several_variants_are_reported_apart(void **state)
{
    add("a:0", 32, "work", 100)->variant = "naive";
    print();
    EXPECT_TEXT_HAS(output, "'work, naive: time by size'");
    EXPECT_TEXT_HAS(output, "title 'a:0 device time'");
    add("a:0", 32, "work", 100)->variant = "tiled";
    print();
    EXPECT_TEXT_HAS(output, "'work: time by size'");
    char look[256], other[256];
    assert_string_not_equal(look_of("a:0 naive device time", look),
                            look_of("a:0 tiled device time", other));
}

/* ---- axes ---- */

static void print_two(int64_t low, int64_t high, double low_ns, double high_ns)
{
    begin(NULL);
    add("a:0", low, "work", low_ns);
    add("a:0", high, "work", high_ns);
    for (int i = 0; i < 2; i++)
        d.series[i].summary.ci95_low = d.series[i].summary.ci95_high = NAN;
    print();
}

static void logarithmic_where_it_helps(void **state)
{
    print_two(32, 128, 100, 999);
    EXPECT_TEXT_HAS(output, "unset logscale x\n");
    EXPECT_TEXT_HAS(output, "unset logscale y\n");
    EXPECT_TEXT_HAS(output, "set xrange [26:134]\n"); /* a 16th of 96 at both ends */
    EXPECT_TEXT_HAS(output, "set yrange [0:1078.92]\n");
    print_two(32, 129, 100, 1000);
    EXPECT_TEXT_HAS(output, "set logscale x 2\n");
    EXPECT_TEXT_HAS(output, "set logscale y 10\n");
    EXPECT_TEXT_HAS(output, "set yrange [76.9231:1300]\n"); /* a factor of 1.3 */
    /* The interval counts, too, but not where it has no place. */
    print_two(32, 128, 100, 999);
    d.series[0].summary.ci95_low = 99;
    d.series[0].summary.ci95_high = 101;
    print();
    EXPECT_TEXT_HAS(output, "set logscale y 10\n");
    d.series[0].summary.ci95_low = 0;
    print();
    EXPECT_TEXT_HAS(output, "unset logscale y\n");
    /* One size stands in the middle. */
    print_two(48, 48, 100, 100);
    EXPECT_TEXT_HAS(output, "set xrange [24:96]\nset logscale x 2\n");
    print_two(-5, 0, 100, 100);
    EXPECT_TEXT_HAS(output, "unset logscale x\n");
}

/* Speed-ups are seen against 1; a slow best code does not crush the rest. */
static void the_range_of_speedups(void **state)
{
    add_baseline("sequential", 32, 1000);
    add_baseline("best", 32, 1e6);
    add("a:0", 32, "work", 2000)->summary.ci95_low = 2000;
    print();
    EXPECT_TEXT_HAS(output, "set yrange [0:1.08]\n");
    begin(NULL);
    add_baseline("sequential", 32, 1000);
    add_baseline("best", 32, 100);
    add("a:0", 32, "work", 2000)->summary.ci95_low = 2000;
    print();
    EXPECT_TEXT_HAS(output, "set yrange [0.307692:13]\n"); /* 0.4 (its interval's end) .. 10 */
}

static void tics_of_values(void **state)
{
    print_two(1, 2, 100, 999);
    EXPECT_TEXT_HAS(output, "set ytics nomirror out ('0' 0, '200 ns' 200, '400 ns' 400, '600 ns' "
                            "600, '800 ns' 800, '1 us' 1000)\n");
    print_two(1, 2, 1e5, 1e6);
    EXPECT_TEXT_HAS(output,
                    "('100 us' 100000, '200 us' 200000, '500 us' 500000, '1 ms' 1000000)\n");
    print_two(1, 2, 1e3, 2e7);
    EXPECT_TEXT_HAS(output, "('1 us' 1000, '' 2000 1, '' 5000 1, '10 us' 10000, '' 20000 1,");
    print_two(1, 2, 1, 1e13); /* thirteen decades: every other one is enough */
    EXPECT_TEXT_HAS(output, "'1 ns' 1, '' 2 1, '' 5 1, '' 10 1, '' 20 1, '' 50 1, '100 ns' 100");
    EXPECT_TEXT_HAS(output, "'1000 s' 1000000000000");
}

static void tics_of_sizes(void **state)
{
    static const struct {
        int64_t size;
        const char *label;
    } rows[] = {{1, "1"},          {1024, "1024"},   {99999, "99999"},    {100000, "100k"},
                {131072, "128Ki"}, {1048576, "1Mi"}, {3000000, "3M"},     {1000001, "1000001"},
                {-7, "-7"},        {1 << 30, "1Gi"}, {1024000, "1000Ki"}, {1000000000, "1G"}};
    char text[32];
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        assert_string_equal(kt_size_label(text, sizeof text, rows[i].size), rows[i].label);
    for (int i = 0; i < 20; i++)
        add("a:0", INT64_C(1) << i, "work", 100);
    print();
    /* Eight of 20 sizes at most are labelled. */
    EXPECT_TEXT_HAS(output, "('1' 1, '' 2 1, '' 4 1, '8' 8, '' 16 1, '' 32 1, '64' 64,");
    EXPECT_TEXT_HAS(output, "'256Ki' 262144, '' 524288 1)\n");
    print_two(INT64_MAX - 1, INT64_MAX, 100, 100);
    EXPECT_TEXT_HAS(output, "('9223372036854775806' 9223372036854775806, '");
}

/* ---- texts ---- */

static void make_hostile(void)
{
    begin(NULL);
    add_baseline("sequential", 32, 1000);
    add_baseline("best", 32, 1000);
    d.baselines[0].flags = d.baselines[1].flags = hostile;
    add(hostile, 32, "work", 100)->variant = hostile;
    add(hostile, 32, "wall", 100)->variant = "other";
    d.series[0].workload = d.series[1].workload = hostile;
    d.baselines[0].workload = d.baselines[1].workload = hostile;
    d.params[2].name = hostile;
    make_hostile_head();
    print();
}

static void no_text_gets_out_of_its_quotes(void **state)
{
    make_hostile();
    expect_quoted();
    EXPECT_TEXT_HAS(output, "`touch pwned` '' ! @x \"$(id)\" \\  !touch x ^2 {/}     & #0; ]] > #");
}

/* Of a long name both ends are shown: those of simulated devices differ anywhere. */
static void long_names_are_shortened(void **state)
{
    add("0123456789abcd\xc3\xa4"
        "fghijklmnopqrs",
        32, "work", 100);
    print();
    EXPECT_TEXT_HAS(output, "'0123456789abcd...fghijklmnopqrs device time'");
    begin(NULL);
    add("0123456789abcd\xc3\xa4"
        "fghijklmnopqr",
        32, "work", 100);
    print();
    EXPECT_TEXT_HAS(output, "'0123456789abcd\xc3\xa4"
                            "fghijklmnopqr device time'");
}

int main(int argc, char **argv)
{
    if (print_hostile(argc, argv, make_hostile))
        return 0;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(speedups_and_their_intervals, begin),
        cmocka_unit_test_setup(an_interval_from_below_0, begin),
        cmocka_unit_test_setup(no_arrow_where_all_bars_end, begin),
        cmocka_unit_test_setup(uncertain_baselines_widen_speedups, begin),
        cmocka_unit_test_setup(without_a_baseline_times, begin),
        cmocka_unit_test_setup(speedups_over_the_best_baseline, begin),
        cmocka_unit_test_setup(rates_with_baselines, begin),
        cmocka_unit_test_setup(a_workload_suggests_unit_and_values, begin),
        cmocka_unit_test_setup(no_values_are_no_curves, begin),
        cmocka_unit_test_setup(points_as_csv, begin),
        cmocka_unit_test_setup(bad_options_are_refused, begin),
        cmocka_unit_test_setup(the_width_for_print, begin),
        cmocka_unit_test_setup(plain_figures_have_no_texts_around, begin),
        cmocka_unit_test_setup(what_is_missing_is_a_gap, begin),
        cmocka_unit_test_setup(curves_without_points_are_left_out, begin),
        cmocka_unit_test_setup(steps_count_together, begin),
        cmocka_unit_test_setup(sizes_in_order, begin),
        cmocka_unit_test_setup(a_device_looks_the_same_in_every_panel, begin),
        cmocka_unit_test_setup(two_points_have_no_line, begin),
        cmocka_unit_test_setup(several_variants_are_reported_apart, begin),
        cmocka_unit_test_setup(logarithmic_where_it_helps, begin),
        cmocka_unit_test_setup(the_range_of_speedups, begin),
        cmocka_unit_test_setup(tics_of_values, begin),
        cmocka_unit_test_setup(tics_of_sizes, begin),
        cmocka_unit_test_setup(no_text_gets_out_of_its_quotes, begin),
        cmocka_unit_test_setup(long_names_are_shortened, begin),
    };
    return cmocka_run_group_tests_name("figure", tests, NULL, NULL);
}
