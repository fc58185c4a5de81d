/* SPDX-License-Identifier: MIT */
/* clocks_judge.c - judges the observations of a device's clock. Pure. */
#include "cli/doctor/judge.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define SHORT_TURN_NS   1e9    /* wrap time below which kernels may outlast a wrap */
#define LONG_TURN_NS    3600e9 /* wrap time that no kernel reaches */
#define WIDE_PAIR_NS    10e3
#define USELESS_PAIR_NS 1e6
#define DRIFT_NOTE_PPM  10    /* accuracy of quartz clocks */
#define DRIFT_WARN_PPM  1000  /* drift of 0.1 %: visible in comparisons */
#define DRIFT_BAD_PPM   10e3  /* drift of 1 %: as large as differences of interest */
#define RATE_ROOM_PPM   5     /* the system may adjust host clocks by this much */
#define LIGHT_NS        100e3 /* shorter dispatches leave the device idle in between */
#define PLACE_WIDTHS    3     /* a timestamp may lie outside by this many stated uncertainties */
#define PLACE_NS        1000  /* added to PLACE_WIDTHS uncertainties, in ns */
#define PLACE_BAD_NS    1e6   /* misplacement that makes traces unreadable */
#define SPREAD_NOTE     0.02  /* scatter of equal work at which a median needs many samples */
#define SAMPLES_USUAL   1000  /* default maximum of samples of a series */

/* Formats parts per million, clipped at 0, with useful precision. Lives until the end of the
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

static void put_width(const clocks_seen *seen, doctor_diagnostic *f, double turn_ns,
                      uint32_t moved_bits)
{
    const kt_clock_info *clock = &seen->found;
    if (seen->reported.valid_bits == 0 && clock->valid_bits == 0)
        doctor_seen(f, "counter width not reported; at least %u bits", clock->valid_bits_min);
    else if (seen->reported.valid_bits == 0 &&
             isinf(turn_ns)) /* no counter was seen to be this wide */
        doctor_seen(f, "counter width not reported; it is the host's clock: 64 bits, never wraps");
    else if (seen->reported.valid_bits == 0)
        doctor_seen(f, "counter width not reported; measured %u bits, wraps every %s",
                    clock->valid_bits, DOCTOR_NS(turn_ns));
    else if (isinf(turn_ns))
        doctor_seen(f, "counter width 64 bits, never wraps; the lowest %u bits changed",
                    moved_bits);
    else
        doctor_seen(f, "counter width %u bits, wraps every %s; the lowest %u bits changed",
                    clock->valid_bits, DOCTOR_NS(turn_ns), moved_bits);
}

/* The driver reports more bits than the counter has. A program that trusts the driver mistakes a
 * wrap for a reset. */
static void judge_false_width(const clocks_seen *seen, const doctor_order *order,
                              doctor_diagnostics *out)
{
    double turn_ns = ldexp(seen->found.period_ns, (int)order->early_bits);
    doctor_diagnostic *f = doctor_next(out, "width", KT_SEVERITY_FAULT);
    doctor_value(f, "valid_bits_reported", seen->reported.valid_bits);
    doctor_value(f, "valid_bits", order->early_bits);
    doctor_value(f, "turn_ns", turn_ns);
    doctor_value(f, "turns_seen", order->early_turns);
    doctor_seen(
        f, "the driver reports a counter width of %u bits, but it wrapped after %u bits: every %s",
        seen->reported.valid_bits, order->early_bits, DOCTOR_NS(turn_ns));
    doctor_means(f,
                 "a time across a wrap is discarded or wrong; traces are misplaced after a wrap");
    doctor_advise(f, "compare device times with wall times; try a newer driver");
}

static void judge_width(const clocks_seen *seen, const doctor_order *order, doctor_diagnostics *out)
{
    double turn_ns = doctor_turn_ns(&seen->found);
    uint64_t turns = seen->open_status == KT_OK && seen->state.wraps > order->turns
                         ? seen->state.wraps
                         : order->turns;
    bool sure = seen->reported.valid_bits > 0 || seen->found.valid_bits == 64;
    bool reported = seen->reported.valid_bits > 0;
    if (order->early_turns) {
        judge_false_width(seen, order, out);
        return;
    }
    doctor_diagnostic *f = doctor_next(out, "width",
                                       turn_ns < SHORT_TURN_NS           ? KT_SEVERITY_WARNING
                                       : turn_ns < LONG_TURN_NS || !sure ? KT_SEVERITY_NOTE
                                                                         : KT_SEVERITY_GOOD);
    doctor_value(f, "valid_bits_reported", reported ? seen->reported.valid_bits : NAN);
    doctor_value(f, "valid_bits", seen->found.valid_bits ? seen->found.valid_bits : NAN);
    doctor_value(f, "valid_bits_min",
                 seen->found.valid_bits_min ? seen->found.valid_bits_min : NAN);
    doctor_value(f, "turn_ns", isinf(turn_ns) ? NAN : turn_ns);
    doctor_value(f, "moved_bits", order->moved_bits);
    doctor_value(f, "turns_seen", (double)turns);
    put_width(seen, f, turn_ns, order->moved_bits);
    if (seen->found.valid_bits == 0)
        doctor_means(f, "times that may contain a wrap are discarded until a wrap was seen");
    else if (turn_ns < SHORT_TURN_NS)
        doctor_means(f, "times of longer kernels are discarded as \"ambiguous\" if the host's "
                        "clock cannot count the wraps");
    else if (turn_ns < LONG_TURN_NS)
        doctor_means(
            f,
            "subtracting timestamps across a wrap gives a wrong time; kerntime corrects for wraps");
    if (seen->found.valid_bits && turn_ns < SHORT_TURN_NS)
        doctor_advise(f, "split work that takes longer than %s", DOCTOR_NS(turn_ns));
}

static void judge_resets(const clocks_seen *seen, const doctor_order *order,
                         doctor_diagnostics *out)
{
    if (order->jumps == 0)
        return;
    doctor_diagnostic *f = doctor_next(out, "reset", KT_SEVERITY_FAULT);
    doctor_value(f, "resets", order->jumps);
    doctor_value(f, "submissions", (double)seen->count);
    doctor_seen(f, "the counter reset %u time%s within %zu submissions", order->jumps,
                order->jumps == 1 ? "" : "s", seen->count);
    doctor_means(
        f, "a time across a reset is discarded as \"ambiguous\", or is too short without notice");
    doctor_advise(f, "compare device times with wall times; check whether the device suspends");
}

/* ---- identity of the clock ---- */

static void judge_period(const clocks_seen *seen, doctor_diagnostics *out)
{
    if (!isnan(seen->reported.period_ns))
        return;
    char reported[64];
    uint32_t whole_ns = seen->reported.reported_period_ns;
    const char *way = seen->found.period_source == KT_SOURCE_CALIBRATED_TIMESTAMPS
                          ? "calibrated timestamps"
                          : "bracketed submissions";
    snprintf(reported, sizeof reported, "reported in whole ns (%u)", whole_ns);
    doctor_diagnostic *f = doctor_next(out, "period", KT_SEVERITY_NOTE);
    doctor_value(f, "period_ns", seen->found.period_ns);
    if (whole_ns)
        doctor_value(f, "period_reported_ns", whole_ns);
    doctor_seen(f, "tick length %s; measured by %s: %.9g ns", whole_ns ? reported : "not reported",
                way, seen->found.period_ns);
    doctor_means(f, "device times have the error of this measurement");
}

static void judge_pairs(const clocks_seen *seen, doctor_diagnostics *out)
{
    if (seen->pair_status == KT_OK) {
        doctor_diagnostic *f = doctor_next(out, "calibration",
                                           seen->pair_ns >= USELESS_PAIR_NS ? KT_SEVERITY_WARNING
                                           : seen->pair_ns >= WIDE_PAIR_NS  ? KT_SEVERITY_NOTE
                                                                            : KT_SEVERITY_GOOD);
        doctor_value(f, "pair_ns", seen->pair_ns);
        doctor_seen(f, "device and host clock are read within %s of each other",
                    DOCTOR_NS(seen->pair_ns));
        if (seen->pair_ns >= WIDE_PAIR_NS)
            doctor_means(
                f, "converting a timestamp to host time has an error of at least half of that");
        return;
    }
    bool ordinary = seen->pair_status == KT_UNSUPPORTED;
    doctor_diagnostic *f =
        doctor_next(out, "calibration", ordinary ? KT_SEVERITY_NOTE : KT_SEVERITY_FAULT);
    doctor_seen(f, "the driver has no calibrated timestamps: %s", seen->pair_error);
    doctor_means(f, ordinary
                        ? "kerntime uses bracketed submissions to convert timestamps to host time"
                        : "the driver offers them, but the call fails");
}

static void judge_domain(const clocks_seen *seen, doctor_diagnostics *out)
{
    const kt_clock_info *clock = &seen->found;
    bool settable = strcmp(clock->domain, kt_host_domain_name(KT_HOST_REALTIME)) == 0;
    doctor_diagnostic *f =
        doctor_next(out, "domain", settable ? KT_SEVERITY_NOTE : KT_SEVERITY_GOOD);
    if (!clock->domain[0]) {
        doctor_seen(f, "the device clock is not a clock of the host");
        doctor_means(
            f,
            "device and host times cannot be subtracted; traces convert timestamps (see relation)");
        return;
    }
    doctor_seen(f, "the device clock is the host's %s (%s)", clock->domain,
                clock->relation_source == KT_SOURCE_REPORTED ? "reported"
                : clock->relation_source == KT_SOURCE_CALIBRATED_TIMESTAMPS
                    ? "by calibrated timestamps"
                    : "by bracketed submissions");
    if (strcmp(clock->domain, kt_host_domain_name(KT_HOST_MONOTONIC_RAW)) == 0)
        doctor_means(f, "device and host times are comparable, %s",
                     clock->relation_source == KT_SOURCE_REPORTED
                         ? "to the ns"
                         : "within the uncertainty of that measurement");
    else if (settable)
        doctor_means(f, "setting that clock during a kernel makes its device time and its place in "
                        "traces wrong");
    else if (strcmp(clock->domain, kt_host_domain_name(KT_HOST_UPTIME_RAW)) == 0)
        doctor_means(f, "it stops during suspend; traces convert it to CLOCK_MONOTONIC_RAW, which "
                        "does not stop");
    else
        doctor_means(f, "the host adjusts its rate; traces convert it to CLOCK_MONOTONIC_RAW, "
                        "which is never adjusted");
}

/* The clock's certain rate error in ppm; 0: possibly right, or unknown. */
static double sure_drift(const clocks_seen *seen)
{
    const doctor_rate *rate = &seen->whole;
    if (isnan(rate->ppm) || isnan(seen->reported.period_ns))
        return 0;
    return fmax(0, fabs(rate->ppm) - rate->error_ppm);
}

/* The host clock whose rate the device's clock should have. */
static const char *host_clock(const clocks_seen *seen)
{
    return seen->found.domain[0] ? seen->found.domain : "the host's clock";
}

/* ---- position of timestamps ---- */

/* Distance of a timestamp outside its submission, after the stated uncertainty and wraps; below 0:
 * inside. */
static double outside_ns(const clocks_seen *seen, const doctor_placed *p)
{
    double before = (double)(p->host_before_ns - p->start_ns);
    double after = (double)(p->end_ns - p->host_after_ns);
    double room =
        PLACE_WIDTHS * p->uncertainty_ns + PLACE_NS + fmax(seen->resolution_ns, seen->host_step_ns);
    double turn_ns = doctor_turn_ns(&seen->found), shift = 0;
    if (!isinf(turn_ns))
        shift = turn_ns * nearbyint((before - after) / 2 / turn_ns);
    double worst = fmax(before - shift, after + shift);
    return worst > room ? worst : -1;
}

/* Positions of all timestamps relative to their submissions: counts and the worst one. */
typedef struct placing {
    size_t count, outside;
    double worst_ns, uncertainty_ns; /* 0 and NaN if no timestamp is outside */
} placing;

/* Skips timestamps across a counter reset, which is a fault of its own. */
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

static void judge_place(const clocks_seen *seen, const placing *found, doctor_diagnostics *out)
{
    if (found->count == 0)
        return;
    doctor_diagnostic *f = doctor_next(out, "placement",
                                       found->outside == 0               ? KT_SEVERITY_GOOD
                                       : found->worst_ns >= PLACE_BAD_NS ? KT_SEVERITY_FAULT
                                                                         : KT_SEVERITY_WARNING);
    doctor_value(f, "submissions", (double)found->count);
    doctor_value(f, "outside", (double)found->outside);
    doctor_value(f, "residual_ns", found->worst_ns);
    doctor_value(f, "uncertainty_ns", found->uncertainty_ns);
    if (found->outside == 0) {
        doctor_seen(f, "timestamps of all %zu submissions lie between submit and completion",
                    found->count);
        return;
    }
    doctor_seen(
        f,
        "timestamps of %zu of %zu submissions lie before submit or after completion, by up to %s",
        found->outside, found->count, DOCTOR_NS(found->worst_ns));
    if (sure_drift(seen) >= DRIFT_BAD_PPM) {
        doctor_means(f,
                     "the clock drifts too fast to be followed (see drift); traces are misplaced");
        return;
    }
    doctor_means(
        f, "timestamps use another clock or period than calibration shows; traces are misplaced");
    doctor_advise(f, "trust device times only where they agree with wall times");
}

static void judge_relation(const clocks_seen *seen, const placing *found, doctor_diagnostics *out)
{
    const kt_clock_state *state = &seen->state;
    if (seen->open_status != KT_OK) {
        doctor_diagnostic *f = doctor_next(out, "relation", KT_SEVERITY_WARNING);
        doctor_seen(f, "timestamps cannot be converted to host time: %s", seen->open_error);
        doctor_means(f, "traces do not show the work of this device");
        return;
    }
    doctor_diagnostic *f =
        doctor_next(out, "relation", found->outside ? KT_SEVERITY_WARNING : KT_SEVERITY_GOOD);
    doctor_value(f, "uncertainty_ns", state->uncertainty_ns);
    doctor_value(f, "narrowest_ns", state->narrowest_ns);
    doctor_value(f, "calibrated_timestamps", (double)state->pairs);
    doctor_seen(f, "timestamps convert to host time within %s (%s)%s",
                DOCTOR_NS(state->uncertainty_ns),
                state->source == KT_SOURCE_CALIBRATED_TIMESTAMPS   ? "calibrated timestamps"
                : state->source == KT_SOURCE_BRACKETED_SUBMISSIONS ? "bracketed submissions"
                                                                   : "same clock",
                found->outside ? "; some timestamps do not fit" : "");
    if (found->outside)
        doctor_means(f, "the true error is larger than stated (see placement)");
}

/* ---- rates ---- */

static void judge_drift(const clocks_seen *seen, doctor_diagnostics *out)
{
    const doctor_rate *rate = &seen->whole;
    if (isnan(rate->ppm) || isnan(seen->reported.period_ns))
        return;
    double surely = sure_drift(seen);
    doctor_diagnostic *f = doctor_next(out, "drift",
                                       surely >= DRIFT_BAD_PPM    ? KT_SEVERITY_FAULT
                                       : surely >= DRIFT_WARN_PPM ? KT_SEVERITY_WARNING
                                       : surely >= DRIFT_NOTE_PPM ? KT_SEVERITY_NOTE
                                                                  : KT_SEVERITY_GOOD);
    doctor_value(f, "drift_ppm", rate->ppm);
    doctor_value(f, "drift_error_ppm", rate->error_ppm);
    if (surely == 0) {
        doctor_seen(f, "drift of the device clock below %s ppm, against %s",
                    PPM(fabs(rate->ppm) + rate->error_ppm), host_clock(seen));
        return;
    }
    doctor_seen(f, "the device clock runs %s +- %s ppm %s than reported, against %s",
                PPM(fabs(rate->ppm)), PPM(rate->error_ppm), rate->ppm < 0 ? "slower" : "faster",
                host_clock(seen));
    if (surely >= DRIFT_WARN_PPM)
        doctor_means(f, "the driver reports a wrong tick length: device times are %s %% too %s",
                     PERCENT(fabs(rate->ppm) * 1e-4), rate->ppm < 0 ? "short" : "long");
    else
        doctor_means(
            f, "device times are wrong by that share, which is negligible; traces correct for it");
    if (surely >= DRIFT_WARN_PPM)
        doctor_advise(f, "compare this device with other devices by wall time");
}

/* Notes a load too small to prove anything about the clock under load. */
static void tell_light_work(const clocks_seen *seen, doctor_diagnostic *f)
{
    bool some_units = seen->units && seen->load_groups < seen->units;
    if (seen->load_ns >= LIGHT_NS && !some_units)
        return;
    f->severity = KT_SEVERITY_NOTE;
    if (isnan(seen->load_ns))
        doctor_means(f,
                     "the load was empty submissions: the clock rate under full load is unknown");
    else if (some_units)
        doctor_means(f,
                     "the load was %u group%s for %u compute units: the clock rate under full load "
                     "is unknown",
                     seen->load_groups, seen->load_groups == 1 ? "" : "s", seen->units);
    else
        doctor_means(
            f,
            "the load was dispatches of %s with pauses: the clock rate under full load is unknown",
            DOCTOR_NS(seen->load_ns));
}

static void judge_rate(const clocks_seen *seen, doctor_diagnostics *out)
{
    const doctor_rate *idle = &seen->idle, *busy = &seen->busy;
    if (isnan(idle->ppm) || isnan(busy->ppm))
        return;
    double apart = busy->ppm - idle->ppm, error = idle->error_ppm + busy->error_ppm;
    bool differs = fabs(apart) > error + RATE_ROOM_PPM;
    doctor_diagnostic *f = doctor_next(out, "rate",
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
        doctor_seen(f, "the clock rate is the same idle and under load, within %s ppm",
                    PPM(fabs(apart) + error));
        tell_light_work(seen, f);
        return;
    }
    doctor_seen(f, "under load the device clock runs %s ppm %s than idle", PPM(fabs(apart)),
                apart < 0 ? "slower" : "faster");
    if (fabs(apart) >= DRIFT_WARN_PPM) {
        doctor_means(
            f, "the counter follows a variable frequency: device times are wrong by that share");
        doctor_advise(f, "lock the frequency of the device, or use wall times");
        return;
    }
    doctor_means(f, "device times are wrong by that share, which is negligible");
    tell_light_work(seen, f);
}

static void judge_spread(const clocks_seen *seen, doctor_diagnostics *out)
{
    double spread = seen->kernel_spread;
    if (isnan(spread))
        return;
    /* Samples for which half the 95 % interval of the median is 1 % of it, for normal noise. */
    double samples = ceil(pow(1.96 * 1.2533 * spread / 0.01, 2));
    bool wide = spread >= SPREAD_NOTE && spread * seen->kernel_ns > seen->resolution_ns;
    doctor_diagnostic *f = doctor_next(out, "spread", wide ? KT_SEVERITY_NOTE : KT_SEVERITY_GOOD);
    doctor_value(f, "kernel_ns", seen->kernel_ns);
    doctor_value(f, "spread", spread);
    doctor_seen(f, "times of identical work of %s vary by %s %% (robust standard deviation)",
                DOCTOR_NS(seen->kernel_ns), PERCENT(spread * 100));
    if (!wide)
        return;
    doctor_means(f, "a median within 1 %% needs about %.0f samples", samples);
    if (samples > SAMPLES_USUAL)
        doctor_advise(f, "allow that many samples (--samples 10..%.0f), or use a quieter machine",
                      samples);
}

/* An elapsed-only clock has neither ticks nor positions, so one diagnostic replaces all above. */
static void judge_elapsed_only(doctor_diagnostics *out)
{
    doctor_diagnostic *f = doctor_next(out, "relation", KT_SEVERITY_NOTE);
    doctor_seen(f,
                "elapsed-only clock: it gives the time between two events, not when they happened");
    doctor_means(f, "traces center the work within its submission; width and drift cannot be "
                    "checked (see agreement)");
}

void doctor_judge_clocks(const clocks_seen *seen, doctor_diagnostics *out)
{
    if (kt_method_is_elapsed_only(seen->reported.method)) {
        judge_elapsed_only(out);
        judge_spread(seen, out);
        return;
    }
    doctor_order order;
    doctor_order_find(&seen->found, fmax(seen->resolution_ns, seen->host_step_ns), seen->raw,
                      seen->count, &order);
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
