/* SPDX-License-Identifier: MIT */
#include "pattern.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define WORD sizeof(uint64_t)
/* What undoes the multiplication by the pattern's step: their product is 1. */
#define UNDO UINT64_C(0xF1DE83E19937733D)

/* The place and number of a whole word. False: none that was written before this submission's
 * end. */
static bool tell(const copy_diagnostic *diagnostic, const unsigned char *at, uint64_t *number,
                 uint64_t *place)
{
    uint64_t value;
    memcpy(&value, at, WORD);
    value *= UNDO;
    *number = value / COPY_BYTES_MAX;
    *place = (value % COPY_BYTES_MAX - *number) * WORD;
    return *number >= COPY_NUMBER_NONE && *number <= diagnostic->number &&
           *place < diagnostic->bytes;
}

/* Whether these bytes, of which the first is wrong, are those of a submission from a place on, as
 * far as words reach. */
static bool fits(const copy_diagnostic *diagnostic, uint64_t number, uint64_t place,
                 const unsigned char *bytes, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (place + i >= diagnostic->bytes || bytes[i] != copy_pattern_byte(number, place + i))
            return false;
    return true;
}

static copy_wrong name(const copy_diagnostic *diagnostic)
{
    if (diagnostic->from != diagnostic->begin)
        return diagnostic->from_number == COPY_NUMBER_NONE ? COPY_UNEXPLAINED : COPY_ELSEWHERE;
    return diagnostic->from_number == COPY_NUMBER_NONE ? COPY_UNWRITTEN : COPY_STALE;
}

/* Whose bytes the wrong ones are. The first may lie within a word that is right up to there, so the
 * first whole word of theirs is looked for; where there is none, they are those of the submission
 * before, or of none, if they are the same. */
static void explain(copy_diagnostic *diagnostic, const unsigned char *bytes, size_t count)
{
    diagnostic->wrong = COPY_UNEXPLAINED;
    for (size_t skip = 0; skip < 2 * WORD && skip + WORD <= count; skip++) {
        uint64_t number, place;
        if (!tell(diagnostic, bytes + skip, &number, &place) || place < skip ||
            !fits(diagnostic, number, place - skip, bytes, skip))
            continue;
        diagnostic->from_number = number;
        diagnostic->from = place - skip;
        diagnostic->wrong = name(diagnostic);
        return;
    }
    const uint64_t numbers[] = {diagnostic->number - 1, COPY_NUMBER_NONE};
    for (int i = 0; i < 2 && count < 2 * WORD && diagnostic->wrong == COPY_UNEXPLAINED; i++) {
        if (!fits(diagnostic, numbers[i], diagnostic->begin, bytes, count))
            continue;
        diagnostic->from_number = numbers[i];
        diagnostic->from = diagnostic->begin;
        diagnostic->wrong = name(diagnostic);
    }
}

/* Whether a byte behind the first is one of those that belong together with it. */
static bool belongs(const copy_diagnostic *diagnostic, uint64_t at, unsigned char byte, bool wrong)
{
    if (diagnostic->ended)
        return false;
    if (diagnostic->wrong == COPY_UNEXPLAINED)
        return wrong || at - diagnostic->end < WORD; /* some are right by chance */
    uint64_t place = diagnostic->from + (at - diagnostic->begin);
    return place < diagnostic->bytes && byte == copy_pattern_byte(diagnostic->from_number, place);
}

static void add_byte(copy_diagnostic *diagnostic, uint64_t at, const unsigned char *bytes,
                     size_t count, unsigned char should)
{
    bool wrong = bytes[0] != should;
    if (wrong && diagnostic->wrong == COPY_RIGHT) {
        diagnostic->begin = diagnostic->end = at;
        diagnostic->is = bytes[0];
        diagnostic->should = should;
        explain(diagnostic, bytes, count);
    }
    if (diagnostic->wrong == COPY_RIGHT)
        return;
    if (!belongs(diagnostic, at, bytes[0], wrong))
        diagnostic->ended = true;
    if (wrong && diagnostic->ended)
        diagnostic->more++;
    else if (wrong)
        diagnostic->end = at + 1;
}

/* A whole piece of what was found in the one before. */
static bool goes_on(copy_diagnostic *diagnostic, uint64_t offset, const unsigned char *bytes,
                    size_t count)
{
    if (diagnostic->ended || diagnostic->wrong == COPY_RIGHT ||
        diagnostic->wrong == COPY_UNEXPLAINED)
        return false;
    uint64_t place = diagnostic->from + (offset - diagnostic->begin);
    if (place % WORD != 0 || place + count > diagnostic->bytes ||
        !copy_pattern_is(diagnostic->from_number, place, bytes, count))
        return false;
    diagnostic->end = offset + count;
    return true;
}

void copy_diagnostic_add(copy_diagnostic *diagnostic, uint64_t offset, const unsigned char *bytes,
                         size_t count)
{
    if (copy_pattern_is(diagnostic->number, offset, bytes, count)) {
        diagnostic->ended = diagnostic->wrong != COPY_RIGHT;
        return;
    }
    if (goes_on(diagnostic, offset, bytes, count))
        return;
    for (size_t i = 0; i < count; i += WORD) {
        unsigned char should[WORD];
        copy_pattern_make(diagnostic->number, offset + i, should, WORD);
        for (size_t k = 0; k < WORD && i + k < count; k++)
            add_byte(diagnostic, offset + i + k, bytes + i + k, count - i - k, should[k]);
    }
}

/* ---- in words ---- */

#define NUMBER_BYTES 32

/* 65,536 */
static const char *say_number(uint64_t number, char text[NUMBER_BYTES])
{
    char digits[NUMBER_BYTES];
    int count = snprintf(digits, sizeof digits, "%" PRIu64, number);
    char *to = text;
    for (int i = 0; i < count; i++) {
        if (i > 0 && (count - i) % 3 == 0)
            *to++ = ',';
        *to++ = digits[i];
    }
    *to = '\0';
    return text;
}

/* " of the submission before"; nothing of this one. */
static void say_submission(uint64_t before, char *text, size_t text_bytes)
{
    char count[NUMBER_BYTES];
    if (before <= 1)
        snprintf(text, text_bytes, "%s", before ? " of the submission before" : "");
    else
        snprintf(text, text_bytes, " of %s submissions before", say_number(before, count));
}

static void say_wrong(const copy_diagnostic *diagnostic, char *text, size_t text_bytes)
{
    bool one = diagnostic->end - diagnostic->begin == 1;
    const char *are = one ? "is" : "are", *those = one ? "that" : "those";
    char from[NUMBER_BYTES], submission[64];
    say_number(diagnostic->from, from);
    say_submission(diagnostic->number - diagnostic->from_number, submission, sizeof submission);
    switch (diagnostic->wrong) {
    case COPY_STALE: snprintf(text, text_bytes, "%s %s%s", are, those, submission); break;
    case COPY_UNWRITTEN:
        snprintf(text, text_bytes, "%s never written", one ? "was" : "were");
        break;
    case COPY_ELSEWHERE:
        snprintf(text, text_bytes, "%s %s from byte %s on%s", are, those, from, submission);
        break;
    default:
        snprintf(text, text_bytes, one ? "is 0x%02x, not 0x%02x" : "are wrong: 0x%02x, not 0x%02x",
                 diagnostic->is, diagnostic->should);
    }
}

void copy_diagnostic_say(const copy_diagnostic *diagnostic, char *reason, size_t reason_bytes)
{
    char count[NUMBER_BYTES], begin[NUMBER_BYTES], wrong[128], more[64] = "",
                                                               more_count[NUMBER_BYTES];
    say_number(diagnostic->end - diagnostic->begin, count);
    say_number(diagnostic->begin, begin);
    say_wrong(diagnostic, wrong, sizeof wrong);
    if (diagnostic->more)
        snprintf(more, sizeof more, "; more wrong bytes: %s",
                 say_number(diagnostic->more, more_count));
    if (diagnostic->end - diagnostic->begin == 1)
        snprintf(reason, reason_bytes, "byte %s %s%s", begin, wrong, more);
    else
        snprintf(reason, reason_bytes, "%s bytes from byte %s on %s%s", count, begin, wrong, more);
}
