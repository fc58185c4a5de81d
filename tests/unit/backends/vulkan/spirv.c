/* What is told of SPIR-V before a driver sees it, by modules that are put together here. Numbers
 * are of the SPIR-V specification. */
#include "backends/vulkan/spirv.h"
#include "tests/unit/testing.h"

#define WORDS_MAX 256
#define MAIN      0x6e69616d, 0 /* "main" */
#define MINE      0x656e696d, 0

enum { V1_0 = 0x10000, V1_3 = 0x10300, V1_4 = 0x10400 };
enum { /* ids that all modules have */
       ID_VOID = 1,
       ID_FUNCTION = 2,
       ID_MAIN = 3,
       ID_MINE = 4,
       ID_UINT = 5,
       ID_FLOAT = 6,
       ID_VEC3 = 7,
       ID_MAT2X3 = 8, /* two columns of three */
       ID_TWO = 9,    /* constants */
       ID_THREE = 10,
       ID_OWN = 20, /* those of a test begin here */
       BOUND = 100
};
enum { ENTRY = 15, CAPABILITY = 17, STRUCT = 30, ARRAY = 28, RUNTIME_ARRAY = 29, POINTER = 32 };
enum { CONSTANT = 43, SPEC_CONSTANT = 50, VARIABLE = 59, DECORATE = 71, MEMBER_DECORATE = 72 };
enum { BLOCK = 2, BUFFER_BLOCK = 3, ROW_MAJOR = 4, COLUMN_MAJOR = 5, ARRAY_STRIDE = 6 };
enum { SPEC_ID = 1, MATRIX_STRIDE = 7, BINDING = 33, SET = 34, OFFSET = 35 };
enum { IMAGES = 0, UNIFORM = 2, SHARED = 4, PUSH = 9, STORAGE = 12 };

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
    PUT(22, ID_FLOAT, 32);
    PUT(23, ID_VEC3, ID_FLOAT, 3);
    PUT(24, ID_MAT2X3, ID_VEC3, 2);
    PUT(CONSTANT, ID_UINT, ID_TWO, 2);
    PUT(CONSTANT, ID_UINT, ID_THREE, 3);
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
    return vulkan_spirv_parse(words, count, "main", kernel);
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

/* ---- push constants ---- */

static void values_end_where_the_last_does(void **state)
{
    (void)state;
    begin(V1_0);
    PUT(ENTRY, 5, ID_MAIN, MAIN);
    PUT(MEMBER_DECORATE, ID_OWN, 0, OFFSET, 16); /* in any order: 16 + 4 bytes */
    PUT(MEMBER_DECORATE, ID_OWN, 1, OFFSET, 0);
    PUT(DECORATE, ID_OWN, BLOCK);
    put_types();
    PUT(STRUCT, ID_OWN, ID_UINT, ID_VEC3);
    put_variable(ID_OWN, PUSH);
    const spirv_kernel kernel = parsed();
    assert_true(kernel.takes_push);
    assert_int_equal(kernel.push_bytes, 20);
    assert_int_equal(kernel.binding_count, 0);
}

/* A matrix that begins at byte 8, with 16 bytes from line to line. */
static uint64_t matrix_bytes(uint32_t order)
{
    begin(V1_0);
    PUT(ENTRY, 5, ID_MAIN, MAIN);
    PUT(MEMBER_DECORATE, ID_OWN, 0, OFFSET, 8);
    PUT(MEMBER_DECORATE, ID_OWN, 0, order);
    PUT(MEMBER_DECORATE, ID_OWN, 0, MATRIX_STRIDE, 16);
    put_types();
    PUT(STRUCT, ID_OWN, ID_MAT2X3);
    put_variable(ID_OWN, PUSH);
    return parsed().push_bytes;
}

static void matrices_have_rows_or_columns(void **state)
{
    (void)state;
    /* Two columns, the last of which has three numbers; three rows, the last of which has two. */
    assert_int_equal(matrix_bytes(COLUMN_MAJOR), 8 + 16 + 3 * 4);
    assert_int_equal(matrix_bytes(ROW_MAJOR), 8 + 2 * 16 + 2 * 4);
}

static void put_nested(uint32_t length)
{
    begin(V1_0);
    PUT(ENTRY, 5, ID_MAIN, MAIN);
    PUT(DECORATE, 40, SPEC_ID, 0);
    PUT(DECORATE, 41, SPEC_ID, 3);
    PUT(MEMBER_DECORATE, ID_OWN, 0, OFFSET, 0);
    PUT(MEMBER_DECORATE, ID_OWN, 0, MATRIX_STRIDE, 16);
    PUT(MEMBER_DECORATE, ID_OWN, 1, OFFSET, 96);
    PUT(DECORATE, 21, ARRAY_STRIDE, 32);
    PUT(DECORATE, 22, ARRAY_STRIDE, 128);
    PUT(MEMBER_DECORATE, 23, 0, OFFSET, 4);
    put_types();
    PUT(SPEC_CONSTANT, ID_UINT, 40, 50);
    PUT(SPEC_CONSTANT, ID_UINT, 41, 3);
    PUT(ARRAY, 21, ID_MAT2X3, ID_THREE);
    PUT(STRUCT, ID_OWN, 21, ID_UINT);
    PUT(ARRAY, 22, ID_OWN, length);
    PUT(STRUCT, 23, 22);
    put_variable(23, PUSH);
}

static void arrays_have_strides(void **state)
{
    (void)state;
    put_nested(ID_TWO);
    assert_int_equal(parsed().push_bytes, 4 + 128 + 96 + 4);
    /* A constant that nobody sets has the value that stands there. */
    put_nested(41);
    assert_int_equal(parsed().push_bytes, 4 + 2 * 128 + 96 + 4);
    /* The group size is told later: one element there is. */
    put_nested(40);
    assert_int_equal(parsed().push_bytes, 4 + 96 + 4);
}

static void what_is_not_reported_is_left_out(void **state)
{
    (void)state;
    begin(V1_0);
    PUT(ENTRY, 5, ID_MAIN, MAIN);
    PUT(MEMBER_DECORATE, ID_OWN, 1, OFFSET, 0);
    put_types();
    PUT(RUNTIME_ARRAY, 21, ID_UINT);
    PUT(STRUCT, ID_OWN, ID_UINT, 21);
    put_variable(ID_OWN, PUSH);
    assert_true(parsed().takes_push);
    assert_int_equal(parsed().push_bytes, 0);
}

/* As Vulkan asks for it; what else there may be has no layout to tell its size by. */
static void push_constants_are_a_structure(void **state)
{
    (void)state;
    static const uint32_t others[] = {ID_MAT2X3, ID_VEC3, ID_UINT, ID_OWN};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        begin(V1_0);
        PUT(ENTRY, 5, ID_MAIN, MAIN);
        PUT(DECORATE, ID_OWN, ARRAY_STRIDE, 48);
        put_types();
        PUT(ARRAY, ID_OWN, ID_MAT2X3, ID_TWO);
        put_variable(others[i], PUSH);
        expect_refused(KT_BUILD_FAILED, "push constants that are no structure");
    }
}

static void matrices_have_2_to_4_columns(void **state)
{
    (void)state;
    static const uint32_t columns[] = {2, 3, 4, 0, 1, 5, 4098};
    for (size_t i = 0; i < sizeof columns / sizeof columns[0]; i++) {
        begin(V1_0);
        PUT(ENTRY, 5, ID_MAIN, MAIN);
        put_types();
        PUT(24, ID_OWN, ID_VEC3, columns[i]);
        put_function(ID_MAIN);
        if (i < 3)
            parsed();
        else
            expect_refused(KT_BUILD_FAILED, "2, 3 or 4 columns");
    }
}

/* ---- shared memory ---- */

static void shared_memory_adds_up(void **state)
{
    (void)state;
    begin(V1_0);
    PUT(ENTRY, 5, ID_MAIN, MAIN);
    put_types();
    PUT(CONSTANT, ID_UINT, 30, 1000);
    PUT(ARRAY, 31, ID_VEC3, 30);
    PUT(STRUCT, 32, 31, ID_UINT);
    PUT(POINTER, 33, SHARED, ID_MAT2X3);
    PUT(VARIABLE, 33, 34, SHARED);
    put_variable(32, SHARED);
    assert_int_equal(parsed().shared_bytes, 24 + 12000 + 4);
}

/* 2^32 - 1 elements, four times over, are more than 64 bits can count. */
static void sizes_do_not_overflow(void **state)
{
    (void)state;
    begin(V1_0);
    PUT(ENTRY, 5, ID_MAIN, MAIN);
    put_types();
    PUT(CONSTANT, ID_UINT, 30, UINT32_MAX);
    PUT(ARRAY, 31, ID_UINT, 30);
    PUT(ARRAY, 32, 31, 30);
    PUT(ARRAY, 33, 32, 30);
    PUT(STRUCT, 34, 33, 33, 33, 33, 33, 33, 33, 33);
    put_variable(34, SHARED);
    assert_true(parsed().shared_bytes > UINT64_C(1) << 40);
}

/* ---- buffers ---- */

static void put_buffer(uint32_t type, uint32_t storage_class, uint32_t decoration, uint32_t set)
{
    begin(V1_3);
    PUT(ENTRY, 5, ID_MAIN, MAIN);
    PUT(DECORATE, ID_OWN, decoration);
    PUT(DECORATE, 91, SET, set);
    PUT(DECORATE, 91, BINDING, 6);
    put_types();
    PUT(RUNTIME_ARRAY, 21, ID_UINT);
    PUT(STRUCT, ID_OWN, 21);
    PUT(ARRAY, 22, ID_OWN, ID_TWO);
    PUT(RUNTIME_ARRAY, 23, ID_OWN);
    put_variable(type, storage_class);
}

static void memories_are_storage_buffers(void **state)
{
    (void)state;
    put_buffer(ID_OWN, STORAGE, BLOCK, 0);
    assert_int_equal(parsed().binding_count, 7);
    put_buffer(ID_OWN, UNIFORM, BUFFER_BLOCK, 0);
    assert_int_equal(parsed().binding_count, 7);
    put_buffer(ID_OWN, UNIFORM, BLOCK, 0);
    expect_refused(KT_UNSUPPORTED, "uniform buffer at binding 6");
    put_buffer(ID_OWN, STORAGE, BLOCK, 1);
    expect_refused(KT_UNSUPPORTED, "descriptor set 1");
    put_buffer(22, STORAGE, BLOCK, 0);
    expect_refused(KT_UNSUPPORTED, "array of buffers at binding 6");
    put_buffer(23, UNIFORM, BUFFER_BLOCK, 0);
    expect_refused(KT_UNSUPPORTED, "array of buffers at binding 6");
    put_buffer(ID_OWN, IMAGES, BLOCK, 0);
    expect_refused(KT_UNSUPPORTED, "images");
}

/* ---- several shaders ---- */

/* Push constants of 4 bytes, and shared memory as well as a uniform buffer, which only `mine`
 * uses. */
static void put_two_shaders(uint32_t version)
{
    begin(version);
    PUT(ENTRY, 5, ID_MINE, MINE, 82, 84, 86);
    PUT(ENTRY, 5, ID_MAIN, MAIN, 80, 84);
    PUT(DECORATE, 80, BINDING, 1);
    PUT(DECORATE, 82, BINDING, 5);
    PUT(MEMBER_DECORATE, ID_OWN, 0, OFFSET, 0);
    PUT(DECORATE, ID_OWN, BLOCK);
    put_types();
    PUT(STRUCT, ID_OWN, ID_UINT);
    PUT(POINTER, 81, STORAGE, ID_OWN);
    PUT(POINTER, 83, UNIFORM, ID_OWN);
    PUT(POINTER, 85, PUSH, ID_OWN);
    PUT(POINTER, 87, SHARED, ID_OWN);
    PUT(VARIABLE, 81, 80, STORAGE);
    PUT(VARIABLE, 83, 82, UNIFORM);
    PUT(VARIABLE, 85, 84, PUSH);
    PUT(VARIABLE, 87, 86, SHARED);
    put_function(ID_MAIN);
    put_function(ID_MINE);
}

static void each_shader_has_its_own(void **state)
{
    (void)state;
    spirv_kernel kernel;
    put_two_shaders(V1_4);
    kernel = parsed();
    assert_int_equal(kernel.binding_count, 2);
    assert_int_equal(kernel.push_bytes, 4);
    assert_int_equal(kernel.shared_bytes, 0);
    EXPECT_STATUS(vulkan_spirv_parse(words, count, "mine", &kernel), KT_UNSUPPORTED);
    EXPECT_TEXT_HAS(kt_error_text(), "uniform buffer at binding 5");
    /* What is not told is not held against it. */
    put_two_shaders(V1_3);
    kernel = parsed();
    assert_int_equal(kernel.binding_count, 0);
    assert_false(kernel.takes_push);
    EXPECT_OK(vulkan_spirv_parse(words, count, "mine", &kernel));
    assert_int_equal(kernel.shared_bytes, 0);
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
    (void)state;
    put_least();
    (void)parsed();
    words[3] = 10; /* the constant of that number is no more */
    expect_refused(KT_BUILD_FAILED, "an id beyond its bound");
    words[3] = 0;
    expect_refused(KT_BUILD_FAILED, "an id beyond its bound");
    words[3] = 4194303;
    (void)parsed();
    words[3] = 4194304;
    expect_refused(KT_BUILD_FAILED, "4194303 are the most");
    put_least();
    PUT(21, ID_FLOAT, 32, 0);
    expect_refused(KT_BUILD_FAILED, "an id twice");
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
    (void)state;
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
    assert_string_equal(vulkan_capability_name(6033), "AtomicFloat32AddEXT");
    assert_string_equal(vulkan_capability_name(5347), "PhysicalStorageBufferAddresses");
    assert_null(vulkan_capability_name(1));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_end_where_the_last_does),
        cmocka_unit_test(matrices_have_rows_or_columns),
        cmocka_unit_test(push_constants_are_a_structure),
        cmocka_unit_test(matrices_have_2_to_4_columns),
        cmocka_unit_test(arrays_have_strides),
        cmocka_unit_test(what_is_not_reported_is_left_out),
        cmocka_unit_test(shared_memory_adds_up),
        cmocka_unit_test(sizes_do_not_overflow),
        cmocka_unit_test(memories_are_storage_buffers),
        cmocka_unit_test(each_shader_has_its_own),
        cmocka_unit_test(modules_that_cannot_be),
        cmocka_unit_test(capabilities_are_usable_or_not),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
