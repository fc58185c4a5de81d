/* SPDX-License-Identifier: MIT */
/* What all backends share: transfers in pieces, and the size of a flush. */
#include "backends/flush.h"
#include "backends/transfer.h"
#include "tests/unit/testing.h"

enum { BYTES = 40, WORD = 4, PIECE = 12 };

static struct {
    char bytes[BYTES];
    unsigned copies, fails_at; /* 0: none fails */
    int64_t timeout_ns;
} memory;

/* Takes nothing but whole words, and at most a piece. */
static kt_status copy(const void *of, size_t offset, char *out, const char *in, size_t bytes,
                      int64_t timeout_ns)
{
    assert_ptr_equal(of, &memory);
    assert_true(!out != !in);
    assert_true(offset % WORD == 0 && bytes % WORD == 0 && bytes > 0 && bytes <= PIECE);
    assert_true(offset + bytes <= BYTES);
    assert_true(timeout_ns > 0 && timeout_ns <= memory.timeout_ns);
    memory.timeout_ns = timeout_ns; /* what is left never grows */
    if (++memory.copies == memory.fails_at)
        return kt_fail(KT_DEVICE_LOST, "gone");
    if (in)
        memcpy(memory.bytes + offset, in, bytes);
    else
        memcpy(out, memory.bytes + offset, bytes);
    return KT_OK;
}

static const kt_transfer words = {.piece_bytes = PIECE, .word_bytes = WORD, .copy = copy};

static kt_status transfer(size_t offset, char *out, const char *in, size_t bytes)
{
    memory.copies = 0;
    memory.timeout_ns = INT64_C(1) << 60;
    return kt_transfer_run(&words, &memory, offset, out, in, bytes, memory.timeout_ns);
}

static void any_bytes(void **state)
{
    char wanted[BYTES], seen[BYTES + 1];
    for (size_t from = 0; from <= BYTES; from++)
        for (size_t count = 0; from + count <= BYTES; count++) {
            for (int i = 0; i < BYTES; i++)
                wanted[i] = memory.bytes[i] = (char)(3 * i + 1);
            memset(wanted + from, 0x5A, count);
            EXPECT_OK(transfer(from, NULL, wanted + from, count));
            assert_memory_equal(memory.bytes, wanted, BYTES);
            memset(seen, 0, sizeof seen);
            EXPECT_OK(transfer(from, seen, NULL, count));
            assert_memory_equal(seen, wanted + from, count);
            assert_int_equal(seen[count], 0);
        }
    EXPECT_OK(transfer(0, seen, NULL, BYTES));
    assert_int_equal(memory.copies, 4); /* 12 + 12 + 12 + 4 */
}

static void ends_with_the_first_failure(void **state)
{
    char bytes[BYTES] = "";
    memory.fails_at = 2;
    EXPECT_STATUS(transfer(0, NULL, bytes, BYTES), KT_DEVICE_LOST);
    assert_int_equal(memory.copies, 2);
    EXPECT_STATUS(transfer(3, NULL, bytes, 1), KT_DEVICE_LOST); /* read, then written */
    memory.fails_at = 0;
}

/* Without time left no copy begins. */
static void ends_at_its_deadline(void **state)
{
    char bytes[BYTES] = "";
    memory.copies = 0;
    EXPECT_STATUS(kt_transfer_run(&words, &memory, 0, bytes, NULL, BYTES, 0), KT_TIMEOUT);
    EXPECT_TEXT_HAS(kt_error_text(), "did not answer within 0 s");
    assert_int_equal(memory.copies, 0);
}

#define MIB (UINT64_C(1) << 20)

static void flush_size(void **state)
{
    kt_device_info info = {0};
    assert_int_equal(kt_flush_bytes(&info, 40 * MIB, 1), 80 * MIB);
    assert_int_equal(kt_flush_bytes(&info, 0, 1), 192 * MIB);
    assert_int_equal(kt_flush_bytes(&info, 1000, 1), 16 * MIB);
    assert_int_equal(kt_flush_bytes(&info, 10 * MIB + 9, 16), 20 * MIB + 16);
    /* A GPU may have a last cache of 256 MiB that its driver does not report. */
    info.type = KT_DEVICE_GPU;
    assert_int_equal(kt_flush_bytes(&info, 0, 1), 512 * MIB);
    assert_int_equal(kt_flush_bytes(&info, 40 * MIB, 1), 512 * MIB);
    assert_int_equal(kt_flush_bytes(&info, 408 * MIB, 1), 816 * MIB);
    info.max_argument_bytes = 128 * MIB;
    assert_int_equal(kt_flush_bytes(&info, 0, 1), 128 * MIB);
    info.max_memory_bytes = 100 * MIB;
    assert_int_equal(kt_flush_bytes(&info, 0, 1), 100 * MIB);
    info.memory_bytes = 200 * MIB;
    assert_int_equal(kt_flush_bytes(&info, 0, 1), 50 * MIB);
    info.memory_bytes = 4;
    assert_int_equal(kt_flush_bytes(&info, 0, 64), 64);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_bytes),
        cmocka_unit_test(ends_with_the_first_failure),
        cmocka_unit_test(ends_at_its_deadline),
        cmocka_unit_test(flush_size),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
