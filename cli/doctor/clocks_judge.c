/* What is found of a device's clock: pure. */
#include "cli/doctor/judge.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define SHORT_TURN_NS   1e9    /* kernels may take as long as a turn */
#define LONG_TURN_NS    3600e9 /* nobody's kernel does */
#define WIDE_PAIR_NS    10e3
#define USELESS_PAIR_NS 1e6
#define DRIFT_NOTE_PPM  10    /* clocks of crystals are that good */
#define DRIFT_WARN_PPM  1000  /* a tenth of a percent, which comparisons can see */
#define DRIFT_BAD_PPM   10e3  /* a percent, which people look for */
#define RATE_ROOM_PPM   5     /* by which clocks of the host are adjusted meanwhile */
#define LIGHT_NS        100e3 /* dispatches that are shorter leave a device idle between them */
#define PLACE_WIDTHS    3     /* stated uncertainties that a stamp may be outside by, ... */
#define PLACE_NS        1000  /* ... and so many ns */
#define PLACE_BAD_NS    1e6   /* no trace can be read any more */
#define SPREAD_NOTE     0.02  /* of the times of the same work: its median needs many samples */
#define SAMPLES_USUAL   1000  /* that are taken at most, unless told otherwise */

/* A share of a million, not below 0 and as exact as anybody reads it; lives until the end of the
 * block. */
#define PPM(ppm) ppm_text((char[24]){0}, ppm)

static char *ppm_text(char *text, double ppm)
{
    snprintf(text, 24, ppm >= 10 ? "%.0f" : "%.2g", fmax(ppm, 0.01));
    return text;
}

#define PERCENT(percent) percent_text((char[24]){0}, percent)

static char *percent_text(char *text, double percent)
{
    snprintf(text, 24,
             percent >= 10     ? "%.0f"
             : percent >= 0.01 ? "%.2g"
                               : "less than 0.01",
             percent);
    return text;
}

/* ---- width ---- */

static void put_width(const clocks_seen *seen, doctor_finding *f, double turn_ns,
                      uint32_t moved_bits)
{
    const kt_clock_info *clock = &seen->found;
    if (seen->told.valid_bits == 0 && clock->valid_bits == 0)
        doctor_seen(f, "the driver does not tell how wide its counter is; it has at least %u bits",
                    clock->valid_bits_min);
    else if (seen->told.valid_bits == 0 && isinf(turn_ns)) /* so much no counter was seen to have */
        doctor_seen(f, "the driver does not tell how wide its counter is; it is the host's clock, "
                       "with 64 bits, which never turn over");
    else if (seen->told.valid_bits == 0)
        doctor_seen(f,
                    "the driver does not tell how wide its counter is; it turned over, and has %u "
                    "bits: every %s",
                    clock->valid_bits, DOCTOR_NS(turn_ns));
    else if (isinf(turn_ns))
        doctor_seen(f,
                    "the driver tells 64 bits, which never turn over; %u of them were seen to move",
                    moved_bits);
    else
        doctor_seen(f,
                    "the driver tells %u bits, which turn over every %s; %u of them were seen to "
                    "move",
                    clock->valid_bits, DOCTOR_NS(turn_ns), moved_bits);
}

/* It is told to be wider than it is: whoever believes that takes a turn for a new beginning. */
static void judge_false_width(const clocks_seen *seen, const doctor_order *order,
                              doctor_findings *out)
{
    double turn_ns = ldexp(seen->found.period_ns, (int)order->early_bits);
    doctor_finding *f = doctor_next(out, "width", KT_SEVERITY_FAULT);
    doctor_value(f, "valid_bits_told", seen->told.valid_bits);
    doctor_value(f, "valid_bits", order->early_bits);
    doctor_value(f, "turn_ns", turn_ns);
    doctor_value(f, "turns_seen", order->early_turns);
    doctor_seen(f,
                "the counter is told to be %u bits wide, and turned over after %u bits: every %s",
                seen->told.valid_bits, order->early_bits, DOCTOR_NS(turn_ns));
    doctor_means(f, "a time that holds such a turn is left out, or wrong by as much; stamps are "
                    "placed wrongly after it");
    doctor_advise(f, "hold device times against WALL, and ask for a newer driver");
}

static void judge_width(const clocks_seen *seen, const doctor_order *order, doctor_findings *out)
{
    double turn_ns = doctor_turn_ns(&seen->found);
    uint64_t turns = seen->open_status == KT_OK && seen->state.wraps > order->turns
                         ? seen->state.wraps
                         : order->turns;
    bool sure = seen->told.valid_bits > 0 || seen->found.valid_bits == 64;
    bool told = seen->told.valid_bits > 0;
    if (order->early_turns) {
        judge_false_width(seen, order, out);
        return;
    }
    doctor_finding *f = doctor_next(out, "width",
                                    turn_ns < SHORT_TURN_NS           ? KT_SEVERITY_WARNING
                                    : turn_ns < LONG_TURN_NS || !sure ? KT_SEVERITY_NOTE
                                                                      : KT_SEVERITY_GOOD);
    doctor_value(f, "valid_bits_told", told ? seen->told.valid_bits : NAN);
    doctor_value(f, "valid_bits", seen->found.valid_bits ? seen->found.valid_bits : NAN);
    doctor_value(f, "valid_bits_min",
                 seen->found.valid_bits_min ? seen->found.valid_bits_min : NAN);
    doctor_value(f, "turn_ns", isinf(turn_ns) ? NAN : turn_ns);
    doctor_value(f, "moved_bits", order->moved_bits);
    doctor_value(f, "turns_seen", (double)turns);
    put_width(seen, f, turn_ns, order->moved_bits);
    if (seen->found.valid_bits == 0)
        doctor_means(f, "a time that may hold a turn is left out, as long as none was seen");
    else if (turn_ns < SHORT_TURN_NS)
        doctor_means(f,
                     "longer kernels turn it over: where the host's clock does not tell how often, "
                     "their times are \"ambiguous\" and left out");
    else if (turn_ns < LONG_TURN_NS)
        doctor_means(f, "a program that subtracts two stamps is wrong then; kerntime is not");
    if (seen->found.valid_bits && turn_ns < SHORT_TURN_NS)
        doctor_advise(f, "split work that takes longer than %s", DOCTOR_NS(turn_ns));
}

static void judge_resets(const clocks_seen *seen, const doctor_order *order, doctor_findings *out)
{
    if (order->jumps == 0)
        return;
    doctor_finding *f = doctor_next(out, "reset", KT_SEVERITY_FAULT);
    doctor_value(f, "resets", order->jumps);
    doctor_value(f, "submissions", (double)seen->count);
    doctor_seen(f, "the counter began anew %u time%s within %zu submissions", order->jumps,
                order->jumps == 1 ? "" : "s", seen->count);
    doctor_means(f,
                 "a time during which it does so is left out as \"ambiguous\", or cannot be told "
                 "from a short one");
    doctor_advise(f, "hold device times against WALL; look whether the device is being suspended");
}

/* ---- which clock it is, and how that is known ---- */

static void judge_period(const clocks_seen *seen, doctor_findings *out)
{
    if (!isnan(seen->told.period_ns))
        return;
    char told[64];
    uint32_t whole_ns = seen->told.told_period_ns;
    const char *way = seen->found.period_source == KT_SOURCE_PAIRS
                          ? "pairs of both clocks"
                          : "commands between two readings of the host's clock";
    snprintf(told, sizeof told, "tells in whole ns how long a tick is (%u)", whole_ns);
    doctor_finding *f = doctor_next(out, "period", KT_SEVERITY_NOTE);
    doctor_value(f, "period_ns", seen->found.period_ns);
    if (whole_ns)
        doctor_value(f, "period_told_ns", whole_ns);
    doctor_seen(f, "the driver %s; found by %s: %.9g ns",
                whole_ns ? told : "does not tell how long a tick is", way, seen->found.period_ns);
    doctor_means(f, "device times are as right as that was found");
}

static void judge_pairs(const clocks_seen *seen, doctor_findings *out)
{
    if (seen->pair_status == KT_OK) {
        doctor_finding *f = doctor_next(out, "pairs",
                                        seen->pair_ns >= USELESS_PAIR_NS ? KT_SEVERITY_WARNING
                                        : seen->pair_ns >= WIDE_PAIR_NS  ? KT_SEVERITY_NOTE
                                                                         : KT_SEVERITY_GOOD);
        doctor_value(f, "pair_ns", seen->pair_ns);
        doctor_seen(f, "the driver reads its clock and the host's together, within %s",
                    DOCTOR_NS(seen->pair_ns));
        if (seen->pair_ns >= WIDE_PAIR_NS)
            doctor_means(f, "where a stamp lies on the host's clock is no surer than half of that");
        return;
    }
    bool ordinary = seen->pair_status == KT_UNSUPPORTED;
    doctor_finding *f = doctor_next(out, "pairs", ordinary ? KT_SEVERITY_NOTE : KT_SEVERITY_FAULT);
    doctor_seen(f, "the driver gives no pairs of both clocks: %s", seen->pair_error);
    doctor_means(f, ordinary
                        ? "kerntime finds the relation by commands between two readings of the "
                          "host's clock"
                        : "what it should answer it does not");
}

static void judge_domain(const clocks_seen *seen, doctor_findings *out)
{
    const kt_clock_info *clock = &seen->found;
    bool settable = strcmp(clock->domain, kt_host_domain_name(KT_HOST_REALTIME)) == 0;
    doctor_finding *f = doctor_next(out, "domain", settable ? KT_SEVERITY_NOTE : KT_SEVERITY_GOOD);
    if (!clock->domain[0]) {
        doctor_seen(f, "its clock is none of the host's");
        doctor_means(
            f,
            "a stamp of the device cannot be subtracted from a time of the host; traces place it "
            "by the relation of the two");
        return;
    }
    doctor_seen(f, "its clock is %s of the host, as %s", clock->domain,
                clock->relation_source == KT_SOURCE_TOLD    ? "its driver says"
                : clock->relation_source == KT_SOURCE_PAIRS ? "pairs of both show"
                                                            : "commands between two readings show");
    if (strcmp(clock->domain, kt_host_domain_name(KT_HOST_MONOTONIC_RAW)) == 0)
        doctor_means(f, "device and host times are of one clock%s",
                     clock->relation_source == KT_SOURCE_TOLD ? ", and traces place them to the ns"
                                                              : ", as far as that was seen");
    else if (settable)
        doctor_means(
            f, "a kernel during which that clock is set gets a wrong time, and lies wrongly in "
               "a trace");
    else if (strcmp(clock->domain, kt_host_domain_name(KT_HOST_UPTIME_RAW)) == 0)
        doctor_means(f, "that stops while the system is suspended; traces convert it to "
                        "CLOCK_MONOTONIC_RAW, kerntime's host clock, which goes on");
    else
        doctor_means(f,
                     "the host adjusts the rate of that; traces convert it to CLOCK_MONOTONIC_RAW, "
                     "kerntime's host clock, whose rate nobody adjusts");
}

/* By how much the clock is surely too fast or too slow, in ppm; 0: it may be right, or is not
 * known. */
static double sure_drift(const clocks_seen *seen)
{
    const doctor_rate *rate = &seen->whole;
    if (isnan(rate->ppm) || isnan(seen->told.period_ns))
        return 0;
    return fmax(0, fabs(rate->ppm) - rate->error_ppm);
}

/* The one whose rate the device's should have. */
static const char *host_clock(const clocks_seen *seen)
{
    return seen->found.domain[0] ? seen->found.domain : "the host's clock";
}

/* ---- where stamps lie ---- */

/* By how much one lies outside of its submission, the stated uncertainty and turns aside; below 0:
 * within. */
static double outside_ns(const clocks_seen *seen, const doctor_placed *p)
{
    double before = (double)(p->host_before_ns - p->start_ns);
    double after = (double)(p->end_ns - p->host_after_ns);
    double room = PLACE_WIDTHS * p->uncertainty_ns + PLACE_NS + seen->grid_ns;
    double turn_ns = doctor_turn_ns(&seen->found), shift = 0;
    if (!isinf(turn_ns))
        shift = turn_ns * nearbyint((before - after) / 2 / turn_ns);
    double worst = fmax(before - shift, after + shift);
    return worst > room ? worst : -1;
}

/* What all of them came to. */
typedef struct placing {
    size_t count, outside;
    double worst_ns, uncertainty_ns; /* 0 and unknown, if none lies outside */
} placing;

/* What lies where, across a new beginning, is no other fault. */
static placing look_at_places(const clocks_seen *seen, const doctor_order *order)
{
    placing found = {.uncertainty_ns = NAN};
    if (order->jumps || order->early_turns)
        return found;
    found.count = seen->placed_count;
    for (size_t i = 0; i < found.count; i++) {
        double by_ns = outside_ns(seen, &seen->placed[i]);
        found.outside += by_ns >= 0;
        if (by_ns <= found.worst_ns)
            continue;
        found.worst_ns = by_ns;
        found.uncertainty_ns = seen->placed[i].uncertainty_ns;
    }
    return found;
}

static void judge_place(const clocks_seen *seen, const placing *found, doctor_findings *out)
{
    if (found->count == 0)
        return;
    doctor_finding *f = doctor_next(out, "place",
                                    found->outside == 0               ? KT_SEVERITY_GOOD
                                    : found->worst_ns >= PLACE_BAD_NS ? KT_SEVERITY_FAULT
                                                                      : KT_SEVERITY_WARNING);
    doctor_value(f, "submissions", (double)found->count);
    doctor_value(f, "outside", (double)found->outside);
    doctor_value(f, "residual_ns", found->worst_ns);
    doctor_value(f, "uncertainty_ns", found->uncertainty_ns);
    if (found->outside == 0) {
        doctor_seen(f,
                    "placed on the host's clock, the stamps of all %zu submissions lie within them",
                    found->count);
        return;
    }
    doctor_seen(f,
                "placed on the host's clock, the stamps of %zu of %zu submissions lie outside of "
                "them, by up to %s",
                found->outside, found->count, DOCTOR_NS(found->worst_ns));
    if (sure_drift(seen) >= DRIFT_BAD_PPM) {
        doctor_means(f, "its clock runs at another rate than told (see drift), so much that it is "
                        "not followed as surely as is stated: traces show some at wrong places");
        return;
    }
    doctor_means(f, "stamps are of another clock than the one that is related to the host's, or of "
                    "another period: traces show them at wrong places");
    doctor_advise(f, "believe differences of stamps only as far as they agree with WALL");
}

static void judge_relation(const clocks_seen *seen, const placing *found, doctor_findings *out)
{
    const kt_clock_state *state = &seen->state;
    if (seen->open_status != KT_OK) {
        doctor_finding *f = doctor_next(out, "relation", KT_SEVERITY_WARNING);
        doctor_seen(f, "its relation to the host's clock was not found: %s", seen->open_error);
        doctor_means(f, "traces have no steps of this device");
        return;
    }
    doctor_finding *f =
        doctor_next(out, "relation", found->outside ? KT_SEVERITY_WARNING : KT_SEVERITY_GOOD);
    doctor_value(f, "uncertainty_ns", state->uncertainty_ns);
    doctor_value(f, "narrowest_ns", state->narrowest_ns);
    doctor_value(f, "pairs", (double)state->pairs);
    doctor_seen(f, "where its stamps lie on the host's clock is known by %s, within %s%s",
                state->source == KT_SOURCE_PAIRS      ? "pairs that the driver gives"
                : state->source == KT_SOURCE_BRACKETS ? "commands between two readings of it"
                                                      : "that clock itself",
                DOCTOR_NS(state->uncertainty_ns),
                found->outside ? "; but stamps were seen that do not fit" : "");
    if (found->outside)
        doctor_means(f, "they lie further from where they are placed than is told (see place)");
}

/* ---- rates ---- */

static void judge_drift(const clocks_seen *seen, doctor_findings *out)
{
    const doctor_rate *rate = &seen->whole;
    if (isnan(rate->ppm) || isnan(seen->told.period_ns))
        return;
    double surely = sure_drift(seen);
    doctor_finding *f = doctor_next(out, "drift",
                                    surely >= DRIFT_BAD_PPM    ? KT_SEVERITY_FAULT
                                    : surely >= DRIFT_WARN_PPM ? KT_SEVERITY_WARNING
                                    : surely >= DRIFT_NOTE_PPM ? KT_SEVERITY_NOTE
                                                               : KT_SEVERITY_GOOD);
    doctor_value(f, "drift_ppm", rate->ppm);
    doctor_value(f, "drift_error_ppm", rate->error_ppm);
    if (surely == 0) {
        doctor_seen(f, "its clock runs at the rate of %s, within %s ppm", host_clock(seen),
                    PPM(fabs(rate->ppm) + rate->error_ppm));
        return;
    }
    doctor_seen(f, "its clock runs %s +- %s ppm %s than told, by %s", PPM(fabs(rate->ppm)),
                PPM(rate->error_ppm), rate->ppm < 0 ? "slower" : "faster", host_clock(seen));
    if (surely >= DRIFT_WARN_PPM)
        doctor_means(f, "the driver tells a wrong period: device times are %s %% too %s",
                     PERCENT(fabs(rate->ppm) * 1e-4), rate->ppm < 0 ? "short" : "long");
    else
        doctor_means(f,
                     "device times are off by that share, which is too little to matter; kerntime "
                     "follows the clock where it places stamps");
    if (surely >= DRIFT_WARN_PPM)
        doctor_advise(f, "do not compare its device times with those of other devices; compare "
                         "WALL");
}

/* Nothing that was seen of so little work can be taken for what happens under load. */
static void tell_light_work(const clocks_seen *seen, doctor_finding *f)
{
    bool some_units = seen->units && seen->load_groups < seen->units;
    if (seen->load_ns >= LIGHT_NS && !some_units)
        return;
    f->severity = KT_SEVERITY_NOTE;
    if (isnan(seen->load_ns))
        doctor_means(f, "it was at work with nothing but stamps: whether its clock changes under "
                        "load was not seen");
    else if (some_units)
        doctor_means(f,
                     "that work was of %u group%s for %u compute units: whether its clock changes "
                     "under full load was not seen",
                     seen->load_groups, seen->load_groups == 1 ? "" : "s", seen->units);
    else
        doctor_means(f,
                     "that work was dispatches of %s, with pauses between them: whether its clock "
                     "changes under full load was not seen",
                     DOCTOR_NS(seen->load_ns));
}

static void judge_rate(const clocks_seen *seen, doctor_findings *out)
{
    const doctor_rate *idle = &seen->idle, *busy = &seen->busy;
    if (isnan(idle->ppm) || isnan(busy->ppm))
        return;
    double apart = busy->ppm - idle->ppm, error = idle->error_ppm + busy->error_ppm;
    bool differs = fabs(apart) > error + RATE_ROOM_PPM;
    doctor_finding *f = doctor_next(out, "rate",
                                    !differs                        ? KT_SEVERITY_GOOD
                                    : fabs(apart) >= DRIFT_BAD_PPM  ? KT_SEVERITY_FAULT
                                    : fabs(apart) >= DRIFT_WARN_PPM ? KT_SEVERITY_WARNING
                                                                    : KT_SEVERITY_NOTE);
    doctor_value(f, "idle_ppm", idle->ppm);
    doctor_value(f, "idle_error_ppm", idle->error_ppm);
    doctor_value(f, "busy_ppm", busy->ppm);
    doctor_value(f, "busy_error_ppm", busy->error_ppm);
    doctor_value(f, "load_ns", seen->load_ns);
    if (!differs) {
        doctor_seen(f, "idle and at work its clock runs at one rate, within %s ppm",
                    PPM(fabs(apart) + error));
        tell_light_work(seen, f);
        return;
    }
    doctor_seen(f, "at work its clock runs %s ppm %s than idle", PPM(fabs(apart)),
                apart < 0 ? "slower" : "faster");
    if (fabs(apart) >= DRIFT_WARN_PPM) {
        doctor_means(f, "it counts cycles of a clock that is not constant: ticks are of no fixed "
                        "length, and device times are wrong by as much");
        doctor_advise(f, "fix the device's frequency, or believe WALL");
        return;
    }
    doctor_means(f, "device times are off by that share, which is too little to matter");
    tell_light_work(seen, f);
}

static void judge_spread(const clocks_seen *seen, doctor_findings *out)
{
    double spread = seen->kernel_spread;
    if (isnan(spread))
        return;
    /* As many as make half the 95 % interval of a median, of a normal law, 1 % of it. */
    double samples = ceil(pow(1.96 * 1.2533 * spread / 0.01, 2));
    bool wide = spread >= SPREAD_NOTE && spread * seen->kernel_ns > seen->grid_ns;
    doctor_finding *f = doctor_next(out, "spread", wide ? KT_SEVERITY_NOTE : KT_SEVERITY_GOOD);
    doctor_value(f, "kernel_ns", seen->kernel_ns);
    doctor_value(f, "spread", spread);
    doctor_seen(f, "times of the same work of %s spread by %s %% from one submission to the next",
                DOCTOR_NS(seen->kernel_ns), PERCENT(spread * 100));
    if (!wide)
        return;
    doctor_means(f, "the median of its times is known to 1 %% after about %.0f samples", samples);
    if (samples > SAMPLES_USUAL)
        doctor_advise(f, "allow for that (--samples 10..%.0f), or quiet the machine", samples);
}

/* Which has neither ticks nor a place: of all above there is just one thing to say. */
static void judge_distances(doctor_findings *out)
{
    doctor_finding *f = doctor_next(out, "relation", KT_SEVERITY_NOTE);
    doctor_seen(f, "its clock tells how far two events are apart, and not when they were");
    doctor_means(f, "traces draw the steps of a submission in the middle of it; how a counter is "
                    "made, and whether it keeps its rate, cannot be seen: what its times are "
                    "worth shows where they are held against the host's (see agreement)");
}

void doctor_judge_clocks(const clocks_seen *seen, doctor_findings *out)
{
    if (kt_method_gives_distances(seen->told.method)) {
        judge_distances(out);
        judge_spread(seen, out);
        return;
    }
    doctor_order order;
    doctor_order_find(&seen->found, seen->grid_ns, seen->raw, seen->count, &order);
    judge_width(seen, &order, out);
    judge_resets(seen, &order, out);
    judge_period(seen, out);
    judge_domain(seen, out);
    judge_pairs(seen, out);
    const placing places = look_at_places(seen, &order);
    judge_relation(seen, &places, out);
    judge_place(seen, &places, out);
    judge_drift(seen, out);
    judge_rate(seen, out);
    judge_spread(seen, out);
}
