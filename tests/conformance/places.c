/* SPDX-License-Identifier: MIT */
/* Arguments with a place, and constants that are set when a kernel is built: what shaders need that
 * nobody wrote for kerntime. */
#include "own_kernels.h"
#include "suite.h"

enum { COUNT = 64, GROUP = 16, FACTOR = 3, SCALE = -5, OFFSET = 1000, ADD = 70000, MORE = 2000000 };

static kt_memory *input, *output;

/* As the kernel has them: the uniform structure, and values behind a gap. */
static const int32_t block[4] = {11, 12, OFFSET, SCALE}, more[2] = {13, MORE}, add = ADD;
static const int32_t all_more[3] = {ADD, 14, MORE};
static const int32_t factor = FACTOR;
static const uint32_t yes = 1;

static bool is_wgsl(void)
{
    return s.info->languages & KT_LANGUAGE_WGSL;
}

static const char *no_places(void)
{
    return s.profile->no_kernels ? s.profile->no_kernels : s.no_programs;
}

enum { ARG_IN, ARG_OUT, ARG_BLOCK, ARG_MORE, ARG_ADD, ARGS_MAX };

/* All arguments of the kernel `places`; in WGSL there is no ARG_ADD. */
static uint32_t take_args(kt_arg args[ARGS_MAX])
{
    args[ARG_IN] = (kt_arg){.memory = input, .place = KT_PLACE_BINDING, .set = 1, .binding = 7};
    args[ARG_OUT] = (kt_arg){.memory = output, .place = KT_PLACE_BINDING, .set = 3, .binding = 0};
    args[ARG_BLOCK] = (kt_arg){.value = block,
                               .value_bytes = sizeof block,
                               .place = KT_PLACE_BINDING,
                               .set = 1,
                               .binding = 2};
    args[ARG_MORE] =
        (kt_arg){.value = more, .value_bytes = sizeof more, .place = KT_PLACE_PUSH, .offset = 16};
    args[ARG_ADD] = (kt_arg){.value = &add, .value_bytes = sizeof add, .place = KT_PLACE_PUSH};
    if (!is_wgsl())
        return ARGS_MAX;
    args[ARG_MORE] = (kt_arg){
        .value = all_more, .value_bytes = sizeof all_more, .place = KT_PLACE_BINDING, .binding = 5};
    return ARG_ADD;
}

static kt_status run(kt_program *program, const kt_arg *args, uint32_t arg_count)
{
    const kt_step step = {.program = program,
                          .args = args,
                          .arg_count = arg_count,
                          .groups = {COUNT / GROUP},
                          .group_size = {GROUP}};
    return run_steps(&step, 1);
}

/* Refused with one argument changed, or left out. */
static void expect_refused(kt_program *program, uint32_t which, const kt_arg *changed,
                           kt_status expected, const char *text)
{
    kt_arg args[ARGS_MAX];
    uint32_t count = take_args(args);
    if (changed)
        args[which] = *changed;
    else
        args[which] = args[--count];
    EXPECT_STATUS(run(program, args, count), expected);
    EXPECT_TEXT_HAS(kt_error_text(), text);
}

/* Drivers crash on some of these. */
static void refuse_other_arguments(kt_program *program)
{
    kt_arg args[ARGS_MAX], changed;
    take_args(args);
    const char *nothing_there = is_wgsl() ? "kernel places does not take these 0 arguments in group"
                                          : "uses set 3, binding 0, but is given nothing there";
    expect_refused(program, ARG_OUT, NULL, KT_INVALID, nothing_there);
    changed = args[ARG_OUT];
    changed.set = 99;
    expect_refused(program, ARG_OUT, &changed, KT_LIMIT, "99");
    changed = args[ARG_IN];
    changed.binding = 2; /* as ARG_BLOCK */
    expect_refused(program, ARG_IN, &changed, KT_INVALID,
                   is_wgsl() ? "in group 1" : "set 1, binding 2 has an argument already");
    changed = args[ARG_BLOCK];
    changed.memory = output;
    expect_refused(program, ARG_BLOCK, &changed, KT_INVALID,
                   is_wgsl() ? "in group 1"
                             : "has a uniform buffer at set 1, binding 2, and is "
                               "given a memory");
    changed = args[ARG_IN];
    changed.memory = NULL;
    changed.value = block;
    changed.value_bytes = sizeof block;
    expect_refused(program, ARG_IN, &changed, KT_INVALID,
                   is_wgsl() ? "in group 1"
                             : "has a storage buffer at set 1, binding 7, and is "
                               "given a value");
    changed = args[ARG_MORE];
    changed.place = KT_PLACE_PUSH;
    changed.offset = UINT32_MAX;
    expect_refused(program, ARG_MORE, &changed, is_wgsl() ? KT_UNSUPPORTED : KT_LIMIT,
                   is_wgsl() ? "no push constants" : "bytes of values, not 42949673");
    expect_refused(program, ARG_IN, &(kt_arg){.memory = input}, KT_INVALID, "some do not");
    const kt_arg in_order[] = {{.memory = input}, {.memory = output}};
    EXPECT_STATUS(run(program, in_order, 2), KT_INVALID);
}

void arguments_have_places(void **state)
{
    SKIP_IF(no_places());
    if (!(s.info->languages & (KT_LANGUAGE_SPIRV_SHADER | KT_LANGUAGE_WGSL))) {
        kt_program *program = build("twice", twice_c);
        input = make_memory(KT_MEMORY_DEFAULT, COUNT, 1);
        const kt_arg arg = {.memory = input, .place = KT_PLACE_BINDING};
        EXPECT_STATUS(run(program, &arg, 1), KT_UNSUPPORTED);
        EXPECT_TEXT_HAS(kt_error_text(), "arguments of this language have an order");
        kt_memory_destroy(&input);
        kt_program_destroy(&program);
        return;
    }
    kt_arg args[ARGS_MAX];
    int32_t numbers[COUNT], results[COUNT];
    for (int32_t i = 0; i < COUNT; i++)
        numbers[i] = i + 1;
    const kt_constant constants[] = {
        {.name = "factor", .id = 0, .number = FACTOR, .data = &factor, .data_bytes = sizeof factor},
        {.name = "40", .id = 40, .number = 1, .data = &yes, .data_bytes = sizeof yes}};
    kt_program *program = NULL;
    input = make_memory(KT_MEMORY_DEFAULT, sizeof numbers, 1);
    output = make_memory(KT_MEMORY_DEFAULT, sizeof results, 2);
    EXPECT_OK(kt_memory_write(input, 0, numbers, sizeof numbers));
    EXPECT_OK(build_with("places", NULL, constants, 2, &program));
    uint32_t count = take_args(args);
    EXPECT_OK(run(program, args, count));
    EXPECT_OK(kt_memory_read(output, 0, results, sizeof results));
    for (int32_t i = 0; i < COUNT; i++)
        assert_int_equal(results[i], -((i + 1) * FACTOR * SCALE + OFFSET + ADD + MORE));
    refuse_other_arguments(program);
    kt_program_destroy(&program);
    kt_memory_destroy(&input);
    kt_memory_destroy(&output);
}

/* ---- constants ---- */

static uint32_t size_of_group(kt_program *program, uint32_t x, uint32_t y, kt_status expected)
{
    uint32_t result = 0;
    kt_memory *memory = make_memory(KT_MEMORY_DEFAULT, sizeof result, 1);
    const kt_arg arg = {.memory = memory};
    const kt_step step = {.program = program, .args = &arg, .arg_count = 1, .group_size = {x, y}};
    EXPECT_STATUS(run_steps(&step, 1), expected);
    EXPECT_OK(kt_memory_read(memory, 0, &result, sizeof result));
    kt_memory_destroy(&memory);
    return result;
}

static void expect_no_program(const kt_constant *constants, uint32_t count, kt_status expected,
                              const char *text)
{
    kt_program *program = NULL;
    EXPECT_STATUS(build_with("sizes", NULL, constants, count, &program), expected);
    EXPECT_TEXT_HAS(kt_error_text(), text);
}

/* One constant is two dimensions of the group. */
static void sizes_in_spirv(void)
{
    const uint32_t values[] = {2, 0, 60000};
    kt_constant constants[] = {{.id = 10, .data = values, .data_bytes = 4},
                               {.id = 10, .data = values, .data_bytes = 4}};
    kt_program *program = build("sizes", NULL);
    assert_int_equal(size_of_group(program, 4, 4, KT_OK), 404);
    size_of_group(program, 4, 2, KT_INVALID);
    EXPECT_TEXT_HAS(kt_error_text(), "made for groups of 4 in dimension y, not of 2");
    kt_program_destroy(&program);
    EXPECT_OK(build_with("sizes", NULL, constants, 1, &program));
    assert_int_equal(size_of_group(program, 4, 4, KT_OK), 202);
    kt_program_destroy(&program);
    expect_no_program(constants, 2, KT_INVALID, "constant 10 of kernel main is given twice");
    constants[0].data_bytes = 8;
    expect_no_program(constants, 1, KT_INVALID, "has 4 bytes, and is given 8");
    constants[0].data_bytes = 4;
    constants[0].id = 0;
    expect_no_program(constants, 1, KT_INVALID, "has no specialisation constant 0");
    constants[1].data = &values[1];
    expect_no_program(&constants[1], 1, KT_INVALID, "is given as 0");
    constants[1].data = &values[2];
    EXPECT_OK(build_with("sizes", NULL, &constants[1], 1, &program));
    size_of_group(program, 4, 4, KT_LIMIT);
    kt_program_destroy(&program);
}

static void sizes_in_wgsl(void)
{
    const kt_constant constants[] = {{.name = "side", .number = 4},
                                     {.name = "kt_group_y", .number = 2},
                                     {.name = "no_such_name", .number = 2},
                                     {.number = 2}};
    kt_program *program = build("sizes", NULL);
    assert_int_equal(size_of_group(program, 1, 3, KT_OK), 803);
    kt_program_destroy(&program);
    EXPECT_OK(build_with("sizes", NULL, constants, 2, &program));
    assert_int_equal(size_of_group(program, 1, 3, KT_OK), 402);
    kt_program_destroy(&program);
    expect_no_program(constants, 3, KT_BUILD_FAILED, "no_such_name");
    expect_no_program(constants, 4, KT_INVALID, "constant 3 has no name");
}

void constants_are_set_when_built(void **state)
{
    SKIP_IF(no_places());
    if (s.info->languages & KT_LANGUAGE_SPIRV_SHADER)
        sizes_in_spirv();
    if (s.info->languages & KT_LANGUAGE_WGSL)
        sizes_in_wgsl();
}
