/* SPDX-License-Identifier: MIT */
#include "cli/options/trace_setters.h"

#include "cli/options/parse.h"
#include "tracers/common/names.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const trace_api_words[] = {TRACE_API_NAMES, NULL};

const char *const yes_no_words[] = {"yes", "no", NULL};

static int set_trace_api(cli_options *to, const char *name, size_t length, char *reason)
{
    for (uint32_t i = 0; trace_api_words[i]; i++)
        if (strlen(trace_api_words[i]) == length &&
            strncmp(trace_api_words[i], name, length) == 0) {
            to->trace.apis |= 1u << i;
            return 0;
        }
    return parse_refuse(reason, "it takes a list of opencl, vulkan, level_zero, cuda and hip");
}

int trace_set_apis(cli_options *to, const char *value, char *reason)
{
    for (;;) {
        size_t length = strcspn(value, ",");
        if (set_trace_api(to, value, length, reason) != 0)
            return -1;
        if (!value[length])
            return 0;
        value += length + 1;
    }
}

static int set_text(const char **to, const char *value, const char *what, char *reason)
{
    if (!*value)
        return parse_refuse(reason, what);
    *to = value;
    return 0;
}

int trace_set_output(cli_options *to, const char *value, char *reason)
{
    return set_text(&to->trace.output, value, "it takes the name of a file", reason);
}

static int add_globs(const char **globs, size_t *count, const char *value, char *reason)
{
    if (!*value)
        return parse_refuse(reason, "it takes patterns such as 'gemm*'");
    if (*count == TRACE_GLOBS_MAX) {
        snprintf(reason, PARSE_WHY_BYTES, "it may be given %d times", TRACE_GLOBS_MAX);
        return -1;
    }
    globs[(*count)++] = value;
    return 0;
}

int trace_add_wanted(cli_options *to, const char *value, char *reason)
{
    return add_globs(to->trace.wanted, &to->trace.wanted_count, value, reason);
}

int trace_add_unwanted(cli_options *to, const char *value, char *reason)
{
    return add_globs(to->trace.unwanted, &to->trace.unwanted_count, value, reason);
}

int trace_set_by_size(cli_options *to, const char *value, char *reason)
{
    (void)value, (void)reason;
    to->trace.by_size = true;
    return 0;
}

int trace_set_exact(cli_options *to, const char *value, char *reason)
{
    (void)value, (void)reason;
    to->trace.exact = true;
    return 0;
}

int trace_set_paused(cli_options *to, const char *value, char *reason)
{
    (void)value, (void)reason;
    to->trace.paused = true;
    return 0;
}

int trace_set_follow(cli_options *to, const char *value, char *reason)
{
    to->trace.no_follow = strcmp(value, yes_no_words[1]) == 0;
    if (to->trace.no_follow || strcmp(value, yes_no_words[0]) == 0)
        return 0;
    return parse_refuse(reason, "it takes yes or no");
}

int trace_set_top(cli_options *to, const char *value, char *reason)
{
    return parse_count(value, 1, 1000000, &to->trace.top, reason);
}

int trace_set_skip(cli_options *to, const char *value, char *reason)
{
    uint32_t skip;
    int failed = parse_count(value, 0, UINT32_MAX, &skip, reason);
    to->trace.skip = failed ? 0 : skip;
    return failed;
}

int trace_set_count(cli_options *to, const char *value, char *reason)
{
    uint32_t count;
    int failed = parse_count(value, 1, UINT32_MAX, &count, reason);
    to->trace.count = failed ? 0 : count;
    return failed;
}

/* Reads a number of at most nine digits at *at, which moves behind it. Returns -1 if there is none. */
static long read_rank(const char **at)
{
    size_t digits = strspn(*at, "0123456789");
    long rank = digits > 0 && digits < 10 ? strtol(*at, NULL, 10) : -1;
    *at += digits;
    return rank;
}

int trace_set_ranks(cli_options *to, const char *value, char *reason)
{
    const char *at = value;
    long first, last;
    do {
        at += at != value; /* a comma */
        first = last = read_rank(&at);
        if (first >= 0 && *at == '-') {
            at++;
            last = read_rank(&at);
        }
    } while (first >= 0 && first <= last && *at == ',');
    if (first < 0 || last < 0 || (*at && *at != ','))
        return parse_refuse(reason, "it takes numbers and ranges, such as 0,4-7");
    if (first > last) {
        snprintf(reason, PARSE_WHY_BYTES, "there are no ranks %ld-%ld; did you mean %ld-%ld?",
                 first, last, last, first);
        return -1;
    }
    to->trace.ranks = value;
    return 0;
}

int trace_set_memory(cli_options *to, const char *value, char *reason)
{
    parse_sizes sizes;
    if (parse_byte_size_list(value, &sizes, reason) != 0)
        return -1;
    if (sizes.count != 1)
        return parse_refuse(reason, "it takes one size, such as 64MiB");
    to->trace.memory_bytes = sizes.values[0];
    return 0;
}
