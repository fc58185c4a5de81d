/* SPDX-License-Identifier: MIT */
/*
 * Each workload exists for each target that it claims: in all variants the kernel is there, builds
 * and, where it can be run, gives the right output.
 *
 *   conformance_targets                       c-function on cpu:0
 *   conformance_targets TARGET on DEVICE      runs them; TARGET is c-function, opencl-c, spirv-shader, spirv-kernel, wgsl or msl
 *   conformance_targets msl as DEVICE         runs, as C functions, what a C++ compiler made of the texts
 *   conformance_targets TARGET by PROGRAM     compiles the texts with clang, or has spirv-val look at the words,
 *                                             or has ptxas assemble PTX, or ocloc make code for GPUs of the words
 *   conformance_targets ptx by reading        looks at PTX itself
 *   conformance_targets cuda-c by nvrtc       compiles the texts with NVRTC; `hip by hiprtc` likewise
 *
 * Exits with 77 if the device, the program or the library is not here, or the build had no glslc,
 * clang or llvm-spirv, having said why.
 */
#include "targets.h"

#include "msl/msl.h"
#include "tests/unit/testing.h"
#include "workloads/loop/loop.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#define SKIPPED 77

static const target targets[] = {
    {WORKLOAD_C_FUNCTION, "c-function", {NULL}, NULL},
    {WORKLOAD_OPENCL_C,
     "opencl-c",
     {"-x", "cl", "-cl-std=CL1.2", "-Xclang", "-finclude-default-header", "--target=spir64",
      "-emit-llvm"},
     "spir_kernel void @%s("},
    {WORKLOAD_PTX, "ptx", {NULL}, NULL},
    {WORKLOAD_CUDA_C,
     "cuda-c",
     {"-x", "cuda", "--cuda-device-only", "-nocudainc", "-nocudalib", "--cuda-gpu-arch=sm_50",
      "-Wno-unknown-cuda-version", "-include", NO_TOOLKIT},
     ".visible .entry %s("},
    {WORKLOAD_HIP,
     "hip",
     {"-x", "hip", "--cuda-device-only", "-nogpuinc", "-nogpulib", "--offload-arch=gfx900",
      "-include", NO_TOOLKIT},
     ".amdhsa_kernel %s\n"},
    {WORKLOAD_SPIRV_SHADER, "spirv-shader", {"--target-env", "vulkan1.0"}, NULL},
    {WORKLOAD_SPIRV_KERNEL, "spirv-kernel", {"--target-env", "opencl1.2"}, NULL},
    {WORKLOAD_WGSL, "wgsl", {NULL}, NULL},
    {WORKLOAD_MSL,
     "msl",
     {"-x", "cl", "-cl-std=clc++", "--target=spir64", "-D__METAL_VERSION__=220", "-isystem",
      MSL_STAND_IN, "-Wno-unknown-attributes", "-Wno-unused-parameter", "-emit-llvm"},
     "spir_kernel void @%s("},
};

static const target *wanted;
static bool as_functions; /* what the target's texts were made into is run */
static const workload *claimants
    [64]; /* those of the list, and the one with kernels that is in none; NULL-terminated */
static kt_context *context;
static kt_device *device; /* that runs the kernels; NULL: something looks at them */
static bool (*looks_good)(const workload_kernel *kernel, complaint *reason); /* which this does */
static complaint reason; /* what the latest proof lacks */

bool complain(complaint *to, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(to->text, sizeof to->text, format, arguments);
    va_end(arguments);
    return false;
}

/* ---- by running ---- */

/* No multiple of anything; where an element is little work, so many that several groups have
 * some. */
static uint64_t size_of(const workload *w)
{
    return strcmp(w->name, "matmul") == 0 ? 33 : 4097;
}

static bool runs(const workload *w, const char *variant)
{
    const uint64_t size = size_of(w);
    const kt_param param = {w->param, (int64_t)size};
    kt_job_desc desc = {.size = sizeof desc,
                        .name = w->name,
                        .variant = variant,
                        .params = &param,
                        .param_count = 1};
    const kt_measure_options once = {
        .size = sizeof once, .samples_min = 1, .samples_max = 1, .timing = KT_TIMING_WALL};
    void *problem = NULL;
    workload_run run = {0};
    kt_result *result = NULL;
    if (w->problem_create)
        EXPECT_OK(w->problem_create(size, &problem));
    kt_status status = workload_open(&run, w, problem, device, size, &desc);
    if (status == KT_OK)
        status = kt_measure(run.job, &once, &result);
    bool right = status == KT_OK && (!w->verify || kt_result_find(result, "wall")->verified);
    complain(&reason, "%s", status == KT_OK ? "not verified" : kt_error_text());
    kt_result_destroy(&result);
    workload_close(&run);
    if (problem)
        w->problem_destroy(problem);
    return right;
}

static uint32_t kernel_count(const workload *w)
{
    return w->kernel_count ? w->kernel_count : 1;
}

static bool exists(const workload *w, const char *variant, const workload_kernel *kernels)
{
    if (device)
        return runs(w, variant);
    for (uint32_t i = 0; i < kernel_count(w); i++)
        if (!looks_good(&kernels[i], &reason))
            return false;
    return true;
}

/* ---- the tests ---- */

static void every_claim_is_true(void **state)
{
    unsigned claims = 0;
    static const char *const only[] = {NULL, NULL};
    for (const workload *const *w = claimants; *w; w++) {
        if (!((*w)->targets & wanted->bit))
            continue;
        const char *const *variants = (*w)->variants ? (*w)->variants : only;
        size_t i = 0;
        do {
            const workload_kernel *kernels = &(*w)->kernels[i * kernel_count(*w)];
            if (!exists(*w, variants[i], kernels))
                fail_msg("%s claims %s for its kernel %s: %s", (*w)->name, wanted->name,
                         kernels->entry, reason.text);
            claims += kernel_count(*w);
            i++;
        } while (variants[i]);
    }
    print_message("%u kernels as %s\n", claims, wanted->name);
    assert_true(claims > 0);
}

static void claims_are_of_known_targets(void **state)
{
    uint32_t known = 0;
    for (size_t i = 0; i < sizeof targets / sizeof targets[0]; i++)
        known |= targets[i].bit;
    for (const workload *const *w = claimants; *w; w++) {
        assert_int_equal((*w)->targets & ~known, 0);
        assert_true((*w)->targets & WORKLOAD_C_FUNCTION); /* on every machine */
    }
}

static void do_nothing(const kt_c_group *group, void *const *args)
{
    (void)group, (void)args;
}

/* The workload with one kernel, of one way to do it, replaced. */
static void expect_found_out(const workload *w, uint32_t index, workload_kernel kernel)
{
    workload_kernel kernels[WORKLOAD_KERNELS_MAX];
    memcpy(kernels, w->kernels, kernel_count(w) * sizeof *kernels);
    kernels[index] = kernel;
    workload liar = *w;
    liar.variants = NULL;
    liar.kernels = kernels;
    if (exists(&liar, NULL, kernels))
        fail_msg("%s: a claim of %s that is not true was believed of %s", w->name, wanted->name,
                 w->kernels[index].entry);
    print_message("as expected: %s: %s\n", w->kernels[index].entry, reason.text);
}

static void expect_words_found_out(const workload *w, uint32_t index, kernel_words other)
{
    workload_kernel kernel = w->kernels[index];
    if (wanted->bit == WORKLOAD_SPIRV_SHADER) {
        kernel.spirv = other.words;
        kernel.spirv_bytes = other.bytes;
    } else {
        kernel.spirv_kernel = other.words;
        kernel.spirv_kernel_bytes = other.bytes;
    }
    expect_found_out(w, index, kernel);
}

/* A shader's name is in the words alone. */
static void expect_renamed_shader_found_out(const workload *w, uint32_t index)
{
    const kernel_words right = words_of(&w->kernels[index], wanted);
    uint32_t *renamed = malloc(right.bytes);
    assert_non_null(renamed);
    memcpy(renamed, right.words, right.bytes);
    const uint32_t *entry =
        find_entry(&w->kernels[index], (kernel_words){renamed, right.bytes}, wanted);
    assert_non_null(entry);
    memcpy(&renamed[entry - renamed], "mine", 4);
    expect_words_found_out(w, index, (kernel_words){renamed, right.bytes});
    free(renamed);
}

/* No words, some of them, those of a kernel of another name, and those of one that does nothing.
 * Intel's compiler takes a module that lacks its end, alone and within a driver. */
static void expect_false_words_found_out(const workload *w, uint32_t index)
{
    const kernel_words right = words_of(&w->kernels[index], wanted);
    expect_words_found_out(w, index, (kernel_words){0});
    if (wanted->bit == WORKLOAD_SPIRV_SHADER || !(device || program_compiles_words()))
        expect_words_found_out(w, index,
                               (kernel_words){right.words, right.bytes - sizeof *right.words});
    if (wanted->bit == WORKLOAD_SPIRV_SHADER) {
        expect_renamed_shader_found_out(w, index);
    } else {
        workload_kernel other = w->kernels[index];
        other.entry = "absent";
        expect_found_out(w, index, other);
    }
    if (device && w->verify)
        expect_words_found_out(w, index, words_of(workload_find("empty")->kernels, wanted));
}

/* No function or text, one that does nothing, a text without that kernel, and one of no
 * language. */
static void expect_false_kernel_found_out(const workload *w, uint32_t index)
{
    const bool are_functions = as_functions || wanted->bit == WORKLOAD_C_FUNCTION;
    workload_kernel none = w->kernels[index], other = none, broken = none;
    if (are_functions) {
        none.function = NULL;
        other.function = do_nothing;
    } else {
        none.source = none.ptx = none.wgsl = NULL;
        other.entry = "absent";
        broken.source = broken.ptx = broken.wgsl = "no language";
        expect_found_out(w, index, broken);
    }
    expect_found_out(w, index, none);
    if (!are_functions || w->verify)
        expect_found_out(w, index, other);
}

/* The same workloads without what they claim, one kernel after the other. */
static void a_false_claim_is_found_out(void **state)
{
    for (const workload *const *w = claimants; *w; w++)
        for (uint32_t i = 0; i < kernel_count(*w); i++)
            if (wanted->bit & (WORKLOAD_SPIRV_SHADER | WORKLOAD_SPIRV_KERNEL))
                expect_false_words_found_out(*w, i);
            else
                expect_false_kernel_found_out(*w, i);
}

/* Before a device is opened: for the command, a kernel that is not there is no failure. One of
 * several is enough. */
static void what_is_not_there_is_reported(void **state)
{
    for (const workload *const *w = claimants; *w; w++) {
        workload_kernel kernels[WORKLOAD_KERNELS_MAX];
        memcpy(kernels, (*w)->kernels, kernel_count(*w) * sizeof *kernels);
        workload some = **w;
        some.variants = NULL;
        some.kernels = kernels;
        workload_kernel *last = &kernels[kernel_count(*w) - 1];
        last->spirv = NULL;
        assert_null(workload_lacks(&some, NULL, KT_LANGUAGE_C_FUNCTION));
        assert_null(workload_lacks(&some, NULL, KT_LANGUAGE_OPENCL_C | KT_LANGUAGE_SPIRV_SHADER));
        EXPECT_TEXT_HAS(workload_lacks(&some, NULL, KT_LANGUAGE_SPIRV_SHADER),
                        HAVE_GLSLC ? "not there in a language" : "built without glslc");
        assert_null(workload_lacks(&some, NULL, KT_LANGUAGE_PTX));
        if (HAVE_SPIRV_KERNEL)
            assert_null(workload_lacks(&some, NULL, KT_LANGUAGE_SPIRV_KERNEL));
        last->spirv_kernel = NULL;
        EXPECT_TEXT_HAS(workload_lacks(&some, NULL, KT_LANGUAGE_SPIRV_KERNEL),
                        HAVE_SPIRV_KERNEL ? "not there in a language"
                                          : "built without clang or llvm-spirv");
        last->ptx = NULL;
        assert_null(workload_lacks(&some, NULL, KT_LANGUAGE_PTX | KT_LANGUAGE_CUDA_C));
        EXPECT_TEXT_HAS(workload_lacks(&some, NULL, KT_LANGUAGE_PTX), "not there in a language");
        EXPECT_TEXT_HAS(workload_lacks(&some, NULL, 0), "hiprtc");
        last->function = NULL;
        EXPECT_TEXT_HAS(workload_lacks(&some, NULL, KT_LANGUAGE_C_FUNCTION), "not there");
        assert_null(workload_lacks(&some, NULL, KT_LANGUAGE_WGSL));
        last->wgsl = NULL;
        EXPECT_TEXT_HAS(workload_lacks(&some, NULL, KT_LANGUAGE_WGSL), "not there");
        for (uint32_t i = 0; i < kernel_count(*w); i++)
            kernels[i].spirv = &(const uint32_t){0};
        assert_null(workload_lacks(&some, NULL, KT_LANGUAGE_SPIRV_SHADER));
    }
}

static int skip_all(const char *text)
{
    printf("skipped: %s\n", text);
    return SKIPPED;
}

#if HAVE_MSL_FUNCTIONS
/* The workload with what was made of its kernels as their functions. */
static const workload *with_functions(const workload *w)
{
    enum { MOST = 32, KERNELS_MOST = 2 * WORKLOAD_KERNELS_MAX };
    static workload copies[MOST];
    static workload_kernel kernels[MOST][KERNELS_MOST];
    static size_t count;
    uint32_t all = kernel_count(w);
    for (size_t i = 1; w->variants && w->variants[0] && w->variants[i]; i++)
        all += kernel_count(w);
    assert_true(count < MOST && all <= KERNELS_MOST);
    memcpy(kernels[count], w->kernels, all * sizeof *w->kernels);
    for (uint32_t i = 0; i < all; i++)
        kernels[count][i].function = msl_function(w->kernels[i].entry);
    copies[count] = *w;
    copies[count].kernels = kernels[count];
    return &copies[count++];
}
#else
static const workload *with_functions(const workload *w)
{
    return w;
}

void own_kernels_in_msl(void **state)
{
    skip();
}
#endif

static const workload *as_claimant(const workload *w)
{
    return as_functions ? with_functions(w) : w;
}

static void find_claimants(void)
{
    size_t count = 0;
    for (const workload *const *w = workloads; *w; w++) {
        assert_true(count + 2 < sizeof claimants / sizeof claimants[0]);
        claimants[count++] = as_claimant(*w);
    }
    claimants[count] = as_claimant(&workload_loop);
}

static int run_suite(void)
{
    find_claimants();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_claim_is_true),
        cmocka_unit_test(claims_are_of_known_targets),
        cmocka_unit_test(a_false_claim_is_found_out),
        cmocka_unit_test(what_is_not_there_is_reported),
        cmocka_unit_test(what_ptx_must_have),
        cmocka_unit_test(own_kernels_in_msl),
        cmocka_unit_test(pointers_in_msl_say_where),
    };
    return cmocka_run_group_tests_name(wanted->name, tests, NULL, NULL);
}

static int on_device(const char *id)
{
    if (kt_context_create(&context, NULL) != KT_OK)
        return 1;
    kt_status status = kt_device_open(context, id, &device);
    int code = 1;
    if (status == KT_OK)
        code = run_suite();
    else if (status == KT_UNAVAILABLE)
        code = skip_all(kt_error_text());
    else
        printf("failed: %s\n", kt_error_text());
    kt_device_close(&device);
    kt_context_destroy(&context);
    return code;
}

static int by_program(const char *path)
{
    const char *missing = program_open(path, wanted);
    looks_good = program_takes;
    int code = missing ? skip_all(missing) : run_suite();
    program_close();
    return code;
}

static int by(const char *means)
{
    if (strcmp(means, "reading") == 0) {
        looks_good = ptx_is_good;
        return run_suite();
    }
    if (strchr(means, '/') || strstr(means, "NOTFOUND"))
        return by_program(means);
    const char *missing = runtime_compiler_open(means);
    looks_good = runtime_compiler_takes;
    return missing ? skip_all(missing) : run_suite();
}

int main(int argc, char **argv)
{
    static const char *const usual[] = {"c-function", "on", "cpu:0"};
    if (argc != 1 && argc != 4)
        return 2;
    const char *const words[] = {argc == 4 ? argv[1] : usual[0], argc == 4 ? argv[2] : usual[1],
                                 argc == 4 ? argv[3] : usual[2]};
    for (size_t i = 0; i < sizeof targets / sizeof targets[0]; i++)
        if (strcmp(words[0], targets[i].name) == 0)
            wanted = &targets[i];
    if (!wanted)
        return 2;
    if (wanted->bit == WORKLOAD_SPIRV_SHADER && !HAVE_GLSLC)
        return skip_all("kernels in SPIR-V need glslc, which this build did not find");
    if (wanted->bit == WORKLOAD_SPIRV_KERNEL && !HAVE_SPIRV_KERNEL)
        return skip_all(
            "kernels in SPIR-V of OpenCL need clang and llvm-spirv, which this build did "
            "not find");
    as_functions = strcmp(words[1], "as") == 0;
    if (as_functions && !HAVE_MSL_FUNCTIONS)
        return skip_all("no C++ compiler for what runs here, or no contexts in the C library");
    return strcmp(words[1], "by") == 0 ? by(words[2]) : on_device(words[2]);
}
