/* SPDX-License-Identifier: MIT */
#include "tests/drivers/frame/script.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *who = "", *variable_read = "";

void script_refuse(const char *what, const char *text)
{
    fprintf(stderr, "%s: %s in %s: '%s'\n", who, what, variable_read, text);
    abort();
}

char *script_cut(char *text, char at)
{
    char *end = strchr(text, at);
    if (!end)
        return NULL;
    *end = '\0';
    return end + 1;
}

uint64_t script_choice(const char *choices, const char *word)
{
    size_t length = strlen(word);
    uint64_t index = 0;
    for (const char *at = choices; at; index++) {
        const char *space = strchr(at, ' ');
        size_t here = space ? (size_t)(space - at) : strlen(at);
        if (here == length && memcmp(at, word, here) == 0)
            return index;
        at = space ? space + 1 : NULL;
    }
    script_refuse("unknown choice", word);
}

uint64_t script_number(const char *text, uint64_t min, uint64_t max)
{
    char *end = NULL;
    errno = 0;
    unsigned long long number = strtoull(text, &end, 10);
    /* strtoull takes "-1" and " 1" without a word, hence the first character. */
    if (text[0] < '0' || text[0] > '9' || *end != '\0' || errno != 0)
        script_refuse("not a number", text);
    if (number < min || number > max)
        script_refuse("number out of range", text);
    return number;
}

void script_read_list(struct script_list *list, char *text, const char *choices, uint64_t max)
{
    list->count = 0;
    for (char *next; text; text = next) {
        next = script_cut(text, '+');
        if (list->count == SCRIPT_LIST_MAX)
            script_refuse("list too long", text);
        list->items[list->count++] =
            choices ? script_choice(choices, text) : script_number(text, 0, max);
    }
}

static void read_pair(char *pair, const struct script_key *keys, size_t count)
{
    char *text = script_cut(pair, '=');
    if (!text)
        script_refuse("no '='", pair);
    for (size_t i = 0; i < count; i++) {
        if (strcmp(keys[i].name, pair) != 0)
            continue;
        if (keys[i].read)
            keys[i].read(text);
        else
            *keys[i].value = keys[i].choices ? script_choice(keys[i].choices, text)
                                             : script_number(text, keys[i].min, keys[i].max);
        return;
    }
    script_refuse("unknown key", pair);
}

void script_keys_read(const char *stub, const char *variable, const struct script_key *keys,
                      size_t count)
{
    const char *text = getenv(variable);
    who = stub;
    variable_read = variable;
    if (!text || !*text)
        return;
    char *copy = strdup(text);
    if (!copy)
        script_refuse("out of memory", text);
    for (char *pair = copy, *next; pair; pair = next) {
        next = script_cut(pair, ',');
        read_pair(pair, keys, count);
    }
    free(copy);
}
