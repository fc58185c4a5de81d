/* A radix sort's three kernels for one digit, `shift` bits from the right; see sort.h. */
#include "../kernel.h"
#include "digits.h"

#define DIGIT(key) ((key) >> shift & (SORT_DIGITS - 1))

KERNEL void sort_histogram(GLOBAL const unsigned *keys, GLOBAL unsigned *counts, VALUE n,
                           VALUE shift POSITIONS)
{
    LOCAL unsigned bins[SORT_DIGITS];
    unsigned here = LOCAL_ID(x), block = GROUP_ID(x), blocks = GLOBAL_SIZE(x) / SORT_DIGITS;
    unsigned share = ((n - 1) / SORT_DIGITS / SORT_BLOCKS + 1) * SORT_DIGITS;
    unsigned begin = block * share, end = n - begin < share ? n : begin + share;
    bins[here] = 0;
    BARRIER();
    for (unsigned i = begin + here; i < end; i += SORT_DIGITS)
        LOCAL_ATOMIC_ADD(&bins[DIGIT(keys[i])], 1u);
    BARRIER();
    counts[here * blocks + block] = bins[here];
}

/* Each item adds up some blocks in a row, and then what the items before it have. */
KERNEL void sort_scan(GLOBAL const unsigned *counts, GLOBAL unsigned *offsets, VALUE n POSITIONS)
{
    LOCAL unsigned sums[SORT_SCANNERS];
    unsigned here = LOCAL_ID(x), digit = GROUP_ID(x);
    unsigned tiles = (n - 1) / SORT_DIGITS + 1, per_block = (tiles - 1) / SORT_BLOCKS + 1;
    unsigned blocks = (tiles - 1) / per_block + 1, share = (blocks - 1) / SORT_SCANNERS + 1;
    unsigned begin = here * share < blocks ? here * share : blocks;
    unsigned end = blocks - begin < share ? blocks : begin + share;
    unsigned own = 0, sum = 0;
    for (unsigned i = begin; i < end; i++)
        own += counts[digit * blocks + i];
    sums[here] = own;
    BARRIER();
    for (unsigned i = 0; i < here && begin < blocks; i++)
        sum += sums[i];
    for (unsigned i = begin; i < end; i++) {
        offsets[digit * blocks + i] = sum;
        sum += counts[digit * blocks + i];
    }
    if (end == blocks && begin < end)
        offsets[blocks * SORT_DIGITS + digit] = sum;
}

/*
 * A tile at a time, a key an item: for each digit, each item that has it sets its bit. So an item counts those before
 * it, which are as many places further on, and the last one says where the next tile's keys go. After a kernel that was
 * left out places are anywhere.
 */
KERNEL void sort_scatter(GLOBAL const unsigned *keys, GLOBAL unsigned *to,
                         GLOBAL const unsigned *offsets, VALUE n, VALUE shift POSITIONS)
{
    LOCAL unsigned next[SORT_DIGITS];
    LOCAL unsigned bits[SORT_WORDS * SORT_DIGITS];
    unsigned here = LOCAL_ID(x), block = GROUP_ID(x), blocks = GLOBAL_SIZE(x) / SORT_DIGITS;
    unsigned share = ((n - 1) / SORT_DIGITS / SORT_BLOCKS + 1) * SORT_DIGITS;
    unsigned begin = block * share, end = n - begin < share ? n : begin + share;
    unsigned word = here / 32, bit = 1u << here % 32;
    /* How many keys have a smaller digit: those of whole rows of digits, and those of its own row. */
    unsigned place = offsets[here * blocks + block];
    bits[here] = offsets[blocks * SORT_DIGITS + here];
    BARRIER();
    if (here < SORT_ROWS) {
        next[here] = 0;
        for (unsigned i = 0; i < SORT_DIGITS / SORT_ROWS; i++)
            next[here] += bits[here * (SORT_DIGITS / SORT_ROWS) + i];
    }
    BARRIER();
    for (unsigned i = 0; i < here / (SORT_DIGITS / SORT_ROWS); i++)
        place += next[i];
    for (unsigned i = here - here % (SORT_DIGITS / SORT_ROWS); i < here; i++)
        place += bits[i];
    BARRIER();
    next[here] = place;
    for (unsigned i = 0; i < SORT_WORDS; i++)
        bits[i * SORT_DIGITS + here] = 0;
    BARRIER();
    for (unsigned tile = begin; tile < end; tile += SORT_DIGITS) {
        unsigned i = tile + here, key = 0, digit = 0;
        if (i < end) {
            key = keys[i];
            digit = DIGIT(key);
            LOCAL_ATOMIC_OR(&bits[word * SORT_DIGITS + digit], bit);
        }
        BARRIER();
        unsigned before = 0, all_same = 0;
        if (i < end) {
            for (unsigned k = 0; k < SORT_WORDS; k++) {
                unsigned same = bits[k * SORT_DIGITS + digit];
                before += COUNT_BITS(k < word ? same : k == word ? same & (bit - 1) : 0);
                all_same += COUNT_BITS(same);
            }
            place = next[digit] + before;
            if (place < n)
                to[place] = key;
        }
        BARRIER();
        if (i < end)
            LOCAL_ATOMIC_CLEAR(&bits[word * SORT_DIGITS + digit]);
        if (i < end && before + 1 == all_same)
            next[digit] = place + 1;
        BARRIER();
    }
}
