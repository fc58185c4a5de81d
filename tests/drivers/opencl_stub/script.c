#include "script.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* No duration: what empty_ns is until the script has been read. */
#define AS_KERNEL_NS UINT64_MAX

struct script script = {
    .platforms = 1,
    .devices = 1,
    .type = TYPE_GPU,
    .timer_resolution = 1,
    .kernel_ns = 1000,
    .empty_ns = AS_KERNEL_NS,
    .noise = 1,
    .max_alloc = UINT64_C(1) << 30,
    .memory = UINT64_MAX,
};

struct key {
    const char *name;
    uint64_t *value;
    const char *choices; /* words in the order of their enum, or NULL for a number */
    uint64_t min;
    uint64_t max;
};

/* Half the range is headroom: a simulated clock of so long kernels must not overflow in a test. */
static const uint64_t LONGEST_NS = UINT64_C(1) << 40;

static const struct key keys[] = {
    {"platforms", &script.platforms, NULL, 0, 1},
    {"devices", &script.devices, NULL, 0, MAX_DEVICES},
    {"type", &script.type, "gpu cpu", 0, 0},
    {"timer_resolution", &script.timer_resolution, NULL, 0, UINT32_MAX},
    {"kernel_ns", &script.kernel_ns, NULL, 0, LONGEST_NS},
    {"empty_ns", &script.empty_ns, NULL, 0, LONGEST_NS},
    {"stamps", &script.stamps, "good fake zero swapped backwards coarse", 0, 0},
    {"spoil_from", &script.spoil_from, NULL, 1, UINT64_MAX},
    {"no_profiling_info", &script.no_profiling_info, NULL, 0, 1},
    {"build", &script.build, "good fail", 0, 0},
    {"hang", &script.hang, NULL, 0, UINT64_MAX},
    {"lost", &script.lost, NULL, 0, UINT64_MAX},
    {"event_error", &script.event_error, NULL, 0, UINT64_MAX},
    {"wrong", &script.wrong, NULL, 0, UINT64_MAX},
    {"skip", &script.skip, NULL, 0, UINT64_MAX},
    {"skip_copy", &script.skip_copy, NULL, 0, UINT64_MAX},
    {"half_copy", &script.half_copy, NULL, 0, UINT64_MAX},
    {"late", &script.late, NULL, 0, ASKS_ENDED - 1},
    {"lag", &script.lag, NULL, 0, UINT32_MAX},
    {"noise", &script.noise, NULL, 0, 1},
    {"max_alloc", &script.max_alloc, NULL, 1, UINT64_C(1) << 40},
    {"memory", &script.memory, NULL, 0, UINT64_MAX},
    {"clock", &script.clock, "simulated host own", 0, 0},
    {"timer", &script.timer, "usual none zero fail", 0, 0},
    {"svm", &script.svm, "coarse none", 0, 0},
    {"version", &script.version, "3.0 2.1 2.0 1.2 1.1", 0, 0},
};

static _Noreturn void refuse_script(const char *what, const char *text)
{
    fprintf(stderr, "opencl_stub: %s in KT_STUB_OPENCL: '%s'\n", what, text);
    abort();
}

static const struct key *find_key(const char *name)
{
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        if (strcmp(keys[i].name, name) == 0)
            return &keys[i];
    }
    refuse_script("unknown key", name);
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

static uint64_t number_value(const struct key *key, const char *text)
{
    char *end = NULL;
    errno = 0;
    unsigned long long number = strtoull(text, &end, 10);
    /* strtoull takes "-1" and " 1" without a word, hence the first character. */
    if (text[0] < '0' || text[0] > '9' || *end != '\0' || errno != 0)
        refuse_script("not a number", text);
    if (number < key->min || number > key->max)
        refuse_script("number out of range", text);
    return number;
}

static void read_pair(char *pair)
{
    char *equals = strchr(pair, '=');
    if (!equals)
        refuse_script("no '='", pair);
    *equals = '\0';
    const struct key *key = find_key(pair);
    const char *text = equals + 1;
    *key->value = key->choices ? choice_value(key->choices, text) : number_value(key, text);
}

static void read_pairs(char *pair)
{
    while (pair) {
        char *comma = strchr(pair, ',');
        if (comma)
            *comma = '\0';
        read_pair(pair);
        pair = comma ? comma + 1 : NULL;
    }
}

void script_read(const char *text)
{
    if (text && *text) {
        char *copy = strdup(text);
        if (!copy)
            refuse_script("out of memory", text);
        read_pairs(copy);
        free(copy);
    }
    if (script.empty_ns == AS_KERNEL_NS)
        script.empty_ns = script.kernel_ns;
}
