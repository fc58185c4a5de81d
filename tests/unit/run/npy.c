/* SPDX-License-Identifier: MIT */
/* Headers of .npy files: what numpy writes is read, and all else is refused with a sentence. */
#include "cli/run/npy.h"
#include "tests/unit/run/npy_text.h"
#include "tests/unit/testing.h"

static char reason[NPY_REASON_BYTES];

/* Reads a header with `data_bytes` bytes of numbers behind it. */
static int read(int version, const char *dictionary, uint64_t data_bytes, npy_header *out)
{
    char content[1024];
    size_t bytes = npy_text(content, version, dictionary, NULL, 0);
    return npy_read_header(content, bytes, bytes + data_bytes, out, reason);
}

static void expect(int version, const char *dictionary, char kind, uint32_t bytes, uint64_t count)
{
    npy_header header;
    if (read(version, dictionary, count * bytes, &header) != 0)
        fail_msg("%s was refused: %s", dictionary, reason);
    assert_int_equal(header.kind, kind);
    assert_int_equal(header.bytes, bytes);
    assert_int_equal(header.count, count);
    assert_int_equal(header.begin, (version == 1 ? 10 : 12) + strlen(dictionary) + 1);
}

static void refuse(const char *dictionary, uint64_t data_bytes, const char *sentence)
{
    npy_header header;
    if (read(1, dictionary, data_bytes, &header) == 0)
        fail_msg("%s was taken", dictionary);
    assert_string_equal(reason, sentence);
}

#define TYPE(descr) "{'descr': '" descr "', 'fortran_order': False, 'shape': (3,), }"

static void what_numpy_writes(void **state)
{
    expect(1, TYPE("<f4"), 'f', 4, 3);
    expect(2, TYPE("<f2"), 'f', 2, 3);
    expect(3, TYPE("<f8"), 'f', 8, 3);
    expect(1, TYPE("|i1"), 'i', 1, 3);
    expect(1, TYPE("<u8"), 'u', 8, 3);
    expect(1, TYPE("|b1"), 'b', 1, 3);
    expect(1, "{'descr': '<i2', 'fortran_order': False, 'shape': (), }", 'i', 2, 1);
    expect(1, "{'descr': '<i2', 'fortran_order': False, 'shape': (0,), }", 'i', 2, 0);
    expect(1, "{'descr': '<i4', 'fortran_order': False, 'shape': (2, 3, 4), }      ", 'i', 4, 24);
    expect(1, "{'descr': '<i4', 'fortran_order': True, 'shape': (4,), }", 'i', 4, 4);
    expect(1, "{\"shape\": (2, 2), \"fortran_order\": False, \"descr\": \"<i4\"}", 'i', 4, 4);
}

static void what_is_not_supported(void **state)
{
    refuse(TYPE("<c16"), 48, "holds complex numbers, which no kernel takes");
    refuse(TYPE(">f4"), 12, "has its bytes in big-endian order, which is not supported");
    refuse(TYPE("<f16"), 48,
           "holds \"<f16\": integers, floats and bools of 1 to 8 bytes are supported");
    refuse(TYPE("<U7"), 84,
           "holds \"<U7\": integers, floats and bools of 1 to 8 bytes are supported");
    refuse(TYPE("|O"), 24, "holds \"|O\", which is no type of numbers");
    refuse("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (3,), }", 12,
           "holds structures, which are not supported; write them as .bin");
    refuse("{'descr': '<f4', 'fortran_order': True, 'shape': (3, 4), }", 48,
           "is in Fortran order; numpy.ascontiguousarray() gives the order of C");
}

static void sizes_that_do_not_fit(void **state)
{
    refuse(TYPE("<f4"), 11, "has 11 bytes of numbers, but its header says 3 numbers of 4 bytes");
    refuse(TYPE("<f4"), 13, "has 13 bytes of numbers, but its header says 3 numbers of 4 bytes");
    refuse("{'descr': '<f8', 'fortran_order': False, 'shape': (2305843009213693953,), }", 8,
           "has 8 bytes of numbers, but its header says 2305843009213693953 numbers of 8 bytes");
    refuse("{'descr': '<f8', 'fortran_order': False, 'shape': (4294967296, 4294967296), }", 0,
           "has a header that cannot be read"); /* 2^64 numbers */
}

static void damaged_headers(void **state)
{
    static const char *const damaged[] = {
        "",
        "{",
        "{}",
        "{'descr': '<f4', 'fortran_order': False}",
        "{'descr': '<f4', 'fortran_order': Maybe, 'shape': (3,), }",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (3",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (-3,), }",
        "{'descr': '<f4, 'fortran_order': False, 'shape': (3,), }",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (3,), 'more': 1}",
    };
    for (size_t i = 0; i < sizeof damaged / sizeof damaged[0]; i++)
        refuse(damaged[i], 12, "has a header that cannot be read");
    npy_header header;
    assert_int_equal(npy_read_header("\x93NUMPX\1\0\2\0{}", 12, 12, &header, reason), -1);
    assert_string_equal(reason, "is no .npy file");
    assert_int_equal(npy_read_header("", 0, 0, &header, reason), -1);
    assert_string_equal(reason, "is no .npy file");
    assert_int_equal(npy_read_header("\x93NUMPY\4\0\2\0{}", 12, 12, &header, reason), -1);
    assert_string_equal(reason, "is of version 4 of .npy; 1 to 3 are supported");
    assert_int_equal(npy_read_header("\x93NUMPY\1\0\3\0{}", 12, 12, &header, reason), -1);
    assert_string_equal(reason, "has a header that cannot be read"); /* longer than the file */
    assert_int_equal(npy_read_header("\x93NUMPY\2\0\0\0", 10, 10, &header, reason), -1);
    assert_string_equal(reason, "has a header that cannot be read");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_numpy_writes),
        cmocka_unit_test(what_is_not_supported),
        cmocka_unit_test(sizes_that_do_not_fit),
        cmocka_unit_test(damaged_headers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
