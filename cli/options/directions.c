/* SPDX-License-Identifier: MIT */
#include "cli/options/directions.h"

#include "cli/options/parse.h"

#include <stdio.h>
#include <string.h>

#define KINDS_ALL \
    (1u << KT_MEMORY_HEAP | 1u << KT_MEMORY_HOST | 1u << KT_MEMORY_DEVICE | 1u << KT_MEMORY_SHARED)

size_t directions_all(copy_direction out[COPY_DIRECTIONS_MAX])
{
    /* The union of all devices: only the CPU backend copies with all cores, only device memory is
     * mapped. */
    kt_device_info all = {.backend = "cpu",
                          .maps = 1u << KT_MEMORY_DEVICE | 1u << KT_MEMORY_SHARED};
    for (int kind = KT_MEMORY_HEAP; kind < KT_MEMORY_KIND_COUNT; kind++)
        all.copies[kind] = KINDS_ALL;
    return copy_directions_of(&all, out);
}

bool direction_same(const copy_direction *a, const copy_direction *b)
{
    return a->src == b->src && a->dst == b->dst && a->way == b->way;
}

static bool contains(const copy_direction *directions, size_t count, const copy_direction *one)
{
    for (size_t i = 0; i < count; i++)
        if (direction_same(&directions[i], one))
            return true;
    return false;
}

bool direction_offered(const kt_device_info *info, const copy_direction *direction)
{
    copy_direction offered[COPY_DIRECTIONS_MAX];
    return contains(offered, copy_directions_of(info, offered), direction);
}

bool direction_is_memcpy(const copy_direction *direction)
{
    return direction->src == KT_MEMORY_HEAP && direction->dst == KT_MEMORY_HEAP;
}

char *directions_text(char *text, size_t bytes, const copy_direction *directions, size_t count)
{
    char name[COPY_NAME_BYTES];
    size_t length = 0;
    text[0] = '\0';
    for (size_t i = 0; i < count && length < bytes; i++)
        length += (size_t)snprintf(text + length, bytes - length, "%s%s", i ? ", " : "",
                                   copy_direction_name(&directions[i], name));
    return text;
}

char *directions_text_of(char *text, size_t bytes, const kt_device_info *info)
{
    copy_direction offered[COPY_DIRECTIONS_MAX];
    size_t count = copy_directions_of(info, offered);
    snprintf(text, bytes, "no copies");
    return count ? directions_text(text, bytes, offered, count) : text;
}

/* Takes the next word of a list, without its separator. NULL: none, or the word is empty or too
 * long for a name. */
static const char *next_word(const char **list, char word[COPY_NAME_BYTES])
{
    size_t length = strcspn(*list, ",");
    if (length == 0 || length >= COPY_NAME_BYTES)
        return NULL;
    memcpy(word, *list, length);
    word[length] = '\0';
    *list += length;
    return word;
}

/* Length to which an error message shows an unknown word. */
static int word_length(const char *text)
{
    size_t length = strcspn(text, ",");
    return length < 40 ? (int)length : 40;
}

static int refuse_direction(const char *text, char *reason)
{
    copy_direction all[COPY_DIRECTIONS_MAX];
    char names[PARSE_WHY_BYTES - 80];
    directions_text(names, sizeof names, all, directions_all(all));
    snprintf(reason, PARSE_WHY_BYTES, "there is no direction \"%.*s\"; there are %s",
             word_length(text), text, names);
    return -1;
}

int directions_parse(const char *text, copy_direction out[COPY_DIRECTIONS_MAX], size_t *count,
                     char *reason)
{
    copy_direction all[COPY_DIRECTIONS_MAX], one;
    size_t all_count = directions_all(all);
    for (;; text++) {
        char word[COPY_NAME_BYTES];
        const char *begin = text;
        if (!next_word(&text, word) || !copy_direction_parse(word, &one) ||
            !contains(all, all_count, &one))
            return refuse_direction(begin, reason);
        if (!contains(out, *count, &one))
            out[(*count)++] = one;
        if (*text == '\0')
            return 0;
    }
}

int kinds_parse(const char *text, uint32_t *kinds, char *reason)
{
    for (;; text++) {
        char word[COPY_NAME_BYTES];
        const char *begin = text;
        kt_memory_kind kind = KT_MEMORY_HEAP;
        bool named = next_word(&text, word);
        while (named && kind < KT_MEMORY_KIND_COUNT && strcmp(kt_memory_kind_name(kind), word) != 0)
            kind++;
        if (!named || kind == KT_MEMORY_KIND_COUNT) {
            snprintf(reason, PARSE_WHY_BYTES,
                     "there is no kind of memory \"%.*s\"; there are heap, host, device, shared",
                     word_length(begin), begin);
            return -1;
        }
        *kinds |= 1u << kind;
        if (*text == '\0')
            return 0;
    }
}
