/* SPDX-License-Identifier: MIT */
/* Finds CUPTI. One that the process has loaded comes first. Else the newest version that is not
 * newer than the driver: in the folders of the CUDA toolkit, where the dynamic loader looks, or
 * beside loaded libraries of pip's packages, where nvidia-cuda-cupti lies. */
#define _GNU_SOURCE /* dl_iterate_phdr */
#include "tracers/cuda/cupti.h"

#include "support/dl.h"

#include <dlfcn.h>
#include <link.h>
#include <stdio.h>
#include <string.h>

#define PATH_BYTES 4096

/* A major version of CUDA, and the names of its CUPTI. */
typedef struct version_names {
    int major;
    const char *names[10];
} version_names;

/* Newest first. */
static const version_names versions[] = {
    {13, {"libcupti.so.13"}},
    {12, {"libcupti.so.12"}},
    {11,
     {"libcupti.so.11.8", "libcupti.so.11.7", "libcupti.so.11.6", "libcupti.so.11.5",
      "libcupti.so.11.4", "libcupti.so.11.3", "libcupti.so.11.2", "libcupti.so.11.1",
      "libcupti.so.11.0"}},
    {10, {"libcupti.so.10.2"}},
};
enum { VERSION_COUNT = sizeof versions / sizeof versions[0] };

/* Packaging tools read it. */
KT_DL_NOTE(cupti_note,
           KT_DL_JSON("cuda", "Tracing CUDA programs", "\"libcupti.so.13\",\"libcupti.so.12\""));

static const char *const toolkit_folders[] = {"lib64", "lib", "extras/CUPTI/lib64"};

typedef struct lookup {
    const char *name;
    void *found;
} lookup;

static void *open_in(const char *folder, const char *below, const char *name)
{
    char path[PATH_BYTES];
    int length = snprintf(path, sizeof path, "%s/%s/%s", folder, below, name);
    if (folder[0] != '/' || length >= (int)sizeof path)
        return NULL;
    return dlopen(path, RTLD_NOW | RTLD_LOCAL);
}

static void *open_in_toolkit(const char *name)
{
    const char *const toolkits[] = {kt_environment("CUDA_HOME"), kt_environment("CUDA_PATH"),
                                    "/usr/local/cuda"};
    void *found = NULL;
    for (size_t i = 0; i < sizeof toolkits / sizeof toolkits[0]; i++)
        for (size_t j = 0; toolkits[i] && j < sizeof toolkit_folders / sizeof toolkit_folders[0];
             j++)
            if (!found)
                found = open_in(toolkits[i], toolkit_folders[j], name);
    return found;
}

/* pip's packages lie in .../nvidia/PACKAGE/lib; since CUDA 13 in .../nvidia/cu13/lib, all of them. */
static int look_beside(struct dl_phdr_info *info, size_t bytes, void *user)
{
    lookup *wanted = user;
    char folder[PATH_BYTES];
    const char *part = info->dlpi_name ? strstr(info->dlpi_name, "/nvidia/") : NULL;
    (void)bytes;
    if (!part || (size_t)(part - info->dlpi_name) >= sizeof folder)
        return 0;
    snprintf(folder, sizeof folder, "%.*s/nvidia", (int)(part - info->dlpi_name), info->dlpi_name);
    wanted->found = open_in(folder, "cuda_cupti/lib", wanted->name);
    if (!wanted->found)
        wanted->found = open_in(folder, "cu13/lib", wanted->name);
    return wanted->found != NULL;
}

static void *open_beside(const char *name)
{
    lookup wanted = {.name = name};
    dl_iterate_phdr(look_beside, &wanted);
    return wanted.found;
}

static void *open_loaded(const char *name)
{
    return dlopen(name, RTLD_NOW | RTLD_NOLOAD);
}

static void *open_by_loader(const char *name)
{
    return dlopen(name, RTLD_NOW | RTLD_LOCAL);
}

static void *open_of(const version_names *version)
{
    static void *(*const ways[])(const char *) = {open_loaded, open_in_toolkit, open_by_loader,
                                                  open_beside};
    void *found = NULL;
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++)
        for (const char *const *name = version->names; *name && !found; name++)
            found = ways[i](*name);
    return found;
}

/* One that the process has loaded comes first, of any version: a second CUPTI would see nothing. */
static void *open_any(int driver_version)
{
    void *found = NULL;
    for (size_t i = 0; i < VERSION_COUNT; i++)
        for (const char *const *name = versions[i].names; *name && !found; name++)
            found = open_loaded(*name);
    for (size_t i = 0; i < VERSION_COUNT && !found; i++)
        if (driver_version == 0 || versions[i].major <= driver_version / 1000)
            found = open_of(&versions[i]);
    return found;
}

static bool is_known(uint32_t version)
{
    return (version >= CUPTI_FIRST && version <= CUPTI_LAST_OF_12) ||
           (version >= CUPTI_FIRST_OF_13 && version <= CUPTI_LAST_OF_13);
}

bool cupti_open(int driver_version, cupti_functions *out, char *reason, size_t reason_bytes)
{
#define NAME(member, function, parameters)     KT_DL_NAME(function)
#define OPTIONAL(member, function, parameters) KT_DL_OPTIONAL(function)
    static const char names[] = CUPTI_FUNCTIONS(NAME) CUPTI_OPTIONAL_FUNCTIONS(OPTIONAL);
#undef NAME
#undef OPTIONAL
    const char *chosen = kt_environment("KERNTIME_LIB_CUPTI");
    void *library = NULL;
    uint32_t version = 0;
    if (!chosen)
        library = open_any(driver_version);
    else if (chosen[0] == '/')
        library = dlopen(chosen, RTLD_NOW | RTLD_LOCAL);
    if (!library && chosen) {
        snprintf(reason, reason_bytes, "KERNTIME_LIB_CUPTI is no library's absolute path: %.80s",
                 chosen);
        return false;
    }
    if (!library) {
        char newest[32] = "";
        if (driver_version > 0)
            snprintf(newest, sizeof newest, " of CUDA %d or older", driver_version / 1000);
        snprintf(reason, reason_bytes, "libcupti%s is not here: install it, or set CUDA_HOME",
                 newest);
        return false;
    }
    if (kt_dl_load(library, names, out) != KT_OK) {
        snprintf(reason, reason_bytes, "this libcupti lacks functions of CUDA 10 to 13");
        return false;
    }
    if (out->get_version(&version) == CUPTI_OK && is_known(version))
        return true;
    snprintf(reason, reason_bytes, "version %u of CUPTI is not known: use that of CUDA 10 to 13",
             version);
    return false;
}

void cupti_explain(const cupti_functions *cupti, const char *function, cupti_result result,
                   char *reason, size_t reason_bytes)
{
    const char *text = NULL;
    switch (result) {
    case CUPTI_OTHER_SUBSCRIBER:
    case CUPTI_HARDWARE_BUSY:
        text = "another tool uses CUPTI: end Nsight, cuda-gdb or the program's own profiler";
        break;
    case CUPTI_NO_PRIVILEGE:
    case CUPTI_VIRTUAL_DEVICE_NO_PRIVILEGE:
        text = "no permission to use CUPTI: ask for NVreg_RestrictProfilingToAdminUsers=0";
        break;
    case CUPTI_VIRTUAL_DEVICE: text = "CUPTI does not trace this virtual GPU"; break;
    case CUPTI_CONFIDENTIAL: text = "CUPTI does not trace in confidential computing"; break;
    case CUPTI_OK: break;
    }
    if (text) {
        snprintf(reason, reason_bytes, "%s", text);
        return;
    }
    if (cupti->get_result_string((int)result, &text) != CUPTI_OK || !text)
        text = "no text";
    snprintf(reason, reason_bytes, "%s failed with %d: %s", function, (int)result, text);
}
