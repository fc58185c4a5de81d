#include "script.h"

#include "stub.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

struct script script = {
    .adapters = {ADAPTER_GPU},
    .adapter_count = 1,
    .timestamps = 1,
    .timed_wait = 1,
    .max_buffer = UINT64_C(1) << 30,
    .max_binding = UINT64_C(1) << 27,
    .max_groups = 65535,
    .max_group_size = 1024,
    .max_invocations = 1024,
    .max_storage_buffers = 10,
    .memory = UINT64_MAX,
    .quantum = 65536,
    .resolution = 1,
    .start = 1000000007,
    .kernel_ns = 1000,
    .empty_ns = 1,
    .every = 1,
    .done = STUB_EARLY ? DONE_PLAIN : DONE_MESSAGE,
    .scopes = STUB_EARLY ? SCOPES_OF_DEVICE : SCOPES_OF_THREAD,
    .fail = FAIL_NONE,
};

struct key {
    const char *name;
    uint64_t *value;
    const char *choices; /* words in the order of their enum, or NULL for numbers */
    uint64_t min, max;
};

#define BYTES_MAX  (UINT64_C(1) << 40)
#define NUMBER_MAX UINT32_MAX

static const struct key keys[] = {
    {"timestamps", &script.timestamps, NULL, 0, 1},
    {"synchronises", &script.synchronises, NULL, 0, 1},
    {"timed_wait", &script.timed_wait, NULL, 0, 1},
    {"max_buffer", &script.max_buffer, NULL, 1, BYTES_MAX},
    {"max_binding", &script.max_binding, NULL, 1, BYTES_MAX},
    {"max_groups", &script.max_groups, NULL, 1, NUMBER_MAX},
    {"max_group_size", &script.max_group_size, NULL, 1, NUMBER_MAX},
    {"max_invocations", &script.max_invocations, NULL, 1, NUMBER_MAX},
    {"max_storage_buffers", &script.max_storage_buffers, NULL, 1, BINDINGS_MAX - 1},
    {"memory", &script.memory, NULL, 1, UINT64_MAX},
    {"toggle", &script.toggle, "heeded ignored", 0, 0},
    {"quantum", &script.quantum, NULL, 1, BYTES_MAX},
    {"resolution", &script.resolution, NULL, 1, BYTES_MAX},
    {"clock", &script.clock, "simulated host own", 0, 0},
    {"start", &script.start, NULL, 1, UINT64_MAX},
    {"kernel_ns", &script.kernel_ns, NULL, 0, BYTES_MAX},
    {"empty_ns", &script.empty_ns, NULL, 0, BYTES_MAX},
    {"stamps", &script.stamps, "good zero backwards zero_begin zero_end", 0, 0},
    {"every", &script.every, NULL, 1, NUMBER_MAX},
    {"commands", &script.commands, "at_once held", 0, 0},
    {"late", &script.late, NULL, 0, NUMBER_MAX},
    {"hang", &script.hang, NULL, 0, UINT64_MAX},
    {"lost", &script.lost, NULL, 0, UINT64_MAX},
    {"lost_done", &script.lost_done, "success error", 0, 0},
    {"done", &script.done, "plain message", 0, 0},
    {"scopes", &script.scopes, "device thread", 0, 0},
    {"threads", &script.threads, "calls waits any", 0, 0},
    {"build", &script.build, "good fail", 0, 0},
    {"strict", &script.strict, NULL, 0, 1},
    {"lax", &script.lax, NULL, 0, 1},
    {"error", &script.error, "validation out_of_memory internal null", 0, 0},
};

static _Noreturn void refuse_script(const char *what, const char *text)
{
    fprintf(stderr, "webgpu_stub: %s in KT_STUB_WEBGPU: '%s'\n", what, text);
    abort();
}

static uint64_t choice_value(const char *choices, const char *word)
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
    refuse_script("unknown choice", word);
}

static uint64_t number_value(const char *text, uint64_t min, uint64_t max)
{
    char *end = NULL;
    errno = 0;
    unsigned long long number = strtoull(text, &end, 10);
    /* strtoull takes "-1" and " 1" without a word, hence the first character. */
    if (text[0] < '0' || text[0] > '9' || *end != '\0' || errno != 0)
        refuse_script("not a number", text);
    if (number < min || number > max)
        refuse_script("number out of range", text);
    return number;
}

/* gpu+cpu, or none */
static void read_adapters(char *text)
{
    script.adapter_count = 0;
    while (text) {
        char *plus = strchr(text, '+');
        if (plus)
            *plus = '\0';
        if (script.adapter_count == ADAPTERS_MAX)
            refuse_script("list too long", text);
        uint64_t kind = choice_value("gpu integrated cpu null none", text);
        if (kind != ADAPTER_NONE)
            script.adapters[script.adapter_count++] = kind;
        text = plus ? plus + 1 : NULL;
    }
}

/* fail=wgpuQueueSubmit:3, fail=any:7; :0 is each time. */
static void read_fail(char *text)
{
    char *colon = strchr(text, ':');
    if (!colon)
        refuse_script("no ':'", text);
    *colon = '\0';
    script.fail = strcmp(text, "any") == 0 ? FAIL_ANY : entry_find(text);
    if (script.fail == FAIL_NONE)
        refuse_script("unknown function", text);
    script.fail_nth = number_value(colon + 1, 0, UINT64_MAX);
}

static void read_pair(char *pair)
{
    char *text = strchr(pair, '=');
    if (!text)
        refuse_script("no '='", pair);
    *text++ = '\0';
    if (strcmp(pair, "fail") == 0) {
        read_fail(text);
        return;
    }
    if (strcmp(pair, "adapters") == 0) {
        read_adapters(text);
        return;
    }
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
        if (strcmp(keys[i].name, pair) == 0) {
            *keys[i].value = keys[i].choices ? choice_value(keys[i].choices, text)
                                             : number_value(text, keys[i].min, keys[i].max);
            return;
        }
    refuse_script("unknown key", pair);
}

void script_read(const char *text)
{
    char *copy = text && *text ? strdup(text) : NULL;
    for (char *pair = copy; pair;) {
        char *comma = strchr(pair, ',');
        if (comma)
            *comma = '\0';
        read_pair(pair);
        pair = comma ? comma + 1 : NULL;
    }
    free(copy);
}
