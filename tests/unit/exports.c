/* Tables, Markdown and CSV of documents made by hand: what drivers and users may be called, what is
 * unknown, and what is laid out. With --print FORMAT it prints the nastiest one for another reader. */
#include "results/document.h"
#include "testing.h"

#include <stdio.h>
#include <stdlib.h>

typedef void printer(const kt_document *document, kt_writer *writer);

static char output[1 << 18];
static size_t output_bytes;

static int collect(void *user, const char *data, size_t bytes)
{
    (void)user;
    if (output_bytes + bytes >= sizeof output)
        return -1;
    memcpy(output + output_bytes, data, bytes);
    output_bytes += bytes;
    output[output_bytes] = '\0';
    return 0;
}

static const char *print(printer *format, const kt_document *document)
{
    const kt_sink sink = {.write = collect};
    kt_writer writer = {.sink = &sink};
    output_bytes = 0;
    output[0] = '\0';
    format(document, &writer);
    kt_flush(&writer);
    assert_int_equal(writer.status, KT_OK);
    return output;
}

/* ---- documents ---- */

static const kt_param size_8[] = {{"size", 8}}, size_9[] = {{"size", 9}};

/* A kernel of which nothing is known but its median. */
static kt_series make_series(const char *name, const char *device, double median_ns)
{
    kt_series series = {.name = name,
                        .workload = "work",
                        .device = device,
                        .params = size_8,
                        .param_count = 1,
                        .step = "work",
                        .trials = 1,
                        .bytes = NAN,
                        .flops = NAN,
                        .first_use_ns = NAN,
                        .median_total_ns = NAN,
                        .context_ns = NAN,
                        .speedup = NAN};
    kt_summarize(NULL, 0, &series.summary);
    series.summary.median = median_ns;
    return series;
}

static kt_document make_document(const kt_series *series, uint32_t count)
{
    return (kt_document){.kind = "result", .version = "1", .series = series, .series_count = count};
}

static kt_document_device make_device(const char *id, const char *name)
{
    kt_document_device device = {.info = {.clock_count = 1}};
    snprintf(device.info.id, sizeof device.info.id, "%s", id);
    snprintf(device.info.name, sizeof device.info.name, "%s", name);
    snprintf(device.info.driver, sizeof device.info.driver, "%s", name);
    snprintf(device.info.clocks[0].name, sizeof device.info.clocks[0].name, "%s", name);
    snprintf(device.info.clocks[0].domain, sizeof device.info.clocks[0].domain, "%s", name);
    return device;
}

/* ---- names that nobody should choose ---- */

static const char *const nasty[] = {
    "a,b",
    "say \"when\"",
    "two\nlines",
    "carriage\rreturn",
    "both\r\n",
    "\ttab",
    "a|b||",
    "\\|",
    "\\",
    "`code` ``",
    "*b* _i_ a_b __init__",
    "[x](http://example.org)",
    "<img src=x>&amp;",
    "# ~~gone~~ $x$",
    "=1+1",
    "+1",
    "-1",
    "@SUM(A1)",
    "'quoted",
    " blank ",
    "",
    "\033[2J\033]0;title\007",
    "\x9b"
    "31m",
    "\xc2\x9b"
    "31m\x7f",
    "\xe2\x80\xa8\xe2\x80\xae",
    "gr\xc3\xbc\xc3\x9f \xf0\x9f\x95\x92",
    "cut off \xe2\x82",
    "\xff\xfe\xc0\xaf\xed\xa0\x80",
    "\v\f\b",
};

#define NASTY_COUNT (sizeof nasty / sizeof nasty[0])

/* Every other series has no variant: together they make a matrix of two blocks. */
#define MATRIX_LINES ((NASTY_COUNT + 1) / 2)

/* Every text of a series is one of them, and so are the names of parameters and devices. */
typedef struct nasty_document {
    kt_document document;
    kt_series series[NASTY_COUNT];
    kt_param params[NASTY_COUNT][2];
    kt_document_device devices[NASTY_COUNT];
    kt_baseline baselines[2];
} nasty_document;

static void make_nasty(nasty_document *n)
{
    static const double samples_ns[] = {1, 2.5, 1e300, 1. / 3};
    static const char *const words[] = {"bench"};
    for (size_t i = 0; i < NASTY_COUNT; i++) {
        n->params[i][0] = (kt_param){"size", (int64_t)i};
        n->params[i][1] = (kt_param){nasty[i], INT32_MIN};
        kt_series series = make_series(nasty[i], nasty[(i + 1) % NASTY_COUNT], NAN);
        kt_summary *summary = &series.summary;
        series.params = n->params[i];
        series.param_count = 2;
        series.variant = i % 2 ? nasty[(i + 2) % NASTY_COUNT] : NULL;
        series.step = nasty[(i + 3) % NASTY_COUNT];
        series.error = i % 3 ? nasty[(i + 4) % NASTY_COUNT] : NULL;
        series.status = i % 3 ? KT_SERIES_PARTIAL : KT_SERIES_OK;
        series.clock = nasty[(i + 5) % NASTY_COUNT];
        series.method = KT_METHOD_EVENT_PROFILE;
        series.verified = i % 2;
        series.src = series.dst = i % 2 ? "heap" : NULL;
        series.bytes = i % 2 ? 4096 : NAN;
        series.flops = i % 3 ? 1e15 / 7 : NAN;
        series.first_use_ns = i % 5 ? 1e-7 : NAN;
        series.stop = (kt_stop)(i % 4);
        series.discarded[KT_STAMP_ZERO] = (uint32_t)i;
        series.discarded[KT_STAMP_THROTTLED] = 7;
        series.samples_ns = samples_ns;
        *summary = (kt_summary){.n = i % 4,
                                .min = 1. / 3,
                                .median = 1.75 + (double)i,
                                .mean = 1e300,
                                .max = 1e300,
                                .stddev = NAN,
                                .mad = 0.1,
                                .p95 = 123456789.125,
                                .ci95_low = i % 2 ? 1 : NAN,
                                .ci95_high = i % 2 ? 2.5 : NAN};
        series.median_total_ns = summary->median;
        n->series[i] = series;
        n->devices[i] = make_device(nasty[i], nasty[i]);
    }
    static const kt_param same_as_5[] = {{"size", 5}, {"\ttab", INT32_MIN}};
    for (int i = 0; i < 2; i++)
        n->baselines[i] = (kt_baseline){.workload = "work",
                                        .params = same_as_5,
                                        .param_count = 2,
                                        .name = i ? "best" : "sequential",
                                        .flags = nasty[3],
                                        .samples_ns = samples_ns,
                                        .n = 1,
                                        .median_ns = 1000 * (i + 1)};
    n->document = make_document(n->series, NASTY_COUNT);
    n->document.command = words;
    n->document.command_count = 1;
    n->document.devices = n->devices;
    n->document.device_count = NASTY_COUNT;
    n->document.baselines = n->baselines;
    n->document.baseline_count = 2;
}

/* Pipes that end a cell. */
static unsigned count_borders(const char *line, size_t length)
{
    unsigned count = 0;
    for (size_t i = 0; i < length; i++) {
        if (line[i] == '\\')
            i++;
        else
            count += line[i] == '|';
    }
    return count;
}

static unsigned count_lines(const char *text)
{
    unsigned count = 0;
    for (; *text; text++)
        count += *text == '\n';
    return count;
}

/* No control characters but line feeds, and all of it UTF-8: no single byte is left of what was
 * none. */
static void expect_printable(const char *text)
{
    const unsigned char *at = (const unsigned char *)text;
    for (; *at; at++) {
        if (*at < 0x20 || *at == 0x7F)
            assert_int_equal(*at, '\n');
        assert_false(at[0] == 0xC2 && at[1] < 0xA0); /* C1 */
        assert_false(at[0] == 0xFF || at[0] == 0xFE || at[0] == 0xC0);
    }
}

static void nasty_names_keep_the_rows_of_markdown(void **state)
{
    (void)state;
    static nasty_document n;
    make_nasty(&n);
    expect_printable(print(kt_print_markdown, &n.document));
    unsigned rows = 0, items = 0, borders = 0;
    for (const char *line = output; *line; line = strchr(line, '\n') + 1) {
        size_t length = strcspn(line, "\n");
        if (line[0] == '|') {
            rows++;
            borders = borders ? borders : count_borders(line, length);
            assert_int_equal(count_borders(line, length), borders);
            assert_true(line[length - 1] == '|');
        } else if (length) {
            items++;
            assert_int_equal(strncmp(line, "- ", 2), 0);
        } else {
            borders = 0; /* another table */
        }
    }
    /* Head and rule of each, the rows, the baselines. */
    assert_int_equal(rows, 2 + NASTY_COUNT + 2 + 2 * (2 + MATRIX_LINES));
    unsigned errors = 0;
    for (size_t i = 0; i < NASTY_COUNT; i++)
        errors += n.series[i].error != NULL;
    assert_int_equal(items, NASTY_COUNT + errors + 1); /* flags */
}

static void markup_is_escaped_where_it_is_some(void **state)
{
    (void)state;
    static const struct {
        const char *text, *shown;
    } cases[] = {
        {"a|b", "a\\|b"},
        {"\\|", "\\\\\\|"},
        {"*b* `c`", "\\*b\\* \\`c\\`"},
        {"kernel_ns=5", "kernel_ns=5"},
        {"_x_", "\\_x\\_"},
        {"a__b", "a\\_\\_b"},
        {"[x]<y>&#~$", "\\[x\\]\\<y\\>\\&\\#\\~\\$"},
        {"two\nlines", "two lines"},
        {"gr\xc3\xbc\xc3\x9f", "gr\xc3\xbc\xc3\x9f"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        kt_series series = make_series("name", cases[i].text, 1);
        series.error = "first\nsecond | <x>";
        series.status = KT_SERIES_PARTIAL;
        const kt_document document = make_document(&series, 1);
        char cell[64], item[128];
        snprintf(cell, sizeof cell, "\n| name | %s ", cases[i].shown);
        print(kt_print_markdown, &document);
        EXPECT_TEXT_HAS(output, cell);
        snprintf(item, sizeof item, "\n- partial name on %s: first<br>second \\| \\<x\\>\n",
                 cases[i].shown);
        EXPECT_TEXT_HAS(output, item);
    }
}

/* A sentence may have lines, a name may not: nobody forges a line of the table. */
static void nasty_names_stay_on_their_line_of_the_table(void **state)
{
    (void)state;
    static nasty_document n;
    make_nasty(&n);
    unsigned errors = 0;
    for (size_t i = 0; i < NASTY_COUNT; i++)
        if (n.series[i].error) {
            n.series[i].error = "why";
            errors++;
        }
    print(kt_print_table, &n.document);
    expect_printable(output);
    assert_int_equal(count_lines(output), 1 + NASTY_COUNT + 2 + 2 * (1 + 1 + MATRIX_LINES) + 1 +
                                              NASTY_COUNT + errors + 1);
    n.series[0].error = "kernel\n\tline \033[1m";
    print(kt_print_table, &n.document);
    EXPECT_TEXT_HAS(output, ": kernel\n\tline \xEF\xBF\xBD[1m\n");
}

/* The list of devices: one line each for name, driver, clock, memory; in Markdown between fences. */
static void nasty_drivers_are_listed(void **state)
{
    (void)state;
    static nasty_document n;
    make_nasty(&n);
    static kt_document_backend backends[NASTY_COUNT];
    for (size_t i = 0; i < NASTY_COUNT; i++)
        backends[i] = (kt_document_backend){.name = "cuda", .why = nasty[i]};
    kt_document list = {.kind = "devices",
                        .devices = n.devices,
                        .device_count = NASTY_COUNT,
                        .backends = backends,
                        .backend_count = NASTY_COUNT};
    static char table[sizeof output];
    snprintf(table, sizeof table, "%s", print(kt_print_table, &list));
    expect_printable(table);
    assert_int_equal(count_lines(table),
                     4 * NASTY_COUNT + 1 + NASTY_COUNT - 1); /* one `why` is empty */
    print(kt_print_markdown, &list);
    assert_int_equal(strncmp(output, "```text\n", 8), 0);
    assert_int_equal(strncmp(output + 8, table, strlen(table)), 0);
    assert_string_equal(output + 8 + strlen(table), "```\n");
}

/* ---- CSV ---- */

#define CSV_HEAD                                                                                  \
    "name,workload,param_size,variant,device,run,step,kind,status,error,method,clock,trials,"     \
    "verified,zero_copy,"                                                                         \
    "src,dst,bytes,flops,first_use_ns,warmup_n,stop,n,discarded,min_ns,median_ns,mean_ns,max_ns," \
    "stddev_ns,mad_ns,"                                                                           \
    "p95_ns,ci95_low_ns,ci95_high_ns,median_total_ns,context_ns,speedup,gb_per_s,gflop_per_s,"    \
    "sequential_ns,best_ns\n"

static void csv_of_all_that_is_known(void **state)
{
    (void)state;
    kt_series series = make_series("work/8", "opencl:0", NAN);
    series.variant = "tiled";
    series.run = 3;
    series.step = "copy";
    series.kind = KT_SERIES_COPY;
    series.status = KT_SERIES_PARTIAL;
    series.error = "it said \"no\", twice";
    series.method = KT_METHOD_EVENT_PROFILE;
    series.clock = "kernel";
    series.trials = 4;
    series.verified = 1;
    series.zero_copy = 1;
    series.src = "heap";
    series.dst = "device";
    series.bytes = 4096;
    series.flops = 1024;
    series.first_use_ns = 107116.5;
    series.warmup_n = 3;
    series.stop = KT_STOP_REL_ERR;
    series.discarded[KT_STAMP_ZERO] = 2;
    series.discarded[KT_STAMP_THROTTLED] = 5;
    series.summary = (kt_summary){.n = 10,
                                  .min = 1,
                                  .median = 2048,
                                  .mean = 2.5,
                                  .max = 4,
                                  .stddev = 0.5,
                                  .mad = 0.25,
                                  .p95 = 3.75,
                                  .ci95_low = 1.5,
                                  .ci95_high = 3.5};
    series.median_total_ns = 8192;
    series.context_ns = 9;
    series.speedup = 0.75;
    const kt_baseline baselines[] = {
        {.workload = "work",
         .params = size_8,
         .param_count = 1,
         .name = "sequential",
         .median_ns = 1536},
        {.workload = "work", .params = size_8, .param_count = 1, .name = "best", .median_ns = 1e-7},
        {.workload = "work", .params = size_9, .param_count = 1, .name = "best", .median_ns = 5},
    };
    kt_document document = make_document(&series, 1);
    document.baselines = baselines;
    document.baseline_count = 3;
    /* 4096 bytes in 2048 ns are 2 GB/s, 1024 operations 0.5 GFLOP/s. */
    assert_string_equal(
        print(kt_print_csv, &document),
        CSV_HEAD "work/8,work,8,tiled,opencl:0,3,copy,copy,partial,\"it said \"\"no\"\", twice\","
                 "event-profile,kernel,4,true,true,heap,device,4096,1024,107116.5,3,rel_err,10,7,"
                 "1,2048,2.5,4,0.5,0.25,3.75,1.5,3.5,8192,9,0.75,2,0.5,1536,1e-07\n");
}

/* Unknown is empty, never 0; and 0 is 0. */
static void csv_of_what_is_unknown(void **state)
{
    (void)state;
    kt_series series = make_series("work/8", "sim:0", NAN);
    const kt_document document = make_document(&series, 1);
    assert_string_equal(print(kt_print_csv, &document), CSV_HEAD
                        "work/8,work,8,,sim:0,0,work,kernel,ok,,none,,1,false,false,,,,,,0,,0,0,"
                        ",,,,,,,,,,,,,,,\n");
    const kt_document empty = make_document(NULL, 0);
    print(kt_print_csv, &empty);
    assert_non_null(strstr(output, "name,workload,variant,"));
    assert_ptr_equal(strchr(output, '\n'), output + output_bytes - 1);
}

/* A column for each name that occurs, empty where the series has no such parameter. */
static void csv_of_several_parameters(void **state)
{
    (void)state;
    const kt_param one[] = {{"size", 8}}, other[] = {{"n", -5}, {"size", INT64_MAX}};
    kt_series series[] = {make_series("a", "sim:0", 1), make_series("b", "sim:0", 1),
                          make_series("c", "sim:0", 1)};
    series[0].params = one;
    series[1].params = other;
    series[1].param_count = 2;
    series[2].param_count = 0;
    const kt_document document = make_document(series, 3);
    print(kt_print_csv, &document);
    assert_int_equal(strncmp(output, "name,workload,param_size,param_n,variant,", 41), 0);
    EXPECT_TEXT_HAS(output, "\na,work,8,,,sim:0,");
    EXPECT_TEXT_HAS(output, "\nb,work,9223372036854775807,-5,,sim:0,");
    EXPECT_TEXT_HAS(output, "\nc,work,,,,sim:0,");
}

static void csv_texts_are_no_formulas(void **state)
{
    (void)state;
    static const struct {
        const char *text, *field;
    } cases[] = {{"=1+1", "'=1+1"},     {"+1", "'+1"},
                 {"-1", "'-1"},         {"@A1", "'@A1"},
                 {"\t=1", "'\t=1"},     {"\r=1", "\"'\r=1\""},
                 {"\n=1", "\"'\n=1\""}, {"=\"a\",b", "\"'=\"\"a\"\",b\""},
                 {"a=1", "a=1"},        {"sim:0:seed=1", "sim:0:seed=1"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const kt_series series = make_series(cases[i].text, "sim:0", -2);
        const kt_document document = make_document(&series, 1);
        char expected[64];
        snprintf(expected, sizeof expected, "best_ns\n%s,work,8,", cases[i].field);
        print(kt_print_csv, &document);
        EXPECT_TEXT_HAS(output, expected);
        EXPECT_TEXT_HAS(output, ",-2,"); /* a number stays one */
    }
}

static int refuse(void *user, const char *data, size_t bytes)
{
    (void)data, (void)bytes;
    ++*(int *)user;
    return 1;
}

static void a_sink_that_refused_is_left_alone(void **state)
{
    (void)state;
    static nasty_document n;
    make_nasty(&n);
    printer *const printers[] = {kt_print_table, kt_print_markdown, kt_print_csv};
    for (int i = 0; i < 3; i++) {
        int calls = 0;
        const kt_sink sink = {.write = refuse, .user = &calls};
        kt_writer writer = {.sink = &sink};
        printers[i](&n.document, &writer);
        kt_flush(&writer);
        assert_int_equal(writer.status, KT_IO_ERROR);
        assert_int_equal(calls, 1);
    }
}

/* ---- rates ---- */

/* The line of the table that begins with `begin`. */
static const char *line_of(const char *begin)
{
    static char line[1024];
    const char *at = output;
    while (at && strncmp(at, begin, strlen(begin)) != 0) {
        at = strchr(at, '\n');
        at += at != NULL;
    }
    if (!at)
        fail_msg("no line \"%s\" in %s", begin, output);
    snprintf(line, sizeof line, "%.*s", (int)strcspn(at, "\n"), at);
    return line;
}

static void rates_have_three_or_four_digits(void **state)
{
    (void)state;
    static const struct {
        double rate;
        const char *shown;
    } cases[] = {{123456.7, " 123457"}, {999.95, " 1000"},      {999.94, " 999.9"},
                 {99.995, " 100.0"},    {99.99, " 99.99"},      {9.9995, " 10.00"},
                 {9.9994, " 9.999"},    {1, " 1.000"},          {0.1, " 0.100"},
                 {0.0999, " 0.0999"},   {0.0123456, " 0.0123"}, {1.5e-7, " 1.5e-07"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        kt_series series = make_series("a", "sim:0", 1000);
        series.bytes = 1000 * cases[i].rate;
        const kt_document document = make_document(&series, 1);
        print(kt_print_table, &document);
        EXPECT_TEXT_HAS(output, "GB/s");
        assert_null(strstr(output, "GFLOP/s")); /* not told: no column */
        const char *line = line_of("a ");
        assert_string_equal(line + strlen(line) - strlen(cases[i].shown), cases[i].shown);
    }
}

static void no_rate_without_a_time(void **state)
{
    (void)state;
    kt_series series[] = {make_series("a", "sim:0", NAN), make_series("a", "sim:0", 500)};
    series[0].status = KT_SERIES_BELOW_FLOOR;
    series[0].bytes = series[0].flops = 1000;
    series[1].kind = KT_SERIES_WALL;
    series[1].step = "wall";
    series[1].bytes = series[1].flops = 1000;
    const kt_document document = make_document(series, 2);
    print(kt_print_table, &document);
    assert_null(strstr(output, "GB/s")); /* the wall time is none of the device */
    assert_null(strstr(output, "FLOP"));
    series[0].status = KT_SERIES_OK;
    series[0].summary.median = 0; /* no division by it */
    print(kt_print_table, &document);
    assert_null(strstr(output, "GB/s"));
}

/* Of a job of several steps each has its own work, and the baseline does all of it. */
static void a_baseline_does_the_work_of_all_steps(void **state)
{
    (void)state;
    static const char *const steps[] = {"first", "second", "total", "span", "wall"};
    static const double bytes[] = {1000, 3000, 4000, 4000, 4000};
    kt_series series[6];
    for (int i = 0; i < 5; i++) {
        series[i] = make_series("work/8", "sim:0", 1000);
        series[i].step = steps[i];
        series[i].bytes = bytes[i];
    }
    series[4].kind = KT_SERIES_WALL;
    series[5] = make_series("work/8", "sim:1", NAN); /* failed: nothing is told */
    series[5].status = KT_SERIES_FAILED;
    const kt_baseline baseline = {.workload = "work",
                                  .params = size_8,
                                  .param_count = 1,
                                  .name = "sequential",
                                  .n = 3,
                                  .median_ns = 2000};
    kt_document document = make_document(series, 6);
    document.baselines = &baseline;
    document.baseline_count = 1;
    print(kt_print_table, &document);
    static const char *const rates[] = {" 2.000", " 1.000", " 3.000", " 4.000", " 4.000"};
    const char *line = output;
    for (int i = 0; i < 5; i++) {
        line = strchr(line, '\n') + 1;
        const char *end = strchr(line, '\n') - strlen(rates[i]);
        assert_int_equal(strncmp(end, rates[i], strlen(rates[i])), 0);
    }
}

/* ---- matrices ---- */

static const char *after_rows(void)
{
    const char *matrix = strstr(output, "\n\n");
    assert_non_null(matrix);
    return matrix + 2;
}

/* The total counts where there is one; a step alone does not stand for it. */
static void a_matrix_has_the_time_of_all_steps(void **state)
{
    (void)state;
    const kt_document_device devices[] = {make_device("d0", "x"), make_device("d1", "y"),
                                          make_device("idle", "z")};
    static const char *const names[] = {"w/1", "w/2"}, *const ids[] = {"d0", "d1"};
    kt_series series[12];
    for (int i = 0; i < 12; i++) {
        series[i] = make_series(names[i / 6], ids[i / 3 % 2], 1000 * (i + 1));
        series[i].step = i % 3 == 0 ? "one" : i % 3 == 1 ? "total" : "wall";
        series[i].kind = i % 3 == 2 ? KT_SERIES_WALL : KT_SERIES_KERNEL;
    }
    series[10].status = KT_SERIES_FAILED; /* the total of w/2 on d1 */
    series[10].summary.median = NAN;
    kt_document document = make_document(series, 12);
    document.devices = devices;
    document.device_count = 3;
    print(kt_print_table, &document);
    EXPECT_TEXT_HAS(after_rows(), "DEVICE TIME        d0        d1\n"
                                  "w/1          2.000 us  5.000 us\n"
                                  "w/2          8.000 us         -\n\n");
}

/* One for each workload, variant and run; whoever stands alone in one of them has none. */
static void a_matrix_for_each_variant_and_run(void **state)
{
    (void)state;
    const kt_document_device devices[] = {make_device("d0", "x"), make_device("d1", "y")};
    static const char *const names[] = {"w/1", "w/2"}, *const ids[] = {"d0", "d1"};
    kt_series series[20];
    for (int i = 0; i < 20; i++) {
        series[i] = make_series(names[i % 2], ids[i / 2 % 2], i + 1);
        series[i].variant = i < 4 ? NULL : i < 8 ? "tiled" : "naive";
        series[i].run = i < 12 ? 0 : i < 16 ? 1 : 2;
    }
    series[6].device = series[7].device = "d0";          /* tiled: on one device */
    series[13].workload = series[15].workload = "other"; /* naive, run 1: one size each */
    kt_document document = make_document(series, 20);
    document.devices = devices;
    document.device_count = 2;
    print(kt_print_table, &document);
    assert_string_equal(after_rows(), "DEVICE TIME        d0        d1\n"
                                      "w/1          1.000 ns  3.000 ns\n"
                                      "w/2          2.000 ns  4.000 ns\n\n"
                                      "DEVICE TIME  VARIANT        d0       d1\n"
                                      "w/1          naive    9.000 ns  11.0 ns\n"
                                      "w/2          naive     10.0 ns  12.0 ns\n\n"
                                      "DEVICE TIME  VARIANT  RUN       d0       d1\n"
                                      "w/1          naive      2  17.0 ns  19.0 ns\n"
                                      "w/2          naive      2  18.0 ns  20.0 ns\n\n"
                                      "d0: x, x\n"
                                      "d1: y, y\n");
}

static int print_nasty(const char *format)
{
    static nasty_document n;
    static const struct {
        const char *name;
        printer *print;
    } formats[] = {{"csv", kt_print_csv}, {"json", kt_print_json}};
    make_nasty(&n);
    for (int i = 0; i < 2; i++)
        if (strcmp(formats[i].name, format) == 0)
            print(formats[i].print, &n.document);
    return output_bytes == 0 || fwrite(output, 1, output_bytes, stdout) != output_bytes;
}

int main(int argc, char **argv)
{
    if (argc > 2 && strcmp(argv[1], "--print") == 0)
        return print_nasty(argv[2]);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nasty_names_keep_the_rows_of_markdown),
        cmocka_unit_test(markup_is_escaped_where_it_is_some),
        cmocka_unit_test(nasty_names_stay_on_their_line_of_the_table),
        cmocka_unit_test(nasty_drivers_are_listed),
        cmocka_unit_test(csv_of_all_that_is_known),
        cmocka_unit_test(csv_of_what_is_unknown),
        cmocka_unit_test(csv_of_several_parameters),
        cmocka_unit_test(csv_texts_are_no_formulas),
        cmocka_unit_test(a_sink_that_refused_is_left_alone),
        cmocka_unit_test(rates_have_three_or_four_digits),
        cmocka_unit_test(no_rate_without_a_time),
        cmocka_unit_test(a_baseline_does_the_work_of_all_steps),
        cmocka_unit_test(a_matrix_has_the_time_of_all_steps),
        cmocka_unit_test(a_matrix_for_each_variant_and_run),
    };
    return cmocka_run_group_tests_name("exports", tests, NULL, NULL);
}
