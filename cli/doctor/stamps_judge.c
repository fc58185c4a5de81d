/* What is found of a device's stamps: pure. */
#include "cli/doctor/judge.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define COARSE_NS 1000 /* a step that is longer limits what can be timed on any device, ... */
/* ... and one that is, and longer than told, is worth a warning as well */
#define UNLIKE_NS      100
#define FLOOR_NOTE_NS  10e3 /* kernels of some us are common, ... */
#define FLOOR_WARN_NS  1e6  /* ... those of a ms are what people want to time */
#define COST_NOTE_NS   1e3
#define COST_WARN_NS   10e3 /* as long as many kernels, and as what submitting them takes */
#define LOOSE_SHARE    0.2  /* of a submission: a cost that is known no better is not known */
#define USELESS_SHARE  0.5  /* of stamps that are spoilt: then what is left may be spoilt as well */
#define WEBGPU_STEP_NS 65536. /* that Dawn cuts stamps to */

static double told_tick_ns(const stamps_seen *seen)
{
    return isnan(seen->told.period_ns) ? seen->clock.period_ns : seen->told.period_ns;
}

static bool is_cut_by_dawn(const stamps_seen *seen)
{
    double steps = seen->ruler.grid_ns / WEBGPU_STEP_NS;
    return strcmp(seen->backend, "webgpu") == 0 && steps >= 1 && steps == floor(steps);
}

/* There is no tick that the grid could be unlike, and nothing to be seen of it where all is told
 * too coarsely. */
static void judge_grid_of_distances(const stamps_seen *seen, doctor_findings *out)
{
    double grid_ns = seen->ruler.grid_ns;
    bool coarse = grid_ns >= COARSE_NS;
    doctor_finding *f = doctor_next(out, "grid", coarse ? KT_SEVERITY_WARNING : KT_SEVERITY_GOOD);
    doctor_value(f, "grid_ns", grid_ns);
    if (isnan(grid_ns)) {
        f->severity = KT_SEVERITY_NOTE;
        doctor_seen(f, "in which steps times move was not seen: not one was short enough for its "
                       "float to show ns");
        return;
    }
    doctor_seen(f, "the distances of events move by %s", DOCTOR_NS(grid_ns));
    doctor_means(f,
                 "a time is wrong by up to %s, and one of seconds by what its float of ms leaves "
                 "open: 1 us at 8 s%s%s",
                 DOCTOR_NS(grid_ns),
                 coarse ? "; to be known within 1 %, work between two events must take " : "",
                 coarse ? DOCTOR_NS(100 * grid_ns) : "");
    if (coarse)
        doctor_advise(f, "time more work at once: larger sizes, or --trials");
}

static void judge_grid(const stamps_seen *seen, doctor_findings *out)
{
    double grid_ns = seen->ruler.grid_ns, tick_ns = told_tick_ns(seen);
    bool unlike = grid_ns >= 1.5 * tick_ns;
    bool coarse = grid_ns >= COARSE_NS || (unlike && grid_ns >= UNLIKE_NS);
    doctor_finding *f = doctor_next(out, "grid",
                                    coarse   ? KT_SEVERITY_WARNING
                                    : unlike ? KT_SEVERITY_NOTE
                                             : KT_SEVERITY_GOOD);
    doctor_value(f, "grid_ns", grid_ns);
    doctor_value(f, "tick_ns", tick_ns);
    if (is_cut_by_dawn(seen))
        doctor_seen(f, "stamps are cut to multiples of %.0f ns: quantisation is on", grid_ns);
    else if (unlike)
        doctor_seen(f, "stamps move by %s, though a tick is said to be %s long", DOCTOR_NS(grid_ns),
                    DOCTOR_NS(tick_ns));
    else
        doctor_seen(f, "stamps move by %s, one tick", DOCTOR_NS(grid_ns));
    if (unlike || coarse)
        doctor_means(
            f,
            "a time is wrong by up to %s: to be known within 1 %%, work between two stamps must "
            "take %s",
            DOCTOR_NS(grid_ns), DOCTOR_NS(100 * grid_ns));
    if (is_cut_by_dawn(seen))
        doctor_advise(f, "switch off the toggle timestamp_quantization of the device (in Chrome: "
                         "chrome://flags, WebGPU developer features)");
    else if (coarse)
        doctor_advise(f, "time more work at once: larger sizes, or --trials");
}

/* All else is looked at by the clock of empty steps and kernels. */
static void judge_copies(const kt_ruler *ruler, doctor_findings *out)
{
    if (!ruler->copy_clock[0])
        return;
    bool believed = !ruler->copy_why[0];
    doctor_finding *f =
        doctor_next(out, "copy_floor", believed ? KT_SEVERITY_GOOD : KT_SEVERITY_FAULT);
    doctor_value(f, "copy_floor_ns", ruler->copy_floor_ns);
    if (!believed) {
        doctor_seen(f, "stamped as copies are, by its clock \"%s\": %s", ruler->copy_clock,
                    ruler->copy_why);
        doctor_means(f, "there is no device time of copies; kernels have another clock");
        return;
    }
    double least_ns = fmax(fmax(ruler->copy_floor_ns, ruler->grid_ns), 0);
    doctor_seen(f,
                "stamped as copies are, by its clock \"%s\", an empty step spans %s; whether that "
                "clock keeps time was not tried",
                ruler->copy_clock, DOCTOR_NS(least_ns));
    doctor_means(f, "a copy that takes no longer is shown as < %s", DOCTOR_NS(least_ns));
}

static void judge_floor(const stamps_seen *seen, doctor_findings *out)
{
    double floor_ns = seen->ruler.floor_ns;
    doctor_finding *f = doctor_next(out, "floor",
                                    floor_ns >= FLOOR_WARN_NS   ? KT_SEVERITY_WARNING
                                    : floor_ns >= FLOOR_NOTE_NS ? KT_SEVERITY_NOTE
                                                                : KT_SEVERITY_GOOD);
    doctor_value(f, "floor_ns", floor_ns);
    if (isnan(floor_ns))
        doctor_seen(f, "no step of the clock fell into an empty step: it takes less than %s",
                    DOCTOR_NS(seen->ruler.grid_ns));
    else if (floor_ns < seen->ruler.grid_ns)
        doctor_seen(f, "an empty step spans %s, less than a step of the clock",
                    DOCTOR_NS(floor_ns));
    else
        doctor_seen(f, "with nothing between them two stamps are %s apart", DOCTOR_NS(floor_ns));
    doctor_means(f,
                 "a kernel that takes no longer cannot be told from nothing: it is shown as < %s",
                 DOCTOR_NS(fmax(floor_ns, seen->ruler.grid_ns)));
    if (floor_ns >= FLOOR_NOTE_NS)
        doctor_advise(f,
                      "device times are too long by up to that: by less than 10 %% from %s on; put "
                      "more work between two stamps (--trials)",
                      DOCTOR_NS(10 * floor_ns));
}

/* Whether the machine was too busy for a cost that matters to be seen, or not to be seen. */
static bool is_cost_unknown(const stamps_seen *seen, double cost_ns, double room_ns)
{
    bool loose = room_ns >= COST_WARN_NS ||
                 (room_ns >= COST_NOTE_NS && room_ns >= LOOSE_SHARE * seen->plain_ns);
    return loose && cost_ns - room_ns < COST_WARN_NS;
}

static void tell_cost(const stamps_seen *seen, doctor_finding *f, double cost_ns, double room_ns)
{
    if (is_cost_unknown(seen, cost_ns, room_ns))
        doctor_seen(f,
                    "what a pair of stamps costs the host is not known on so busy a machine: less "
                    "than %s, of an empty submission's %s",
                    DOCTOR_NS(fmax(room_ns, cost_ns + room_ns)), DOCTOR_NS(seen->plain_ns));
    else if (cost_ns <= room_ns)
        doctor_seen(
            f,
            "what a pair of stamps costs the host is too little to be seen: less than %s of an "
            "empty submission's %s",
            DOCTOR_NS(fmax(room_ns, cost_ns + room_ns)), DOCTOR_NS(seen->plain_ns));
    else
        doctor_seen(f,
                    "a pair of stamps makes an empty submission %s longer by the host (%s, not %s)",
                    DOCTOR_NS(cost_ns), DOCTOR_NS(seen->stamped_ns), DOCTOR_NS(seen->plain_ns));
}

/* Of that cost the device's own time holds no more than the floor, which is what tells how far it
 * is off. */
static void judge_cost(const stamps_seen *seen, doctor_findings *out)
{
    double cost_ns = seen->stamped_ns - seen->plain_ns;
    double room_ns = 2 * hypot(seen->stamped_error_ns, seen->plain_error_ns);
    double surely_ns = cost_ns - room_ns;
    if (isnan(surely_ns))
        return;
    bool unknown = is_cost_unknown(seen, cost_ns, room_ns), high = surely_ns >= COST_WARN_NS;
    doctor_finding *f = doctor_next(out, "stamp_cost",
                                    high                                   ? KT_SEVERITY_WARNING
                                    : unknown || surely_ns >= COST_NOTE_NS ? KT_SEVERITY_NOTE
                                                                           : KT_SEVERITY_GOOD);
    doctor_value(f, "stamp_cost_ns", cost_ns);
    doctor_value(f, "stamp_cost_error_ns", room_ns);
    doctor_value(f, "wall_stamped_ns", seen->stamped_ns);
    doctor_value(f, "wall_ns", seen->plain_ns);
    tell_cost(seen, f, cost_ns, room_ns);
    if (unknown) {
        doctor_means(f, "whether wall times of stamped and unstamped programs can be compared is "
                        "open; kerntime's WALL is of submissions without stamps");
        doctor_advise(f, "run the doctor again when the machine does nothing else");
    } else if (surely_ns >= COST_NOTE_NS) {
        doctor_means(
            f,
            "kerntime's WALL is of submissions without stamps and does not have it; in a program "
            "of your own each pair costs %s of the host's time",
            DOCTOR_NS(cost_ns));
        if (high)
            doctor_advise(f, "stamp whole batches, not each kernel, and do not compare wall times "
                             "of programs with stamps and without");
    }
}

/* What a state of a stamp means for whoever reads the driver's answers himself. */
static const char *state_means(kt_stamp_state state, bool distances)
{
    if (distances && state == KT_STAMP_AMBIGUOUS)
        return "they are longer than the host saw it take";
    switch (state) {
    case KT_STAMP_NOT_READY: return "the work was done and its stamps were not there yet";
    case KT_STAMP_ZERO: return "the driver answered success and wrote nothing";
    case KT_STAMP_ERROR: return "the driver answered an error";
    case KT_STAMP_NEGATIVE: return "the end lies before the start";
    case KT_STAMP_OUT_OF_ORDER: return "stamps of one command lie in an order that cannot be";
    case KT_STAMP_LOST: return "they were never written";
    case KT_STAMP_OVERWRITTEN: return "they were written again before they were read";
    case KT_STAMP_AMBIGUOUS:
        return "the counter turned over or began anew, and nothing tells how long that took";
    default: return "they are of no use";
    }
}

static const char *state_advice(kt_stamp_state state, bool most, bool distances)
{
    if (state == KT_STAMP_AMBIGUOUS && !distances)
        return most ? "believe WALL on this device: its counter is too narrow, or begins anew too "
                      "often, to time anything"
                    : "keep timed work shorter than a turn of the counter (see width)";
    return most ? "believe WALL on this device, and ask for a newer driver"
                : "look at the state of each stamp in a program of your own; try a newer driver";
}

static void judge_states(const stamps_seen *seen, doctor_findings *out)
{
    uint32_t counts[KT_STAMP_STATE_COUNT] = {0}, bad = 0;
    kt_stamp_state most = KT_STAMP_OK;
    for (size_t i = 0; i < seen->count; i++)
        counts[seen->raw[i].state]++;
    for (int state = 1; state < KT_STAMP_STATE_COUNT; state++) {
        bad += counts[state];
        if (counts[state] > 0 && (most == KT_STAMP_OK || counts[state] > counts[most]))
            most = (kt_stamp_state)state;
    }
    if (seen->count == 0)
        return;
    bool distances = kt_method_gives_distances(seen->clock.method);
    double share = (double)bad / (double)seen->count;
    doctor_finding *f = doctor_next(out, "states",
                                    bad == 0                 ? KT_SEVERITY_GOOD
                                    : share <= USELESS_SHARE ? KT_SEVERITY_WARNING
                                                             : KT_SEVERITY_FAULT);
    doctor_value(f, "submissions", (double)seen->count);
    for (int state = 1; state < KT_STAMP_STATE_COUNT; state++)
        if (counts[state] > 0)
            doctor_value(f, kt_stamp_state_name((kt_stamp_state)state), counts[state]);
    if (bad == 0) {
        doctor_seen(f, "all %zu pairs of stamps were usable: none missing, zero or negative",
                    seen->count);
        return;
    }
    doctor_seen(f, "%u of %zu pairs of stamps were of no use, %u of them \"%s\": %s", bad,
                seen->count, counts[most], kt_stamp_state_name(most), state_means(most, distances));
    doctor_means(f, "kerntime counts them and leaves them out; a program that does not look gets "
                    "times that are nonsense");
    doctor_advise(f, "%s", state_advice(most, share > USELESS_SHARE, distances));
}

static void judge_order(const stamps_seen *seen, doctor_findings *out)
{
    doctor_order order;
    doctor_order_find(&seen->clock, seen->ruler.grid_ns, seen->raw, seen->count, &order);
    if (order.compared == 0)
        return;
    doctor_finding *f =
        doctor_next(out, "order", order.misplaced ? KT_SEVERITY_FAULT : KT_SEVERITY_GOOD);
    doctor_value(f, "compared", order.compared);
    doctor_value(f, "misplaced", order.misplaced);
    if (order.misplaced == 0) {
        doctor_seen(f,
                    "of %u submissions one after another each began after the one before it ended",
                    order.compared + 1);
        return;
    }
    doctor_value(f, "misplaced_ns", order.misplaced_ns);
    doctor_seen(f,
                "by their stamps %u of %u submissions did not run between those before and after "
                "them: off by up to %s",
                order.misplaced, order.compared + 1, DOCTOR_NS(order.misplaced_ns));
    doctor_means(f, "they ran one after another, so stamps are wrong by as much");
    doctor_advise(f, "believe WALL on this device");
}

static void judge_steps(const stamps_seen *seen, doctor_findings *out)
{
    doctor_neighbours found;
    doctor_neighbours_find(&seen->clock, seen->ruler.grid_ns, seen->steps, STEPS_COUNT,
                           seen->steps_count, &found);
    if (found.compared == 0)
        return;
    doctor_finding *f = doctor_next(out, "steps",
                                    found.swapped    ? KT_SEVERITY_FAULT
                                    : found.overlaps ? KT_SEVERITY_WARNING
                                                     : KT_SEVERITY_GOOD);
    doctor_value(f, "compared", found.compared);
    doctor_value(f, "overlaps", found.overlaps);
    doctor_value(f, "swapped", found.swapped);
    doctor_value(f, "step_ns", seen->step_ns);
    if (found.overlaps == 0) {
        doctor_seen(f, "of %u steps in one submission each began after the one before it ended%s%s",
                    STEPS_COUNT, isnan(seen->step_ns) ? "" : "; a step with its stamps takes ",
                    isnan(seen->step_ns) ? "" : DOCTOR_NS(fmax(0, seen->step_ns)));
        return;
    }
    doctor_value(f, "overlap_ns", found.overlap_ns);
    doctor_seen(f, "of %u pairs of neighbouring steps in one submission %u overlap, by up to %s%s",
                found.compared, found.overlaps, DOCTOR_NS(found.overlap_ns),
                found.swapped ? "; some begin before the one before them began" : "");
    doctor_means(f, "steps of a submission run one after another: a part of one's time belongs to "
                    "its neighbour, or stamps are wrong by as much");
    doctor_advise(f, "time each step in a submission of its own, or all of them by their span");
}

static void judge_believed(const stamps_seen *seen, doctor_findings *out)
{
    doctor_finding *f = doctor_next(out, "believed", KT_SEVERITY_FAULT);
    doctor_value(f, "overhead_ns", seen->ruler.overhead_ns);
    doctor_seen(f, "%s", seen->ruler.why);
    doctor_means(f, "there is no device time; all times are WALL, and an empty submission takes %s",
                 DOCTOR_NS(seen->ruler.overhead_ns));
    if (seen->has_clock)
        doctor_advise(f, "believe no other tool's device times of this driver either");
}

void doctor_judge_stamps(const stamps_seen *seen, doctor_findings *out)
{
    if (!seen->ruler.believed) {
        judge_believed(seen, out);
        return;
    }
    if (kt_method_gives_distances(seen->clock.method))
        judge_grid_of_distances(seen, out);
    else
        judge_grid(seen, out);
    judge_floor(seen, out);
    judge_copies(&seen->ruler, out);
    judge_cost(seen, out);
    judge_states(seen, out);
    judge_order(seen, out);
    judge_steps(seen, out);
}
