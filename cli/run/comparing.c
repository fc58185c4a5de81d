/* SPDX-License-Identifier: MIT */
#include "cli/run/comparing.h"

#include "cli/run/half.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

const char *count_text(uint64_t count, char text[32])
{
    char digits[24];
    int length = snprintf(digits, sizeof digits, "%llu", (unsigned long long)count), to = 0;
    for (int i = 0; i < length; i++) {
        if (i && (length - i) % 3 == 0)
            text[to++] = ',';
        text[to++] = digits[i];
    }
    text[to] = 0;
    return text;
}

/* ---- numbers ---- */

bool comparison_has_numbers(const element_type *e)
{
    bool has_size = e->scalar_bytes == 1 || e->scalar_bytes == 2 || e->scalar_bytes == 4 ||
                    e->scalar_bytes == 8;
    if (e->scalar == SCALAR_FLOAT && e->scalar_bytes == 1)
        return false;
    return e->scalar != SCALAR_UNKNOWN && has_size && e->lanes > 0 &&
           (uint64_t)e->lanes * e->scalar_bytes <= e->stride;
}

static double read_float(const uint8_t *at, uint32_t bytes)
{
    uint16_t half;
    float single;
    double whole;
    switch (bytes) {
    case 2: memcpy(&half, at, sizeof half); return half_to_double(half);
    case 4: memcpy(&single, at, sizeof single); return single;
    default: memcpy(&whole, at, sizeof whole); return whole;
    }
}

static uint64_t read_whole(const uint8_t *at, uint32_t bytes)
{
    uint16_t two;
    uint32_t four;
    uint64_t eight;
    switch (bytes) {
    case 1: return *at;
    case 2: memcpy(&two, at, sizeof two); return two;
    case 4: memcpy(&four, at, sizeof four); return four;
    default: memcpy(&eight, at, sizeof eight); return eight;
    }
}

static int64_t read_signed(const uint8_t *at, uint32_t bytes)
{
    uint64_t value = read_whole(at, bytes), sign = UINT64_C(1) << (bytes * 8 - 1);
    value = (value ^ sign) - sign; /* extends the sign */
    int64_t extended;
    memcpy(&extended, &value, sizeof extended);
    return extended;
}

static double read_number(const element_type *e, const uint8_t *at)
{
    if (e->scalar == SCALAR_FLOAT)
        return read_float(at, e->scalar_bytes);
    return e->scalar == SCALAR_SIGNED ? (double)read_signed(at, e->scalar_bytes)
                                      : (double)read_whole(at, e->scalar_bytes);
}

/* Writes a number so that it can be told apart from `other` where they differ. */
static void number_text(const element_type *e, const uint8_t *at, const uint8_t *other, char *text,
                        size_t bytes)
{
    char beside[40];
    if (e->scalar == SCALAR_SIGNED) {
        snprintf(text, bytes, "%lld", (long long)read_signed(at, e->scalar_bytes));
        return;
    }
    if (e->scalar != SCALAR_FLOAT) {
        snprintf(text, bytes, "%llu", (unsigned long long)read_whole(at, e->scalar_bytes));
        return;
    }
    double value = read_float(at, e->scalar_bytes), second = read_float(other, e->scalar_bytes);
    int digits = 6;
    do {
        snprintf(text, bytes, "%.*g", digits, value);
        snprintf(beside, sizeof beside, "%.*g", digits, second);
    } while (strcmp(text, beside) == 0 && digits++ < 17);
    if (isnan(value)) /* some C libraries write its sign */
        snprintf(text, bytes, "NaN");
}

/* ---- comparing ---- */

typedef struct limits {
    double absolute, relative;
} limits;

/* Smallest power of two that is not below a number, as far as doubles go: its exponent. */
static int exponent_of(double value)
{
    int exponent;
    double part = frexp(value, &exponent);
    return part == 0.5 || exponent == DBL_MAX_EXP ? exponent - 1 : exponent;
}

/* The usual size of what is expected: the median of the absolute values that are finite and not 0,
 * rounded up to a power of two. Few huge numbers do not move it. */
static double scale_of(const comparison *c)
{
    enum { LEAST = -1074, MOST = DBL_MAX_EXP - 1 }; /* exponents of doubles */
    uint64_t counts[MOST - LEAST + 1] = {0}, total = 0, below = 0;
    const uint8_t *data = c->expected;
    for (size_t e = 0; e + c->element.stride <= c->bytes; e += c->element.stride)
        for (uint32_t lane = 0; lane < c->element.lanes; lane++) {
            double value =
                fabs(read_number(&c->element, data + e + lane * c->element.scalar_bytes));
            if (!isfinite(value) || value == 0)
                continue;
            counts[exponent_of(value) - LEAST]++;
            total++;
        }
    if (total == 0)
        return 0;
    int exponent = LEAST;
    while ((below += counts[exponent - LEAST]) < (total + 1) / 2)
        exponent++;
    return ldexp(1, exponent);
}

static limits limits_of(const comparison *c)
{
    const number_tolerance *given = &c->tolerance;
    if (!isnan(given->absolute) || !isnan(given->relative))
        return (limits){isnan(given->absolute) ? 0 : given->absolute,
                        isnan(given->relative) ? 0 : given->relative};
    if (c->element.scalar != SCALAR_FLOAT)
        return (limits){0, 0};
    switch (c->element.scalar_bytes) {
    case 2: return (limits){2e-2 * scale_of(c), 2e-2};
    case 4: return (limits){1e-5 * scale_of(c), 1e-4};
    default: return (limits){1e-11 * scale_of(c), 1e-10};
    }
}

static bool agree(double a, double b, limits most)
{
    if (isnan(a) || isnan(b))
        return isnan(a) && isnan(b);
    if (a == b)
        return true;
    double difference = fabs(a - b);
    return isfinite(difference) &&
           difference <= most.absolute + most.relative * fmax(fabs(a), fabs(b));
}

/* "y[17]", or "y[17].z" of a vector. */
static void place_text(const comparison *c, uint64_t element, uint32_t lane, char *text,
                       size_t bytes)
{
    int length = snprintf(text, bytes, "%s[%llu]", c->name, (unsigned long long)element);
    if (c->element.lanes > 1 && c->element.lanes <= 4)
        snprintf(text + length, bytes - (size_t)length, ".%c", "xyzw"[lane]);
    else if (c->element.lanes > 4)
        snprintf(text + length, bytes - (size_t)length, "[%u]", lane);
}

static launch_outcome compare_bytes(const comparison *c, size_t begin, size_t end, char *reason)
{
    const uint8_t *actual = c->actual, *expected = c->expected;
    size_t first = end;
    uint64_t count = 0;
    char counted[32], whole[32], at[32];
    for (size_t i = begin; i < end; i++)
        if (actual[i] != expected[i] && ++count == 1)
            first = i;
    if (count == 0)
        return OUTCOME_OK;
    snprintf(reason, LAUNCH_REASON_BYTES,
             "byte %s of %s is 0x%02x, expected 0x%02x (%s of %s bytes differ)",
             count_text(first, at), c->name, actual[first], expected[first],
             count_text(count, counted), count_text(end - begin, whole));
    return OUTCOME_WRONG;
}

/* Where numbers differ: the first one, and the first NaN where a number is expected. */
typedef struct differences {
    uint64_t count;
    bool has_nan;
    size_t at; /* byte of the one to name */
} differences;

static void find_differences(const comparison *c, limits most, differences *out)
{
    const element_type *e = &c->element;
    const uint8_t *actual = c->actual, *expected = c->expected;
    bool is_exact = e->scalar != SCALAR_FLOAT && most.absolute == 0 && most.relative == 0;
    for (size_t begin = 0; begin + e->stride <= c->bytes; begin += e->stride) {
        if (memcmp(actual + begin, expected + begin, e->stride) == 0)
            continue;
        for (uint32_t lane = 0; lane < e->lanes; lane++) {
            size_t at = begin + lane * e->scalar_bytes;
            if (memcmp(actual + at, expected + at, e->scalar_bytes) == 0)
                continue;
            double a = is_exact ? 0 : read_number(e, actual + at);
            double b = is_exact ? 0 : read_number(e, expected + at);
            if (!is_exact && agree(a, b, most))
                continue;
            bool is_nan = isnan(a) && !out->has_nan;
            if (out->count++ == 0 || is_nan)
                out->at = at;
            out->has_nan |= isnan(a);
        }
    }
}

static launch_outcome compare_elements(const comparison *c, char *reason)
{
    differences found = {.count = 0};
    find_differences(c, limits_of(c), &found);
    if (found.count == 0)
        return OUTCOME_OK;
    const element_type *e = &c->element;
    const uint8_t *actual = (const uint8_t *)c->actual + found.at;
    const uint8_t *expected = (const uint8_t *)c->expected + found.at;
    char place[SIGNATURE_NAME_BYTES + 64], is[40], should[40], counted[32], whole[32];
    uint32_t lane = (uint32_t)(found.at % e->stride / e->scalar_bytes);
    place_text(c, found.at / e->stride, lane, place, sizeof place);
    number_text(e, actual, expected, is, sizeof is);
    number_text(e, expected, actual, should, sizeof should);
    snprintf(reason, LAUNCH_REASON_BYTES, "%s is %s, expected %s (%s of %s differ)", place, is,
             should, count_text(found.count, counted),
             count_text(c->bytes / e->stride * e->lanes, whole));
    return found.has_nan ? OUTCOME_NAN : OUTCOME_WRONG;
}

launch_outcome comparison_make(const comparison *c, char reason[LAUNCH_REASON_BYTES])
{
    if (memcmp(c->actual, c->expected, c->bytes) == 0)
        return OUTCOME_OK;
    if (!comparison_has_numbers(&c->element) || c->in_front > c->bytes)
        return compare_bytes(c, 0, c->bytes, reason);
    comparison elements = *c;
    elements.actual = (const uint8_t *)c->actual + c->in_front;
    elements.expected = (const uint8_t *)c->expected + c->in_front;
    elements.bytes = (c->bytes - c->in_front) / c->element.stride * c->element.stride;
    launch_outcome outcome = compare_bytes(c, 0, c->in_front, reason);
    if (outcome == OUTCOME_OK)
        outcome = compare_elements(&elements, reason);
    if (outcome == OUTCOME_OK)
        outcome = compare_bytes(c, c->in_front + elements.bytes, c->bytes, reason);
    return outcome;
}

uint64_t comparison_count_nan(const element_type *e, const void *data, size_t bytes)
{
    uint64_t count = 0;
    if (e->scalar != SCALAR_FLOAT || !comparison_has_numbers(e))
        return 0;
    for (size_t begin = 0; begin + e->stride <= bytes; begin += e->stride)
        for (uint32_t lane = 0; lane < e->lanes; lane++)
            count += isnan(read_number(e, (const uint8_t *)data + begin + lane * e->scalar_bytes));
    return count;
}

/* ---- zones ---- */

/* No byte that kernels usually write, and none that repeats every word. */
static uint8_t zone_byte(size_t index)
{
    return (uint8_t)(index * 167 + 0xA7);
}

void zone_fill(uint8_t *zone, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        zone[i] = zone_byte(i);
}

size_t zone_changed_bytes(const uint8_t *zone, size_t bytes, uint32_t stride)
{
    size_t first = bytes, last = 0;
    for (size_t i = 0; i < bytes; i++)
        if (zone[i] != zone_byte(i)) {
            first = i < first ? i : first;
            last = i;
        }
    if (first == bytes)
        return 0;
    stride = stride ? stride : 1;
    first -= first % stride;
    last = last / stride * stride + stride;
    return (last < bytes ? last : bytes) - first;
}
