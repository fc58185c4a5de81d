#include "script.h"

#include "stub.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

struct script script = {
    .devices = 1,
    .api = 3,
    .heap = UINT64_C(1) << 30,
    .max_alloc = UINT64_C(1) << 30,
    .host_pointers = 1,
    .host_alignment = 4096,
    .host_types = 15,
    .families = {{FAMILY_ALL}, 1},
    .bits = {{64}, 1},
    .period = 1,
    .start = 1000000007,
    .kernel_ticks = 1000,
    .empty_ticks = 1,
    .every = 1,
    .domains = {{DOMAIN_DEVICE, DOMAIN_MONOTONIC}, 2},
    .deviation = 1,
    .max_range = UINT64_C(1) << 27,
    .max_groups = 65535,
    .max_group_size = 1024,
    .max_invocations = 1024,
    .max_push = 128,
    .missing = ENTRY_COUNT,
    .fail = FAIL_NONE,
};

struct key {
    const char *name;
    uint64_t *value;
    struct list *list;   /* in place of value */
    const char *choices; /* words in the order of their enum, or NULL for numbers */
    uint64_t min, max;
};

#define BYTES_MAX  (UINT64_C(1) << 40)
#define NUMBER_MAX UINT32_MAX

static const struct key keys[] = {
    {"devices", &script.devices, NULL, NULL, 0, DEVICES_MAX},
    {"type", &script.type, NULL, "gpu cpu", 0, 0},
    {"api", &script.api, NULL, "1.0 1.1 1.2 1.3", 0, 0},
    {"memory", &script.memory, NULL, "unified discrete bar noncoherent", 0, 0},
    {"heap", &script.heap, NULL, NULL, 1, BYTES_MAX},
    {"max_alloc", &script.max_alloc, NULL, NULL, 1, BYTES_MAX},
    {"host_pointers", &script.host_pointers, NULL, NULL, 0, 1},
    {"host_alignment", &script.host_alignment, NULL, NULL, 1, NUMBER_MAX},
    {"host_types", &script.host_types, NULL, NULL, 0, NUMBER_MAX},
    {"families", NULL, &script.families, "all compute transfer graphics", 0, 0},
    {"bits", NULL, &script.bits, NULL, 0, 64},
    {"clock", &script.clock, NULL, "simulated host own", 0, 0},
    {"start", &script.start, NULL, NULL, 0, UINT64_MAX},
    {"kernel_ticks", &script.kernel_ticks, NULL, NULL, 0, BYTES_MAX},
    {"empty_ticks", &script.empty_ticks, NULL, NULL, 0, BYTES_MAX},
    {"availability", &script.availability, NULL, "1 2 never", 0, 0},
    {"undefined", &script.undefined, NULL, "unavailable garbage", 0, 0},
    {"writing", &script.writing, NULL, "hidden shown", 0, 0},
    {"late", &script.late, NULL, NULL, 0, NUMBER_MAX},
    {"stamps", &script.stamps, NULL, "good zero backwards", 0, 0},
    {"every", &script.every, NULL, NULL, 1, NUMBER_MAX},
    {"calibrated", &script.calibrated, NULL, "none ext khr both", 0, 0},
    {"domains", NULL, &script.domains, "device monotonic raw unknown", 0, 0},
    {"deviation", &script.deviation, NULL, NULL, 0, BYTES_MAX},
    {"deviation_grows", &script.deviation_grows, NULL, NULL, 0, 1},
    {"device_values", &script.device_values, NULL, "true epoch rate", 0, 0},
    {"max_range", &script.max_range, NULL, NULL, 1, NUMBER_MAX},
    {"max_groups", &script.max_groups, NULL, NULL, 1, NUMBER_MAX},
    {"max_group_size", &script.max_group_size, NULL, NULL, 1, NUMBER_MAX},
    {"max_invocations", &script.max_invocations, NULL, NULL, 1, NUMBER_MAX},
    {"max_push", &script.max_push, NULL, NULL, 4, PUSH_MAX},
    {"commands", &script.commands, NULL, "at_once held", 0, 0},
    {"progress", &script.progress, NULL, NULL, 0, NUMBER_MAX},
    {"hang", &script.hang, NULL, NULL, 0, UINT64_MAX},
    {"lost", &script.lost, NULL, NULL, 0, UINT64_MAX},
    {"late_fence", &script.late_fence, NULL, NULL, 0, NUMBER_MAX},
    {"strict", &script.strict, NULL, NULL, 0, 1},
    {"error", &script.error, NULL, "host_memory device_memory lost initialization", 0, 0},
};

static _Noreturn void refuse_script(const char *what, const char *text)
{
    fprintf(stderr, "vulkan_stub: %s in KT_STUB_VULKAN: '%s'\n", what, text);
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

static uint64_t key_value(const struct key *key, const char *text)
{
    return key->choices ? choice_value(key->choices, text) : number_value(text, key->min, key->max);
}

static void read_list(const struct key *key, char *text)
{
    key->list->count = 0;
    while (text) {
        char *plus = strchr(text, '+');
        if (plus)
            *plus = '\0';
        if (key->list->count == LIST_MAX)
            refuse_script("list too long", text);
        key->list->items[key->list->count++] = key_value(key, text);
        text = plus ? plus + 1 : NULL;
    }
}

static int entry_value(const char *name)
{
    int entry = entry_find(name);
    if (entry == FAIL_NONE)
        refuse_script("unknown function", name);
    return entry;
}

/* fail=vkQueueSubmit:3, fail=any:7; :0 is each time. */
static void read_fail(char *text)
{
    char *colon = strchr(text, ':');
    if (!colon)
        refuse_script("no ':'", text);
    *colon = '\0';
    script.fail = strcmp(text, "any") == 0 ? FAIL_ANY : entry_value(text);
    script.fail_nth = number_value(colon + 1, 0, UINT64_MAX);
}

static void read_period(const char *text)
{
    char *end = NULL;
    script.period = strtod(text, &end);
    if (end == text || *end != '\0' || !(script.period > 0 && script.period < 1e9))
        refuse_script("no period", text);
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
    if (strcmp(pair, "missing") == 0) {
        script.missing = entry_value(text);
        return;
    }
    if (strcmp(pair, "period") == 0) {
        read_period(text);
        return;
    }
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
        if (strcmp(keys[i].name, pair) == 0) {
            if (keys[i].list)
                read_list(&keys[i], text);
            else
                *keys[i].value = key_value(&keys[i], text);
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
