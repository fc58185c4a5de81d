/* devices.c - the list of devices as text: what is here, how its clocks tick, what is missing
 * and why. */
#include "output/table/tables.h"
#include "output/text.h"
#include "report/document.h"

#include <math.h>
#include <string.h>

/* A text of a driver, which stays on its line. */
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
    print_bytes(writer, ", in one piece ", info->max_memory_bytes);
    if (info->max_memory_bytes == 0 || info->max_argument_bytes < info->max_memory_bytes)
        print_bytes(writer, ", for kernels ", info->max_argument_bytes);
    kt_put(writer, "\n");
}

static uint32_t count_bits(uint32_t mask)
{
    uint32_t count = 0;
    for (; mask; mask &= mask - 1)
        count++;
    return count;
}

/* Whether it copies between all of several kinds: then their names stand in the line above. */
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

/* Nothing where they are not told, as in a file of an older version. */
static void print_copies(kt_writer *writer, const kt_device_info *info)
{
    uint32_t any = info->maps;
    for (int src = KT_MEMORY_HEAP; src < KT_MEMORY_KIND_COUNT; src++)
        any |= info->copies[src];
    if (any == 0)
        return;
    kt_put(writer, "    copies   ");
    if (copies_all(info))
        kt_put(writer, "between all of them");
    else
        print_directions(writer, info);
    if (strcmp(info->backend, "cpu") == 0) /* whose kernels copy as well */
        kt_put(writer, ", by one core and by all");
    const char *separator = "; maps ";
    for (int kind = KT_MEMORY_HEAP; kind < KT_MEMORY_KIND_COUNT; kind++)
        if (info->maps & 1u << kind) {
            kt_putf(writer, "%s%s", separator, kt_memory_kind_name((kt_memory_kind)kind));
            separator = ", ";
        }
    kt_put(writer, "\n");
}

/* How a clock's relation to the host's was found. */
static const char *way_of(kt_clock_source source)
{
    return source == KT_SOURCE_PAIRS ? "pairs that the driver gives"
                                     : "commands between two readings of it";
}

/* How well a period is known that was found, if that is known; nothing of one that is plain. */
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

/* Of a timer whose driver tells cycles a second, or whole ns: both are shown, so that nobody need
 * wonder which it was. */
static void print_unit(kt_writer *writer, const kt_clock_info *clock)
{
    char within[64];
    uint32_t whole_ns = clock->told_period_ns;
    if (isnan(clock->period_ns))
        kt_putf(writer, ", tick unknown (told as %u whole ns)", whole_ns);
    else if (whole_ns)
        kt_putf(writer, ", tick %.6g ns = %.6g MHz (found%s; told as %u whole ns)",
                clock->period_ns, 1e3 / clock->period_ns, within_text(clock, within, sizeof within),
                whole_ns);
    else
        kt_putf(writer, ", tick %.9g ns = %.9g MHz (told in cycles a second)", clock->period_ns,
                clock->frequency_hz * 1e-6);
}

/* What was found is not known to more digits than these. */
static void print_tick(kt_writer *writer, const kt_clock_info *clock)
{
    char within[64];
    bool is_told_cycles = !isnan(clock->frequency_hz) && clock->period_source == KT_SOURCE_TOLD;
    if (clock->told_period_ns || is_told_cycles)
        print_unit(writer, clock);
    else if (isnan(clock->period_ns))
        kt_put(writer, ", tick unknown");
    else if (clock->period_source == KT_SOURCE_TOLD)
        kt_putf(writer, ", tick %.9g ns (told)", clock->period_ns);
    else if (clock->period_source == KT_SOURCE_NONE)
        kt_putf(writer, ", tick %.9g ns", clock->period_ns);
    else
        kt_putf(writer, ", tick %.6g ns (found%s)", clock->period_ns,
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

/* How well the relation is known. */
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
        kt_put(writer, "stands still while the device works for others, so it lies nowhere on the "
                       "host's time line");
        return;
    }
    bool found =
        clock->relation_source == KT_SOURCE_PAIRS || clock->relation_source == KT_SOURCE_BRACKETS;
    if (clock->domain[0]) {
        kt_put(writer, "is ");
        put_plain(writer, clock->domain);
        if (found)
            kt_putf(writer, ", found from %s", way_of(clock->relation_source));
        else if (clock->relation_source == KT_SOURCE_TOLD)
            kt_put(writer, " (told)");
    } else if (found) {
        kt_putf(writer, "related to the host's clock by %s", way_of(clock->relation_source));
    } else {
        kt_put(writer, "relation to the host's clock not known");
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
    if (kt_method_gives_distances(clock->method)) {
        kt_put(writer, clock->method == KT_METHOD_EVENT_PAIR_HELD
                           ? ", the same, queued while a kernel holds the stream\n"
                           : ", how far two events are apart, not when they were\n");
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

/* "compute+copy x1, copy x8" */
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

static void print_device(kt_writer *writer, const kt_document_device *device)
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
    for (uint32_t i = 0; i < info->clock_count; i++)
        print_clock(writer, &info->clocks[i], device->clock_error);
    if (info->clock_count == 0)
        kt_put(writer,
               "    clock    none: the driver gives no stamps, so there are only wall times\n");
    print_queues(writer, info);
    print_memory(writer, info);
    print_copies(writer, info);
    if (info->quirk[0]) {
        kt_put(writer, "    known    ");
        put_plain(writer, info->quirk);
        kt_put(writer, "\n");
    }
}

void kt_print_missing(const kt_document *document, kt_writer *writer)
{
    bool missing = false;
    for (uint32_t i = 0; i < document->backend_count; i++) {
        const kt_document_backend *backend = &document->backends[i];
        if (!backend->why[0])
            continue;
        if (!missing && document->device_count)
            kt_put(writer, "\n");
        missing = true;
        kt_put(writer, "not here: ");
        put_plain(writer, backend->name);
        kt_put(writer, ": ");
        put_plain(writer, backend->why);
        kt_put(writer, "\n");
    }
}

void kt_print_devices(const kt_document *document, kt_writer *writer)
{
    for (uint32_t i = 0; i < document->device_count; i++)
        print_device(writer, &document->devices[i]);
    kt_print_missing(document, writer);
}
