/* SPDX-License-Identifier: MIT */
/* shortest.c - finds the shortest kernel that can be ranked, the sum of all checks. */
#include "cli/doctor/shortest.h"

#include "cli/doctor/judge.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define TENTHS 10 /* the difference to resolve is a tenth of a duration */
#define BOTH   2  /* both compared medians have an interval */

static double shortest_by_host(const kt_timer_limits *limits, double jitter_ns)
{
    return TENTHS * (SHORTEST_HOST_STEP_NS + BOTH * jitter_ns +
                     SHORTEST_HOST_SHARE * (limits ? limits->overhead_ns : NAN));
}

doctor_shortest doctor_judge_shortest(const kt_timer_limits *limits, bool timestamps_fail,
                                      double empty_jitter_ns, double wall_jitter_ns)
{
    if (!limits || !limits->trusted || timestamps_fail) {
        double host_ns = shortest_by_host(limits, wall_jitter_ns);
        return (doctor_shortest){.by = host_ns > 0 ? SHORTEST_BY_HOST : SHORTEST_NO_MEASURE,
                                 .ns = host_ns > 0 ? host_ns : NAN};
    }
    double ns = TENTHS * (limits->resolution_ns + BOTH * empty_jitter_ns);
    if (!(ns > 0))
        return (doctor_shortest){.by = SHORTEST_NO_JITTER, .ns = NAN};
    /* An unknown shortest span is less than one resolution step, and the sum has ten. */
    double min_span_ns = isnan(limits->min_span_ns) ? 0 : limits->min_span_ns;
    return (doctor_shortest){.by = SHORTEST_BY_TIMESTAMPS, .ns = min_span_ns + ns};
}

char *doctor_format_shortest(char text[32], double ns)
{
    static const char *const units[] = {"ns", "us", "ms", "s"};
    int unit = 0;
    double digit = pow(10, floor(log10(fmax(1, ns))) - 1),
           up = digit * ceil(fmax(1, ns) / digit * (1 - 1e-12));
    while (up >= 1000 && unit < 3) {
        up /= 1000;
        unit++;
    }
    snprintf(text, 32, "%.*f %s", up < 9.95 ? 1 : 0, up, units[unit]);
    return text;
}

/* ---- the message ---- */

/* Adds faults of other checks: the shortest kernel holds neither for wrong work nor for unchecked
 * work. */
static void add_doubts(doctor_diagnostic *f, const doctor *d)
{
    const doctor_diagnostic sure = *f;
    const char *fault = d->timestamp_fault ? d->timestamp_fault : d->other_fault;
    doctor_seen(f, "%s%s%s%s%s", sure.seen, d->busy ? ", on this busy machine" : "",
                fault ? "; see FAULT " : "", fault ? fault : "", fault ? " first" : "");
}

static void tell(doctor_diagnostic *f, const doctor *d, const doctor_shortest *shortest)
{
    static const char line[] = "shortest kernel with a detectable 10 % difference";
    char ns[32];
    bool known = d->limits && !isnan(d->limits->min_span_ns);
    switch (shortest->by) {
    case SHORTEST_BY_TIMESTAMPS:
        doctor_seen(f, "%s: %s (%s%s%s10 x (resolution %s + 2 x jitter %s))", line,
                    doctor_format_shortest(ns, shortest->ns), known ? "shortest span " : "",
                    known ? DOCTOR_NS(d->limits->min_span_ns) : "", known ? " + " : "",
                    DOCTOR_NS(d->limits->resolution_ns), DOCTOR_NS(d->empty_jitter_ns));
        break;
    case SHORTEST_BY_HOST:
        doctor_seen(f, "%s: %s (wall time only: an empty submission takes %s, jitter %s)", line,
                    doctor_format_shortest(ns, shortest->ns), DOCTOR_NS(d->limits->overhead_ns),
                    DOCTOR_NS(d->wall_jitter_ns));
        break;
    case SHORTEST_NO_JITTER:
        doctor_seen(f, "%s: unknown (the jitter of the shortest span could not be measured)", line);
        break;
    case SHORTEST_NO_MEASURE:
        doctor_seen(f, "%s: unknown (neither device nor wall times could be measured)", line);
        break;
    }
    add_doubts(f, d);
}

static void explain(doctor_diagnostic *f, const doctor_shortest *shortest)
{
    if (shortest->by == SHORTEST_BY_TIMESTAMPS) {
        doctor_means(
            f, "--trials N divides this by up to N for kernels that may run on their own output");
    } else if (shortest->by == SHORTEST_BY_HOST) {
        f->severity = KT_SEVERITY_WARNING;
        doctor_means(f, "there are no reliable device times; wall times include the submission");
        doctor_advise(f, "compare longer kernels, or use more dispatches per sample (--trials N)");
    } else {
        f->severity = KT_SEVERITY_WARNING;
        doctor_means(f, "it is unknown below which length kernel times are noise");
    }
}

kt_status doctor_check_shortest(doctor *d)
{
    const doctor_shortest shortest = doctor_judge_shortest(d->limits, d->timestamp_fault != NULL,
                                                           d->empty_jitter_ns, d->wall_jitter_ns);
    doctor_diagnostic f = doctor_begin(KT_CHECK_SHORTEST, KT_SEVERITY_GOOD);
    bool by_timestamps = shortest.by == SHORTEST_BY_TIMESTAMPS;
    tell(&f, d, &shortest);
    explain(&f, &shortest);
    doctor_value(&f, "shortest_ns", shortest.ns);
    doctor_value(&f, "min_span_ns", by_timestamps ? d->limits->min_span_ns : NAN);
    doctor_value(&f, "resolution_ns", by_timestamps ? d->limits->resolution_ns : NAN);
    doctor_value(&f, "jitter_ns", by_timestamps ? d->empty_jitter_ns : d->wall_jitter_ns);
    return doctor_add(d, &f);
}
