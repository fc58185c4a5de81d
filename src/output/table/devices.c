/* SPDX-License-Identifier: MIT */
/* devices.c - prints the list of devices: the host, available devices, properties of their clocks,
 * their state, and missing ones with reasons. */
#include "output/table/tables.h"
#include "output/text.h"
#include "report/document.h"

#include <math.h>
#include <string.h>

/* Puts a driver's text on one line. */
static void put_plain(kt_writer *writer, const char *text)
{
    kt_put_spelled(writer, kt_spell_plain, text);
}

static void print_bytes(kt_writer *writer, const char *label, uint64_t bytes)
{
    char text[32];
    if (bytes)
        kt_putf(writer, "%s%s", label, kt_format_bytes(text, sizeof text, bytes));
}

static void print_memory(kt_writer *writer, const kt_device_info *info)
{
    kt_put(writer, "    memory   ");
    const char *separator = "";
    for (int kind = KT_MEMORY_HEAP; kind < KT_MEMORY_KIND_COUNT; kind++) {
        if (!(info->memory_kinds & (1u << kind)))
            continue;
        kt_putf(writer, "%s%s", separator, kt_memory_kind_name((kt_memory_kind)kind));
        separator = ", ";
    }
    print_bytes(writer, "; ", info->memory_bytes);
    print_bytes(writer, ", largest allocation ", info->max_memory_bytes);
    if (info->max_memory_bytes == 0 || info->max_argument_bytes < info->max_memory_bytes)
        print_bytes(writer, ", largest kernel argument ", info->max_argument_bytes);
    kt_put(writer, "\n");
}

static uint32_t count_bits(uint32_t mask)
{
    uint32_t count = 0;
    for (; mask; mask &= mask - 1)
        count++;
    return count;
}

/* Whether a device copies between all of its memory kinds, if it has several. The line above names
 * the kinds. */
static bool copies_all(const kt_device_info *info)
{
    bool all = count_bits(info->memory_kinds) > 1;
    for (int src = KT_MEMORY_HEAP; src < KT_MEMORY_KIND_COUNT; src++)
        all &= info->copies[src] == (info->memory_kinds & 1u << src ? info->memory_kinds : 0);
    return all;
}

static void print_directions(kt_writer *writer, const kt_device_info *info)
{
    const char *separator = "";
    for (int src = KT_MEMORY_HEAP; src < KT_MEMORY_KIND_COUNT; src++)
        for (int dst = KT_MEMORY_HEAP; dst < KT_MEMORY_KIND_COUNT; dst++) {
            if (!(info->copies[src] & 1u << dst))
                continue;
            kt_putf(writer, "%s%s-%s", separator, kt_memory_kind_name((kt_memory_kind)src),
                    kt_memory_kind_name((kt_memory_kind)dst));
            separator = ", ";
        }
}

/* Prints the copies of a device; nothing if they are unknown, as in a file of an older version. */
static void print_copies(kt_writer *writer, const kt_device_info *info)
{
    uint32_t any = info->maps;
    for (int src = KT_MEMORY_HEAP; src < KT_MEMORY_KIND_COUNT; src++)
        any |= info->copies[src];
    if (any == 0)
        return;
    kt_put(writer, "    copies   ");
    if (copies_all(info))
        kt_put(writer, "all directions");
    else
        print_directions(writer, info);
    if (strcmp(info->backend, "cpu") == 0) /* kernels of cpu copy with all cores */
        kt_put(writer, ", on one core and on all");
    const char *separator = "; maps ";
    for (int kind = KT_MEMORY_HEAP; kind < KT_MEMORY_KIND_COUNT; kind++)
        if (info->maps & 1u << kind) {
            kt_putf(writer, "%s%s", separator, kt_memory_kind_name((kt_memory_kind)kind));
            separator = ", ";
        }
    kt_put(writer, "\n");
}

/* How the relation of a clock to the host's was measured. */
static const char *way_of(kt_clock_source source)
{
    return source == KT_SOURCE_CALIBRATED_TIMESTAMPS ? "calibrated timestamps"
                                                     : "bracketed submissions";
}

/* Uncertainty of a measured period, if known; nothing for a reported period. */
static const char *within_text(const kt_clock_info *clock, char *text, size_t bytes)
{
    double ppm = clock->period_uncertainty_ns / clock->period_ns * 1e6;
    int digits = ppm > 10 ? 0 : ppm > 1 ? 1 : 2;
    double unit = pow(10, digits);
    text[0] = '\0';
    if (ppm > 0)
        snprintf(text, bytes, " within %.*f ppm", digits, ceil(ppm * unit) / unit);
    return text;
}

/* Prints a clock's tick in ns and MHz, and whether the driver reports whole ns or Hz. */
static void print_unit(kt_writer *writer, const kt_clock_info *clock)
{
    char within[64];
    uint32_t whole_ns = clock->reported_period_ns;
    if (isnan(clock->period_ns))
        kt_putf(writer, ", tick unknown (reported in whole ns: %u)", whole_ns);
    else if (whole_ns)
        kt_putf(writer, ", tick %.6g ns = %.6g MHz (measured%s; reported in whole ns: %u)",
                clock->period_ns, 1e3 / clock->period_ns, within_text(clock, within, sizeof within),
                whole_ns);
    else
        kt_putf(writer, ", tick %.9g ns = %.9g MHz (reported in Hz)", clock->period_ns,
                clock->frequency_hz * 1e-6);
}

/* Prints a measured period with its significant digits only. */
static void print_tick(kt_writer *writer, const kt_clock_info *clock)
{
    char within[64];
    bool is_reported_cycles =
        !isnan(clock->frequency_hz) && clock->period_source == KT_SOURCE_REPORTED;
    if (clock->reported_period_ns || is_reported_cycles)
        print_unit(writer, clock);
    else if (isnan(clock->period_ns))
        kt_put(writer, ", tick unknown");
    else if (clock->period_source == KT_SOURCE_REPORTED)
        kt_putf(writer, ", tick %.9g ns (reported)", clock->period_ns);
    else if (clock->period_source == KT_SOURCE_NONE)
        kt_putf(writer, ", tick %.9g ns", clock->period_ns);
    else
        kt_putf(writer, ", tick %.6g ns (measured%s)", clock->period_ns,
                within_text(clock, within, sizeof within));
}

static void print_width(kt_writer *writer, const kt_clock_info *clock)
{
    bool known = clock->valid_bits > 0;
    uint32_t bits = known ? clock->valid_bits : clock->valid_bits_min;
    if (bits)
        kt_putf(writer, ", %s%u bits", known ? "" : "at least ", bits);
    else
        kt_put(writer, ", width unknown");
    char wrap[32];
    if (bits && bits < 64 && !isnan(clock->period_ns))
        kt_putf(writer, ", wraps after %s%s",
                kt_format_ns(wrap, sizeof wrap, ldexp(clock->period_ns, (int)bits)),
                known ? "" : " or later");
}

/* Prints the uncertainty of the relation between a device's clock and the host's. */
static void print_relation_size(kt_writer *writer, const kt_clock_info *clock)
{
    char text[32];
    const char *separator = ": ";
    if (clock->uncertainty_ns > 0) {
        kt_format_ns(text, sizeof text, clock->uncertainty_ns);
        kt_putf(writer, "%swithin %s", separator, text);
        separator = ", ";
    }
    if (clock->domain[0] || isnan(clock->drift_ppm))
        return;
    if (fabs(clock->drift_ppm) < 0.05)
        kt_putf(writer, "%sno drift", separator);
    else
        kt_putf(writer, "%sruns %.1f ppm %s", separator, fabs(clock->drift_ppm),
                clock->drift_ppm > 0 ? "fast" : "slow");
}

static void print_relation(kt_writer *writer, const kt_clock_info *clock, const char *error)
{
    if (clock->pauses) {
        kt_put(writer, "context clock: runs only while the device works for this program");
        return;
    }
    bool found = clock->relation_source == KT_SOURCE_CALIBRATED_TIMESTAMPS ||
                 clock->relation_source == KT_SOURCE_BRACKETED_SUBMISSIONS;
    if (clock->domain[0]) {
        kt_put(writer, "is ");
        put_plain(writer, clock->domain);
        if (found)
            kt_putf(writer, ", measured by %s", way_of(clock->relation_source));
        else if (clock->relation_source == KT_SOURCE_REPORTED)
            kt_put(writer, " (reported)");
    } else if (found) {
        kt_putf(writer, "converted to host time by %s", way_of(clock->relation_source));
    } else {
        kt_put(writer, "no conversion to host time");
        if (error) {
            kt_put(writer, ": ");
            put_plain(writer, error);
        }
        return;
    }
    print_relation_size(writer, clock);
}

static void print_clock(kt_writer *writer, const kt_clock_info *clock, const char *error)
{
    kt_put(writer, "    clock    ");
    put_plain(writer, clock->name);
    kt_putf(writer, ": %s", kt_method_name(clock->method));
    if (kt_method_is_elapsed_only(clock->method)) {
        kt_put(writer, clock->method == KT_METHOD_EVENT_PAIR_BLOCKED
                           ? ", elapsed-only, behind a blocking kernel\n"
                           : ", elapsed-only: time between two events\n");
        return;
    }
    print_tick(writer, clock);
    print_width(writer, clock);
    kt_put(writer, "\n             ");
    print_relation(writer, clock, error);
    kt_put(writer, "\n");
}

static void print_vendor(kt_writer *writer, const kt_device_info *info)
{
    if (!info->vendor_id)
        return;
    kt_put(writer, "    vendor   ");
    put_plain(writer, info->vendor);
    kt_putf(writer, "%s0x%04x\n", info->vendor[0] ? ", " : "", info->vendor_id);
}

/* What tells the device from another one of its model: "PCI 0000:3b:00.0, UUID ...", and the serial
 * number. "none" only where it was not left out on purpose. */
static void print_identity(kt_writer *writer, const kt_device_info *info, bool is_told)
{
    const struct {
        const char *name, *text;
    } parts[] = {{"PCI ", info->pci_address}, {"UUID ", info->uuid}, {"serial ", info->serial}};
    const char *separator = "    identity ";
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        if (!parts[i].text[0])
            continue;
        kt_put(writer, separator);
        kt_put(writer, parts[i].name);
        put_plain(writer, parts[i].text);
        separator = i == 0 ? ", " : "\n             ";
    }
    if (info->pci_address[0] || info->uuid[0] || info->serial[0])
        kt_put(writer, "\n");
    else if (is_told)
        kt_put(writer, "    identity none\n");
}

/* Prints queue groups and their counts, such as "compute+copy x1, copy x8". */
static void print_queues(kt_writer *writer, const kt_device_info *info)
{
    for (uint32_t i = 0; i < info->queue_group_count; i++) {
        const kt_queue_group *group = &info->queue_groups[i];
        const char *separator = "";
        kt_put(writer, i == 0 ? "    queues   " : ", ");
        for (int kind = 1; kind <= KT_QUEUE_METRICS; kind *= 2)
            if (group->kinds & (unsigned)kind) {
                kt_putf(writer, "%s%s", separator, kt_queue_kind_name((kt_queue_kind)kind));
                separator = "+";
            }
        kt_putf(writer, "%s x%u", group->kinds ? "" : "other", group->queue_count);
    }
    if (info->queue_group_count)
        kt_put(writer, "\n");
}

/* Prints what comes before a part of the state, and makes it what comes before the next one. */
static void begin_part(kt_writer *writer, const char **separator)
{
    kt_put(writer, *separator);
    *separator = ", ";
}

static void begin_line(kt_writer *writer, const char **separator)
{
    if (**separator == ',')
        *separator = "\n             ";
    begin_part(writer, separator);
}

static int digits_of(double value)
{
    return value < 10 && value != floor(value);
}

/* Prints a value and its limit, of which either may be unknown: "1410 of 1980 MHz". */
static void print_limited(kt_writer *writer, const char **separator, double value, double most,
                          const char *unit)
{
    if (isnan(value) && isnan(most))
        return;
    begin_part(writer, separator);
    if (!isnan(value))
        kt_putf(writer, "%.*f ", digits_of(value), value);
    if (!isnan(most))
        kt_putf(writer, "%s %.*f ", isnan(value) ? "at most" : "of", digits_of(most), most);
    kt_put(writer, unit);
}

/* Prints what the device did when it was opened; only what is known. */
static void print_state(kt_writer *writer, const kt_device_state *state)
{
    const double *value = state->value;
    const char *separator = "    state    ";
    char names[KT_THROTTLE_NAMES_BYTES];
    uint32_t throttle =
        isnan(value[KT_STATE_THROTTLE]) ? 0 : (uint32_t)value[KT_STATE_THROTTLE] & KT_THROTTLE_MASK;
    print_limited(writer, &separator, value[KT_STATE_CORE_CLOCK], value[KT_STATE_CORE_CLOCK_MAX],
                  "MHz");
    if (!isnan(value[KT_STATE_MEMORY_CLOCK])) {
        begin_part(writer, &separator);
        kt_putf(writer, "memory %.0f MHz", value[KT_STATE_MEMORY_CLOCK]);
    }
    if (!isnan(value[KT_STATE_TEMPERATURE])) {
        begin_part(writer, &separator);
        kt_putf(writer, "%.0f C", value[KT_STATE_TEMPERATURE]);
    }
    print_limited(writer, &separator, value[KT_STATE_POWER], value[KT_STATE_POWER_LIMIT], "W");
    if (throttle) {
        begin_line(writer, &separator);
        kt_putf(writer, "throttled: %s", kt_throttle_names(throttle, names, sizeof names));
    }
    if (value[KT_STATE_OTHERS] > 0) {
        begin_line(writer, &separator);
        kt_putf(writer, "other processes: %.0f", value[KT_STATE_OTHERS]);
    }
    if (*separator == ',')
        kt_put(writer, "\n");
}

static void print_device(kt_writer *writer, const kt_document_device *device, bool is_told)
{
    const kt_device_info *info = &device->info;
    put_plain(writer, info->id);
    kt_put(writer, "  ");
    put_plain(writer, info->name);
    kt_putf(writer, " (%s", kt_device_type_name(info->type));
    if (info->compute_units)
        kt_putf(writer, ", %u compute unit%s", info->compute_units,
                info->compute_units == 1 ? "" : "s");
    kt_put(writer, ")\n");
    kt_put(writer, "    driver   ");
    put_plain(writer, info->driver);
    kt_put(writer, "\n");
    print_vendor(writer, info);
    print_identity(writer, info, is_told);
    for (uint32_t i = 0; i < info->clock_count; i++)
        print_clock(writer, &info->clocks[i], device->clock_error);
    if (info->clock_count == 0)
        kt_put(writer,
               "    clock    none: the driver has no timestamps, so all times are wall times\n");
    print_queues(writer, info);
    print_memory(writer, info);
    print_copies(writer, info);
    if (device->has_state)
        print_state(writer, &device->state);
    if (info->quirk[0]) {
        kt_put(writer, "    issue    ");
        put_plain(writer, info->quirk);
        kt_put(writer, "\n");
    }
}

/* A number of all, " of 8", if that is known. */
static void print_of(kt_writer *writer, uint32_t all)
{
    if (all != KT_LAUNCH_UNKNOWN)
        kt_putf(writer, " of %u", all);
}

static void print_launch(kt_writer *writer, const kt_launch *launch)
{
    kt_putf(writer, "rank: %u", launch->rank);
    print_of(writer, launch->size);
    if (launch->local_rank != KT_LAUNCH_UNKNOWN) {
        kt_putf(writer, ", local rank %u", launch->local_rank);
        print_of(writer, launch->local_size);
    }
    if (launch->job[0]) {
        kt_put(writer, ", job ");
        put_plain(writer, launch->job);
    }
    if (launch->node[0]) {
        kt_put(writer, ", node ");
        put_plain(writer, launch->node);
    }
    kt_put(writer, ", by ");
    put_plain(writer, launch->variable);
    kt_put(writer, "\n");
}

/* Who lists: the host, its start, and the rank. */
static void print_origin(kt_writer *writer, const kt_report_origin *origin)
{
    if (!origin || !origin->host)
        return;
    kt_put(writer, "host: ");
    put_plain(writer, origin->host);
    if (origin->boot_id) {
        kt_put(writer, ", boot id ");
        put_plain(writer, origin->boot_id);
    }
    kt_put(writer, "\n");
    if (origin->launch)
        print_launch(writer, origin->launch);
    kt_put(writer, "\n");
}

void kt_print_missing(const kt_document *document, kt_writer *writer)
{
    bool missing = false;
    for (uint32_t i = 0; i < document->backend_count; i++) {
        const kt_document_backend *backend = &document->backends[i];
        if (!backend->reason[0])
            continue;
        if (!missing && document->device_count)
            kt_put(writer, "\n");
        missing = true;
        kt_put(writer, "not here: ");
        put_plain(writer, backend->name);
        kt_put(writer, ": ");
        put_plain(writer, backend->reason);
        kt_put(writer, "\n");
    }
}

void kt_print_devices(const kt_document *document, kt_writer *writer)
{
    const kt_report_origin *origin = document->desc.origin;
    print_origin(writer, origin);
    for (uint32_t i = 0; i < document->device_count; i++)
        print_device(writer, &document->devices[i], origin && origin->host);
    kt_print_missing(document, writer);
}
