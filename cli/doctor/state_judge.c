/* SPDX-License-Identifier: MIT */
/*
 * state_judge.c - judges the state of an idle device. Pure.
 *
 * Nothing is said of a value that is unknown. nvidia-smi gets the PCI address in place of its own
 * number (option -i), since the number differs from that of an API.
 */
#include "cli/doctor/judge.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define LIMIT_SHARE 0.99 /* a power limit below this share of its default is a low one */

typedef enum vendor { VENDOR_OTHER, VENDOR_CPU, VENDOR_NVIDIA, VENDOR_AMD, VENDOR_INTEL } vendor;

static vendor vendor_of(const kt_device_info *info)
{
    if (info->type == KT_DEVICE_CPU)
        return VENDOR_CPU;
    switch (info->vendor_id) {
    case 0x10de: return VENDOR_NVIDIA;
    case 0x1002: return VENDOR_AMD;
    case 0x8086: return VENDOR_INTEL;
    default: return VENDOR_OTHER;
    }
}

/* The device as an option of nvidia-smi. Lives until the end of the block. */
#define WHICH(info) which_text((char[64]){0}, info)

static char *which_text(char *text, const kt_device_info *info)
{
    snprintf(text, 64, "%s%.40s", info->pci_address[0] ? " -i " : "", info->pci_address);
    return text;
}

/* ---- clock ---- */

static void advise_lock(doctor_diagnostic *f, const kt_device_info *info)
{
    switch (vendor_of(info)) {
    case VENDOR_CPU:
        doctor_advise(f, "sudo cpupower frequency-set -d CLOCK -u CLOCK, with one that all cores "
                         "hold under load");
        break;
    case VENDOR_NVIDIA:
        doctor_advise(f,
                      "sudo nvidia-smi%s -lgc MHZ, with a clock that the device holds under load; "
                      "-rgc undoes it",
                      WHICH(info));
        break;
    case VENDOR_AMD:
        if (info->pci_address[0])
            doctor_advise(f,
                          "echo high | sudo tee "
                          "/sys/bus/pci/devices/%s/power_dpm_force_performance_level, or sudo "
                          "rocm-smi --setperflevel high; auto undoes it",
                          info->pci_address);
        else
            doctor_advise(f, "sudo rocm-smi --setperflevel high; auto undoes it");
        break;
    case VENDOR_INTEL:
        doctor_advise(f,
                      "sudo intel_gpu_frequency -m (-d undoes it); with the driver xe, write one "
                      "clock to min_freq and max_freq in /sys/bus/pci/devices/%s/tile0/gt0/freq0",
                      info->pci_address[0] ? info->pci_address : "ADDRESS");
        break;
    case VENDOR_OTHER: break;
    }
}

static void judge_lock(const kt_device_info *info, const kt_device_state *state,
                       doctor_diagnostics *out)
{
    double locked = state->value[KT_STATE_CLOCKS_LOCKED];
    double mhz = state->value[KT_STATE_CORE_CLOCK], most = state->value[KT_STATE_CORE_CLOCK_MAX];
    char now[48] = "", of[48] = "";
    if (isnan(locked))
        return;
    if (!isnan(mhz))
        snprintf(now, sizeof now, ": %.0f MHz", mhz);
    if (!isnan(mhz) && !isnan(most))
        snprintf(of, sizeof of, ", at most %.0f MHz", most);
    doctor_diagnostic *f =
        doctor_next(out, "clocks_locked", locked > 0 ? KT_SEVERITY_GOOD : KT_SEVERITY_NOTE);
    doctor_value(f, "core_clock_mhz", mhz);
    doctor_value(f, "core_clock_max_mhz", most);
    doctor_seen(f, "the core clock is %slocked%s%s", locked > 0 ? "" : "not ", now, of);
    if (locked > 0)
        return;
    doctor_means(f, "the clock follows load and temperature, and times follow the clock");
    advise_lock(f, info);
}

static void judge_throttled(const kt_device_info *info, const kt_device_state *state,
                            doctor_diagnostics *out)
{
    double reported = state->value[KT_STATE_THROTTLE], celsius = state->value[KT_STATE_TEMPERATURE];
    char names[KT_THROTTLE_NAMES_BYTES], at[32] = "";
    if (isnan(reported))
        return;
    uint32_t reasons = (uint32_t)reported & KT_THROTTLE_MASK;
    doctor_diagnostic *f =
        doctor_next(out, "throttled", reasons ? KT_SEVERITY_WARNING : KT_SEVERITY_GOOD);
    doctor_value(f, "temperature_c", celsius);
    doctor_value(f, "power_w", state->value[KT_STATE_POWER]);
    if (!reasons) {
        doctor_seen(f, "not throttled before the checks");
        return;
    }
    if (!isnan(celsius))
        snprintf(at, sizeof at, ", at %.0f C", celsius);
    doctor_seen(f, "throttled before the checks: %s%s",
                kt_throttle_names(reasons, names, sizeof names), at);
    doctor_means(f, "the device is slow before it has any work; its times are too long");
    if (vendor_of(info) == VENDOR_NVIDIA)
        doctor_advise(f, "nvidia-smi%s -q -d PERFORMANCE,TEMPERATURE,POWER shows the limits",
                      WHICH(info));
    else if (reasons & KT_THROTTLE_THERMAL)
        doctor_advise(f, "let the device cool down; check its fans and the air around it");
    else
        doctor_advise(f, "check the power supply and the power limit of the device");
}

/* ---- power, persistence, others ---- */

static void judge_limit(const kt_device_info *info, const kt_device_state *state,
                        doctor_diagnostics *out)
{
    double limit = state->value[KT_STATE_POWER_LIMIT];
    double usual = state->value[KT_STATE_POWER_LIMIT_DEFAULT];
    bool is_low = limit < LIMIT_SHARE * usual;
    if (isnan(limit) || isnan(usual))
        return;
    doctor_diagnostic *f =
        doctor_next(out, "power_limit", is_low ? KT_SEVERITY_WARNING : KT_SEVERITY_GOOD);
    doctor_value(f, "power_limit_w", limit);
    doctor_value(f, "power_limit_default_w", usual);
    doctor_seen(f, "power limit %.4g W, default %.4g W", limit, usual);
    if (!is_low)
        return;
    doctor_means(f, "the device is slower under load than others of its model");
    switch (vendor_of(info)) {
    case VENDOR_NVIDIA: doctor_advise(f, "sudo nvidia-smi%s -pl %.4g", WHICH(info), usual); break;
    case VENDOR_AMD: doctor_advise(f, "sudo rocm-smi --resetpoweroverdrive"); break;
    default: doctor_advise(f, "set the power limit to %.4g W", usual);
    }
}

static void judge_persistence(const kt_device_info *info, const kt_device_state *state,
                              doctor_diagnostics *out)
{
    double on = state->value[KT_STATE_PERSISTENCE];
    if (isnan(on))
        return;
    doctor_diagnostic *f =
        doctor_next(out, "persistence", on > 0 ? KT_SEVERITY_GOOD : KT_SEVERITY_NOTE);
    doctor_value(f, "persistence", on);
    doctor_seen(f, "persistence mode is %s", on > 0 ? "on" : "off");
    if (on > 0)
        return;
    doctor_means(f, "without a program the driver unloads: the next one starts later, and locked "
                    "clocks are lost");
    doctor_advise(f, "sudo nvidia-smi%s -pm 1, or start nvidia-persistenced", WHICH(info));
}

static void advise_of_others(doctor_diagnostic *f, const kt_device_info *info)
{
    switch (vendor_of(info)) {
    case VENDOR_NVIDIA: doctor_advise(f, "nvidia-smi%s lists them; end them", WHICH(info)); break;
    case VENDOR_AMD: doctor_advise(f, "rocm-smi --showpids lists them; end them"); break;
    case VENDOR_INTEL: doctor_advise(f, "sudo intel_gpu_top lists them; end them"); break;
    default: doctor_advise(f, "end them, or use another device");
    }
}

static void judge_others(const kt_device_info *info, const kt_device_state *state,
                         doctor_diagnostics *out)
{
    double others = state->value[KT_STATE_OTHERS];
    if (isnan(others))
        return;
    doctor_diagnostic *f =
        doctor_next(out, "other_processes", others > 0 ? KT_SEVERITY_WARNING : KT_SEVERITY_GOOD);
    doctor_value(f, "other_processes", others);
    if (others == 0) {
        doctor_seen(f, "no other process uses the device");
        return;
    }
    doctor_seen(f, "%.0f other process%s the device", others, others > 1 ? "es use" : " uses");
    doctor_means(f, "their work delays and slows what is measured");
    advise_of_others(f, info);
}

/* ---- permissions ---- */

/* Lists the values that only others may read. Returns their number. */
static uint32_t list_denied(const kt_device_state *state, char *text, size_t bytes)
{
#define LABEL(ID, key, label, least, most) label,
    static const char *const labels[] = {KT_STATE_VALUES_(LABEL)};
#undef LABEL
    uint32_t count = 0;
    text[0] = '\0';
    for (int i = 0; i < KT_STATE_VALUE_COUNT; i++) {
        size_t used = strlen(text);
        if (state->reading[i] == KT_READING_DENIED)
            snprintf(text + used, bytes - used, "%s%s", count++ ? ", " : "", labels[i]);
    }
    return count;
}

static void judge_denied(const kt_device_info *info, const kt_device_state *state,
                         doctor_diagnostics *out)
{
    char labels[DOCTOR_TEXT_BYTES / 2];
    uint32_t count = list_denied(state, labels, sizeof labels);
    if (count == 0)
        return;
    doctor_diagnostic *f = doctor_next(out, "state_access", KT_SEVERITY_NOTE);
    doctor_value(f, "denied", count);
    doctor_seen(f, "a permission is missing to read: %s", labels);
    doctor_means(f, "results lack %s", count == 1 ? "it" : "them");
    if (vendor_of(info) == VENDOR_CPU)
        doctor_advise(f, "sudo chmod a+r /sys/class/powercap/intel-rapl:*/energy_uj, which root "
                         "alone may read");
    else
        doctor_advise(f, "run kerntime as root, or ask the administrator for this permission");
}

void doctor_judge_state(const kt_device_info *info, const kt_device_state *state,
                        doctor_diagnostics *out)
{
    judge_throttled(info, state, out);
    judge_lock(info, state, out);
    judge_limit(info, state, out);
    judge_persistence(info, state, out);
    judge_others(info, state, out);
    judge_denied(info, state, out);
}
