/* SPDX-License-Identifier: MIT */
/* What is told of SPIR-V before a driver sees it, by modules that are put together here. Numbers
 * are of the SPIR-V specification. */
#include "backends/vulkan/spirv.h"
#include "tests/unit/testing.h"

#define WORDS_MAX 1024
#define MAIN      0x6e69616d, 0 /* "main" */
#define MINE      0x656e696d, 0

enum { V1_0 = 0x10000, V1_3 = 0x10300, V1_4 = 0x10400 };
enum { /* ids that all modules have */
       ID_VOID = 1,
       ID_FUNCTION = 2,
       ID_MAIN = 3,
       ID_MINE = 4,
       ID_UINT = 5,
       ID_TWO = 9,  /* a constant */
       ID_OWN = 20, /* those of a test begin here */
       ID_OLD = 24, /* a storage buffer as before SPIR-V 1.3 */
       BOUND = 100
};
enum { ENTRY = 15, CAPABILITY = 17, STRUCT = 30, ARRAY = 28, RUNTIME_ARRAY = 29, POINTER = 32 };
enum { MODE = 16, MODE_ID = 331, CONSTANT = 43, COMPOSITE = 44, VARIABLE = 59, DECORATE = 71 };
enum { SPEC_TRUE = 48, SPEC_CONSTANT = 50, SPEC_COMPOSITE = 51 };
enum { SPEC_ID = 1, BLOCK = 2, BUFFER_BLOCK = 3, BUILTIN = 11, BINDING = 33, SET = 34 };
enum { IMAGES = 0, UNIFORM = 2, PUSH = 9, STORAGE = 12 };

static uint32_t words[WORDS_MAX];
static uint32_t count;

static void put(uint32_t opcode, const uint32_t *operands, size_t bytes)
{
    uint32_t operand_count = (uint32_t)(bytes / sizeof *operands);
    assert_true(count + operand_count < WORDS_MAX);
    words[count++] = (operand_count + 1) << 16 | opcode;
    for (uint32_t i = 0; i < operand_count; i++)
        words[count++] = operands[i];
}
#define PUT(opcode, ...) put(opcode, (uint32_t[]){__VA_ARGS__}, sizeof((uint32_t[]){__VA_ARGS__}))

static void begin(uint32_t version)
{
    const uint32_t header[] = {0x07230203, version, 0, BOUND, 0};
    memcpy(words, header, sizeof header);
    count = 5;
    PUT(CAPABILITY, 1);
}

static void put_types(void)
{
    PUT(19, ID_VOID);
    PUT(33, ID_FUNCTION, ID_VOID);
    PUT(21, ID_UINT, 32, 0);
    PUT(CONSTANT, ID_UINT, ID_TWO, 2);
}

static void put_function(uint32_t id)
{
    PUT(54, ID_VOID, id, 0, ID_FUNCTION);
    PUT(248, id + ID_OWN + 50);
    put(253, NULL, 0);
    put(56, NULL, 0);
}

static kt_status parse(spirv_kernel *kernel)
{
    return kt_vulkan_spirv_parse(words, count, "main", kernel);
}

static void expect_refused(kt_status expected, const char *part)
{
    spirv_kernel kernel;
    EXPECT_STATUS(parse(&kernel), expected);
    EXPECT_TEXT_HAS(kt_error_text(), part);
}

static spirv_kernel parsed(void)
{
    spirv_kernel kernel;
    EXPECT_OK(parse(&kernel));
    return kernel;
}

/* One variable of a type, and the end. */
static void put_variable(uint32_t type, uint32_t storage_class)
{
    PUT(POINTER, 90, storage_class, type);
    PUT(VARIABLE, 90, 91, storage_class);
    put_function(ID_MAIN);
}

/* ---- buffers ---- */

static void put_buffer(uint32_t type, uint32_t storage_class, uint32_t binding, uint32_t set)
{
    begin(V1_3);
    PUT(ENTRY, 5, ID_MAIN, MAIN);
    PUT(DECORATE, 91, SET, set);
    PUT(DECORATE, 91, BINDING, binding);
    PUT(DECORATE, ID_OLD, BUFFER_BLOCK);
    PUT(DECORATE, ID_OWN, BLOCK);
    put_types();
    PUT(RUNTIME_ARRAY, 21, ID_UINT);
    PUT(STRUCT, ID_OWN, 21);
    PUT(STRUCT, ID_OLD, 21);
    PUT(ARRAY, 22, ID_OWN, ID_TWO);
    PUT(RUNTIME_ARRAY, 23, ID_OWN);
    put_variable(type, storage_class);
}

static void buffers_have_kinds_and_places(void **state)
{
    static const struct {
        uint32_t type, storage_class, binding, set;
        bool is_uniform;
        const char *refused; /* NULL: taken */
    } cases[] = {
        {ID_OWN, STORAGE, 6, 0, false, NULL},
        {ID_OWN, UNIFORM, 6, 5, true, NULL},
        {ID_OLD, UNIFORM, 6, 0, false, NULL},
        {ID_OWN, STORAGE, 1023, 4000000, false, NULL},
        {ID_OWN, STORAGE, 1024, 0, false, "binding 1024"},
        {22, STORAGE, 6, 0, false, "array of buffers at binding 6"},
        {23, UNIFORM, 6, 0, false, "array of buffers at binding 6"},
        {ID_OWN, IMAGES, 6, 0, false, "images"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        put_buffer(cases[i].type, cases[i].storage_class, cases[i].binding, cases[i].set);
        if (cases[i].refused) {
            expect_refused(KT_UNSUPPORTED, cases[i].refused);
            continue;
        }
        const spirv_kernel kernel = parsed();
        assert_int_equal(kernel.buffer_count, 1);
        assert_int_equal(kernel.buffers[0].set, cases[i].set);
        assert_int_equal(kernel.buffers[0].binding, cases[i].binding);
        assert_int_equal(kernel.buffers[0].is_uniform, cases[i].is_uniform);
    }
    put_buffer(ID_OWN, PUSH, 0, 0);
    assert_true(parsed().takes_push);
    assert_int_equal(parsed().buffer_count, 0);
}

static void more_buffers_than_are_kept(void **state)
{
    for (uint32_t most = SPIRV_BUFFERS_MAX; most <= SPIRV_BUFFERS_MAX + 1; most++) {
        put_buffer(ID_OWN, STORAGE, 6, 0);
        for (uint32_t i = 1; i < most; i++)
            PUT(VARIABLE, 90, 91, STORAGE); /* again and again */
        if (most == SPIRV_BUFFERS_MAX)
            assert_int_equal(parsed().buffer_count, most);
        else
            expect_refused(KT_UNSUPPORTED, "128 more buffers");
    }
}

/* ---- the group, and constants ---- */

#define NONE SPIRV_NO_ID

static void expect_group(const uint32_t ids[3], const uint32_t sizes[3])
{
    const spirv_kernel kernel = parsed();
    for (int i = 0; i < 3; i++) {
        assert_int_equal(kernel.size_ids[i], ids[i]);
        assert_int_equal(kernel.group_size[i], sizes[i]);
    }
}

/* Constants: 30, which is SpecId 12; 31, which is SpecId 1; 32, an expression; ID_TWO. */
static void put_sizes(uint32_t opcode, uint32_t mode, uint32_t x, uint32_t y, uint32_t z)
{
    begin(V1_0);
    PUT(ENTRY, 5, ID_MAIN, MAIN);
    PUT(MODE, ID_MINE, 17, 1, 2, 3);
    PUT(opcode, ID_MAIN, mode, x, y, z);
    PUT(DECORATE, 30, SPEC_ID, 12);
    PUT(DECORATE, 31, SPEC_ID, 1);
    put_types();
    PUT(SPEC_CONSTANT, ID_UINT, 30, 1);
    PUT(SPEC_CONSTANT, ID_UINT, 31, 1);
    PUT(52, ID_UINT, 32, 128, 30, ID_TWO); /* OpSpecConstantOp */
}

static void the_group_size_is_fixed_or_not(void **state)
{
    /* A constant of whatever id is no size of the group by itself. */
    put_sizes(MODE, 17, 64, 4, 1);
    put_function(ID_MAIN);
    expect_group((uint32_t[]){NONE, NONE, NONE}, (uint32_t[]){64, 4, 1});
    put_sizes(MODE_ID, 38, 31, ID_TWO, 30);
    put_function(ID_MAIN);
    expect_group((uint32_t[]){1, NONE, 12}, (uint32_t[]){0, 2, 0});
    /* The built-in value wins. */
    for (uint32_t opcode = COMPOSITE; opcode <= SPEC_COMPOSITE; opcode += 7) {
        put_sizes(MODE, 17, 64, 4, 1);
        PUT(DECORATE, 34, BUILTIN, 25);
        PUT(opcode, 33, 34, 30, ID_TWO, 32);
        put_function(ID_MAIN);
        expect_group((uint32_t[]){12, NONE, NONE}, (uint32_t[]){0, 2, 0});
    }
}

static void constants_have_sizes(void **state)
{
    begin(V1_0);
    PUT(ENTRY, 5, ID_MAIN, MAIN);
    for (uint32_t id = 30; id < 34; id++)
        PUT(DECORATE, id, SPEC_ID, id - 30);
    put_types();
    PUT(21, 40, 16, 1); /* OpTypeInt */
    PUT(22, 41, 64);    /* OpTypeFloat */
    PUT(20, 42);        /* OpTypeBool */
    PUT(SPEC_CONSTANT, ID_UINT, 30, 1);
    PUT(SPEC_CONSTANT, 40, 31, 1);
    PUT(SPEC_CONSTANT, 41, 32, 1, 0);
    PUT(SPEC_TRUE, 42, 33);
    put_function(ID_MAIN);
    (void)parsed();
    static const uint32_t bytes[] = {4, 2, 8, 4, 0};
    for (uint32_t id = 0; id < 5; id++)
        assert_int_equal(kt_vulkan_spirv_constant_bytes(words, count, id), bytes[id]);
}

/* ---- several shaders ---- */

/* `mine` alone uses a buffer at binding 5. */
static void put_two_shaders(uint32_t version)
{
    begin(version);
    PUT(ENTRY, 5, ID_MINE, MINE, 82, 84);
    PUT(ENTRY, 5, ID_MAIN, MAIN, 80);
    PUT(DECORATE, 80, BINDING, 1);
    PUT(DECORATE, 82, BINDING, 5);
    put_types();
    PUT(STRUCT, ID_OWN, ID_UINT);
    PUT(POINTER, 81, STORAGE, ID_OWN);
    PUT(POINTER, 85, PUSH, ID_OWN);
    PUT(VARIABLE, 81, 80, STORAGE);
    PUT(VARIABLE, 81, 82, STORAGE);
    PUT(VARIABLE, 85, 84, PUSH);
    put_function(ID_MAIN);
    put_function(ID_MINE);
}

static void each_shader_has_its_own(void **state)
{
    spirv_kernel kernel;
    put_two_shaders(V1_4);
    kernel = parsed();
    assert_int_equal(kernel.buffer_count, 1);
    assert_int_equal(kernel.buffers[0].binding, 1);
    assert_false(kernel.takes_push);
    EXPECT_OK(kt_vulkan_spirv_parse(words, count, "mine", &kernel));
    assert_int_equal(kernel.buffer_count, 1);
    assert_int_equal(kernel.buffers[0].binding, 5);
    assert_true(kernel.takes_push);
    /* Before 1.4 the module does not say which shader uses what. */
    put_two_shaders(V1_3);
    EXPECT_OK(kt_vulkan_spirv_parse(words, count, "mine", &kernel));
    assert_int_equal(kernel.buffer_count, 0);
    assert_false(kernel.takes_push);
}

/* ---- no modules ---- */

static void put_least(void)
{
    begin(V1_0);
    PUT(ENTRY, 5, ID_MAIN, MAIN);
    put_types();
    put_function(ID_MAIN);
}

static void modules_that_cannot_be(void **state)
{
    put_least();
    (void)parsed();
    words[3] = 4194303;
    (void)parsed();
    words[3] = 4194304;
    expect_refused(KT_BUILD_FAILED, "4194303 are the most");
    put_least();
    PUT(74, ID_OWN, ID_MAIN);
    expect_refused(KT_UNSUPPORTED, "groups");
    for (uint32_t i = 0; i < 3; i++) {
        const uint32_t versions[] = {0, 0x10001, 0x6e312e30};
        put_least();
        words[1] = versions[i];
        expect_refused(KT_BUILD_FAILED, "not SPIR-V");
    }
    memcpy(words, "#version 450\nlayout(", 20);
    expect_refused(KT_BUILD_FAILED, "not SPIR-V");
    count = 0;
    expect_refused(KT_BUILD_FAILED, "not SPIR-V");
}

static void capabilities_are_usable_or_not(void **state)
{
    spirv_kernel kernel;
    put_least();
    PUT(CAPABILITY, 62);   /* GroupNonUniformVote, ... */
    PUT(CAPABILITY, 4434); /* UniformAndStorageBuffer16BitAccess, which can be used */
    kernel = parsed();
    assert_int_equal(kernel.capabilities, SPIRV_SUBGROUPS * 2 | SPIRV_UNIFORM16);
    assert_int_equal(kernel.unknown, 0);
    PUT(CAPABILITY, 6033);
    kernel = parsed();
    assert_int_equal(kernel.unknown, 6033);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(buffers_have_kinds_and_places),
        cmocka_unit_test(more_buffers_than_are_kept),
        cmocka_unit_test(the_group_size_is_fixed_or_not),
        cmocka_unit_test(constants_have_sizes),
        cmocka_unit_test(each_shader_has_its_own),
        cmocka_unit_test(modules_that_cannot_be),
        cmocka_unit_test(capabilities_are_usable_or_not),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
