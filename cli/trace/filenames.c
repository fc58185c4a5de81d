#include "cli/trace/trace.h"

#include "tracers/common/settings.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define NAME_BYTES 4096

const char *trace_rank(const cli_options *options)
{
    static const char *const known[] = {TRACE_RANK_VARIABLES};
    const char *named = options->trace.rank_variable, *rank = named ? getenv(named) : NULL;
    for (size_t i = 0; !named && !rank && i < sizeof known / sizeof known[0]; i++)
        rank = getenv(known[i]);
    return rank && *rank ? rank : NULL;
}

/* What a name becomes. */
typedef struct name {
    char text[NAME_BYTES];
    size_t length;
    char *reason;
    size_t reason_bytes;
} name;

static bool refuse(name *n, const char *what, int length, const char *sentence)
{
    snprintf(n->reason, n->reason_bytes, "%.*s: %s", length, what, sentence);
    return false;
}

static bool put(name *n, const char *text, size_t length)
{
    if (length >= NAME_BYTES - n->length)
        return refuse(n, text, 20, "the name becomes too long");
    memcpy(n->text + n->length, text, length);
    n->length += length;
    n->text[n->length] = '\0';
    return true;
}

/* Replaces "%{NAME}" at `at`. */
static bool put_variable(name *n, const char *at)
{
    char variable[256];
    size_t length = strcspn(at + 2, "}");
    if (!at[2 + length] || !length || length >= sizeof variable)
        return refuse(n, "%{", 2, "it takes the name of a variable, as in %{USER}");
    memcpy(variable, at + 2, length);
    variable[length] = '\0';
    const char *value = getenv(variable);
    if (!value)
        return refuse(n, at, (int)length + 3, "this variable is not set");
    return put(n, value, strlen(value));
}

/* Replaces what begins with the % at *at, and moves behind it. */
static bool put_field(name *n, const char **at, const cli_options *options, const char *host,
                      int64_t process)
{
    char number[32];
    const char *begin = *at, *rank = trace_rank(options);
    *at += begin[1] == '{' ? strcspn(begin, "}") + 1 : 2;
    snprintf(number, sizeof number, "%" PRId64, process);
    switch (begin[1]) {
    case '%': return put(n, "%", 1);
    case 'p': return put(n, number, strlen(number));
    case 'h':
        return host ? put(n, host, strlen(host))
                    : refuse(n, begin, 2, "the name of the host is not known");
    case 'r':
        return rank ? put(n, rank, strlen(rank))
                    : refuse(n, begin, 2, "no variable has a rank; --rank-var names one");
    case '{': return put_variable(n, begin);
    default:
        return refuse(n, begin, begin[1] ? 2 : 1,
                      "names take %p, %h, %r, %{VARIABLE}, and %% for %");
    }
}

char *trace_file_name(const cli_options *options, const char *pattern, const char *host,
                      int64_t process, char *reason, size_t reason_bytes)
{
    name n = {.reason = reason, .reason_bytes = reason_bytes};
    for (const char *at = pattern; *at;) {
        size_t length = strcspn(at, "%");
        if (!put(&n, at, length))
            return NULL;
        at += length;
        if (*at && !put_field(&n, &at, options, host, process))
            return NULL;
    }
    char *copy = malloc(n.length + 1);
    if (copy)
        memcpy(copy, n.text, n.length + 1);
    else
        refuse(&n, pattern, 20, "out of memory");
    return copy;
}
