/* devices.c - the list of devices as text: what is here, how its clocks tick, what is missing
 * and why. */
#include "document.h"
#include "text.h"

#include <math.h>

/* A text of a driver, which stays on its line. */
static void put_plain(kt_writer *writer, const char *text)
{
    kt_put_spelled(writer, kt_spell_plain, text);
}

static void print_bytes(kt_writer *writer, const char *label, uint64_t bytes)
{
    if (bytes >= UINT64_C(1) << 30)
        kt_putf(writer, "%s%.1f GiB", label, (double)bytes / (1 << 30));
    else if (bytes)
        kt_putf(writer, "%s%.1f MiB", label, (double)bytes / (1 << 20));
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
    kt_put(writer, "\n");
}

static void print_clock(kt_writer *writer, const kt_clock_info *clock)
{
    kt_put(writer, "    clock    ");
    put_plain(writer, clock->name);
    kt_putf(writer, ": %s", kt_method_name(clock->method));
    if (!isnan(clock->period_ns))
        kt_putf(writer, ", tick %.9g ns", clock->period_ns);
    kt_putf(writer, ", %u bits", clock->valid_bits);
    if (clock->valid_bits < 64 && !isnan(clock->period_ns))
        kt_putf(writer, ", wraps after %.4g s",
                ldexp(clock->period_ns, (int)clock->valid_bits) * 1e-9);
    kt_put(writer, ", ");
    put_plain(writer, clock->domain[0] ? clock->domain : "relation to the host's clock not told");
    kt_put(writer, "\n");
}

static void print_device(kt_writer *writer, const kt_device_info *info)
{
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
    for (uint32_t i = 0; i < info->clock_count; i++)
        print_clock(writer, &info->clocks[i]);
    print_memory(writer, info);
}

void kt_print_devices(const kt_document *document, kt_writer *writer)
{
    for (uint32_t i = 0; i < document->device_count; i++)
        print_device(writer, &document->devices[i].info);
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
