/* SPDX-License-Identifier: MIT */
/* Durations for people, and columns that line up. */
#include "output/grid.h"
#include "tests/unit/testing.h"

#include <math.h>
#include <stdio.h>

static void expect_bytes(uint64_t size_bytes, const char *expected)
{
    char text[24];
    assert_ptr_equal(kt_format_bytes(text, sizeof text, size_bytes), text);
    assert_string_equal(text, expected);
}

/* 2 to the powers of 20 and 30 are where the units change. */
static void sizes_of_memories(void **state)
{
    expect_bytes(0, "0 bytes");
    expect_bytes(1048575, "1048575 bytes");
    expect_bytes(1048576, "1.0 MiB");
    expect_bytes(134217728, "128.0 MiB");
    expect_bytes(1073741823, "1.0 GiB"); /* not 1024.0 MiB */
    expect_bytes(1073741824, "1.0 GiB");
    expect_bytes(1610612736, "1.5 GiB");
    expect_bytes(UINT64_MAX, "17179869184.0 GiB"); /* 2 to the power of 34 */
}

static void expect_text(double ns, const char *expected)
{
    char text[24];
    assert_ptr_equal(kt_format_ns(text, sizeof text, ns), text);
    assert_string_equal(text, expected);
}

/* Four significant digits at most; the unit changes where rounding would reach 1000.0. */
static void units_and_digits(void **state)
{
    expect_text(NAN, "-");
    expect_text(0, "0.000 ns");
    expect_text(-0.0, "0.000 ns");
    expect_text(INFINITY, "inf");
    expect_text(-INFINITY, "-inf");
    expect_text(1, "1.000 ns");
    expect_text(0.25, "0.250 ns");
    expect_text(52.083333, "52.1 ns");
    expect_text(123.44, "123.4 ns");
    expect_text(1234, "1.234 us");
    expect_text(12345, "12.35 us");
    expect_text(123456, "123.5 us");
    expect_text(250000, "250.0 us");
    expect_text(1234567, "1.235 ms");
    expect_text(2e9, "2.000 s");
    expect_text(12345e9, "12345.0 s");
}

static void boundaries(void **state)
{
    expect_text(999.94, "999.9 ns");
    expect_text(999.95, "1.000 us");
    expect_text(999.96, "1.000 us");
    expect_text(9999.4, "9.999 us");
    expect_text(9999.6, "10.00 us");
    expect_text(99994, "99.99 us");
    expect_text(99996, "100.0 us");
    expect_text(999949, "999.9 us");
    expect_text(999951, "1.000 ms");
    expect_text(999.951e6, "1.000 s");
    expect_text(9.9994, "9.999 ns");
    expect_text(9.9996, "10.0 ns");
}

/* A timestamp cost may be below 0. */
static void negative_durations(void **state)
{
    expect_text(-5, "-5.000 ns");
    expect_text(-1234, "-1.234 us");
    expect_text(-999.96, "-1.000 us");
}

/* Never more than four significant digits below 1000 s, and within 0.05 % or half a digit of the
 * truth. */
static void reads_back_as_what_it_was(void **state)
{
    static const struct {
        const char *name;
        double ns;
    } units[] = {{"ns", 1}, {"us", 1e3}, {"ms", 1e6}, {"s", 1e9}};
    uint64_t random = 8;
    for (int i = 0; i < 20000; i++) {
        double ns = exp(random_share(&random) * log(999e9));
        char text[24], unit[8] = "";
        double value = 0, scale = 0;
        kt_format_ns(text, sizeof text, ns);
        assert_int_equal(sscanf(text, "%lf %7s", &value, unit), 2);
        for (size_t u = 0; u < 4; u++)
            if (strcmp(unit, units[u].name) == 0)
                scale = units[u].ns;
        assert_true(scale > 0);
        assert_true(value < 1000);
        EXPECT_NEAR(value * scale, ns, ns < 100 && ns > 9.99 ? 0.0501 : ns * 0.00051);
        size_t digits = strspn(text, "0123456789.");
        assert_true(digits <= 5); /* four and the point */
    }
}

/* ---- grid ---- */

static char output[4096];
static size_t output_bytes;

static int collect(void *user, const char *data, size_t bytes)
{
    (void)user;
    assert_true(output_bytes + bytes < sizeof output);
    memcpy(output + output_bytes, data, bytes);
    output_bytes += bytes;
    output[output_bytes] = '\0';
    return 0;
}

static const kt_style aligned = {
    .spell = kt_spell_plain, .row_begin = "", .gap = "  ", .row_end = ""};
static const kt_style boxed = {
    .spell = kt_spell_plain, .row_begin = "| ", .gap = " | ", .row_end = " |", .boxed = true};

static void print_grid(void (*rows)(kt_grid *grid, const void *user), kt_grid *grid,
                       const void *user)
{
    kt_sink sink = {.write = collect};
    kt_writer writer = {.sink = &sink};
    output_bytes = 0;
    kt_grid_print(grid, &writer, rows, user);
    kt_flush(&writer);
}

static void three_rows(kt_grid *grid, const void *user)
{
    (void)user;
    kt_grid_set(grid, 0, "NAME");
    kt_grid_set(grid, 2, "TIME");
    kt_grid_end_row(grid);
    kt_grid_set(grid, 0, "matmul/%d", 512);
    kt_grid_set(grid, 2, "1.5 ms");
    kt_grid_end_row(grid);
    /* Two bytes each, one column each. */
    kt_grid_set(grid, 0, "\xc3\xa4\xc3\xb6\xc3\xbc");
    kt_grid_set(grid, 2, "7 \xc2\xb5s");
    kt_grid_end_row(grid);
}

static void columns_line_up(void **state)
{
    kt_grid grid = {
        .style = &aligned, .columns = 3, .left = {true}}; /* column 1 stays empty and is left out */
    print_grid(three_rows, &grid, NULL);
    assert_string_equal(output, "NAME          TIME\n"
                                "matmul/512  1.5 ms\n"
                                "\xc3\xa4\xc3\xb6\xc3\xbc           7 \xc2\xb5s\n");
}

static void ragged_rows(kt_grid *grid, const void *user)
{
    (void)user;
    kt_grid_set(grid, 0, "a");
    kt_grid_set(grid, 1, "long text");
    kt_grid_set(grid, 2, "x");
    kt_grid_end_row(grid);
    kt_grid_set(grid, 0, "b");
    kt_grid_end_row(grid);
    kt_grid_set(grid, 2, "y");
    kt_grid_end_row(grid);
}

/* A row ends with its last cell: no blanks at the end of a line. */
static void rows_may_be_short(void **state)
{
    kt_grid grid = {.style = &aligned, .columns = 3, .left = {true, true, true}};
    print_grid(ragged_rows, &grid, NULL);
    assert_string_equal(output, "a  long text  x\n"
                                "b\n"
                                "              y\n");
}

static void optional_rows(kt_grid *grid, const void *user)
{
    (void)user;
    kt_grid_set(grid, 0, "NAME");
    kt_grid_set(grid, 1, "A LONG HEAD");
    kt_grid_set(grid, 2, "BB");
    kt_grid_set(grid, 3, "NEVER");
    kt_grid_end_head(grid);
    kt_grid_set(grid, 0, "x");
    kt_grid_set(grid, 2, "12");
    kt_grid_end_row(grid);
}

/* A head alone keeps no optional column, neither in the midst nor at the end. */
static void optional_columns_need_more_than_a_head(void **state)
{
    kt_grid grid = {
        .style = &aligned, .columns = 4, .left = {true}, .optional = {false, true, true, true}};
    print_grid(optional_rows, &grid, NULL);
    assert_string_equal(output, "NAME  BB\n"
                                "x     12\n");
    kt_grid kept = {.style = &aligned, .columns = 4, .left = {true}};
    print_grid(optional_rows, &kept, NULL);
    assert_string_equal(output, "NAME  A LONG HEAD  BB  NEVER\n"
                                "x                  12\n");
}

/* All cells of each row, three dashes at least, and the side of each column. */
static void boxed_rows_have_all_cells(void **state)
{
    kt_grid grid = {
        .style = &boxed, .columns = 4, .left = {true}, .optional = {false, true, true, true}};
    print_grid(optional_rows, &grid, NULL);
    assert_string_equal(output, "| NAME |  BB |\n"
                                "| ---- | --: |\n"
                                "| x    |  12 |\n");
}

static void hostile_rows(kt_grid *grid, const void *user)
{
    kt_grid_set(grid, 0, "%s", (const char *)user);
    kt_grid_set(grid, 1, "|");
    kt_grid_end_row(grid);
    kt_grid_set(grid, 0, "%s", "12345678");
    kt_grid_set(grid, 1, "|");
    kt_grid_end_row(grid);
}

/* Whatever a driver calls itself: no line is broken, no escape reaches the terminal. */
static void hostile_cells_stay_in_their_place(void **state)
{
    static const struct {
        const char *text, *shown;
    } cases[] = {
        {"a\nb\rc\td", "a b c d "},
        {"\033[2Jx", "\xEF\xBF\xBD[2Jx   "},
        {"\x7f", "\xEF\xBF\xBD       "},
        {"\x9b"
         "5m",
         "\xEF\xBF\xBD"
         "5m     "}, /* C1 as one byte: no UTF-8 */
        {"\xc2\x9b"
         "5m",
         "\xEF\xBF\xBD"
         "5m     "},                             /* and as a character */
        {"\xc2\xa0", "\xc2\xa0       "},         /* what follows C1 is none */
        {"\xe2\x80\xa8", "\xEF\xBF\xBD       "}, /* separates lines */
        {"\xe2\x80\xae"
         "x",
         "\xEF\xBF\xBD"
         "x      "}, /* turns the direction */
        {"\xe2\x81\xa6", "\xEF\xBF\xBD       "},
        {"\xe2\x80\xa7", "\xe2\x80\xa7       "}, /* a point between those */
        {"\xc3", "\xEF\xBF\xBD       "},         /* cut off */
        {"\xf0\x9f\x95\x92", "\xf0\x9f\x95\x92       "},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char expected[64];
        kt_grid grid = {.style = &aligned, .columns = 2, .left = {true}};
        print_grid(hostile_rows, &grid, cases[i].text);
        snprintf(expected, sizeof expected, "%s  |\n12345678  |\n", cases[i].shown);
        assert_string_equal(output, expected);
    }
}

static void wide_row(kt_grid *grid, const void *user)
{
    char text[2 * KT_GRID_CELL_BYTES];
    memset(text, *(const char *)user, sizeof text - 1);
    text[sizeof text - 1] = '\0';
    kt_grid_set(grid, 0, "%s", text);
    kt_grid_end_row(grid);
}

static void long_cells_are_cut(void **state)
{
    kt_grid grid = {.style = &aligned, .columns = 1};
    print_grid(wide_row, &grid, "x");
    assert_int_equal(output_bytes, KT_GRID_CELL_BYTES);  /* less its zero, with a line's end */
    kt_grid spelled = {.style = &aligned, .columns = 1}; /* three bytes in place of one */
    print_grid(wide_row, &spelled, "\033");
    assert_int_equal(output_bytes, (KT_GRID_CELL_BYTES - 1) / 3 * 3 + 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes_of_memories),
        cmocka_unit_test(units_and_digits),
        cmocka_unit_test(boundaries),
        cmocka_unit_test(negative_durations),
        cmocka_unit_test(reads_back_as_what_it_was),
        cmocka_unit_test(columns_line_up),
        cmocka_unit_test(rows_may_be_short),
        cmocka_unit_test(optional_columns_need_more_than_a_head),
        cmocka_unit_test(boxed_rows_have_all_cells),
        cmocka_unit_test(hostile_cells_stay_in_their_place),
        cmocka_unit_test(long_cells_are_cut),
    };
    return cmocka_run_group_tests_name("format", tests, NULL, NULL);
}
