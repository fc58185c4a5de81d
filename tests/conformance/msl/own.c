/* SPDX-License-Identifier: MIT */
/* The tests' own kernels in Metal's language do what they do as C functions, group by group. */
#include "msl.h"
#include "tests/conformance/own_kernels.h"
#include "tests/conformance/targets.h"

#include "tests/unit/testing.h"

#include <string.h>

#define NUMBERS 400

static void run_all_groups(kt_c_kernel function, const uint32_t groups[3], const uint32_t size[3],
                           void *const *args)
{
    kt_c_group g;
    memcpy(g.groups, groups, sizeof g.groups);
    memcpy(g.group_size, size, sizeof g.group_size);
    for (g.group[2] = 0; g.group[2] < groups[2]; g.group[2]++)
        for (g.group[1] = 0; g.group[1] < groups[1]; g.group[1]++)
            for (g.group[0] = 0; g.group[0] < groups[0]; g.group[0]++)
                function(&g, args);
}

/* `args[out]` is where it writes. */
static void expect_same(const char *entry, kt_c_kernel expected, const uint32_t groups[3],
                        const uint32_t size[3], void **args, int out)
{
    int32_t right[NUMBERS], found[NUMBERS];
    memset(right, 0x55, sizeof right);
    memset(found, 0x55, sizeof found);
    kt_c_kernel function = msl_function(entry);
    assert_non_null(function);
    args[out] = right;
    run_all_groups(expected, groups, size, args);
    args[out] = found;
    run_all_groups(function, groups, size, args);
    assert_int_not_equal(found[3], 0x55555555);
    assert_memory_equal(found, right, sizeof right);
}

void own_kernels_in_msl(void **state)
{
    int32_t in[NUMBERS];
    uint32_t n = 250;
    int32_t factor = -7;
    int64_t add = 1000003;
    for (int32_t i = 0; i < NUMBERS; i++)
        in[i] = 3 * i - 100;
    const uint32_t row[3] = {16, 1, 1}, items[3] = {16, 1, 1};
    const uint32_t block[3] = {3, 5, 2}, block_items[3] = {4, 2, 1};
    expect_same("scale", scale_c, row, items, (void *[]){in, NULL, &n, &factor, &add}, 1);
    expect_same("place", place_c, block, block_items, (void *[]){NULL}, 0);
    expect_same("twice", twice_c, row, items, (void *[]){in, NULL}, 1);
    expect_same("plus_one", plus_one_c, row, items, (void *[]){in, NULL}, 1);
    assert_null(msl_function("absent"));
}
