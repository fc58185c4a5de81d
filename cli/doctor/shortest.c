/* The shortest kernel that can be ranked: what all the other checks come to. */
#include "cli/doctor/shortest.h"

#include "cli/doctor/judge.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define TENTHS 10 /* of a duration: the difference that is to be told */
#define BOTH   2  /* medians have their interval */

static double shortest_by_host(const kt_ruler *ruler, double jitter_ns)
{
    return TENTHS * (SHORTEST_HOST_STEP_NS + BOTH * jitter_ns +
                     SHORTEST_HOST_SHARE * (ruler ? ruler->overhead_ns : NAN));
}

doctor_shortest doctor_judge_shortest(const kt_ruler *ruler, bool stamps_fail,
                                      double empty_jitter_ns, double wall_jitter_ns)
{
    if (!ruler || !ruler->believed || stamps_fail) {
        double host_ns = shortest_by_host(ruler, wall_jitter_ns);
        return (doctor_shortest){.by = host_ns > 0 ? SHORTEST_BY_HOST : SHORTEST_NO_MEASURE,
                                 .ns = host_ns > 0 ? host_ns : NAN};
    }
    double ns = TENTHS * (ruler->grid_ns + BOTH * empty_jitter_ns);
    if (!(ns > 0))
        return (doctor_shortest){.by = SHORTEST_NO_JITTER, .ns = NAN};
    /* An unknown floor is less than a step, of which there are ten. */
    double floor_ns = isnan(ruler->floor_ns) ? 0 : ruler->floor_ns;
    return (doctor_shortest){.by = SHORTEST_BY_STAMPS, .ns = floor_ns + ns};
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

/* ---- the line ---- */

/* Whatever else is wrong: the number does not hold for work that is wrong, nor for what was not
 * looked at. */
static void add_doubts(doctor_finding *f, const doctor *d)
{
    const doctor_finding sure = *f;
    const char *fault = d->stamp_fault ? d->stamp_fault : d->other_fault;
    doctor_seen(f, "%s%s%s%s%s", sure.seen, d->busy ? ", on this busy machine" : "",
                fault ? "; see FAULT " : "", fault ? fault : "", fault ? " first" : "");
}

static void tell(doctor_finding *f, const doctor *d, const doctor_shortest *shortest)
{
    static const char line[] = "shortest kernel that this device can rank";
    char ns[32];
    switch (shortest->by) {
    case SHORTEST_BY_STAMPS:
        doctor_seen(
            f, "%s: %s (its floor of %s, and ten times the step of %s and twice the jitter of %s)",
            line, doctor_format_shortest(ns, shortest->ns),
            isnan(d->ruler->floor_ns) ? "less than a step" : DOCTOR_NS(d->ruler->floor_ns),
            DOCTOR_NS(d->ruler->grid_ns), DOCTOR_NS(d->empty_jitter_ns));
        break;
    case SHORTEST_BY_HOST:
        doctor_seen(f,
                    "%s: %s (by the host's clock: the jitter of an empty submission of %s is %s)",
                    line, doctor_format_shortest(ns, shortest->ns),
                    DOCTOR_NS(d->ruler->overhead_ns), DOCTOR_NS(d->wall_jitter_ns));
        break;
    case SHORTEST_NO_JITTER:
        doctor_seen(f, "%s: not known (how much an empty step differs could not be measured)",
                    line);
        break;
    case SHORTEST_NO_MEASURE:
        doctor_seen(f, "%s: not known (neither its stamps nor the host's clock could be tried)",
                    line);
        break;
    }
    add_doubts(f, d);
}

static void explain(doctor_finding *f, const doctor_shortest *shortest)
{
    if (shortest->by == SHORTEST_BY_STAMPS) {
        doctor_means(
            f,
            "with --trials N, chosen by kerntime itself on a coarse clock, kernels that may run on "
            "their own output are ranked up to N times shorter");
    } else if (shortest->by == SHORTEST_BY_HOST) {
        f->severity = KT_SEVERITY_WARNING;
        doctor_means(f, "there is no device time to rely on: of a kernel there is only the wall "
                        "time, with what its submission takes in it");
        doctor_advise(f, "compare longer kernels, or many dispatches in a row (--trials N)");
    } else {
        f->severity = KT_SEVERITY_WARNING;
        doctor_means(f, "how short a kernel may be before its times are noise is not known");
    }
}

kt_status doctor_check_shortest(doctor *d)
{
    const doctor_shortest shortest = doctor_judge_shortest(d->ruler, d->stamp_fault != NULL,
                                                           d->empty_jitter_ns, d->wall_jitter_ns);
    doctor_finding f = doctor_begin(KT_CHECK_SHORTEST, KT_SEVERITY_GOOD);
    bool by_stamps = shortest.by == SHORTEST_BY_STAMPS;
    tell(&f, d, &shortest);
    explain(&f, &shortest);
    doctor_value(&f, "shortest_ns", shortest.ns);
    doctor_value(&f, "floor_ns", by_stamps ? d->ruler->floor_ns : NAN);
    doctor_value(&f, "grid_ns", by_stamps ? d->ruler->grid_ns : NAN);
    doctor_value(&f, "jitter_ns", by_stamps ? d->empty_jitter_ns : d->wall_jitter_ns);
    return doctor_add(d, &f);
}
