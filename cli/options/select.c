/* SPDX-License-Identifier: MIT */
#include "cli/options/select.h"

#include "cli/options/suggest.h"
#include "cli/output/text.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int exit_code_of(kt_status status)
{
    return status == KT_INVALID       ? EXIT_USAGE
           : status == KT_UNAVAILABLE ? EXIT_UNAVAILABLE
                                      : EXIT_FAILED;
}

static int add(const char *id, bool named, cli_selection *out)
{
    selected_device device = {.named = named};
    kt_status status = kt_device_describe(out->context, id, &device.info);
    if (status != KT_OK) {
        fprintf(stderr, "kerntime: %s\n", kt_error_text());
        return exit_code_of(status);
    }
    for (size_t i = 0; i < out->count; i++)
        if (strcmp(out->devices[i].info.id, device.info.id) == 0)
            return EXIT_DONE;
    selected_device *longer = realloc(out->devices, (out->count + 1) * sizeof *longer);
    if (!longer) {
        fprintf(stderr, "kerntime: out of memory\n");
        return EXIT_FAILED;
    }
    out->devices = longer;
    out->devices[out->count++] = device;
    return EXIT_DONE;
}

/* Adds all devices of one backend. */
static int add_backend(const kt_backend_info *backend, bool named, cli_selection *out)
{
    if (named && backend->status != KT_OK) {
        fprintf(stderr, "kerntime: %s is not here: %s\n", backend->name, backend->reason);
        return exit_code_of(backend->status);
    }
    /* A simulated backend has any number of devices; its name selects one. */
    uint32_t count = backend->simulated && backend->device_count ? 1 : backend->device_count;
    for (uint32_t i = 0; i < count; i++) {
        char id[32];
        snprintf(id, sizeof id, "%s:%u", backend->name, i);
        int code = add(id, named, out);
        if (code != EXIT_DONE)
            return code;
    }
    return EXIT_DONE;
}

/* Whether `name` is a comma-separated list of devices: commas also separate the keys of a
 * scenario. */
static bool is_list(const char *name)
{
    const char *next = strchr(name, ',');
    for (; next; next = strchr(next + 1, ','))
        for (int id = KT_BACKEND_NONE + 1; id < KT_BACKEND_ID_COUNT; id++) {
            const char *backend = kt_backend_id_name((kt_backend_id)id);
            size_t length = strlen(backend);
            if (strncmp(next + 1, backend, length) == 0 && strchr(":,", next[1 + length]))
                return true;
        }
    return false;
}

/* Adds the GPUs of all backends. */
static int add_gpus(cli_selection *out)
{
    size_t before = out->count;
    for (uint32_t i = 0; i < kt_backend_count(out->context); i++) {
        const kt_backend_info *backend = kt_backend_get(out->context, i);
        for (uint32_t k = 0; !backend->simulated && k < backend->device_count; k++) {
            char id[32];
            kt_device_info info;
            snprintf(id, sizeof id, "%s:%u", backend->name, k);
            if (kt_device_describe(out->context, id, &info) != KT_OK || info.type != KT_DEVICE_GPU)
                continue;
            int code = add(id, true, out);
            if (code != EXIT_DONE)
                return code;
        }
    }
    if (out->count > before)
        return EXIT_DONE;
    fprintf(stderr, "kerntime: -d gpu: there is no GPU here; \"kerntime devices\" tells why\n");
    return EXIT_UNAVAILABLE;
}

/* Refuses a name whose backend does not exist but is close to one that does. Opens no driver. */
static int refuse_backend(const char *name)
{
    size_t length = strcspn(name, ":");
    suggestion s = suggest_begin(name, length);
    suggest_consider(&s, "gpu"); /* has no number */
    for (int id = KT_BACKEND_NONE + 1; id < KT_BACKEND_ID_COUNT; id++)
        suggest_consider(&s, kt_backend_id_name((kt_backend_id)id));
    bool gpu = s.word && strcmp(s.word, "gpu") == 0;
    if (!s.word || (!gpu && strncmp(s.word, name, length) == 0 && !s.word[length]))
        return EXIT_DONE;
    fprintf(stderr, "kerntime: there is no device \"%.60s\"; did you mean \"%s%.40s\"?\n", name,
            s.word, gpu ? "" : name + length);
    return EXIT_USAGE;
}

static int add_named(const char *name, cli_selection *out)
{
    if (is_list(name)) {
        fprintf(stderr, "kerntime: -d %s: it names one device; repeat -d for each\n", name);
        return EXIT_USAGE;
    }
    for (uint32_t i = 0; i < kt_backend_count(out->context) && !strchr(name, ':'); i++) {
        const kt_backend_info *backend = kt_backend_get(out->context, i);
        if (strcmp(backend->name, name) == 0)
            return add_backend(backend, true, out);
    }
    if (strcmp(name, "gpu") == 0)
        return add_gpus(out);
    int code = refuse_backend(name);
    return code == EXIT_DONE ? add(name, true, out) : code;
}

/* Variables by which launchers show each rank devices of its own. */
static bool is_restricted(void)
{
    static const char *const names[] = {"CUDA_VISIBLE_DEVICES", "HIP_VISIBLE_DEVICES",
                                        "ROCR_VISIBLE_DEVICES", "GPU_DEVICE_ORDINAL",
                                        "ZE_AFFINITY_MASK"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (getenv(names[i]))
            return true;
    return false;
}

/* Says so in those ranks alone that come second to a device. */
static void warn_of_shared(const kt_launch *place, const char *name, uint32_t count)
{
    uint32_t rank = place->local_rank;
    if (rank == KT_LAUNCH_UNKNOWN || rank < count || (count == 1 && is_restricted()))
        return;
    fprintf(stderr,
            "kerntime: local ranks %u and %u both use %s:%u; start at most %u rank%s on a node\n",
            rank % count, rank, name, rank % count, count, text_plural(count));
}

bool launch_has_several(const kt_launch *launch)
{
    return launch->size == KT_LAUNCH_UNKNOWN ? launch->rank > 0 : launch->size > 1;
}

bool launch_is_one_of_several(const cli_options *options)
{
    kt_launch launch;
    return kt_launch_read(options->rank_variable, &launch) == KT_OK && launch_has_several(&launch);
}

bool selection_read_launch(const cli_options *options, kt_launch *out)
{
    if (kt_launch_read(options->rank_variable, out) != KT_OK)
        return false;
    if (out->larger[0] && !options->is_run && !options->stage)
        fprintf(stderr,
                "kerntime: %s says rank 0 of 1, but %s is %.10s: use one launcher, not two\n",
                out->variable, out->larger, getenv(out->larger));
    return true;
}

/* Adds the device of this process among those of its node. */
static int add_local(const cli_options *options, cli_selection *out)
{
    const char *name = options->local_device;
    const kt_backend_info *backend = NULL;
    for (uint32_t i = 0; i < kt_backend_count(out->context) && !backend; i++)
        if (strcmp(kt_backend_get(out->context, i)->name, name) == 0)
            backend = kt_backend_get(out->context, i);
    if (!backend)
        return add_named(name, out);
    if (backend->status != KT_OK || backend->device_count == 0)
        return add_backend(backend, true, out);
    kt_launch place;
    if (!selection_read_launch(options, &place)) {
        fprintf(stderr,
                "kerntime: --local-device %s: no launcher has set a rank; -d %s:0 names a device\n",
                name, name);
        return EXIT_USAGE;
    }
    uint32_t count = backend->device_count;
    if (place.local_rank == KT_LAUNCH_UNKNOWN && count > 1) {
        fprintf(
            stderr,
            "kerntime: --local-device %s: %s has no local rank; set RANK, WORLD_SIZE, LOCAL_RANK\n",
            name, place.variable);
        return EXIT_USAGE;
    }
    if (!options->is_run && !options->stage)
        warn_of_shared(&place, name, count);
    char id[64];
    snprintf(id, sizeof id, "%s:%u", name, count > 1 ? place.local_rank % count : 0);
    return add(id, true, out);
}

static int add_all_real(cli_selection *out)
{
    for (uint32_t i = 0; i < kt_backend_count(out->context); i++) {
        const kt_backend_info *backend = kt_backend_get(out->context, i);
        int code = backend->simulated ? EXIT_DONE : add_backend(backend, false, out);
        if (code != EXIT_DONE)
            return code;
    }
    return EXIT_DONE;
}

int selection_make(const cli_options *options, cli_selection *out)
{
    const kt_context_options wanted = {.size = sizeof wanted,
                                       .timeout_ns = options->measure.timeout_ns,
                                       .run = options->measure.run};
    *out = (cli_selection){0};
    kt_status status = kt_context_create(&out->context, &wanted);
    if (status != KT_OK) {
        fprintf(stderr, "kerntime: %s\n", kt_error_text());
        return status == KT_INVALID ? EXIT_USAGE : EXIT_FAILED;
    }
    int code = EXIT_DONE;
    if (options->local_device && options->device_count) {
        fprintf(stderr, "kerntime: -d and --local-device: one of them says which device\n");
        code = EXIT_USAGE;
    } else if (options->local_device)
        code = add_local(options, out);
    else if (options->device_count == 0)
        code = add_all_real(out);
    for (size_t i = 0; i < options->device_count && code == EXIT_DONE; i++)
        code = add_named(options->devices[i], out);
    return code;
}

bool selection_is_software(const selected_device *device)
{
    return !device->named && device->info.type == KT_DEVICE_CPU &&
           strcmp(device->info.backend, "cpu") != 0;
}

void selection_leave_out_software(cli_selection *selection, const cli_options *options)
{
    bool has_gpu = false;
    for (size_t i = 0; i < selection->count; i++)
        has_gpu |= selection->devices[i].info.type == KT_DEVICE_GPU;
    size_t count = selection->count, kept = 0, length = 0;
    char ids[256] = "", last[32] = "";
    for (size_t i = 0; i < count && has_gpu; i++) {
        const selected_device *device = &selection->devices[i];
        if (!selection_is_software(device)) {
            selection->devices[kept++] = *device;
        } else if (length < sizeof ids) {
            snprintf(last, sizeof last, "%.31s", device->info.id);
            length += (size_t)snprintf(ids + length, sizeof ids - length, "%s%s",
                                       length ? ", " : "", last);
        }
    }
    if (length == 0)
        return;
    selection->count = kept;
    if (!options->quiet && !options->is_run)
        fprintf(stderr,
                "kerntime: left out beside a GPU: %s (software on the CPU); -d %s measures it\n",
                ids, last);
}

int selection_check(const cli_selection *selection)
{
    if (selection->count)
        return EXIT_DONE;
    fprintf(stderr, "kerntime: there is no device here; \"kerntime devices\" tells why\n");
    return EXIT_UNAVAILABLE;
}

/* Whether the user named the backend's library (KERNTIME_LIB_WEBGPU=/path for "webgpu") and it
 * failed to open, as opposed to not being asked for. */
static bool is_library_missed(const kt_backend_info *backend)
{
    char variable[64];
    snprintf(variable, sizeof variable, "KERNTIME_LIB_%s", backend->name);
    for (char *at = variable; *at; at++)
        *at = (char)toupper((unsigned char)*at);
    const char *library = getenv(variable);
    return library && *library && strstr(backend->reason, variable);
}

static bool has_chosen(const cli_options *options)
{
    return options->device_count || options->local_device;
}

void selection_warn(const cli_selection *selection, const cli_options *options)
{
    for (uint32_t i = 0; i < kt_backend_count(selection->context) && !has_chosen(options); i++) {
        const kt_backend_info *backend = kt_backend_get(selection->context, i);
        if (backend->status != KT_OK && is_library_missed(backend))
            fprintf(stderr, "kerntime: %s is left out: %s\n", backend->name, backend->reason);
    }
}

kt_status selection_list_backends(const cli_selection *selection, const cli_options *options,
                                  kt_report *report)
{
    kt_status status = KT_OK;
    uint32_t count = has_chosen(options) ? 0 : kt_backend_count(selection->context);
    for (uint32_t i = 0; i < count && status == KT_OK; i++) {
        const kt_backend_info *backend = kt_backend_get(selection->context, i);
        if (!backend->simulated)
            status = kt_report_add_backend(report, backend);
    }
    return status;
}

int selection_add_yardstick(cli_selection *selection)
{
    static const char id[] = "cpu:0";
    size_t at = selection->count;
    bool needed = false;
    for (size_t i = 0; i < selection->count; i++) {
        if (strcmp(selection->devices[i].info.id, id) == 0)
            at = i;
        else
            needed |= selection->devices[i].info.type != KT_DEVICE_SIMULATED;
    }
    kt_device_info info;
    if (!needed ||
        (at == selection->count && kt_device_describe(selection->context, id, &info) != KT_OK))
        return EXIT_DONE;
    bool added = at == selection->count;
    int code = added ? add(id, false, selection) : EXIT_DONE;
    if (code == EXIT_DONE) {
        selection->devices[at].yardstick = true;
        selection->devices[at].added = added;
    }
    return code;
}

void selection_free(cli_selection *selection)
{
    free(selection->devices);
    kt_context_destroy(&selection->context);
    *selection = (cli_selection){0};
}
