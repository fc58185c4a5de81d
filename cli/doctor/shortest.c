/* The shortest kernel that can be ranked: what all the other checks come to. */
#include "shortest.h"
#include "doctor.h"

#include <math.h>

#define TENTHS 10 /* of a duration: the difference that is to be told */

doctor_shortest doctor_judge_shortest(const kt_ruler *ruler, double empty_jitter_ns,
                                      double wall_jitter_ns)
{
    if (!ruler || !ruler->believed) {
        doctor_shortest by_host = {.by = SHORTEST_BY_HOST, .ns = TENTHS * wall_jitter_ns};
        if (!(wall_jitter_ns >= 0))
            by_host = (doctor_shortest){.by = SHORTEST_NO_MEASURE, .ns = NAN};
        return by_host;
    }
    double ns = TENTHS * (ruler->grid_ns + empty_jitter_ns);
    if (!(ns >= 0))
        return (doctor_shortest){.by = SHORTEST_NO_JITTER, .ns = NAN};
    if (ruler->floor_ns > ns)
        return (doctor_shortest){.by = SHORTEST_BY_FLOOR, .ns = ruler->floor_ns};
    return (doctor_shortest){.by = SHORTEST_BY_STAMPS, .ns = ns};
}

/* The line itself. */
static void tell(doctor_finding *f, const doctor *d, const doctor_shortest *shortest)
{
    static const char line[] = "shortest kernel that this device can rank";
    char ns[32], grid[32], jitter[32];
    kt_format_ns(ns, sizeof ns, shortest->ns);
    switch (shortest->by) {
    case SHORTEST_BY_STAMPS:
        doctor_seen(f, "%s: %s (ten times its grid of %s and its jitter of %s)", line, ns,
                    kt_format_ns(grid, sizeof grid, d->ruler->grid_ns),
                    kt_format_ns(jitter, sizeof jitter, d->empty_jitter_ns));
        break;
    case SHORTEST_BY_FLOOR:
        doctor_seen(f, "%s: %s (its floor: an empty step takes as long)", line, ns);
        break;
    case SHORTEST_BY_HOST:
        doctor_seen(f, "%s: %s (by the host's clock, ten times its jitter of %s)", line, ns,
                    kt_format_ns(jitter, sizeof jitter, d->wall_jitter_ns));
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
}

static void explain(doctor_finding *f, const doctor_shortest *shortest)
{
    if (shortest->by == SHORTEST_BY_STAMPS || shortest->by == SHORTEST_BY_FLOOR) {
        doctor_means(
            f,
            "with --trials N, chosen by kerntime itself on a coarse clock, kernels that may run on "
            "their own output are ranked N times shorter");
    } else if (shortest->by == SHORTEST_BY_HOST) {
        f->severity = KT_SEVERITY_WARNING;
        doctor_means(f, "device time cannot be had: of a kernel there is only the wall time, with "
                        "what its submission takes in it");
        doctor_advise(f, "compare longer kernels, or many dispatches in a row (--trials N)");
    } else {
        f->severity = KT_SEVERITY_WARNING;
        doctor_means(f, "how short a kernel may be before its times are noise is not known");
    }
}

kt_status doctor_check_shortest(doctor *d)
{
    const doctor_shortest shortest =
        doctor_judge_shortest(d->ruler, d->empty_jitter_ns, d->wall_jitter_ns);
    doctor_finding f = doctor_begin(KT_CHECK_SHORTEST, KT_SEVERITY_GOOD);
    tell(&f, d, &shortest);
    explain(&f, &shortest);
    doctor_value(&f, "shortest_ns", shortest.ns);
    return doctor_add(d, &f);
}
