/* SPDX-License-Identifier: MIT */
/* What stands in which table, for people and for docs/measured. */
#include "bench/hw/hw.h"
#include "output/table/cells.h"

#include <ctype.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>

static const char *const verdicts[] = {
    [HW_NOT_JUDGED] = "", [HW_WITHIN] = "within", [HW_BEYOND] = "BEYOND"};

static const char *const launches[HW_LAUNCHES] = {
    [HW_BY_TIMER] = "a launch that a timer times", [HW_BY_JOB] = "a launch of a job"};

typedef struct page {
    const hw_report *report;
    const hw_device *device;
    const kt_style *style;
    kt_writer *writer;
    bool markdown;
} page;

/* ---- tables ---- */

enum {
    KERNEL,
    METHOD,
    TIME,
    TRUTH,
    APART,
    ALLOWED,
    VERDICT,
    WALL,
    CUPTI,
    CUPTI_APART,
    SAMPLES,
    DISCARDED
};
static const kt_column kernel_columns[] = {{.head = "KERNEL"},
                                           {.head = "REPORTED BY", .left = true},
                                           {.head = "DEVICE TIME"},
                                           {.head = "IN KERNEL"},
                                           {.head = "APART"},
                                           {.head = "ALLOWED"},
                                           {.head = "VERDICT", .left = true, .optional = true},
                                           {.head = "WALL", .optional = true},
                                           {.head = "CUPTI", .optional = true},
                                           {.head = "CUPTI APART", .optional = true},
                                           {.head = "SAMPLES"},
                                           {.head = "DISCARDED", .left = true, .optional = true}};

static void set_known(kt_grid *grid, unsigned column, double ns)
{
    if (!isnan(ns))
        kt_set_time(grid, column, ns);
}

static void set_apart(kt_grid *grid, unsigned column, double ns)
{
    char text[32];
    if (!isnan(ns))
        kt_grid_set(grid, column, "%s%s", ns >= 0 ? "+" : "", kt_format_ns(text, sizeof text, ns));
}

static bool has_method(const hw_kernel *k)
{
    return k->by_hand || k->method != KT_METHOD_NONE;
}

static void kernel_rows(kt_grid *grid, const void *user)
{
    const hw_device *d = user;
    for (size_t i = 0; i < d->kernel_count; i++) {
        const hw_kernel *k = &d->kernels[i];
        char discarded[128];
        kt_set_time(grid, KERNEL, k->nominal_ns);
        kt_grid_set(grid, METHOD, "%s", has_method(k) ? hw_method_name(k) : "-");
        kt_set_time(grid, TIME, k->device_ns);
        kt_set_time(grid, TRUTH, k->truth_ns);
        set_apart(grid, APART, k->difference_ns);
        kt_set_time(grid, ALLOWED, k->allowed_ns);
        kt_grid_set(grid, VERDICT, "%s", verdicts[k->verdict]);
        set_known(grid, WALL, k->wall_ns);
        set_known(grid, CUPTI, k->cupti_ns);
        set_apart(grid, CUPTI_APART, k->cupti_difference_ns);
        kt_grid_set(grid, SAMPLES, "%zu", k->samples);
        kt_grid_set(grid, DISCARDED, "%s", hw_discarded_text(k, discarded, sizeof discarded));
        kt_grid_end_row(grid);
    }
}

enum { LAUNCH, LAUNCH_METHOD, UNTIMED, BY_HAND, KERNTIME, RATIO, INTERVAL, LAUNCH_VERDICT };
static const kt_column launch_columns[] = {{.head = "LAUNCH", .left = true},
                                           {.head = "REPORTED BY", .left = true, .optional = true},
                                           {.head = "UNTIMED"},
                                           {.head = "BY HAND"},
                                           {.head = "KERNTIME"},
                                           {.head = "RATIO"},
                                           {.head = "95% INTERVAL"},
                                           {.head = "VERDICT", .left = true, .optional = true}};

static void set_ratio(kt_grid *grid, unsigned column, double ratio, double low, double high)
{
    if (isnan(ratio))
        kt_grid_set(grid, column, "-");
    else
        kt_grid_set(grid, column, "%.3f", ratio);
    if (isnan(low))
        kt_grid_set(grid, column + 1, "-");
    else
        kt_grid_set(grid, column + 1, "%.3f .. %.3f", low, high);
}

static void launch_rows(kt_grid *grid, const void *user)
{
    static const char *const names[HW_LAUNCHES] = {[HW_BY_TIMER] = "timer", [HW_BY_JOB] = "job"};
    const hw_device *d = user;
    for (int i = 0; i < HW_LAUNCHES; i++) {
        const hw_launch *l = &d->launches[i];
        kt_grid_set(grid, LAUNCH, "%s", names[i]);
        if (l->method != KT_METHOD_NONE)
            kt_grid_set(grid, LAUNCH_METHOD, "%s", kt_method_name(l->method));
        kt_set_time(grid, UNTIMED, l->untimed_ns);
        kt_set_time(grid, BY_HAND, l->by_hand_ns);
        kt_set_time(grid, KERNTIME, l->kerntime_ns);
        set_ratio(grid, RATIO, l->ratio, l->ratio_low, l->ratio_high);
        kt_grid_set(grid, LAUNCH_VERDICT, "%s", verdicts[l->verdict]);
        kt_grid_end_row(grid);
    }
}

enum { COPY, SIZE, COPY_BY_HAND, COPY_KERNTIME, KERNTIME_RATE, COPY_RATIO, COPY_INTERVAL };
static const kt_column copy_columns[] = {
    {.head = "COPY", .left = true}, {.head = "SIZE"},          {.head = "BY HAND"},
    {.head = "KERNTIME"},           {.head = "KERNTIME GB/s"}, {.head = "RATIO"},
    {.head = "95% INTERVAL"}};

static void copy_rows(kt_grid *grid, const void *user)
{
    const hw_device *d = user;
    for (size_t i = 0; i < d->copy_count; i++) {
        const hw_copy *c = &d->copies[i];
        char text[32];
        kt_grid_set(grid, COPY, "%s", c->direction);
        kt_grid_set(grid, SIZE, "%s", kt_format_bytes(text, sizeof text, (uint64_t)c->bytes));
        kt_set_time(grid, COPY_BY_HAND, c->by_hand_ns);
        kt_set_time(grid, COPY_KERNTIME, c->kerntime_ns);
        kt_set_rate(grid, KERNTIME_RATE, c->bytes / c->kerntime_ns);
        set_ratio(grid, COPY_RATIO, c->ratio, c->ratio_low, c->ratio_high);
        kt_grid_end_row(grid);
    }
}

static void print(const page *p, const kt_column *columns, size_t bytes,
                  void (*rows)(kt_grid *, const void *))
{
    kt_put(p->writer, "\n");
    kt_print_columns(columns, (unsigned)(bytes / sizeof *columns), p->style, p->writer, rows,
                     p->device);
    kt_put(p->writer, "\n");
}

/* ---- sentences ---- */

static void item(const page *p, const char *text)
{
    kt_put(p->writer, p->style->item);
    kt_put_spelled(p->writer, p->style->spell, text);
    kt_put(p->writer, "\n");
}

static void put_clocks(const page *p)
{
    const hw_device *d = p->device;
    char text[1024];
    if (d->clock_khz || d->memory_khz) {
        snprintf(text, sizeof text, "clocks: at most %.0f MHz, memory %.0f MHz", d->clock_khz / 1e3,
                 d->memory_khz / 1e3);
        if (d->clock_now_mhz)
            snprintf(text + strlen(text), sizeof text - strlen(text),
                     "; after all kernels %d MHz, memory %d MHz", d->clock_now_mhz,
                     d->memory_now_mhz);
        item(p, text);
    }
    if (!isnan(d->fixed_ns)) {
        char fixed[32];
        snprintf(text, sizeof text,
                 "fixed cost of a kernel: %s between the events, outside the kernel",
                 kt_format_ns(fixed, sizeof fixed, d->fixed_ns));
        item(p, text);
    }
    if (d->step_ns) {
        snprintf(text, sizeof text,
                 "%%globaltimer, which the kernels read, moves in steps of %llu ns",
                 (unsigned long long)d->step_ns);
        item(p, text);
    }
}

static void put_timer_limits(const page *p)
{
    const kt_timer_limits *r = &p->device->limits;
    char resolution[32], min_span[32], overhead[32], text[1024];
    /* As src/output/table/notes.c has it: a shortest span below the resolution is no time. */
    bool hidden = r->resolution_ns > 0 && !(r->min_span_ns >= r->resolution_ns);
    if (!p->device->measured)
        return;
    if (!r->trusted)
        snprintf(text, sizeof text, "no device time: %s", r->reason);
    else
        snprintf(
            text, sizeof text, "device times: resolution %s, shortest span %s%s, overhead %s",
            kt_format_ns(resolution, sizeof resolution, r->resolution_ns), hidden ? "< " : "",
            kt_format_ns(min_span, sizeof min_span, hidden ? r->resolution_ns : r->min_span_ns),
            kt_format_ns(overhead, sizeof overhead, r->timestamp_overhead_ns));
    item(p, text);
}

static void put_reason(const page *p, const char *what, const char *reason)
{
    char text[1024];
    if (!reason[0])
        return;
    snprintf(text, sizeof text, "%s: %s", what, reason);
    item(p, text);
}

static void put_errors(const page *p)
{
    const hw_device *d = p->device;
    char what[128], length[32];
    put_reason(p, "error", d->error);
    put_reason(p, "no kernel was timed", d->truth_reason);
    put_reason(p, "no kernel was timed by hand", d->by_hand_reason);
    put_reason(p, "no records of CUPTI", d->cupti_reason);
    for (size_t i = 0; i < d->kernel_count; i++) {
        const hw_kernel *k = &d->kernels[i];
        snprintf(what, sizeof what, "a kernel of %s%s%s%s",
                 kt_format_ns(length, sizeof length, k->nominal_ns),
                 k->beside_copy ? " before a copy" : "", has_method(k) ? ", " : "",
                 has_method(k) ? hw_method_name(k) : "");
        put_reason(p, what, k->error);
    }
    for (int i = 0; i < HW_LAUNCHES; i++)
        put_reason(p, launches[i], d->launches[i].error);
    for (size_t i = 0; i < d->copy_count; i++)
        put_reason(p, d->copies[i].direction, d->copies[i].error);
}

/* ---- verdicts ---- */

static void put_verdict(const page *p, bool passes, const char *text)
{
    kt_put(p->writer, p->style->item);
    kt_put(p->writer, p->style->strong);
    kt_put(p->writer, passes ? "PASS" : "FAIL");
    kt_put(p->writer, p->style->strong);
    kt_put(p->writer, " ");
    kt_put_spelled(p->writer, p->style->spell, text);
    kt_put(p->writer, "\n");
}

/* How many are within, and which one is the nearest to its limit, or the furthest beyond it. */
static void put_kernels_verdict(const page *p)
{
    const hw_device *d = p->device;
    const hw_kernel *worst = NULL;
    size_t judged = 0, within = 0;
    double worst_share = -1;
    char text[512], length[32], apart[32], allowed[32];
    for (size_t i = 0; i < d->kernel_count; i++) {
        const hw_kernel *k = &d->kernels[i];
        double share = isnan(k->difference_ns) ? INFINITY : fabs(k->difference_ns) / k->allowed_ns;
        if (k->verdict == HW_NOT_JUDGED)
            continue;
        judged++;
        within += k->verdict == HW_WITHIN;
        if (share > worst_share) {
            worst = k;
            worst_share = share;
        }
    }
    if (!worst)
        return;
    snprintf(text, sizeof text,
             "device time within %.0f %% plus the fixed cost of what the kernel itself says: "
             "%zu of %zu kernels of %d us and more are %s; worst %s: %s apart, %s allowed",
             HW_SHARE * 100, within == judged ? judged : judged - within, judged,
             HW_JUDGED_NS / 1000, within == judged ? "within" : "beyond",
             kt_format_ns(length, sizeof length, worst->nominal_ns),
             kt_format_ns(apart, sizeof apart, worst->difference_ns),
             kt_format_ns(allowed, sizeof allowed, worst->allowed_ns));
    put_verdict(p, within == judged, text);
}

static void put_conformance(const page *p)
{
    const hw_conformance *c = &p->device->conformance;
    char text[1024];
    if (!c->is_run) {
        snprintf(text, sizeof text, "conformance: not run (%s)", c->said);
        item(p, text);
        return;
    }
    snprintf(text, sizeof text, "conformance: %s", c->said);
    put_verdict(p, c->verdict == HW_WITHIN, text);
    for (unsigned i = 0; i < c->skipped && i < HW_SKIPS_MAX; i++) {
        snprintf(text, sizeof text, "skipped: %s: %s", c->skips[i].test, c->skips[i].reason);
        item(p, text);
    }
}

static void put_launch_verdict(const page *p, const hw_launch *l, const char *what)
{
    char text[512], more[32], allowed[32];
    if (l->error[0])
        snprintf(text, sizeof text, "%s could not be compared with one by hand", what);
    else
        snprintf(
            text, sizeof text,
            "%s takes %.3f times as long as by hand, %s more (%.3f times or %s more allowed%s)",
            what, l->ratio, kt_format_ns(more, sizeof more, l->kerntime_ns - l->by_hand_ns),
            HW_LAUNCH_RATIO, kt_format_ns(allowed, sizeof allowed, HW_LAUNCH_MORE_NS),
            l->verdict == HW_NOT_JUDGED
                ? ", but not asked of this one: its stream is blocked, which takes one more launch"
                : "");
    if (l->verdict == HW_NOT_JUDGED)
        item(p, text);
    else
        put_verdict(p, l->verdict == HW_WITHIN, text);
}

static void put_verdicts(const page *p)
{
    const hw_device *d = p->device;
    put_conformance(p);
    put_kernels_verdict(p);
    for (int i = 0; i < HW_LAUNCHES && d->are_launches_taken; i++)
        put_launch_verdict(p, &d->launches[i], launches[i]);
}

/* ---- pages ---- */

static void put_device(const page *p)
{
    const hw_device *d = p->device;
    kt_put(p->writer, p->markdown ? "## " : "");
    kt_put_spelled(p->writer, p->style->spell, d->info.id);
    kt_put(p->writer, ": ");
    kt_put_spelled(p->writer, p->style->spell, d->info.name);
    kt_put(p->writer, ", ");
    kt_put_spelled(p->writer, p->style->spell, d->info.driver);
    if (d->kernel_driver[0])
        kt_putf(p->writer, ", driver %s", d->kernel_driver);
    kt_put(p->writer, p->markdown ? "\n\n" : "\n");
    put_timer_limits(p);
    put_clocks(p);
    put_reason(p, "known of this driver", d->info.quirk);
    if (d->kernel_count)
        print(p, kernel_columns, sizeof kernel_columns, kernel_rows);
    if (d->are_launches_taken)
        print(p, launch_columns, sizeof launch_columns, launch_rows);
    if (d->copy_count)
        print(p, copy_columns, sizeof copy_columns, copy_rows);
    put_errors(p);
    put_verdicts(p);
    kt_put(p->writer, "\n");
}

static kt_status write(const hw_report *report, const kt_style *style, bool markdown,
                       const kt_sink *sink, void (*begin)(const page *))
{
    kt_writer writer = {.sink = sink};
    page p = {.report = report, .style = style, .writer = &writer, .markdown = markdown};
    begin(&p);
    for (size_t i = 0; i < report->device_count; i++) {
        p.device = &report->devices[i];
        put_device(&p);
    }
    kt_flush(&writer);
    return writer.status;
}

static void begin_table(const page *p)
{
    const kt_report_origin *o = p->report->origin;
    kt_putf(p->writer, "kerntime %s, %s, %s\n\n", o->version, o->started, o->os);
}

static void begin_markdown(const page *p)
{
    const kt_report_origin *o = p->report->origin;
    kt_put(p->writer, "# Measured on ");
    kt_put_spelled(p->writer, p->style->spell, p->report->devices[0].info.name);
    kt_put(p->writer, "\n\nkerntime ");
    kt_put(p->writer, o->version);
    kt_putf(p->writer, ", %s, ", o->started);
    kt_put_spelled(p->writer, p->style->spell, o->os);
    kt_put(p->writer, ", ");
    kt_put_spelled(p->writer, p->style->spell, o->cpu ? o->cpu : "unknown processor");
    kt_putf(p->writer, ", %u cores. What the columns mean: [README.md](README.md).\n\n", o->cores);
    kt_put(p->writer, "   ");
    for (int i = 0; i < p->report->command_count; i++) {
        const char *quote = strchr(p->report->command[i], ' ') ? "\"" : "";
        kt_putf(p->writer, " %s", quote);
        kt_put_spelled(p->writer, kt_spell_plain, p->report->command[i]);
        kt_put(p->writer, quote);
    }
    kt_put(p->writer, "\n\n");
}

kt_status hw_write_table(const hw_report *report, const kt_sink *sink)
{
    return write(report, &kt_style_aligned, false, sink, begin_table);
}

kt_status hw_write_markdown(const hw_report *report, const kt_sink *sink)
{
    return write(report, &kt_style_markdown, true, sink, begin_markdown);
}

/* "NVIDIA H200" becomes "nvidia-h200.md". */
void hw_name_file(const hw_report *report, const char *path, char *file, size_t bytes)
{
    struct stat is;
    char name[256];
    size_t used = 0;
    snprintf(file, bytes, "%s", path ? path : "");
    if (!path || !report->device_count || stat(path, &is) != 0 || !S_ISDIR(is.st_mode))
        return;
    for (const char *at = report->devices[0].info.name; *at && used + 1 < sizeof name; at++)
        if (isalnum((unsigned char)*at))
            name[used++] = (char)tolower((unsigned char)*at);
        else if (used && name[used - 1] != '-')
            name[used++] = '-';
    while (used && name[used - 1] == '-')
        used--;
    name[used] = '\0';
    snprintf(file, bytes, "%s/%s.md", path, used ? name : "gpu");
}
