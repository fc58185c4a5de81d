/* SPDX-License-Identifier: MIT */
/* own_kernel.c - how long does a kernel of your own take on a device?  own_kernel [DEVICE] */
#include <kerntime/kerntime.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 1 << 20, GROUP = 256 };
static float x[N], y[N];

static const char square_cl[] = "__kernel void square(__global const float *x, __global float *y)"
                                "{ size_t i = get_global_id(0); y[i] = x[i] * x[i]; }";

static const char square_wgsl[] =
    "@group(0) @binding(0) var<storage, read> x: array<f32>;"
    "@group(0) @binding(1) var<storage, read_write> y: array<f32>;"
    "@compute @workgroup_size(kt_group_x) fn square(@builtin(global_invocation_id) item: vec3u)"
    "{ y[item.x] = x[item.x] * x[item.x]; }";

static const char square_msl[] =
    "#include <metal_stdlib>\nusing namespace metal;\n"
    "kernel void square(device const float *x [[buffer(0)]], device float *y [[buffer(1)]],"
    "                   uint i [[thread_position_in_grid]])"
    "{ y[i] = x[i] * x[i]; }";

static const char square_cuda[] = "extern \"C\" __global__ void square(const float *x, float *y)"
                                  "{ size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;"
                                  "  y[i] = x[i] * x[i]; }";

static const char square_ptx[] = ".version 6.0\n.target sm_50\n.address_size 64\n"
                                 ".visible .entry square(.param .u64 x, .param .u64 y)\n"
                                 "{\n"
                                 "    .reg .f32 %f;\n"
                                 "    .reg .b32 %group, %size, %item;\n"
                                 "    .reg .b64 %x, %y, %at;\n"
                                 "    ld.param.u64 %x, [x];\n"
                                 "    ld.param.u64 %y, [y];\n"
                                 "    cvta.to.global.u64 %x, %x;\n"
                                 "    cvta.to.global.u64 %y, %y;\n"
                                 "    mov.u32 %group, %ctaid.x;\n"
                                 "    mov.u32 %size, %ntid.x;\n"
                                 "    mov.u32 %item, %tid.x;\n"
                                 "    mad.lo.u32 %item, %group, %size, %item;\n"
                                 "    mul.wide.u32 %at, %item, 4;\n"
                                 "    add.u64 %x, %x, %at;\n"
                                 "    add.u64 %y, %y, %at;\n"
                                 "    ld.global.f32 %f, [%x];\n"
                                 "    mul.f32 %f, %f, %f;\n"
                                 "    st.global.f32 [%y], %f;\n"
                                 "    ret;\n"
                                 "}\n";

/* Where a device takes several, the last of them is used. */
static const struct {
    kt_language language;
    const char *source;
} texts[] = {{KT_LANGUAGE_OPENCL_C, square_cl},
             {KT_LANGUAGE_WGSL, square_wgsl},
             {KT_LANGUAGE_MSL, square_msl},
             {KT_LANGUAGE_CUDA_C, square_cuda},
             {KT_LANGUAGE_PTX, square_ptx}};

#ifdef WITH_SHADER /* own_kernel.comp, for devices that take SPIR-V */
static const uint32_t square_spirv[] = {
#include "own_kernel.inc"
};
#endif

#ifdef WITH_SPIRV_KERNEL /* own_kernel.cl, for devices that take SPIR-V of OpenCL */
static const uint32_t square_spirv_kernel[] = {
#include "own_kernel.cl.inc"
};
#endif

/* The same for devices that run C functions: the work of one group. */
static void square_c(const kt_c_group *group, void *const *args)
{
    const float *from = (const float *)args[0] + group->group[0] * GROUP;
    float *to = (float *)args[1] + group->group[0] * GROUP;
    for (int i = 0; i < GROUP; i++)
        to[i] = from[i] * from[i];
}

/* Called after every submission, untimed: a time counts only if the work was right. */
static kt_status check(void *out, char *reason, size_t reason_bytes)
{
    kt_status status = kt_memory_read(out, 0, y, sizeof y);
    for (int i = 0; i < N && status == KT_OK; i++)
        if (y[i] != x[i] * x[i]) {
            snprintf(reason, reason_bytes, "y[%d] is %g, not %g", i, y[i], x[i] * x[i]);
            status = KT_WRONG_RESULT;
        }
    return status;
}

static void must(kt_status status)
{
    if (status != KT_OK) {
        fprintf(stderr, "own_kernel: %s\n", kt_error_text());
        exit(1);
    }
}

int main(int argc, char **argv)
{
    kt_context *context;
    kt_device *device;
    must(kt_context_create(&context, NULL));
    must(kt_device_open(context, argc > 1 ? argv[1] : "cpu:0", &device));

    kt_memory *in, *out;
    must(kt_memory_create(device, KT_MEMORY_DEFAULT, sizeof x, &in));
    must(kt_memory_create(device, KT_MEMORY_DEFAULT, sizeof y, &out));
    for (int i = 0; i < N; i++)
        x[i] = (float)(i % 1000);
    must(kt_memory_write(in, 0, x, sizeof x));

    kt_program_desc kernel = {.size = sizeof kernel,
                              .language = KT_LANGUAGE_OPENCL_C,
                              .entry = "square",
                              .source = square_cl,
                              .function = square_c};
    const uint32_t languages = kt_device_get_info(device)->languages;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        if (languages & texts[i].language) {
            kernel.language = texts[i].language;
            kernel.source = texts[i].source;
        }
#ifdef WITH_SHADER
    if (languages & KT_LANGUAGE_SPIRV_SHADER) {
        kernel.language = KT_LANGUAGE_SPIRV_SHADER;
        kernel.entry = "main";
        kernel.source = (const char *)square_spirv;
        kernel.source_bytes = sizeof square_spirv;
    }
#endif
#ifdef WITH_SPIRV_KERNEL
    if (languages & KT_LANGUAGE_SPIRV_KERNEL) {
        kernel.language = KT_LANGUAGE_SPIRV_KERNEL;
        kernel.source = (const char *)square_spirv_kernel;
        kernel.source_bytes = sizeof square_spirv_kernel;
    }
#endif
    kt_program *program;
    must(kt_program_create(device, &kernel, &program));

    kt_arg args[] = {{.memory = in}, {.memory = out}};
    kt_step step = {.program = program, .args = args, .arg_count = 2};
    step.groups[0] = N / GROUP;
    step.group_size[0] = GROUP;
    kt_job_desc desc = {.size = sizeof desc, .name = "square", .steps = &step, .step_count = 1};
    desc.verify = check;
    desc.user = out;
    kt_job *job;
    must(kt_job_create(device, &desc, &job));

    kt_result *result;
    must(kt_measure(job, NULL, &result));
    const kt_series *time = kt_result_find(result, "square");
    char median[32], low[32], high[32];
    printf("square on %s: %s, 95%% interval %s to %s, %zu samples, %s\n", time->device,
           kt_format_ns(median, sizeof median, time->summary.median),
           kt_format_ns(low, sizeof low, time->summary.ci95_low),
           kt_format_ns(high, sizeof high, time->summary.ci95_high), time->summary.n,
           time->error ? time->error : kt_method_name(time->method));

    kt_result_destroy(&result);
    kt_job_destroy(&job);
    kt_program_destroy(&program);
    kt_memory_destroy(&out);
    kt_memory_destroy(&in);
    kt_device_close(&device);
    kt_context_destroy(&context);
    return 0;
}
