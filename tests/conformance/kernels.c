/* SPDX-License-Identifier: MIT */
/* Kernels of the tests' own, in every language: see own_kernels.cl. */
#include "own_kernels.h"
#include "suite.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define GROUP 16

static kt_memory *make_numbers(const int32_t *numbers, size_t count)
{
    kt_memory *memory = NULL;
    EXPECT_OK(kt_memory_create(s.device, KT_MEMORY_DEFAULT, count * sizeof *numbers, &memory));
    EXPECT_OK(kt_memory_write(memory, 0, numbers, count * sizeof *numbers));
    return memory;
}

/* Items beyond n, of the last group, must leave what stands there. */
static void check_scale(kt_program *program, uint32_t n)
{
    enum { MOST = 300, GUARD = -123456 };
    int32_t in[MOST], out[MOST + 3];
    const int32_t factor = -7;
    const int64_t add = 1000003;
    for (int32_t i = 0; i < MOST; i++)
        in[i] = 3 * i - 100;
    for (int i = 0; i < MOST + 3; i++)
        out[i] = GUARD;
    kt_memory *input = make_numbers(in, MOST), *output = make_numbers(out, MOST + 3);
    const kt_arg args[] = {{.memory = input},
                           {.memory = output},
                           {.value = &n, .value_bytes = sizeof n},
                           {.value = &factor, .value_bytes = sizeof factor},
                           {.value = &add, .value_bytes = sizeof add}};
    const kt_step step = {.program = program,
                          .args = args,
                          .arg_count = 5,
                          .groups = {(n + GROUP - 1) / GROUP},
                          .group_size = {GROUP}};
    EXPECT_OK(run_steps(&step, 1));
    EXPECT_OK(kt_memory_read(output, 0, out, sizeof out));
    for (uint32_t i = 0; i < MOST + 3; i++) {
        bool inside = i >= 3 && i < 3 + n;
        int32_t expected = inside ? (3 * (int32_t)(i - 3) - 100) * -7 + 1000003 : GUARD;
        if (out[i] != expected)
            fail_msg("n = %u: out[%u] is %d, not %d", n, i, (int)out[i], (int)expected);
    }
    kt_memory_destroy(&output);
    kt_memory_destroy(&input);
}

void kernels_of_odd_sizes(void **state)
{
    SKIP_IF(s.profile->no_kernels);
    SKIP_IF(s.no_programs);
    kt_program *program = build("scale", scale_c);
    static const uint32_t sizes[] = {1, 2, 15, 16, 17, 100, 257};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
        check_scale(program, sizes[i]);
    kt_program_destroy(&program);
}

void kernels_in_three_dimensions(void **state)
{
    SKIP_IF(s.profile->no_kernels);
    SKIP_IF(s.no_programs);
    enum { WIDTH = 3 * 4, HEIGHT = 5 * 2, DEPTH = 2 * 3, COUNT = WIDTH * HEIGHT * DEPTH };
    int32_t out[COUNT] = {0};
    kt_program *program = build("place", place_c);
    kt_memory *output = make_numbers(out, COUNT);
    const kt_arg arg = {.memory = output};
    const kt_step step = {.program = program,
                          .args = &arg,
                          .arg_count = 1,
                          .groups = {3, 5, 2},
                          .group_size = {4, 2, 3}};
    EXPECT_OK(run_steps(&step, 1));
    EXPECT_OK(kt_memory_read(output, 0, out, sizeof out));
    for (int z = 0; z < DEPTH; z++)
        for (int y = 0; y < HEIGHT; y++)
            for (int x = 0; x < WIDTH; x++)
                assert_int_equal(out[(z * HEIGHT + y) * WIDTH + x], x + 100 * y + 10000 * z);
    kt_memory_destroy(&output);
    kt_program_destroy(&program);
}

/* ---- parts of memories ---- */

enum { PART = KT_ARG_ALIGNMENT, PART_NUMBERS = 64 };

static kt_status run_twice(kt_program *program, const kt_arg args[2])
{
    const kt_step step = {.program = program,
                          .args = args,
                          .arg_count = 2,
                          .groups = {PART_NUMBERS / GROUP},
                          .group_size = {GROUP}};
    return run_steps(&step, 1);
}

static void refuse_part(kt_program *program, const kt_arg args[2], size_t offset, size_t bytes,
                        const char *text)
{
    kt_arg changed[2] = {args[0], args[1]};
    changed[1].memory_offset = offset;
    changed[1].memory_bytes = bytes;
    EXPECT_STATUS(run_twice(program, changed), KT_INVALID);
    EXPECT_TEXT_HAS(kt_error_text(), text);
}

/* The kernel works inside of the parts, and leaves what lies around the one that it writes. */
static void check_parts(kt_program *program, kt_memory_kind kind)
{
    enum { BYTES = 3 * PART, FROM = 2 * PART, TO = PART, USED = PART_NUMBERS * 4 };
    static unsigned char before[BYTES], after[BYTES];
    int32_t in[PART_NUMBERS], out[PART_NUMBERS];
    kt_memory *input = make_memory(kind, BYTES, 1), *output = make_memory(kind, BYTES, 2);
    for (int32_t i = 0; i < PART_NUMBERS; i++)
        in[i] = 7 * i - 100;
    EXPECT_OK(kt_memory_write(input, FROM, in, sizeof in));
    EXPECT_OK(kt_memory_read(output, 0, before, BYTES));
    const kt_arg args[] = {{.memory = input, .memory_offset = FROM},
                           {.memory = output, .memory_offset = TO, .memory_bytes = USED}};
    EXPECT_OK(run_twice(program, args));
    EXPECT_OK(kt_memory_read(output, 0, after, BYTES));
    memcpy(out, after + TO, sizeof out);
    for (int i = 0; i < PART_NUMBERS; i++)
        assert_int_equal(out[i], 2 * in[i]);
    assert_memory_equal(after, before, TO);
    assert_memory_equal(after + TO + USED, before + TO + USED, BYTES - TO - USED);
    refuse_part(program, args, 256, USED, "argument 1 begins at byte 256, no multiple of 4096");
    refuse_part(program, args, BYTES, 0, "0 bytes from byte 12288 on, of a memory of 12288");
    refuse_part(program, args, FROM, PART + 1, "4097 bytes from byte 8192 on");
    refuse_part(program, args, FROM, SIZE_MAX, "from byte 8192 on");
    kt_memory_destroy(&output);
    kt_memory_destroy(&input);
}

void kernels_get_parts_of_memories(void **state)
{
    SKIP_IF(s.profile->no_kernels);
    SKIP_IF(s.no_programs);
    kt_program *program = build("twice", twice_c);
    check_parts(program, KT_MEMORY_DEFAULT);
    if (s.info->memory_kinds & 1u << KT_MEMORY_SHARED)
        check_parts(program, KT_MEMORY_SHARED);
    kt_program_destroy(&program);
}

/* ---- several steps ---- */

enum { COUNT = 64 };

static kt_memory *chain[4]; /* a, 2 a, 2 a + 1, and a copy of that */
static int32_t first_number;

static kt_status reset_chain(void *user, char *reason, size_t reason_bytes)
{
    (void)user, (void)reason, (void)reason_bytes;
    int32_t numbers[COUNT];
    first_number += 1000;
    for (int32_t i = 0; i < COUNT; i++)
        numbers[i] = first_number + i;
    return kt_memory_write(chain[0], 0, numbers, sizeof numbers);
}

static kt_status verify_chain(void *user, char *reason, size_t reason_bytes)
{
    (void)user;
    int32_t numbers[COUNT];
    kt_status status = kt_memory_read(chain[3], 0, numbers, sizeof numbers);
    for (int32_t i = 0; status == KT_OK && i < COUNT; i++) {
        if (numbers[i] == 2 * (first_number + i) + 1)
            continue;
        snprintf(reason, reason_bytes, "number %d is %d", (int)i, (int)numbers[i]);
        return KT_WRONG_RESULT;
    }
    return status;
}

static void check_chain(kt_job *job, uint32_t trials, int cold)
{
    const kt_measure_options options = {.size = sizeof options,
                                        .samples_min = 3,
                                        .samples_max = 3,
                                        .max_time_ns = 1,
                                        .trials = trials,
                                        .cold = cold};
    kt_result *result = NULL;
    if (cold && s.profile->no_flushing) {
        EXPECT_STATUS(kt_measure(job, &options, &result), KT_UNSUPPORTED);
        return;
    }
    EXPECT_OK(kt_measure(job, &options, &result));
    static const char *const order[] = {"twice", "plus one", "copy", "total",
                                        "gaps",  "span",     "wall", "wall_timestamped"};
    assert_int_equal(kt_result_series_count(result), 8);
    for (uint32_t i = 0; i < 8; i++) {
        const kt_series *series = kt_result_series(result, i);
        assert_string_equal(series->step, order[i]);
        assert_true(series->verified);
        assert_int_equal(series->trials, trials);
        assert_int_equal(series->cold, cold);
        if (s.no_device_time && !kt_series_is_wall(series))
            assert_int_equal(series->status, KT_SERIES_NOT_POSSIBLE);
    }
    assert_int_equal(kt_result_series(result, 2)->kind, KT_SERIES_COPY);
    assert_int_equal(kt_result_find(result, "wall")->summary.n, 3);
    kt_result_destroy(&result);
}

/* Each step works on what the one before has left; the input is new for every submission. */
void steps_run_in_order(void **state)
{
    SKIP_IF(s.profile->no_kernels);
    SKIP_IF(s.no_programs);
    const int32_t zeros[COUNT] = {0};
    for (int i = 0; i < 4; i++)
        chain[i] = make_numbers(zeros, COUNT);
    kt_program *programs[2] = {build("twice", twice_c), build("plus_one", plus_one_c)};
    const kt_arg args[2][2] = {{{.memory = chain[0]}, {.memory = chain[1]}},
                               {{.memory = chain[1]}, {.memory = chain[2]}}};
    kt_step steps[3] = {
        {.name = "twice"}, {.name = "plus one"}, {.name = "copy", .kind = KT_STEP_COPY}};
    for (int i = 0; i < 2; i++) {
        steps[i].program = programs[i];
        steps[i].args = args[i];
        steps[i].arg_count = 2;
        steps[i].groups[0] = COUNT / GROUP;
        steps[i].group_size[0] = GROUP;
    }
    steps[2].src = chain[2];
    steps[2].dst = chain[3];
    steps[2].copy_bytes = sizeof zeros;
    const kt_job_desc desc = {.size = sizeof desc,
                              .name = "chain",
                              .steps = steps,
                              .step_count = 3,
                              .reset = reset_chain,
                              .verify = verify_chain};
    kt_job *job = NULL;
    EXPECT_OK(kt_job_create(s.device, &desc, &job));
    check_chain(job, 1, 0);
    check_chain(job, 4, 0);
    check_chain(job, 1, 1);
    kt_job_destroy(&job);
    for (int i = 0; i < 2; i++)
        kt_program_destroy(&programs[i]);
    for (int i = 0; i < 4; i++)
        kt_memory_destroy(&chain[i]);
}

/* ---- refusals ---- */

static void expect_refused(kt_program_desc *desc, kt_status expected, const char *text)
{
    kt_program *program = NULL;
    EXPECT_STATUS(kt_program_create(s.device, desc, &program), expected);
    EXPECT_TEXT_HAS(kt_error_text(), text);
    assert_null(program);
}

static void texts_that_do_not_compile(void)
{
    kt_program_desc desc = {.size = sizeof desc,
                            .language = KT_LANGUAGE_OPENCL_C,
                            .entry = "broken",
                            .source =
                                "__kernel void broken(__global int *x) { x[0] = no_such_name; }"};
    kt_program *program = NULL;
    expect_refused(&desc, KT_BUILD_FAILED, "broken");
    expect_refused(&desc, KT_BUILD_FAILED, "no_such_name"); /* the compiler's own words */
    desc.source = own_kernels_text(KT_LANGUAGE_OPENCL_C);
    desc.entry = "not_in_there";
    expect_refused(&desc, KT_INVALID, "not_in_there");
    /* Flags reach the compiler; a length may end the text before its zero. */
    desc.source = "__kernel void flagged(__global int *x) { x[0] = VALUE; } garbage";
    desc.source_bytes = strlen(desc.source) - strlen(" garbage");
    desc.entry = "flagged";
    expect_refused(&desc, KT_BUILD_FAILED, "VALUE");
    desc.build_flags = "-DVALUE=7";
    EXPECT_OK(kt_program_create(s.device, &desc, &program));
    kt_program_destroy(&program);
}

/* The least shader: it is named "main" and does nothing. */
#define OP(code, words) ((uint32_t)(words) << 16 | (code))
static const uint32_t least[] = {
    0x07230203, 0x00010000, 0,  5,          0,    /* the header */
    OP(17, 2),  1,                                /* OpCapability Shader */
    OP(14, 3),  0,          1,                    /* OpMemoryModel Logical GLSL450 */
    OP(15, 5),  5,          3,  0x6e69616d, 0,    /* OpEntryPoint GLCompute %3 "main" */
    OP(16, 6),  3,          17, 1,          1, 1, /* OpExecutionMode %3 LocalSize 1 1 1 */
    OP(19, 2),  1,                                /* %1 = OpTypeVoid */
    OP(33, 3),  2,          1,                    /* %2 = OpTypeFunction %1 */
    OP(54, 5),  1,          3,  0,          2,    /* %3 = OpFunction %1 None %2 */
    OP(248, 2), 4,                                /* %4 = OpLabel */
    OP(253, 1), OP(56, 1),                        /* OpReturn, OpFunctionEnd */
};

static void words_that_are_no_shader(void)
{
    enum { COUNT_OF_WORDS = sizeof least / sizeof least[0], ENTRY = 13 };
    uint32_t words[COUNT_OF_WORDS];
    kt_program_desc desc = {.size = sizeof desc,
                            .language = KT_LANGUAGE_SPIRV_SHADER,
                            .entry = "main",
                            .source = (const char *)words,
                            .source_bytes = sizeof words};
    kt_program *program = NULL;
    memcpy(words, least, sizeof words);
    EXPECT_OK(kt_program_create(s.device, &desc, &program));
    kt_program_destroy(&program);
    /* Cut anywhere, also within a word. */
    for (size_t bytes = 1; bytes < sizeof words; bytes++) {
        desc.source_bytes = bytes;
        expect_refused(&desc, KT_BUILD_FAILED, "main");
    }
    desc.source = "#version 450"; /* GLSL that nobody compiled */
    for (desc.source_bytes = 1; desc.source_bytes <= 12; desc.source_bytes++)
        expect_refused(&desc, KT_BUILD_FAILED, "not SPIR-V");
    desc.source = (const char *)words;
    desc.source_bytes = 0; /* which is to say that it was forgotten */
    expect_refused(&desc, KT_INVALID, "source_bytes");
    desc.source_bytes = sizeof words;
    words[0] = 0x03022307; /* of a machine of the other byte order */
    expect_refused(&desc, KT_BUILD_FAILED, "main");
    words[0] = least[0];
    words[5] &= 0xFFFF; /* an instruction without a length would never end */
    expect_refused(&desc, KT_BUILD_FAILED, "main");
    words[5] = OP(17, COUNT_OF_WORDS);
    expect_refused(&desc, KT_BUILD_FAILED, "main");
    words[5] = least[5];
    words[1] = 0x00020000; /* SPIR-V 2.0, which nobody takes */
    expect_refused(&desc, KT_UNSUPPORTED, "2.0");
    words[1] = least[1];
    words[6] = 6; /* OpCapability Kernel, of OpenCL */
    expect_refused(&desc, KT_UNSUPPORTED, "capability 6 of SPIR-V");
    words[6] = least[6];
    desc.entry = "not_in_there";
    expect_refused(&desc, KT_INVALID, "not_in_there");
    desc.entry = "main";
    words[ENTRY - 2] = 4; /* a fragment shader */
    expect_refused(&desc, KT_INVALID, "main");
    words[ENTRY - 2] = least[ENTRY - 2];
    words[ENTRY - 1] = 2; /* a type, no function */
    expect_refused(&desc, KT_BUILD_FAILED, "main");
    words[ENTRY - 1] = least[ENTRY - 1];
    words[ENTRY] = 0x656e696d; /* named "mine" */
    expect_refused(&desc, KT_INVALID, "main");
}

/* A job of one of shaders/ with a memory at each binding and values of 4 bytes. */
static kt_status give(const char *name, uint32_t memories, uint32_t values)
{
    const uint32_t value = 1;
    kt_arg args[4] = {{0}};
    kt_step step = {.program = build(name, NULL), .args = args};
    kt_memory *memory = make_memory(KT_MEMORY_DEFAULT, 1024, 1);
    assert_true(memories + values <= sizeof args / sizeof args[0]);
    for (uint32_t i = 0; i < memories; i++)
        args[step.arg_count++].memory = memory;
    for (uint32_t i = 0; i < values; i++)
        args[step.arg_count++] = (kt_arg){.value = &value, .value_bytes = sizeof value};
    kt_status status = run_steps(&step, 1);
    kt_memory_destroy(&memory);
    kt_program_destroy(&step.program);
    return status;
}

static void expect_shader_refused(const char *name, kt_status expected, const char *in_text)
{
    kt_program_desc desc = {
        .size = sizeof desc, .language = KT_LANGUAGE_SPIRV_SHADER, .entry = "main"};
    desc.source = (const char *)find_shader(name, &desc.source_bytes);
    expect_refused(&desc, expected, in_text);
}

/* Drivers crash on some of these. */
static void shaders_that_want_more(void)
{
    SKIP_IF(s.no_programs);
    EXPECT_STATUS(give("two_values", 1, 0), KT_INVALID);
    EXPECT_TEXT_HAS(kt_error_text(), "has push constants, but is given no values");
    EXPECT_STATUS(give("two_values", 0, 2), KT_INVALID);
    EXPECT_OK(give("two_values", 1, 2));
    EXPECT_OK(give("two_values", 2, 2));
    EXPECT_OK(give("two_values", 1, 3));
    expect_shader_refused("buffers", KT_UNSUPPORTED, "array of buffers at binding 0");
}

/* A structure in WGSL is as long as a multiple of its widest member, also where its last one is
 * shorter. */
static void values_that_end_early(void)
{
    static const char text[] = "struct Values { wide: vec4u, narrow: u32 }\n"
                               "@group(0) @binding(0) var<uniform> values: Values;\n"
                               "@compute @workgroup_size(kt_group_x)\n"
                               "fn early() { _ = values.wide.w + values.narrow; }";
    const kt_program_desc desc = {
        .size = sizeof desc, .language = KT_LANGUAGE_WGSL, .entry = "early", .source = text};
    const uint32_t wide[4] = {1, 2, 3, 4}, narrow = 5;
    kt_program *program = NULL;
    kt_job *job = NULL;
    EXPECT_OK(kt_program_create(s.device, &desc, &program));
    const kt_arg args[] = {{.value = wide, .value_bytes = sizeof wide},
                           {.value = &narrow, .value_bytes = sizeof narrow}};
    const kt_step step = {.program = program, .args = args, .arg_count = 2};
    const kt_job_desc job_desc = {
        .size = sizeof job_desc, .name = "early", .steps = &step, .step_count = 1};
    EXPECT_OK(kt_job_create(s.device, &job_desc, &job));
    kt_job_destroy(&job);
    kt_program_destroy(&program);
}

/* What WebGPU checks itself. */
static void texts_in_wgsl(void)
{
    const char *head = "@group(0) @binding(0) var<storage, read_write> x: array<i32>;\n"
                       "@compute @workgroup_size(kt_group_x)\n";
    char text[400];
    kt_program_desc desc = {
        .size = sizeof desc, .language = KT_LANGUAGE_WGSL, .entry = "broken", .source = text};
    kt_program *program = NULL;
    snprintf(text, sizeof text, "%sfn broken() { x[0] = no_such_name; }", head);
    expect_refused(&desc, KT_BUILD_FAILED, "broken");
    expect_refused(&desc, KT_BUILD_FAILED, "no_such_name"); /* the compiler's own words */
    expect_refused(&desc, KT_BUILD_FAILED, ":3:");          /* on the line of the text as given */
    desc.source = find_wgsl("twice");
    desc.entry = "not_in_there";
    expect_refused(&desc, KT_INVALID, "not_in_there");
    /* A length may end the text before its zero. */
    snprintf(text, sizeof text, "%sfn ended() { x[0] = 1; } garbage", head);
    desc.source = text;
    desc.entry = "ended";
    expect_refused(&desc, KT_BUILD_FAILED, "garbage");
    desc.source_bytes = strlen(text) - strlen(" garbage");
    EXPECT_OK(kt_program_create(s.device, &desc, &program));
    kt_program_destroy(&program);
    /* 16 MiB, which no device has for a group. */
    desc.source = find_wgsl("much_shared");
    desc.source_bytes = 0;
    desc.entry = "much_shared";
    expect_refused(&desc, KT_BUILD_FAILED, "16777216");
    /* What a kernel takes, and nothing else. */
    EXPECT_OK(give("two_values", 1, 2));
    EXPECT_OK(give("two_values", 1, 3));
    EXPECT_STATUS(give("two_values", 1, 0), KT_INVALID);
    EXPECT_STATUS(give("two_values", 1, 1), KT_INVALID);
    EXPECT_TEXT_HAS(kt_error_text(), "two_values");
    EXPECT_STATUS(give("two_values", 2, 2), KT_INVALID);
    EXPECT_STATUS(give("two_values", 0, 2), KT_INVALID);
    values_that_end_early();
}

/* What Metal's compiler finds. Each text has a bracket too many, too: the stub's looks at these
 * alone. */
static void texts_in_msl(void)
{
    static const char good[] = "#include <metal_stdlib>\n"
                               "kernel void good(device int *x [[buffer(0)]]) { x[0] = 1; }";
    static const char broken[] = "#include <metal_stdlib>\n"
                                 "kernel void good(device int *x [[buffer(0)]]) { x[0] = 1; } }";
    kt_program_desc desc = {
        .size = sizeof desc, .language = KT_LANGUAGE_MSL, .entry = "good", .source = good};
    kt_program *program = NULL;
    EXPECT_OK(kt_program_create(s.device, &desc, &program));
    kt_program_destroy(&program);
    desc.entry = "not_in_there";
    expect_refused(&desc, KT_INVALID, "not_in_there");
    desc.entry = "good";
    desc.source = broken;
    expect_refused(&desc, KT_BUILD_FAILED, "good");
    expect_refused(&desc, KT_BUILD_FAILED, "error"); /* the compiler's own words */
    desc.source_bytes =
        strlen(broken) - strlen(" }"); /* a length may end the text before its zero */
    EXPECT_OK(kt_program_create(s.device, &desc, &program));
    kt_program_destroy(&program);
}

/* What is refused here must not reach a driver: many trust what they are given, and crash. */
void programs_that_do_not_compile(void **state)
{
    SKIP_IF(s.profile->no_source);
    if (s.info->languages & KT_LANGUAGE_OPENCL_C)
        texts_that_do_not_compile();
    if (s.info->languages & KT_LANGUAGE_SPIRV_SHADER) {
        words_that_are_no_shader();
        shaders_that_want_more();
    }
    if (s.info->languages & KT_LANGUAGE_WGSL)
        texts_in_wgsl();
    if (s.info->languages & KT_LANGUAGE_MSL)
        texts_in_msl();
    if (s.info->languages & KT_LANGUAGE_CUDA_C)
        texts_in_cuda_c();
    if (s.info->languages & KT_LANGUAGE_PTX)
        texts_in_ptx();
}

void limits_are_reported(void **state)
{
    kt_memory *memory = NULL;
    assert_true(s.info->max_memory_bytes > 0);
    EXPECT_STATUS(kt_memory_create(s.device, KT_MEMORY_DEFAULT,
                                   (size_t)s.info->max_memory_bytes + 1, &memory),
                  KT_LIMIT);
    EXPECT_STATUS(kt_memory_create(s.device, KT_MEMORY_DEFAULT, SIZE_MAX, &memory), KT_LIMIT);
    EXPECT_STATUS(kt_memory_create(s.device, KT_MEMORY_DEFAULT, 0, &memory), KT_INVALID);
    assert_null(memory);
    SKIP_IF(s.profile->no_group_limit);
    SKIP_IF(s.no_programs);
    assert_true(s.info->max_group_size > 0);
    kt_program *program = build("twice", twice_c);
    const kt_step step = {.program = program, .group_size = {s.info->max_group_size + 1}};
    EXPECT_STATUS(run_steps(&step, 1), KT_LIMIT);
    EXPECT_TEXT_HAS(kt_error_text(), s.info->id);
    kt_program_destroy(&program);
}
