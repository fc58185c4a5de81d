/* SPDX-License-Identifier: MIT */
/* compiler.c - compiles CUDA C with NVRTC or hiprtc, if present, to code that the driver loads. */
#include "backends/cuda_hip/internal.h"
#include "support/alloc.h"
#include "support/dl.h"

#include <stdio.h>
#include <string.h>

#define ARCHS_MAX  64
#define FLAGS_MAX  64
#define ARCH_BYTES 64
/* Buffer for a hipDeviceProp_t of any HIP version, which has 1,472 bytes in HIP 6. */
#define PROPERTIES_BYTES 16384

#define NVRTC_NAME(name, cuda, hip, parameters)  KT_DL_NAME(#cuda)
#define HIPRTC_NAME(name, cuda, hip, parameters) KT_DL_NAME(#hip)
#define NVRTC_MAY(name, symbol, parameters)      KT_DL_OPTIONAL(#symbol)
static const char nvrtc_functions[] =
    CUDA_COMPILER(NVRTC_NAME) CUDA_COMPILER_TEXTS(NVRTC_NAME) CUDA_COMPILER_OPTIONAL(NVRTC_MAY);
static const char hiprtc_functions[] = CUDA_COMPILER(HIPRTC_NAME) CUDA_COMPILER_TEXTS(HIPRTC_NAME);

KT_DL_NAMES(nvrtc_names, "nvrtc", "Kernels in CUDA C on CUDA devices", "libnvrtc.so.13",
            "libnvrtc.so.12", "libnvrtc.so.11.2", "libnvrtc.so.11.1", "libnvrtc.so.11.0",
            "libnvrtc.so");
KT_DL_NAMES(hiprtc_names, "hiprtc", "Kernels in CUDA C on HIP devices", "libhiprtc.so.7",
            "libhiprtc.so.6");

/* NVRTC's machine code needs a driver of its major version or later, so try versions that are no
 * newer than the driver first. */
static kt_status open_nvrtc(const cuda_api *api, void **out)
{
    int version = 0;
    const char *const *names = nvrtc_names;
    if (CUDA_CODE(api, cuDriverGetVersion, &version) == CUDA_OK && version > 0)
        names += (version < 13000) + (version < 12000);
    kt_status status = kt_dl_open("KERNTIME_LIB_NVRTC", names, out);
    return status == KT_OK ? status : kt_dl_open("KERNTIME_LIB_NVRTC", nvrtc_names, out);
}

/* Up to HIP 5, only the runtime library contains hiprtc. Later hiprtc libraries are tried from the
 * runtime's own major version on, whose code the runtime accepts. */
static kt_status open_hiprtc(const cuda_api *api, cuda_compiler *compiler, void **out)
{
    *out = api->library;
    int version = 0;
    const char *const *names = hiprtc_names;
    bool is_named = kt_environment("KERNTIME_LIB_HIPRTC") != NULL;
    if (!is_named && kt_dl_load(*out, hiprtc_functions, &compiler->rtcVersion) == KT_OK)
        return KT_OK;
    if (CUDA_CODE(api, cuDriverGetVersion, &version) == CUDA_OK && version > 0)
        names += version < 70000000;
    kt_status status = kt_dl_open("KERNTIME_LIB_HIPRTC", names, out);
    return status == KT_OK ? status : kt_dl_open("KERNTIME_LIB_HIPRTC", hiprtc_names, out);
}

void kt_cuda_compiler_open(cuda_compiler *compiler, const cuda_api *api)
{
    void *library = NULL;
    bool is_hip = api->kind == CUDA_KIND_HIP;
    compiler->kind = api->kind;
    kt_status status = is_hip ? open_hiprtc(api, compiler, &library) : open_nvrtc(api, &library);
    if (status == KT_OK)
        status =
            kt_dl_load(library, is_hip ? hiprtc_functions : nvrtc_functions, &compiler->rtcVersion);
    compiler->is_here = status == KT_OK;
    bool is_named = kt_environment(is_hip ? "KERNTIME_LIB_HIPRTC" : "KERNTIME_LIB_NVRTC") != NULL;
    if (!compiler->is_here && is_named)
        snprintf(compiler->reason, sizeof compiler->reason, "%s", kt_error_text());
}

/* ---- NVRTC beside an older driver ---- */

/* The versions of CUDA that NVRTC and the driver are of, 12040 for 12.4. False: not known, or no
 * NVRTC. */
static bool get_versions(const cuda_device *d, int *compiler, int *driver)
{
    int major = 0, minor = 0;
    if (d->compiler->kind == CUDA_KIND_HIP || !d->compiler->is_here ||
        COMPILER_CODE(d->compiler, rtcVersion, &major, &minor) != 0 ||
        CUDA_CODE(d->api, cuDriverGetVersion, driver) != CUDA_OK)
        return false;
    *compiler = 1000 * major + 10 * minor;
    return *driver > 0;
}

kt_status kt_cuda_explain_versions(const cuda_device *device, kt_status status)
{
    int compiler = 0, driver = 0;
    if (status != KT_BUILD_FAILED || !get_versions(device, &compiler, &driver) ||
        compiler <= driver)
        return status;
    return kt_fail(status,
                   "NVRTC %d.%d is newer than the driver (CUDA %d.%d): name an older one with "
                   "KERNTIME_LIB_NVRTC, or give PTX; %s",
                   compiler / 1000, compiler / 10 % 100, driver / 1000, driver / 10 % 100,
                   kt_error_text());
}

/* Lowers the version that PTX asks for to the driver's. Each toolkit writes its own version,
 * whatever the code uses; what is really too new fails to load. CUDA 11.0 reads PTX 7.0, 12.4 reads
 * 8.4, 13.0 reads 9.0. */
static void lower_version(char *ptx, int driver)
{
    char *version = strstr(ptx, ".version ");
    int major = driver / 1000 - 4, minor = driver / 10 % 100;
    if (!version || driver < 11000 || major > 9 || minor > 9)
        return;
    version += strlen(".version ");
    if (version[0] == '\0' || version[1] != '.' || version[2] == '\0')
        return;
    if (version[0] - '0' < major || (version[0] - '0' == major && version[2] - '0' <= minor))
        return;
    version[0] = (char)('0' + major);
    version[2] = (char)('0' + minor);
}

/* ---- the compiler's target architecture ---- */

/* The compiler's architecture option. is_machine_code: NVRTC makes machine code with it, else
 * PTX. */
typedef struct target {
    char option[96]; /* empty: no option, the compiler queries the device */
    bool is_machine_code;
} target;

/* Architectures that NVRTC supports, 90 for sm_90. Returns the number of architectures, or 0 if
 * NVRTC does not report them (before CUDA 11.2). */
static size_t known_archs(const cuda_compiler *c, int archs[ARCHS_MAX])
{
    int count = 0;
    if (!c->nvrtcGetNumSupportedArchs || !c->nvrtcGetSupportedArchs ||
        COMPILER_CODE(c, nvrtcGetNumSupportedArchs, &count) != 0 || count <= 0 ||
        count > ARCHS_MAX || COMPILER_CODE(c, nvrtcGetSupportedArchs, archs) != 0)
        return 0;
    return (size_t)count;
}

/* Finds a HIP device's architecture, such as "gfx90a:sramecc+:xnack-". Searches backwards, because
 * the device's name stands before it and may begin with "gfx", too. */
static const char *find_arch(const char *properties, size_t bytes)
{
    for (size_t at = bytes - 4; at > 0; at--)
        if (memcmp(properties + at, "gfx", 3) == 0)
            return properties + at;
    return NULL;
}

kt_status kt_cuda_hip_arch(const cuda_api *api, cuda_ordinal ordinal, char *arch, size_t bytes)
{
    arch[0] = '\0';
    if (!api->hipGetDevicePropertiesR0600 && !api->hipGetDeviceProperties)
        return KT_OK;
    char *properties = kt_alloc(PROPERTIES_BYTES, 1);
    if (!properties)
        return KT_NO_MEMORY;
    kt_status status = api->hipGetDevicePropertiesR0600
                           ? CUDA_DO(api, hipGetDevicePropertiesR0600, properties, ordinal)
                           : CUDA_DO(api, hipGetDeviceProperties, properties, ordinal);
    const char *found = status == KT_OK ? find_arch(properties, PROPERTIES_BYTES) : NULL;
    if (found)
        snprintf(arch, bytes, "%s", found);
    kt_free(properties);
    return status;
}

/* hiprtc 5.2 needs the architecture as an option. Later versions query the thread's device through
 * libamdhip64.so, a name that only development packages install before HIP 7. If no architecture is
 * found, hiprtc chooses. */
static kt_status choose_hip_target(const cuda_device *d, const char *flags, target *out)
{
    char arch[ARCH_BYTES];
    if (flags && strstr(flags, "--offload-arch"))
        return KT_OK;
    kt_status status = kt_cuda_hip_arch(d->api, d->ordinal, arch, sizeof arch);
    if (arch[0])
        snprintf(out->option, sizeof out->option, "--offload-arch=%s", arch);
    return status;
}

/* Chooses machine code if NVRTC supports the device's architecture and is of the driver's major
 * version or earlier. Otherwise chooses PTX for the latest architecture before it, which the driver
 * compiles. */
static kt_status choose_cuda_target(const cuda_device *d, target *out)
{
    int archs[ARCHS_MAX], latest = 0, major = 0, minor = 0;
    kt_status status = CUDA_DO(d->api, cuDeviceGetAttribute, &major,
                               CUDA_ATTRIBUTE(d->api, COMPUTE_CAPABILITY_MAJOR), d->ordinal);
    if (status == KT_OK)
        status = CUDA_DO(d->api, cuDeviceGetAttribute, &minor,
                         CUDA_ATTRIBUTE(d->api, COMPUTE_CAPABILITY_MINOR), d->ordinal);
    if (status != KT_OK)
        return status;
    int own = 10 * major + minor;
    size_t count = known_archs(d->compiler, archs);
    for (size_t i = 0; i < count; i++)
        if (archs[i] <= own && archs[i] > latest)
            latest = archs[i];
    if (count && latest == 0)
        return kt_fail(KT_UNSUPPORTED,
                       "NVRTC compiles for no device as old as %s, of compute capability %d.%d",
                       d->info->id, own / 10, own % 10);
    int compiler = 0, driver = 0;
    bool is_newer = get_versions(d, &compiler, &driver) && compiler / 1000 > driver / 1000;
    out->is_machine_code =
        latest == own && !is_newer && d->compiler->nvrtcGetCUBINSize && d->compiler->nvrtcGetCUBIN;
    snprintf(out->option, sizeof out->option, "--gpu-architecture=%s_%d",
             out->is_machine_code ? "sm" : "compute", latest ? latest : own);
    return KT_OK;
}

/* ---- compiling ---- */

/* Splits the user's compiler flags at their blanks, in place. */
static kt_status split_flags(char *flags, const char *options[FLAGS_MAX], int *count)
{
    for (char *at = flags; at && *at;) {
        while (*at == ' ')
            *at++ = '\0';
        if (*at == '\0')
            break;
        if (*count == FLAGS_MAX)
            return kt_fail(KT_LIMIT, "more than %d flags for the compiler", FLAGS_MAX - 1);
        options[(*count)++] = at;
        while (*at && *at != ' ')
            at++;
    }
    return KT_OK;
}

static kt_status failed(const cuda_compiler *c, const char *call, cuda_compiler_code code)
{
    const char *text = KT_CALL(c, rtcGetErrorString, NULL, code);
    return kt_fail(KT_DRIVER_ERROR, "%s%s failed: %s (%d)",
                   c->kind == CUDA_KIND_HIP ? "hiprtc" : "nvrtc", call,
                   text ? text : "unknown code", (int)code);
}

/* Fails with the compiler's log in the error text. */
static kt_status build_failed(const cuda_compiler *c, cuda_source source, kt_status status,
                              const char *format, const char *entry)
{
    size_t bytes = 0;
    char *log = NULL;
    if (COMPILER_CODE(c, rtcGetProgramLogSize, source, &bytes) == 0)
        log = kt_alloc(bytes + 1, 1);
    bool has_log = log && COMPILER_CODE(c, rtcGetProgramLog, source, log) == 0;
    kt_fail(status, format, entry, has_log && log[0] ? log : "(the compiler gives no log)");
    kt_free(log);
    return status;
}

static kt_status take_code(const cuda_compiler *c, cuda_source source, bool is_machine_code,
                           char **out)
{
    size_t bytes = 0;
    cuda_compiler_code code = is_machine_code ? COMPILER_CODE(c, nvrtcGetCUBINSize, source, &bytes)
                                              : COMPILER_CODE(c, rtcGetCodeSize, source, &bytes);
    if (code != 0)
        return failed(c, is_machine_code ? "GetCUBINSize" : "GetCodeSize", code);
    *out = kt_alloc(bytes + 1, 1);
    if (!*out)
        return KT_NO_MEMORY;
    code = is_machine_code ? COMPILER_CODE(c, nvrtcGetCUBIN, source, *out)
                           : COMPILER_CODE(c, rtcGetCode, source, *out);
    return code == 0 ? KT_OK : failed(c, is_machine_code ? "GetCUBIN" : "GetCode", code);
}

/* What the compiler is given. */
typedef struct build {
    const cuda_compiler *compiler;
    const char *text, *entry;
    const char *options[FLAGS_MAX];
    int option_count;
} build;

/* Compiles the text. `by_name`: with the kernel that the entry names in C++, which may be an instance
 * of a template. Then KT_INVALID: the text or the entry does not compile. The caller destroys *source
 * even after a failure. */
static kt_status compile(const build *b, bool by_name, cuda_source *source)
{
    const cuda_compiler *c = b->compiler;
    cuda_compiler_code code =
        COMPILER_CODE(c, rtcCreateProgram, source, b->text, "kernel.cu", 0, NULL, NULL);
    if (code != 0) {
        *source = NULL;
        return failed(c, "CreateProgram", code);
    }
    if (by_name)
        code = COMPILER_CODE(c, rtcAddNameExpression, *source, b->entry);
    if (code != 0)
        return failed(c, "AddNameExpression", code);
    code = COMPILER_CODE(c, rtcCompileProgram, *source, b->option_count, b->options);
    if (code == CUDA_COMPILATION && by_name)
        return build_failed(c, *source, KT_INVALID, "the source has no kernel %s:\n%s", b->entry);
    if (code == CUDA_COMPILATION || code == CUDA_COMPILER_OPTION)
        return build_failed(c, *source, KT_BUILD_FAILED, "kernel %s does not compile:\n%s",
                            b->entry);
    return code == 0 ? KT_OK : failed(c, "CompileProgram", code);
}

/* Copies the name that the entry has in the code. */
static kt_status take_symbol(const build *b, cuda_source source, char **symbol)
{
    const char *lowered = NULL;
    cuda_compiler_code code =
        COMPILER_CODE(b->compiler, rtcGetLoweredName, source, b->entry, &lowered);
    if (code == CUDA_COMPILER_NAME)
        return kt_fail(KT_INVALID, "the source has no kernel %s", b->entry);
    if (code != 0 || !lowered)
        return failed(b->compiler, "GetLoweredName", code);
    *symbol = kt_copy_text(lowered);
    return *symbol ? KT_OK : KT_NO_MEMORY;
}

/* A text that does not compile with the entry as a name is compiled once more without, which shows
 * whose fault that is. hiprtc's word is not taken for it: the driver may still find the entry. */
static kt_status compile_entry(const build *b, cuda_source *source, char **symbol)
{
    bool by_name = strncmp(b->entry, "_Z", 2) != 0;
    kt_status status = compile(b, by_name, source);
    if (status == KT_OK && by_name)
        status = take_symbol(b, *source, symbol);
    if (status != KT_INVALID)
        return status;
    b->compiler->rtcDestroyProgram(source);
    status = compile(b, false, source);
    bool is_entry = status == KT_OK && b->compiler->kind == CUDA_KIND_CUDA;
    return is_entry ? KT_INVALID : status; /* with the sentence about the entry */
}

kt_status kt_cuda_compile(const cuda_device *device, const kt_program_desc *desc, const char *text,
                          char **code, char **symbol)
{
    const cuda_compiler *c = device->compiler;
    build b = {.compiler = c, .text = text, .entry = desc->entry};
    cuda_source source = NULL;
    target chosen = {0};
    char *flags = kt_copy_text(desc->build_flags);
    kt_status status = desc->build_flags && !flags ? KT_NO_MEMORY
                       : device->api->kind == CUDA_KIND_HIP
                           ? choose_hip_target(device, flags, &chosen)
                           : choose_cuda_target(device, &chosen);
    if (status == KT_OK && chosen.option[0])
        b.options[b.option_count++] = chosen.option;
    if (status == KT_OK)
        status = split_flags(flags, b.options, &b.option_count);
    if (status == KT_OK)
        status = compile_entry(&b, &source, symbol);
    if (status == KT_OK)
        status = take_code(c, source, chosen.is_machine_code, code);
    int version = 0, driver = 0;
    if (status == KT_OK && !chosen.is_machine_code && get_versions(device, &version, &driver))
        lower_version(*code, driver);
    if (source)
        c->rtcDestroyProgram(&source);
    kt_free(flags);
    return status;
}
