/* SPDX-License-Identifier: MIT */
/* host.c - checks the other load on the host, the governor of its cores' frequency, and the clock
 * that scopes read. */
#include "cli/doctor/host.h"

#include "cli/doctor/doctor.h"

#include <math.h>
#include <string.h>

/* Share of all cores that other processes may use; an idle desktop stays below it. */
#define OTHERS_SHARE 0.1
/* Load average that shows other processes where the system does not report their CPU time. */
#define LOAD_MIN 0.5

doctor_background doctor_judge_background(const kt_host_state *before, const kt_host_state *after)
{
    doctor_background b = {.cores = after->cores, .others = kt_host_others(before, after)};
    b.load = before->load; /* the last minute before this program worked */
    if (!isnan(b.others) && b.cores > 0)
        b.busy = b.others >= OTHERS_SHARE * b.cores;
    else
        b.busy = b.load >= LOAD_MIN;
    return b;
}

/* Which times suffer from the host: all of them if its cores are the device. */
static const char *whose_times(const doctor *d)
{
    return d->info->type == KT_DEVICE_CPU ? "the times of this device, which uses the same cores,"
                                          : "wall times";
}

static kt_status tell_background(doctor *d, const kt_host_state *after)
{
    const doctor_background b = doctor_judge_background(&d->host_before, after);
    d->busy = b.busy;
    doctor_diagnostic f =
        doctor_begin("background", b.busy ? KT_SEVERITY_WARNING : KT_SEVERITY_GOOD);
    if (!isnan(b.others) && b.cores > 0)
        doctor_seen(&f, "other processes used %.1f of %u core%s during the checks", b.others,
                    b.cores, b.cores == 1 ? "" : "s");
    else if (!isnan(b.load))
        doctor_seen(&f, "the load average was %.1f before the checks", b.load);
    else
        doctor_seen(&f, "the system does not report the load of other processes");
    if (b.busy) {
        doctor_means(&f, "%s vary with this load; so may the results above", whose_times(d));
        doctor_advise(&f, "use a quieter machine, or compare only times of the same hour");
    }
    doctor_value(&f, "others_cores", b.others);
    doctor_value(&f, "cores", b.cores ? (double)b.cores : NAN);
    doctor_value(&f, "load", b.load);
    return doctor_add(d, &f);
}

/* Linux governors without a fixed high frequency choose it by load, or a low one. */
bool doctor_governor_holds(const char *governor)
{
    return strcmp(governor, "performance") == 0 || strcmp(governor, "userspace") == 0;
}

static kt_status tell_governor(doctor *d, const kt_host_state *after)
{
    char frequency[48] = "";
    bool holds = doctor_governor_holds(after->governor);
    doctor_diagnostic f = doctor_begin("governor", holds ? KT_SEVERITY_GOOD : KT_SEVERITY_WARNING);
    if (after->frequency_hz > 0)
        snprintf(frequency, sizeof frequency, "; the fastest core ran at %.2f GHz",
                 after->frequency_hz / 1e9);
    doctor_seen(&f, "the frequency governor of the host's cores is \"%s\"%s", after->governor,
                frequency);
    if (!holds) {
        doctor_means(&f, "the frequency of the cores follows their load: %s vary",
                     d->info->type == KT_DEVICE_CPU ? "times of this device" : "wall times");
        doctor_advise(
            &f,
            "run cpupower frequency-set -g performance, or compare only interleaved measurements");
    }
    doctor_value(&f, "frequency_hz", after->frequency_hz);
    return doctor_add(d, &f);
}

char *doctor_scope_clock_text(char out[SCOPE_CLOCK_BYTES], const kt_cycles_info *clock)
{
    char cores[64] = "cores not compared", within[24];
    if (!clock->counter) {
        snprintf(out, SCOPE_CLOCK_BYTES, "%s: %s", clock->name, clock->reason);
        return out;
    }
    if (!isnan(clock->cores_apart_ns))
        snprintf(cores, sizeof cores, "%u of %u cores within %s", clock->cores_checked,
                 clock->cores, kt_format_ns(within, sizeof within, clock->cores_apart_ns));
    double ppm = clock->period_uncertainty_ns / clock->period_ns * 1e6;
    snprintf(out, SCOPE_CLOCK_BYTES,
             ppm >= 10 ? "%s, tick %.7g ns within %.0f ppm, %s: %s"
                       : "%s, tick %.9g ns within %.2g ppm, %s: %s",
             clock->name, clock->period_ns, ppm, cores, clock->reason);
    return out;
}

doctor_diagnostic doctor_judge_scope_clock(const kt_cycles_info *clock)
{
    char text[SCOPE_CLOCK_BYTES];
    doctor_diagnostic f =
        doctor_begin("scope_clock", clock->counter ? KT_SEVERITY_GOOD : KT_SEVERITY_NOTE);
    doctor_seen(&f, "scopes read %s", doctor_scope_clock_text(text, clock));
    if (clock->counter) {
        doctor_value(&f, "period_ns", clock->period_ns);
        doctor_value(&f, "period_uncertainty_ns", clock->period_uncertainty_ns);
        doctor_value(&f, "uncertainty_ns", clock->uncertainty_ns);
        doctor_value(&f, "cores_apart_ns", clock->cores_apart_ns);
    } else {
        doctor_means(&f, "KT_SCOPE costs two calls of the system's clock");
    }
    return f;
}

static kt_status tell_scope_clock(doctor *d)
{
    kt_cycles_info clock;
    if (strcmp(d->info->backend, "cpu") != 0 || kt_cycles_get_info(&clock) != KT_OK)
        return KT_OK;
    doctor_diagnostic f = doctor_judge_scope_clock(&clock);
    return doctor_add(d, &f);
}

kt_status doctor_check_host(doctor *d)
{
    kt_host_state after;
    if (d->info->type == KT_DEVICE_SIMULATED) /* simulated time does not depend on this machine */
        return KT_OK;
    kt_host_state_read(&after);
    kt_status status = tell_background(d, &after);
    if (status == KT_OK && after.governor[0])
        status = tell_governor(d, &after);
    return status == KT_OK ? tell_scope_clock(d) : status;
}
