/* csv.c - one line per device and workload, as RFC 4180 has it. */
#include "cli/fleet/fleet.h"
#include "cli/output/text.h"

#include <math.h>
#include <string.h>

static void put_text(FILE *file, const char *text)
{
    const char *quote = text && strpbrk(text, ",\"\r\n") ? "\"" : "";
    fprintf(file, "%s%s", quote, text && text_is_formula(text) ? "'" : "");
    for (; text && *text; text += text_next(text)) {
        char piece[5] = "";
        size_t length = text_sequence(text);
        memcpy(piece, text, length ? length : 1);
        if (*text == '"')
            fputs("\"\"", file);
        else
            text_put(file, piece, UINT32_MAX, false);
    }
    fputs(quote, file);
}

static void put_number(FILE *file, double value)
{
    fputc(',', file);
    if (!isnan(value))
        fprintf(file, "%.15g", value);
}

static void put_row(const fleet *of, size_t number, const kt_fleet_cell *cell, FILE *file)
{
    const fleet_workload *w = &of->workloads[number];
    const fleet_group *group = &of->groups[w->group];
    const fleet_device *d = &of->devices[of->cell_devices[cell - of->cells]];
    const char *const texts[] = {d->node,
                                 d->id,
                                 d->uuid,
                                 d->pci_address,
                                 d->serial,
                                 group->name,
                                 group->driver,
                                 w->name,
                                 w->variant,
                                 w->step,
                                 kt_series_kind_name(w->kind),
                                 fleet_answer_word(d)};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        fputs(i ? "," : "", file);
        put_text(file, texts[i]);
    }
    fprintf(file, ",%s,%zu", fleet_cell_word(cell), cell->run_count);
    const double numbers[] = {cell->time_ns, cell->noise, cell->effect,  cell->low,
                              cell->high,    cell->p,     cell->robust_z};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        put_number(file, numbers[i]);
    fputc('\n', file);
}

bool fleet_print_csv(const fleet *of, FILE *file)
{
    fputs("node,device,uuid,pci_address,serial,model,driver,name,variant,step,kind,device_answer,"
          "answer,runs,time_ns,noise,effect,effect_low,effect_high,p,robust_z\n",
          file);
    for (size_t i = 0; i < of->workload_count; i++)
        for (size_t k = 0; k < of->populations[i].count; k++)
            put_row(of, i, &of->populations[i].cells[k], file);
    return true;
}
