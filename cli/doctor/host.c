/* What else the host was doing meanwhile, and who sets the frequency of its cores. */
#include "cli/doctor/host.h"

#include "cli/doctor/doctor.h"

#include <math.h>
#include <string.h>

/* Share of all cores that others may use: the background of an idle desktop is below it. */
#define OTHERS_SHARE 0.1
/* Load average that tells of others where the system does not count their time. */
#define LOAD_MIN 0.5

doctor_background doctor_judge_background(const kt_host_state *before, const kt_host_state *after)
{
    doctor_background b = {.cores = after->cores, .others = kt_host_others(before, after)};
    b.load = before->load; /* of a minute in which this program did nothing yet */
    if (!isnan(b.others) && b.cores > 0)
        b.busy = b.others >= OTHERS_SHARE * b.cores;
    else
        b.busy = b.load >= LOAD_MIN;
    return b;
}

/* What suffers from the host: everything where its cores are the device. */
static const char *whose_times(const doctor *d)
{
    return d->info->type == KT_DEVICE_CPU
               ? "the times of this device, whose kernels run on the same cores,"
               : "wall times";
}

static kt_status tell_background(doctor *d, const kt_host_state *after)
{
    const doctor_background b = doctor_judge_background(&d->host_before, after);
    d->busy = b.busy;
    doctor_finding f = doctor_begin("background", b.busy ? KT_SEVERITY_WARNING : KT_SEVERITY_GOOD);
    if (!isnan(b.others) && b.cores > 0)
        doctor_seen(&f, "others used %.1f of %u core%s of this machine meanwhile", b.others,
                    b.cores, b.cores == 1 ? "" : "s");
    else if (!isnan(b.load))
        doctor_seen(&f, "the load average of the minute before was %.1f", b.load);
    else
        doctor_seen(&f, "the system does not tell what others do on this machine");
    if (b.busy) {
        doctor_means(&f, "%s vary with what others do, and what was found above may, too",
                     whose_times(d));
        doctor_advise(&f, "measure on a quieter machine; compare times of the same hour only");
    }
    doctor_value(&f, "others_cores", b.others);
    doctor_value(&f, "cores", b.cores ? (double)b.cores : NAN);
    doctor_value(&f, "load", b.load);
    return doctor_add(d, &f);
}

/* Governors of Linux that choose a frequency by load, or a low one. */
bool doctor_governor_holds(const char *governor)
{
    return strcmp(governor, "performance") == 0 || strcmp(governor, "userspace") == 0;
}

static kt_status tell_governor(doctor *d, const kt_host_state *after)
{
    char frequency[48] = "";
    bool holds = doctor_governor_holds(after->governor);
    doctor_finding f = doctor_begin("governor", holds ? KT_SEVERITY_GOOD : KT_SEVERITY_WARNING);
    if (after->frequency_hz > 0)
        snprintf(frequency, sizeof frequency, "; the fastest core ran at %.2f GHz",
                 after->frequency_hz / 1e9);
    doctor_seen(&f, "the governor of this machine's cores is \"%s\"%s", after->governor, frequency);
    if (!holds) {
        doctor_means(&f, "the frequency of the cores follows their load, and %s with it",
                     d->info->type == KT_DEVICE_CPU ? "times of this device change"
                                                    : "wall times change");
        doctor_advise(&f, "set it to \"performance\" while measuring (cpupower frequency-set -g "
                          "performance), or compare times that were taken in turns");
    }
    doctor_value(&f, "frequency_hz", after->frequency_hz);
    return doctor_add(d, &f);
}

kt_status doctor_check_host(doctor *d)
{
    kt_host_state after;
    if (d->info->type == KT_DEVICE_SIMULATED) /* whose time is not this machine's */
        return KT_OK;
    kt_host_state_read(&after);
    kt_status status = tell_background(d, &after);
    return status == KT_OK && after.governor[0] ? tell_governor(d, &after) : status;
}
