/* SPDX-License-Identifier: MIT */
/* csv.c - one line per device and workload, as RFC 4180 has it; devices in the order of the table. */
#include "cli/fleet/fleet.h"
#include "cli/output/text.h"

#include <inttypes.h>
#include <math.h>

static void put_number(FILE *file, double value)
{
    fputc(',', file);
    if (!isnan(value))
        fprintf(file, "%.15g", value);
}

/* Each with a comma behind it. */
static void put_texts(FILE *file, const char *const *texts, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        text_put_csv(file, texts[i] ? texts[i] : "");
        fputc(',', file);
    }
}

/* "throttled partial" */
static void put_problems(FILE *file, unsigned problems)
{
    fputc(',', file);
    const char *separator = "";
    for (size_t i = 0; i < fleet_problem_count; i++)
        if (problems & fleet_problems[i].bit) {
            fprintf(file, "%s%s", separator, fleet_problems[i].name);
            separator = " ";
        }
}

/* "power_cap thermal" */
static void put_reasons(FILE *file, uint32_t mask)
{
    const char *separator = ",";
    for (uint32_t bit = 1; bit & KT_THROTTLE_MASK; bit <<= 1)
        if (mask & bit) {
            fprintf(file, "%s%s", separator, kt_throttle_name((kt_throttle)bit));
            separator = " ";
        }
    fputs(mask & KT_THROTTLE_MASK ? "" : ",", file);
}

static void put_setting(FILE *file, int64_t value)
{
    fputc(',', file);
    if (value != FLEET_UNKNOWN)
        fprintf(file, "%" PRId64, value);
}

static void put_state(const fleet *of, const fleet_device *d, FILE *file)
{
    const fleet_settings *s = &of->groups[d->group].settings;
    const char *locked = s->clocks_locked ? ",true" : ",false";
    put_setting(file, s->power_limit_w);
    fputs(s->clocks_locked == FLEET_UNKNOWN ? "," : locked, file);
    put_setting(file, s->core_clock_max_mhz);
    put_number(file, fleet_left_out(d));
    put_reasons(file, d->left_out_for);
    put_reasons(file, d->throttle);
}

static void put_origin(const fleet *of, const fleet_device *d, FILE *file)
{
    const fleet_file *from = &of->files[d->file];
    const char *const texts[] = {d->reason, from->path, from->job};
    put_problems(file, d->problems);
    fputc(',', file);
    put_texts(file, texts, sizeof texts / sizeof texts[0]);
    if (from->job)
        fprintf(file, "%u", (unsigned)from->rank);
    put_state(of, d, file);
    fputc('\n', file);
}

static void put_device(const fleet *of, const fleet_device *d, FILE *file)
{
    const fleet_group *group = &of->groups[d->group];
    const char *const texts[] = {d->node,   d->id,       d->uuid,      d->pci_address,
                                 d->serial, group->name, group->driver};
    put_texts(file, texts, sizeof texts / sizeof texts[0]);
}

static void put_row(const fleet *of, const fleet_device *d, size_t number, FILE *file)
{
    const kt_fleet_cell *cell = &of->cells[number];
    const fleet_workload *w = &of->workloads[of->cell_workloads[number]];
    const char *const texts[] = {w->name,
                                 w->variant,
                                 w->step,
                                 kt_series_kind_name(w->kind),
                                 kt_method_name(w->method),
                                 w->is_cold ? "true" : "false",
                                 fleet_answer_word(d)};
    put_device(of, d, file);
    put_texts(file, texts, sizeof texts / sizeof texts[0]);
    fprintf(file, "%s,%zu", fleet_cell_word(cell), cell->run_count);
    const double numbers[] = {cell->time_ns, cell->noise, cell->effect,  cell->low,
                              cell->high,    cell->p,     cell->robust_z};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        put_number(file, numbers[i]);
    put_origin(of, d, file);
}

/* A device without a time that counts has a row, too. */
static void put_without_time(const fleet *of, const fleet_device *d, FILE *file)
{
    put_device(of, d, file);
    fprintf(file, ",,,,,,%s,,0,,,,,,,", fleet_answer_word(d));
    put_origin(of, d, file);
}

bool fleet_print_csv(const fleet *of, FILE *file)
{
    fputs("node,device,uuid,pci_address,serial,model,driver,name,variant,step,kind,method,cold,"
          "device_answer,"
          "answer,runs,time_ns,noise,effect,effect_low,effect_high,p,robust_z,problems,reason,file,"
          "job,rank,power_limit_w,clocks_locked,core_clock_max_mhz,throttled_share,"
          "throttled_reasons,kept_reasons\n",
          file);
    for (size_t i = 0; i < of->device_count; i++) {
        const fleet_device *d = &of->devices[of->order[i]];
        for (size_t k = 0; k < d->cell_count; k++)
            put_row(of, d, of->device_cells[d->first_cell + k], file);
        if (!d->cell_count)
            put_without_time(of, d, file);
    }
    return true;
}
