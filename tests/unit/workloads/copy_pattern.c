/* SPDX-License-Identifier: MIT */
/* The pattern of copies, and what is said of bytes that are not the right ones. */
#include "tests/unit/testing.h"
#include "workloads/copy/pattern.h"

enum { BYTES = 4096, NUMBER = 9 };

/* Word i of submission s is (i + s + s * 2^40) times 0x9E3779B97F4A7C15, worked out with Python's
 * integers. */
static void words_of_the_formula(void **state)
{
    static const struct {
        uint64_t number, index, word;
    } known[] = {{1, 0, UINT64_C(0xe8b38eb97f4a7c15)},
                 {2, 0, UINT64_C(0xd1671d72fe94f82a)},
                 {2, 1, UINT64_C(0x6f9e972c7ddf743f)},
                 {2, 3, UINT64_C(0xac0d8a9f7c746c69)},
                 {7, 1 << 20, UINT64_C(0xf880dbba3c596493)}};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        uint64_t word;
        copy_pattern_make(known[i].number, known[i].index * 8, &word, sizeof word);
        assert_true(word == known[i].word);
    }
}

/* A piece by itself has the bytes that it has in the whole, whatever its length. */
static void pieces_are_those_of_the_whole(void **state)
{
    unsigned char whole[128], piece[128];
    copy_pattern_make(NUMBER, 0, whole, sizeof whole);
    for (size_t begin = 0; begin < 64; begin += 8)
        for (size_t count = 1; count < 50; count++) {
            memset(piece, 0, sizeof piece);
            copy_pattern_make(NUMBER, begin, piece, count);
            assert_memory_equal(piece, whole + begin, count);
            assert_int_equal(piece[count], 0);
            assert_true(copy_pattern_is(NUMBER, begin, piece, count));
        }
    for (size_t at = 0; at < sizeof whole; at++)
        assert_int_equal(copy_pattern_byte(NUMBER, at), whole[at]);
}

static void each_wrong_bit_is_seen(void **state)
{
    enum { COUNT = 37 };
    unsigned char bytes[COUNT];
    copy_pattern_make(NUMBER, 0, bytes, COUNT);
    for (int bit = 0; bit < 8 * COUNT; bit++) {
        bytes[bit / 8] ^= (unsigned char)(1u << bit % 8);
        assert_false(copy_pattern_is(NUMBER, 0, bytes, COUNT));
        bytes[bit / 8] ^= (unsigned char)(1u << bit % 8);
    }
}

/* What a copy left as it was is seen in each word: even one byte differs from those of the 255
 * submissions before. */
static void submissions_differ_in_the_first_byte(void **state)
{
    for (uint64_t at = 0; at < 256; at += 8)
        for (uint64_t before = 1; before < 256; before++)
            assert_int_not_equal(copy_pattern_byte(300, at), copy_pattern_byte(300 - before, at));
    assert_int_not_equal(copy_pattern_byte(COPY_NUMBER_MAX, 0),
                         copy_pattern_byte(COPY_NUMBER_FIRST, 0));
}

/* ---- what is said ---- */

static unsigned char bytes[BYTES];

static void make_right(void)
{
    copy_pattern_make(NUMBER, 0, bytes, BYTES);
}

/* Puts bytes of a submission from a place `from` on to `begin` and up to `end`. */
static void put(size_t begin, size_t end, uint64_t number, uint64_t from)
{
    for (size_t i = begin; i < end; i++)
        bytes[i] = copy_pattern_byte(number, from + (i - begin));
}

static void expect_wrong(size_t count, copy_wrong wrong, const char *text)
{
    static const size_t pieces[] = {BYTES, 1024, 16};
    for (size_t p = 0; p < sizeof pieces / sizeof pieces[0]; p++) {
        copy_diagnostic diagnostic = {.number = NUMBER, .bytes = count};
        for (size_t at = 0; at < count; at += pieces[p])
            copy_diagnostic_add(&diagnostic, at, bytes + at,
                                count - at < pieces[p] ? count - at : pieces[p]);
        if (diagnostic.wrong != wrong)
            fail_msg("in pieces of %zu: %d, not %d", pieces[p], (int)diagnostic.wrong, (int)wrong);
        char reason[256] = "";
        if (diagnostic.wrong)
            copy_diagnostic_say(&diagnostic, reason, sizeof reason);
        assert_string_equal(reason, text);
    }
}

static void right_bytes(void **state)
{
    make_right();
    expect_wrong(BYTES, COPY_RIGHT, "");
    expect_wrong(1, COPY_RIGHT, "");
    expect_wrong(4093, COPY_RIGHT, "");
}

static void stale_bytes(void **state)
{
    put(0, BYTES, NUMBER - 1, 0);
    expect_wrong(BYTES, COPY_STALE,
                 "4,096 bytes from byte 0 on are those of the submission before");
    expect_wrong(1, COPY_STALE, "byte 0 is that of the submission before");
    expect_wrong(3, COPY_STALE, "3 bytes from byte 0 on are those of the submission before");
    put(0, BYTES, NUMBER - 6, 0);
    expect_wrong(BYTES, COPY_STALE, "4,096 bytes from byte 0 on are those of 6 submissions before");
    make_right();
    put(1600, 3000, NUMBER - 1, 1600);
    expect_wrong(BYTES, COPY_STALE,
                 "1,400 bytes from byte 1,600 on are those of the submission before");
    make_right(); /* the copy ended within a word */
    put(2051, BYTES, NUMBER - 1, 2051);
    assert_int_not_equal(bytes[2051], copy_pattern_byte(NUMBER, 2051));
    expect_wrong(BYTES, COPY_STALE,
                 "2,045 bytes from byte 2,051 on are those of the submission before");
    make_right(); /* and within the last one */
    put(4091, 4093, NUMBER - 1, 4091);
    assert_int_not_equal(bytes[4091], copy_pattern_byte(NUMBER, 4091));
    assert_int_not_equal(bytes[4092], copy_pattern_byte(NUMBER, 4092));
    expect_wrong(4093, COPY_STALE, "2 bytes from byte 4,091 on are those of the submission before");
}

static void unwritten_bytes(void **state)
{
    put(0, BYTES, COPY_NUMBER_NONE, 0);
    expect_wrong(BYTES, COPY_UNWRITTEN, "4,096 bytes from byte 0 on were never written");
    expect_wrong(1, COPY_UNWRITTEN, "byte 0 was never written");
    make_right();
    put(2048, BYTES, COPY_NUMBER_NONE, 2048);
    expect_wrong(BYTES, COPY_UNWRITTEN, "2,048 bytes from byte 2,048 on were never written");
}

static void bytes_of_elsewhere(void **state)
{
    make_right();
    put(1024, 2048, NUMBER, 0);
    expect_wrong(BYTES, COPY_ELSEWHERE, "1,024 bytes from byte 1,024 on are those from byte 0 on");
    make_right(); /* not by whole words */
    put(1024, 2048, NUMBER, 5);
    assert_int_not_equal(bytes[1024], copy_pattern_byte(NUMBER, 1024));
    assert_int_not_equal(bytes[2047], copy_pattern_byte(NUMBER, 2047));
    expect_wrong(BYTES, COPY_ELSEWHERE, "1,024 bytes from byte 1,024 on are those from byte 5 on");
    make_right();
    put(0, 800, NUMBER - 1, 3200);
    expect_wrong(BYTES, COPY_ELSEWHERE,
                 "800 bytes from byte 0 on are those from byte 3,200 on of the submission before");
    make_right(); /* of what was there before the first submission nothing was ever put anywhere */
    put(0, 800, COPY_NUMBER_NONE, 800);
    assert_int_not_equal(bytes[799], copy_pattern_byte(NUMBER, 799));
    expect_wrong(BYTES, COPY_UNEXPLAINED, "800 bytes from byte 0 on are wrong: 0x49, not 0xbd");
}

static void unexplained_bytes(void **state)
{
    make_right();
    memset(bytes, 0, BYTES); /* zeros are those of no submission */
    expect_wrong(16, COPY_UNEXPLAINED, "16 bytes from byte 0 on are wrong: 0x00, not 0xbd");
    make_right();
    bytes[77] ^= 0x55;
    expect_wrong(BYTES, COPY_UNEXPLAINED, "byte 77 is 0x19, not 0x4c");
    bytes[3000] ^= 1;
    bytes[BYTES - 1] ^= 1;
    expect_wrong(BYTES, COPY_UNEXPLAINED, "byte 77 is 0x19, not 0x4c; more wrong bytes: 2");
}

/* More than once: of the second stretch only the number is told. */
static void several_stretches(void **state)
{
    make_right();
    put(0, 8, NUMBER - 1, 0);
    put(800, 801, NUMBER - 1, 800);
    put(1600, 1601, NUMBER - 2, 1600);
    expect_wrong(BYTES, COPY_STALE,
                 "8 bytes from byte 0 on are those of the submission before; more wrong bytes: 2");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_of_the_formula),
        cmocka_unit_test(pieces_are_those_of_the_whole),
        cmocka_unit_test(each_wrong_bit_is_seen),
        cmocka_unit_test(submissions_differ_in_the_first_byte),
        cmocka_unit_test(right_bytes),
        cmocka_unit_test(stale_bytes),
        cmocka_unit_test(unwritten_bytes),
        cmocka_unit_test(bytes_of_elsewhere),
        cmocka_unit_test(unexplained_bytes),
        cmocka_unit_test(several_stretches),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
