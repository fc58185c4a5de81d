/* SPDX-License-Identifier: MIT */
#include "cli/run/launch.h"

#include "cli/run/launch_parts.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- outcomes ---- */

int launch_fail(launch_result *result, launch_outcome outcome, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(result->reason, sizeof result->reason, format, args);
    va_end(args);
    result->outcome = outcome;
    return -1;
}

int launch_fail_status(launch_result *result, kt_status status)
{
    const char *text = kt_error_text();
    launch_outcome outcome = OUTCOME_FAILED;
    switch (status) {
    case KT_BUILD_FAILED: outcome = OUTCOME_BUILD; break;
    case KT_LIMIT:
    case KT_UNSUPPORTED:
    case KT_NO_MEMORY: outcome = OUTCOME_LIMIT; break;
    case KT_INVALID: outcome = OUTCOME_ARGUMENTS; break;
    case KT_TIMEOUT: outcome = OUTCOME_TIMEOUT; break;
    case KT_WRONG_RESULT: outcome = OUTCOME_WRONG; break;
    default: break;
    }
    if (!text[0])
        text = kt_status_name(status);
    return launch_fail(result, outcome, "%.*s", (int)strcspn(text, "\n"), text);
}

/* ---- description ---- */

const char *launch_name(const launch *l, size_t index, char text[SIGNATURE_NAME_BYTES])
{
    const parameter *p = &l->signature.parameters[index];
    if (p->name[0])
        return p->name;
    snprintf(text, SIGNATURE_NAME_BYTES, "argument %zu", index);
    return text;
}

void launch_note(launch *l, const char *format, ...)
{
    void *more = realloc(l->lines, (l->line_count + 1) * sizeof *l->lines);
    if (!more)
        return; /* a line less */
    l->lines = more;
    va_list args;
    va_start(args, format);
    vsnprintf(l->lines[l->line_count++], sizeof *l->lines, format, args);
    va_end(args);
}

bool launch_describe(const launch *l, size_t index, char *text, size_t bytes)
{
    if (index >= l->line_count)
        return false;
    snprintf(text, bytes, "%s", l->lines[index]);
    return true;
}

/* True if several values of a -D are measured. */
static bool is_swept(const launch *l)
{
    bool any = false;
    for (size_t i = 0; i < l->define_count; i++)
        any |= l->defines[i].value_count > 1;
    return any;
}

static void note_geometry(launch *l)
{
    const geometry *g = &l->geometry;
    const int64_t local[3] = {g->local[0], g->local[1], g->local[2]};
    char local_text[80], global_text[80];
    geometry_text(local, local_text, sizeof local_text);
    geometry_text(g->global, global_text, sizeof global_text);
    if (g->is_global_guessed || g->is_local_guessed)
        launch_note(l, "%s work-items%s in groups of %s%s", global_text,
                    g->is_global_guessed ? " (guess)" : "", local_text,
                    g->is_local_guessed ? " (guess)" : "");
    if ((g->is_global_guessed || g->is_local_guessed) && is_swept(l))
        launch_note(l, "these sizes are the same for all values of -D (if not: --global n/W, "
                       "--local TILE,TILE)");
}

/* ---- pool ---- */

/* Whether several kernels run on the device, so that names of configurations need the file's. */
static bool find_shared(const run_plan *plan, const kt_device_info *info)
{
    uint32_t first = UINT32_MAX;
    for (size_t i = 0; i < plan->configuration_count; i++) {
        const configuration *c = &plan->configurations[i];
        if (strcmp(plan->selected->devices[c->device].info.id, info->id) != 0)
            continue;
        if (first != UINT32_MAX && c->subject != first)
            return true;
        first = c->subject;
    }
    return false;
}

kt_status launch_pool_create(const run_plan *plan, kt_device *device, const char *folder,
                             launch_pool **out)
{
    launch_pool *pool = calloc(1, sizeof *pool);
    char *kept = pool ? malloc(strlen(folder) + 1) : NULL;
    if (!kept) {
        free(pool);
        return KT_NO_MEMORY;
    }
    memcpy(kept, folder, strlen(folder) + 1);
    pool->plan = plan;
    pool->device = device;
    pool->info = kt_device_get_info(device);
    pool->folder = kept;
    pool->is_shared = find_shared(plan, pool->info);
    *out = pool;
    return KT_OK;
}

void launch_pool_destroy(launch_pool **pool)
{
    if (!pool || !*pool)
        return;
    buffers_forget(*pool, UINT32_MAX);
    expected_forget(*pool, UINT32_MAX);
    free((*pool)->scratch);
    free((*pool)->folder);
    free(*pool);
    *pool = NULL;
}

/* ---- launches ---- */

static int evaluate(const launch *l, const char *option, const char *text, double *out,
                    launch_result *result)
{
    char reason[EXPRESSION_REASON_BYTES];
    *out = 0;
    if (!text)
        return 0;
    if (expression_evaluate_number(text, run_lookup, &l->names, out, reason) != 0)
        return launch_fail(result, OUTCOME_ARGUMENTS, "%s %s: %s", option, text, reason);
    if (!(*out >= 0) || *out >= 0x1p63)
        return launch_fail(result, OUTCOME_ARGUMENTS, "%s %s is %g", option, text, *out);
    return 0;
}

static int open_launch(launch *l, launch_result *result)
{
    double bytes = 0;
    l->expected = expected_find(l->pool, l->configuration->expected, result->reason);
    if (!l->expected) {
        result->outcome = OUTCOME_FAILED;
        return -1;
    }
    l->expected->references++;
    int code = launch_build(l, result);
    if (code == 0)
        note_geometry(l);
    if (code == 0)
        code = launch_bind(l, result);
    if (code == 0)
        code = evaluate(l, "--flops", l->subject->settings.flops, &l->flops, result);
    if (code == 0)
        code = evaluate(l, "--bytes", l->subject->settings.bytes, &bytes, result);
    l->bytes = (uint64_t)bytes;
    return code == 0 ? launch_make_job(l, result) : code;
}

int launch_create(launch_pool *pool, const configuration *c, launch **out, launch_result *result)
{
    *result = (launch_result){.build_ns = NAN, .first_use_ns = NAN};
    buffers_forget(pool, c->contest);
    expected_forget(pool, c->expected);
    launch *l = calloc(1, sizeof *l);
    if (!l)
        return launch_fail(result, OUTCOME_FAILED, "the host is out of memory");
    l->pool = pool;
    l->configuration = c;
    l->subject = &pool->plan->subjects[c->subject];
    l->defines = pool->plan->defines[c->subject];
    l->define_count = pool->plan->define_count[c->subject];
    l->names = (run_names){.plan = pool->plan, .configuration = c};
    if (open_launch(l, result) != 0) {
        launch_destroy(&l);
        return -1;
    }
    *out = l;
    return 0;
}

const char *launch_nan(const launch *l)
{
    return l->nan[0] ? l->nan : NULL;
}

const char *launch_varies(const launch *l)
{
    return l->varies[0] ? l->varies : NULL;
}

kt_job *launch_job(const launch *l)
{
    return l->job;
}

void launch_destroy(launch **opened)
{
    if (!opened || !*opened)
        return;
    launch *l = *opened;
    kt_job_destroy(&l->job);
    kt_program_destroy(&l->program);
    for (size_t i = 0; l->arguments && i < l->signature.parameter_count; i++) {
        buffer_release(&l->arguments[i].buffer);
        free(l->arguments[i].value);
    }
    if (l->expected)
        l->expected->references--;
    if (l->subject->file.is_glsl)
        kernel_file_free(&l->compiled);
    free(l->arguments);
    free(l->lines);
    free(l);
    *opened = NULL;
}
