#include "cli/run/guess.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* Room for an element of unknown size: that of a double, so that none is too short. */
#define UNKNOWN_BYTES 8
/* Integers that a kernel may write are random, so that a copy of 0, 1, 2 ... changes them. They stay
 * below n, as they may be indices. */
#define WHOLE_MAX 99

/* Copies the word at `*at` in small letters and moves behind it: "localMem_bytes" has three. */
static bool next_word(const char **at, char word[32])
{
    size_t length = 0;
    const char *p = *at;
    while (*p && !isalnum((unsigned char)*p))
        p++;
    while (isalnum((unsigned char)*p) && length + 1 < 32) {
        bool is_camel = length > 0 && isupper((unsigned char)*p) && islower((unsigned char)p[-1]);
        if (is_camel)
            break;
        word[length++] = (char)tolower((unsigned char)*p++);
    }
    word[length] = 0;
    *at = p;
    return length > 0;
}

static bool is_one_of(const char *word, const char *const *words)
{
    for (; *words; words++)
        if (strcmp(word, *words) == 0)
            return true;
    return false;
}

/* "n", "size", "numItems", "data_len" are counts; "tile_size" is a size of something else. */
static bool tells_count(const char *name)
{
    static const char *const first[] = {"n", "num", "number", NULL};
    static const char *const last[] = {"n",     "size",  "count", "len",    "length", "elements",
                                       "elems", "numel", "width", "height", "total",  NULL};
    static const char *const others[] = {
        "block",  "blocks", "tile",    "tiles",    "group",  "groups",  "local",  "work",
        "warp",   "warps",  "wave",    "waves",    "thread", "threads", "filter", "mask",
        "window", "item",   "element", "elem",     "type",   "chunk",   "radius", "iterations",
        "iters",  "steps",  "rounds",  "channels", "bins",   NULL};
    char word[32], latest[32] = "";
    bool is_first = true, is_count = false;
    while (next_word(&name, word)) {
        if (is_one_of(word, others))
            return false;
        is_count |= is_first && (is_one_of(word, first) || strncmp(word, "num", 3) == 0);
        is_first = false;
        snprintf(latest, sizeof latest, "%s", word);
    }
    return is_count || is_one_of(latest, last);
}

bool guess_is_count(const parameter *p)
{
    bool is_integer = p->element.scalar == SCALAR_SIGNED || p->element.scalar == SCALAR_UNSIGNED;
    return p->kind == PARAMETER_VALUE && is_integer && p->element.lanes <= 1 &&
           tells_count(p->name);
}

element_type guess_element(const parameter *p)
{
    element_type element = p->element;
    /* Whatever has a name of a type, but is no scalar or vector, is a structure. */
    if (element.scalar == SCALAR_UNKNOWN && element.stride == 0)
        element = (element_type){SCALAR_FLOAT, 4, UNKNOWN_BYTES / 4, UNKNOWN_BYTES};
    return element;
}

void guess_content(const parameter *p, uint64_t n, specification *out)
{
    scalar_kind scalar = p->kind == PARAMETER_BUFFER ? guess_element(p).scalar : p->element.scalar;
    *out = (specification){.kind = SPECIFICATION_ZEROS};
    if (p->kind == PARAMETER_BUFFER) {
        bool is_whole = scalar == SCALAR_SIGNED || scalar == SCALAR_UNSIGNED;
        double most = n - 1 < WHOLE_MAX ? (double)(n - 1) : WHOLE_MAX;
        if (is_whole && p->is_read_only) {
            out->kind = SPECIFICATION_IOTA;
        } else if (scalar == SCALAR_FLOAT || (is_whole && most > 0)) {
            out->kind = SPECIFICATION_RANDOM;
            out->high = is_whole ? most : 1;
        }
    } else if (scalar != SCALAR_UNKNOWN) {
        out->kind = SPECIFICATION_FILL;
        out->numbers[0] = guess_is_count(p) ? (double)n : 1;
        out->number_count = 1;
    }
}

void guess_text(const parameter *p, const specification *spec, char *text, size_t bytes)
{
    switch (spec->kind) {
    case SPECIFICATION_RANDOM: snprintf(text, bytes, "random 0..%.0f", spec->high); break;
    case SPECIFICATION_IOTA: snprintf(text, bytes, "0, 1, 2 ..."); break;
    case SPECIFICATION_FILL:
        snprintf(text, bytes, p->element.scalar == SCALAR_FLOAT ? "%.1f" : "%.0f",
                 spec->numbers[0]);
        break;
    default: snprintf(text, bytes, "zeros"); break;
    }
}
