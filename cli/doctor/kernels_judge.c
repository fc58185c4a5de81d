#include "kernels_judge.h"

#include "kernel.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define FORMAT_BYTES 32

/* ---- results ---- */

doctor_finding judge_results(const doctor_kernels *kernels)
{
    doctor_finding f =
        doctor_begin("results", kernels->wrong ? KT_SEVERITY_FAULT : KT_SEVERITY_GOOD);
    doctor_value(&f, "results", kernels->results);
    doctor_value(&f, "wrong", kernels->wrong);
    char all[FORMAT_BYTES], first[FORMAT_BYTES], wrong[FORMAT_BYTES];
    kernel_format_count(all, kernels->results);
    if (kernels->wrong == 0) {
        doctor_seen(&f, "the results of all %s submissions were right", all);
        return f;
    }
    doctor_value(&f, "first_wrong", kernels->first_wrong);
    kernel_format_count(first, kernels->first_wrong);
    kernel_format_count(wrong, kernels->wrong);
    if (kernels->wrong == 1)
        doctor_seen(&f, "submission %s of %s gave a wrong result", first, all);
    else
        doctor_seen(&f, "%s of %s submissions gave wrong results, the first of them number %s",
                    wrong, all, first);
    doctor_means(&f, "the time of work whose result is wrong says nothing");
    doctor_advise(&f, "check what every submission leaves, as kerntime bench does; try another "
                      "version of the driver");
    return f;
}

/* ---- loops ---- */

static void say_cut(doctor_finding *f, const loops_seen *seen)
{
    char wanted[FORMAT_BYTES], least[FORMAT_BYTES], most[FORMAT_BYTES];
    kernel_format_count(wanted, seen->iterations);
    kernel_format_count(least, seen->done_min);
    kernel_format_count(most, seen->done_max);
    if (seen->done_min == seen->done_max)
        doctor_seen(f, "a loop of %s iterations ended after %s, without an error", wanted, least);
    else
        doctor_seen(f, "a loop of %s iterations ended after %s to %s, without an error", wanted,
                    least, most);
    doctor_means(f, "kernels with longer loops look fast and leave wrong results%s%s",
                 seen->quirk[0] ? "; known of this driver: " : "", seen->quirk);
    doctor_advise(f, "share long loops out to work-items or dispatches, and check every result");
}

doctor_finding judge_loops(const loops_seen *seen)
{
    char wanted[FORMAT_BYTES];
    uint32_t wrong = seen->results - seen->right - seen->cut;
    kernel_format_count(wanted, seen->iterations);
    doctor_finding f = doctor_begin("loops", seen->results == 0          ? KT_SEVERITY_NOTE
                                             : seen->right && !seen->cut ? KT_SEVERITY_GOOD
                                                                         : KT_SEVERITY_FAULT);
    doctor_value(&f, "iterations", seen->results ? seen->iterations : NAN);
    doctor_value(&f, "done", seen->cut ? seen->done_min : seen->right ? seen->iterations : NAN);
    if (seen->results == 0) {
        doctor_seen(&f, "no long loop was tried: it would take more than %s",
                    DOCTOR_NS(seen->most_ns));
    } else if (seen->cut) {
        say_cut(&f, seen);
    } else if (seen->right) { /* those that are wrong now and then are a finding about results */
        doctor_seen(&f, "a loop of %s iterations ends by itself", wanted);
    } else {
        doctor_seen(
            &f, "a loop of %s iterations gave %" PRIu32 " wrong results, and not those of fewer",
            wanted, wrong);
        doctor_means(&f, "long loops cannot be relied on");
        doctor_advise(&f, "check every result; try another version of the driver");
    }
    return f;
}

/* ---- first use ---- */

#define FIRST_USE_TIMES  2
#define FIRST_USE_MIN_NS 2e4
#define FIRST_USE_SHARE \
    0.25 /* of its cost: else what compiles does it outside, and memory that was not touched does the rest */
#define COMPILES_FROM_NS \
    1e6 /* no caches and pages that a small kernel meets for the first time take as long */

/* Longer than the next ones, by more than a launch may take now and then. */
static bool is_longer(double first_ns, double steady_ns, double least_ns)
{
    return first_ns > FIRST_USE_TIMES * steady_ns && first_ns - steady_ns > least_ns;
}

bool first_use_is_stamped(const first_use_seen *seen)
{
    double steps_ns = isnan(seen->grid_ns) ? 0 : 2 * seen->grid_ns;
    double stamped_ns = seen->device_ns - seen->steady_device_ns;
    return is_longer(seen->device_ns, seen->steady_device_ns, FIRST_USE_MIN_NS + steps_ns) &&
           stamped_ns >= FIRST_USE_SHARE * (seen->wall_ns - seen->steady_wall_ns);
}

bool first_use_is_longer(const first_use_seen *seen)
{
    return first_use_is_stamped(seen) ||
           is_longer(seen->wall_ns, seen->steady_wall_ns, FIRST_USE_MIN_NS);
}

static void say_first_use(doctor_finding *f, const first_use_seen *seen, bool stamped)
{
    char cost[FORMAT_BYTES], device[FORMAT_BYTES], steady[FORMAT_BYTES];
    double cost_ns = seen->wall_ns - seen->steady_wall_ns;
    kt_format_ns(cost, sizeof cost, cost_ns);
    kt_format_ns(device, sizeof device, seen->device_ns);
    kt_format_ns(steady, sizeof steady, seen->steady_device_ns);
    const char *what = seen->compiles && cost_ns >= COMPILES_FROM_NS
                           ? "its driver probably still compiles"
                           : "what it needs is touched for the first time";
    const char *kind = seen->known ? "known" : "new";
    if (stamped) {
        doctor_seen(f, "the first run of a %s kernel takes %s by its stamps, the next ones %s",
                    kind, device, steady);
        doctor_means(f, "%s between the stamps of that run; kerntime tells it apart", what);
    } else {
        doctor_seen(f, "the first run of a %s kernel takes %s longer than the next ones%s", kind,
                    cost, isnan(seen->device_ns) ? "" : ", outside of its stamps");
        doctor_means(f, "%s then; kerntime tells that run apart", what);
    }
    doctor_advise(f, "in a program of your own, run each kernel once before you time it");
}

doctor_finding judge_first_use(const first_use_seen *seen)
{
    bool stamped = first_use_is_stamped(seen);
    bool longer = first_use_is_longer(seen);
    bool much = seen->device_ns - seen->steady_device_ns >= COMPILES_FROM_NS;
    doctor_finding f = doctor_begin("first_use", stamped && much     ? KT_SEVERITY_WARNING
                                                 : stamped || longer ? KT_SEVERITY_NOTE
                                                                     : KT_SEVERITY_GOOD);
    doctor_value(&f, "cost_ns", seen->wall_ns - seen->steady_wall_ns);
    doctor_value(&f, "first_wall_ns", seen->wall_ns);
    doctor_value(&f, "steady_wall_ns", seen->steady_wall_ns);
    doctor_value(&f, "first_device_ns", seen->device_ns);
    doctor_value(&f, "steady_device_ns", seen->steady_device_ns);
    doctor_value(&f, "build_ns", seen->build_ns);
    if (stamped || longer)
        say_first_use(&f, seen, stamped);
    else
        doctor_seen(&f, "the first run of a %s kernel takes as long as the next ones%s",
                    seen->known ? "known" : "new", seen->known ? ": no new one could be made" : "");
    if (seen->build_ns >= COMPILES_FROM_NS) {
        char build[FORMAT_BYTES];
        size_t length = strlen(f.seen);
        kt_format_ns(build, sizeof build, seen->build_ns);
        snprintf(f.seen + length, sizeof f.seen - length, "; building it took %s before", build);
    }
    return f;
}

/* ---- agreement ---- */

#define AGREE_FROM  0.95 /* of the wall time around them; launching and waiting are the rest */
#define AGREE_TO    1.02 /* more than what clocks drift */
#define SOME_FROM   0.8
#define SLOPE_SLACK 0.03
#define SAME_SLACK  0.1 /* a factor that is the same at all lengths */
#define GRIDS_MIN   20  /* in what is shorter, nothing is seen to within 5 % */

double agreement_ratio(const agreement_rung *rung)
{
    return rung->device_ns / rung->wall_ns;
}

/* Index of the longest with a device time; `count`: there is none. */
static uint32_t find_top(const agreement_seen *seen)
{
    for (uint32_t i = seen->count; i-- > 0;)
        if (!isnan(seen->rungs[i].device_ns))
            return i;
    return seen->count;
}

static bool is_too_long(const agreement_seen *seen, const agreement_rung *rung)
{
    return agreement_ratio(rung) > AGREE_TO + 2 * seen->grid_ns / rung->wall_ns;
}

bool agreement_is_doubtful(const agreement_seen *seen)
{
    const agreement_rung *last = &seen->rungs[seen->count - 1];
    return !(agreement_ratio(last) >= AGREE_FROM) || is_too_long(seen, last);
}

/* What a longer kernel adds to the device time, over what it adds to the wall time; NaN: there is but one length. */
static double find_slope(const agreement_seen *seen, uint32_t top)
{
    const agreement_rung *high = &seen->rungs[top];
    for (uint32_t i = 0; i < top; i++) {
        const agreement_rung *low = &seen->rungs[i];
        if (!isnan(low->device_ns))
            return (high->device_ns - low->device_ns) / (high->wall_ns - low->wall_ns);
    }
    return NAN;
}

static bool rung_agrees(const agreement_seen *seen, const agreement_rung *rung)
{
    return agreement_ratio(rung) >= AGREE_FROM && !is_too_long(seen, rung) &&
           rung->device_ns >= GRIDS_MIN * seen->grid_ns;
}

/* The shortest from which on all agree. */
static uint32_t find_agreement(const agreement_seen *seen, uint32_t top)
{
    uint32_t from = top;
    for (uint32_t i = top; i-- > 0;) {
        if (isnan(seen->rungs[i].device_ns))
            continue; /* nothing is known of it */
        if (!rung_agrees(seen, &seen->rungs[i]))
            break;
        from = i;
    }
    return from;
}

/* Of those shorter: the others may be but too short for the clock. */
static bool has_launching(const agreement_seen *seen, uint32_t from)
{
    for (uint32_t i = 0; i < from; i++)
        if (agreement_ratio(&seen->rungs[i]) < AGREE_FROM)
            return true;
    return false;
}

static void say_agreement(doctor_finding *f, const agreement_seen *seen, uint32_t top)
{
    char from_ns[FORMAT_BYTES], top_ns[FORMAT_BYTES];
    uint32_t from = find_agreement(seen, top);
    kt_format_ns(top_ns, sizeof top_ns, seen->rungs[top].wall_ns);
    kt_format_ns(from_ns, sizeof from_ns, seen->rungs[from].device_ns);
    doctor_value(f, "from_ns", seen->rungs[from].device_ns);
    doctor_seen(f, "device time is %.3f of wall time at %s, and at least %.2f from %s on",
                agreement_ratio(&seen->rungs[top]), top_ns, AGREE_FROM, from_ns);
    if (has_launching(seen, from))
        doctor_means(f,
                     "the wall time of shorter kernels is to a large part that of launching them: "
                     "compare those by device time");
}

static void say_too_long(doctor_finding *f, double ratio)
{
    doctor_seen(f, "device time is %.3g of the wall time around it", ratio);
    doctor_means(
        f,
        "nothing takes longer than itself: a tick of its clock is probably %.3g of what the "
        "driver tells",
        1 / ratio);
    doctor_advise(f, "believe wall times here (--timing wall)");
}

static void say_too_short(doctor_finding *f, double ratio, double slope)
{
    doctor_seen(f, "device time is only %.3g of wall time, however long the kernel", ratio);
    if (fabs(slope / ratio - 1) <= SAME_SLACK)
        doctor_means(f, "a tick of its clock is probably %.3g times as long as the driver tells",
                     1 / ratio);
    else
        doctor_means(f, "what its stamps leave out grows with the kernel");
    doctor_advise(f, "believe wall times here (--timing wall), of kernels of some ms");
}

static void say_single(doctor_finding *f, const agreement_rung *rung)
{
    doctor_seen(f, "device time of the only kernel that could be timed is %.3g of its wall time %s",
                agreement_ratio(rung), DOCTOR_NS(rung->wall_ns));
    doctor_means(f, "launching may take the rest, or a tick is longer than the driver tells: one "
                    "length does not tell which");
    doctor_advise(f, "compare such kernels by both times (--timing both)");
}

static void say_constant(doctor_finding *f, const agreement_rung *top)
{
    char more[FORMAT_BYTES];
    kt_format_ns(more, sizeof more, top->wall_ns - top->device_ns);
    doctor_seen(f, "wall time is about %s longer than device time, however long the kernel", more);
    doctor_means(f, "launching and waiting take that long: compare kernels by device time");
}

/* The longest that agrees; `top`: none does. */
static uint32_t find_last_agreement(const agreement_seen *seen, uint32_t top)
{
    for (uint32_t i = top; i-- > 0;)
        if (rung_agrees(seen, &seen->rungs[i]))
            return i;
    return top;
}

static void say_falls_behind(doctor_finding *f, const agreement_seen *seen, uint32_t agrees,
                             uint32_t top)
{
    char agree_ns[FORMAT_BYTES], top_ns[FORMAT_BYTES];
    kt_format_ns(agree_ns, sizeof agree_ns, seen->rungs[agrees].wall_ns);
    kt_format_ns(top_ns, sizeof top_ns, seen->rungs[top].wall_ns);
    doctor_seen(f, "device and wall time agree at %s, but at %s device time is %.3g of wall time",
                agree_ns, top_ns, agreement_ratio(&seen->rungs[top]));
    doctor_means(f, "its counter begins anew within longer kernels");
    doctor_advise(f, "make kernels shorter, or believe their wall times (--timing wall)");
}

static void judge_usable(doctor_finding *f, const agreement_seen *seen, uint32_t top)
{
    const agreement_rung *rung = &seen->rungs[top];
    double ratio = agreement_ratio(rung), slope = find_slope(seen, top);
    uint32_t agrees = find_last_agreement(seen, top);
    doctor_value(f, "ratio", ratio);
    doctor_value(f, "slope", slope);
    doctor_value(f, "longest_ns", rung->wall_ns);
    if (is_too_long(seen, rung)) {
        f->severity = KT_SEVERITY_FAULT;
        say_too_long(f, ratio);
    } else if (ratio >= AGREE_FROM) {
        say_agreement(f, seen, top);
    } else if (isnan(slope)) {
        f->severity = KT_SEVERITY_WARNING;
        say_single(f, rung);
    } else if (fabs(slope - 1) <= SLOPE_SLACK) {
        f->severity = KT_SEVERITY_NOTE;
        say_constant(f, rung);
    } else if (agrees < top) {
        f->severity = ratio < SOME_FROM ? KT_SEVERITY_FAULT : KT_SEVERITY_WARNING;
        say_falls_behind(f, seen, agrees, top);
    } else {
        f->severity = ratio < SOME_FROM ? KT_SEVERITY_FAULT : KT_SEVERITY_WARNING;
        say_too_short(f, ratio, slope);
    }
}

static void judge_none(doctor_finding *f, const agreement_seen *seen)
{
    char least_ns[FORMAT_BYTES];
    kt_format_ns(least_ns, sizeof least_ns, seen->shortest_ns);
    f->severity = KT_SEVERITY_FAULT;
    doctor_seen(f, "no kernel of %s or more had stamps that could be used", least_ns);
    doctor_means(f, "such kernels have no device time");
    doctor_advise(f, "measure wall times (--timing wall)");
}

/* Longer ones than `top` have no device time. */
static void say_no_longer(doctor_finding *f, const agreement_seen *seen, uint32_t top)
{
    uint32_t unusable = 0, ambiguous = 0;
    for (uint32_t i = top + 1; i < seen->count; i++) {
        unusable += seen->rungs[i].unusable;
        ambiguous += seen->rungs[i].ambiguous;
    }
    f->severity = KT_SEVERITY_WARNING;
    if (unusable > 0 && ambiguous == unusable) {
        doctor_seen(f,
                    "kernels of more than %s have no device time: their stamps could not be used",
                    DOCTOR_NS(seen->rungs[top].device_ns));
        doctor_means(f, "its counter turns over or begins anew too often for the host to tell how "
                        "often it did");
        doctor_advise(f, "make kernels shorter, or compare their wall times");
    } else {
        doctor_seen(
            f,
            "of kernels of more than %s all %u pairs of stamps were of no use, the last for \"%s\"",
            DOCTOR_NS(seen->rungs[top].device_ns), unusable,
            kt_stamp_state_name(seen->rungs[seen->count - 1].state));
        doctor_means(f, "whether device and wall time of such kernels agree is not known");
        doctor_advise(f, "compare their wall times");
    }
}

doctor_finding judge_agreement(const agreement_seen *seen)
{
    doctor_finding f = doctor_begin("agreement", KT_SEVERITY_GOOD);
    uint32_t top = find_top(seen);
    if (top == seen->count) {
        judge_none(&f, seen);
        return f;
    }
    judge_usable(&f, seen, top);
    if (top == seen->count - 1 || f.severity == KT_SEVERITY_FAULT)
        return f;
    say_no_longer(&f, seen, top);
    return f;
}

/* ---- steady ---- */

#define STEADY_SAMPLES_MIN 30
#define PARTS              10
#define LAST_PARTS         3
#define CHANGE_MIN         0.03 /* less is noise on a shared machine */
#define CHANGE_LARGE       0.1

static double shortest(const double *samples_ns, size_t n)
{
    double least_ns = samples_ns[0];
    for (size_t i = 1; i < n; i++)
        least_ns = fmin(least_ns, samples_ns[i]);
    return least_ns;
}

double steady_change(const double *samples_ns, size_t n)
{
    size_t part = n / PARTS;
    double least_ns = INFINITY, most_ns = 0;
    if (n < STEADY_SAMPLES_MIN)
        return NAN;
    double first_ns = shortest(samples_ns, part);
    for (size_t i = 1; i <= LAST_PARTS; i++) {
        double ns = shortest(samples_ns + n - i * part, part);
        least_ns = fmin(least_ns, ns);
        most_ns = fmax(most_ns, ns);
    }
    if (first_ns < least_ns)
        return least_ns / first_ns - 1;
    return first_ns > most_ns ? most_ns / first_ns - 1 : 0;
}

double steady_combine(double before, double again)
{
    if (before * again < 0)
        return 0;
    return fabs(again) < fabs(before) ? again : before;
}

static double change_that_matters(const steady_seen *seen)
{
    return fmax(CHANGE_MIN, 1.5 * seen->step);
}

bool steady_is_doubtful(const steady_seen *seen)
{
    return fabs(seen->change) > change_that_matters(seen);
}

doctor_finding judge_steady(const steady_seen *seen)
{
    char under[FORMAT_BYTES];
    bool changes = steady_is_doubtful(seen), large = fabs(seen->change) >= CHANGE_LARGE;
    doctor_finding f = doctor_begin("steady", changes && large                 ? KT_SEVERITY_WARNING
                                              : changes || isnan(seen->change) ? KT_SEVERITY_NOTE
                                                                               : KT_SEVERITY_GOOD);
    kt_format_ns(under, sizeof under, seen->under_ns);
    doctor_value(&f, "change", seen->change);
    doctor_value(&f, "under_ns", seen->under_ns);
    doctor_value(&f, "kernel_ns", seen->kernel_ns);
    doctor_value(&f, "groups", seen->groups);
    if (isnan(seen->change)) {
        doctor_seen(&f,
                    "whether a kernel takes as long after some work could not be told: it ran too "
                    "few times in %s",
                    under);
    } else if (!changes) {
        doctor_seen(&f, "a kernel of %u groups and %s takes as long after %s of it, within %.1f %%",
                    seen->groups, DOCTOR_NS(seen->kernel_ns), under,
                    fmax(0.1, 100 * fabs(seen->change)));
    } else {
        bool slower = seen->change > 0;
        doctor_seen(&f, "a kernel of %u groups and %s takes %.0f %% %s after %s of it%s",
                    seen->groups, DOCTOR_NS(seen->kernel_ns), 100 * fabs(seen->change),
                    slower ? "longer" : "less", under, seen->of_device ? "" : ", by the wall");
        doctor_means(&f,
                     "the device probably %s its clock under load: times depend on what ran before",
                     slower ? "lowers" : "raises");
        doctor_advise(
            &f, "fix its clock where that is possible; compare only what was measured in turns");
    }
    return f;
}
