/* doctor.c - what was found out about each device as text: seen, what it means, what to do. */
#include "document.h"
#include "text.h"

#include <string.h>

static void put_line(kt_writer *writer, const char *label, const char *text)
{
    if (!text)
        return;
    kt_putf(writer, "  %-12s ", label);
    kt_put_spelled(writer, kt_spell_plain, text);
    kt_put(writer, "\n");
}

static void print_finding(const kt_finding *finding, kt_writer *writer)
{
    put_line(writer, kt_severity_name(finding->severity), finding->seen);
    put_line(writer, "", finding->means);
    put_line(writer, "", finding->advice);
}

void kt_print_doctor(const kt_document *document, kt_writer *writer)
{
    for (uint32_t i = 0; i < document->device_count; i++) {
        const kt_device_info *info = &document->devices[i].info;
        kt_put_spelled(writer, kt_spell_plain, info->id);
        kt_put(writer, "  ");
        kt_put_spelled(writer, kt_spell_plain, info->name);
        kt_put(writer, "\n");
        for (uint32_t k = 0; k < document->finding_count; k++)
            if (strcmp(document->findings[k].device, info->id) == 0)
                print_finding(&document->findings[k], writer);
    }
}
