/* SPDX-License-Identifier: MIT */
/*
 * launch_check.c - runs a configuration once and looks at what it wrote.
 *
 * An output is a buffer that differs from its content before the run. Before each submission
 * outputs get that content again, which erases what the submission before wrote, and is right for
 * kernels that work in place, too. A kernel that writes something else when it runs on its own
 * output, or that writes integers, which may be indices, is dispatched once a submission.
 */
#include "cli/output/text.h"
#include "cli/run/guess.h"
#include "cli/run/launch_parts.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NOT_EXPECTED SIZE_MAX
/* Runs of the first kernel that should write the same: a race shows in most of them. */
#define VARIATION_RUNS 3

/* The buffer of argument `index`; NULL if it has none, or if an earlier one is the same. */
static pool_buffer *buffer_at(const launch *l, size_t index)
{
    for (size_t i = 0; i < index; i++)
        if (l->arguments[i].buffer == l->arguments[index].buffer)
            return NULL;
    return l->arguments[index].buffer;
}

/* ---- callbacks of the job ---- */

static kt_status explain(kt_status status, char *reason, size_t reason_bytes)
{
    if (status != KT_OK)
        snprintf(reason, reason_bytes, "%s", kt_error_text());
    return status;
}

kt_status launch_reset(void *user, char *reason, size_t reason_bytes)
{
    launch *l = user;
    kt_status status = KT_OK;
    bool keeps = l->runs_on || (l->subject->settings.no_reset && !l->is_checking);
    for (size_t i = 0; i < l->signature.parameter_count && status == KT_OK; i++) {
        pool_buffer *b = buffer_at(l, i);
        if (b && !keeps)
            status = buffer_reset(b);
        if (b)
            b->is_changed |= l->is_checking || l->arguments[i].is_output;
    }
    return explain(status, reason, reason_bytes);
}

/* What of an output and of what is expected is compared: where members in front of the elements
 * differ, elements alone. */
typedef struct compared_part {
    size_t own, expected;             /* where they begin */
    size_t own_bytes, expected_bytes; /* from there on */
} compared_part;

static compared_part part_of(const launch *l, size_t index)
{
    const buffer_request *own = &l->arguments[index].buffer->request;
    const expected_buffer *should = &l->expected->buffers[l->arguments[index].expected];
    compared_part part = {.own = 0};
    if (own->in_front != should->in_front && own->in_front <= own->bytes &&
        should->in_front <= should->bytes) {
        part.own = own->in_front;
        part.expected = should->in_front;
    }
    part.own_bytes = own->bytes - part.own;
    part.expected_bytes = should->bytes - part.expected;
    return part;
}

/* Whether nobody said how many elements it has. */
static bool has_guessed_size(const pool_buffer *b)
{
    return b->request.spec.count == 0 && b->request.spec.kind < SPECIFICATION_NPY;
}

/* A guess that is too short is no fault of the kernel. */
static launch_outcome refuse_bytes(const launch *l, size_t index, const compared_part *part,
                                   char *reason)
{
    const launch_argument *a = &l->arguments[index];
    char text[SIGNATURE_NAME_BYTES], is[32], should[32];
    const char *name = launch_name(l, index, text);
    size_t stride = a->buffer->request.element.stride ? a->buffer->request.element.stride : 1;
    count_text(part->own_bytes, is);
    count_text(part->expected_bytes, should);
    if (!has_guessed_size(a->buffer)) {
        snprintf(reason, LAUNCH_REASON_BYTES, "%s has %s bytes, expected %s", name, is, should);
        return OUTCOME_WRONG;
    }
    snprintf(reason, LAUNCH_REASON_BYTES,
             "%s has %s bytes (guess), and %s are expected: -a %s='zeros x %zu'", name, is, should,
             name, (part->expected_bytes + part->own + stride - 1) / stride);
    return OUTCOME_ARGUMENTS;
}

/* Compares an output with what it should be; of a guessed size, as much as is expected. */
static launch_outcome compare(launch *l, size_t index, char *reason)
{
    const launch_argument *a = &l->arguments[index];
    const expected_buffer *should = &l->expected->buffers[a->expected];
    const compared_part part = part_of(l, index);
    char text[SIGNATURE_NAME_BYTES];
    kt_status status;
    if (part.own_bytes < part.expected_bytes ||
        (part.own_bytes > part.expected_bytes && !has_guessed_size(a->buffer)))
        return refuse_bytes(l, index, &part, reason);
    const uint8_t *actual = buffer_read(l->pool, a->buffer, &status);
    if (!actual) {
        snprintf(reason, LAUNCH_REASON_BYTES, "%s", kt_error_text());
        return status == KT_TIMEOUT ? OUTCOME_TIMEOUT : OUTCOME_FAILED;
    }
    const element_type *own = &l->signature.parameters[index].element;
    const comparison c = {.name = launch_name(l, index, text),
                          .element = comparison_has_numbers(own) ? *own : should->element,
                          .actual = actual + part.own,
                          .expected = should->data + part.expected,
                          .bytes = part.expected_bytes,
                          .tolerance = {l->pool->plan->tolerance_abs, l->pool->plan->tolerance_rel},
                          .in_front = should->in_front - part.expected};
    return comparison_make(&c, reason);
}

static launch_outcome compare_all(launch *l, char *reason)
{
    launch_outcome outcome = OUTCOME_OK;
    for (size_t i = 0; i < l->signature.parameter_count && outcome == OUTCOME_OK; i++)
        if (l->arguments[i].expected != NOT_EXPECTED)
            outcome = compare(l, i, reason);
    return outcome;
}

/* Says of an output that differs, "w[190] is 3.66, expected 3.01 (14 of 256 differ)", how it varies. */
static void describe_variation(launch *l, const char *difference)
{
    static const char between[] = ", expected ";
    const char *second = strstr(difference, between);
    int first = second ? (int)(second - difference) : (int)strlen(difference);
    second = second ? second + strlen(between) : "";
    snprintf(l->varies, sizeof l->varies,
             "its output differs from run to run, so it is not verified: %.*s, before %.*s", first,
             difference, (int)strcspn(second, " ("), second);
}

/* Whether its outputs are compared with nothing but what it wrote itself from the same content. */
static bool is_its_own_reference(const launch *l)
{
    const run_plan *plan = l->pool->plan;
    size_t count = 0;
    for (size_t i = 0; i < plan->configuration_count; i++)
        count += plan->configurations[i].expected == l->configuration->expected;
    return count == 1 && !plan->has_reference && !l->subject->settings.expectations.count &&
           !l->subject->settings.no_reset;
}

kt_status launch_verify(void *user, char *reason, size_t reason_bytes)
{
    launch *l = user;
    char sentence[LAUNCH_REASON_BYTES] = "";
    if (l->is_checking || l->expected->varies)
        return KT_OK;
    launch_outcome outcome = compare_all(l, sentence);
    if (outcome == OUTCOME_WRONG && is_its_own_reference(l)) {
        describe_variation(l, sentence);
        l->expected->varies = true;
        return KT_OK;
    }
    if (outcome == OUTCOME_OK)
        return KT_OK;
    snprintf(reason, reason_bytes, "%s", sentence);
    return outcome == OUTCOME_TIMEOUT  ? KT_TIMEOUT
           : outcome == OUTCOME_FAILED ? KT_DRIVER_ERROR
                                       : KT_WRONG_RESULT;
}

/* ---- one submission ---- */

/* Lets the first use happen, and ends the measurement before its warm-up. */
static int end_after_first_use(void *user, const kt_progress *progress)
{
    int *calls = user;
    (void)progress;
    return (*calls)++ == 0;
}

static int run_once(launch *l, launch_result *result)
{
    int calls = 0;
    const kt_measure_options options = {.size = sizeof options,
                                        .timing = KT_TIMING_WALL,
                                        .timeout_ns = l->pool->plan->options->measure.timeout_ns,
                                        .progress = end_after_first_use,
                                        .progress_user = &calls};
    kt_result *measured = NULL;
    l->is_checking = true;
    kt_status status = kt_measure(l->job, &options, &measured);
    l->is_checking = false;
    if (measured && kt_result_series_count(measured) && isnan(result->first_use_ns))
        result->first_use_ns = kt_result_series(measured, 0)->first_use_ns;
    kt_result_destroy(&measured);
    return status == KT_CANCELLED && calls == 2 ? 0 : launch_fail_status(result, status);
}

/* ---- what it wrote ---- */

static int refuse_outside(const launch *l, size_t index, size_t before, size_t behind,
                          launch_result *result)
{
    const launch_argument *a = &l->arguments[index];
    char text[SIGNATURE_NAME_BYTES], count[32], items[32];
    const char *name = launch_name(l, index, text);
    size_t bytes = before ? before : behind;
    const char *least = bytes == a->buffer->zone_bytes ? "at least " : "";
    if (before)
        return launch_fail(result, OUTCOME_OUTSIDE, "it writes %s%zu bytes before %s", least,
                           before, name);
    if (l->geometry.is_global_guessed && l->geometry.global[0] > (int64_t)l->configuration->n)
        return launch_fail(result, OUTCOME_OUTSIDE,
                           "it writes %s%zu bytes behind %s: %s work-items run for n = %" PRIu64,
                           least, bytes, name, count_text((uint64_t)l->geometry.global[0], items),
                           l->configuration->n);
    if (a->is_guessed || a->spec.count == 0)
        return launch_fail(result, OUTCOME_OUTSIDE,
                           "it writes %s%zu bytes behind %s: are %s elements (guess) enough? "
                           "-a %s='zeros x %s'",
                           least, bytes, name, count_text((uint64_t)a->count, count), name,
                           guess_larger(&l->signature.parameters[index], l->configuration->n));
    return launch_fail(result, OUTCOME_OUTSIDE, "it writes %s%zu bytes behind %s", least, bytes,
                       name);
}

/* Looks at each buffer and its zones. */
static int find_outputs(launch *l, launch_result *result)
{
    for (size_t i = 0; i < l->signature.parameter_count; i++) {
        pool_buffer *b = buffer_at(l, i);
        kt_status status;
        if (!b)
            continue;
        const uint8_t *now = buffer_read(l->pool, b, &status);
        if (!now)
            return launch_fail_status(result, status);
        uint32_t stride = l->signature.parameters[i].element.scalar_bytes;
        l->arguments[i].is_output = memcmp(now, b->initial + b->zone_bytes, b->request.bytes) != 0;
        size_t before = zone_changed_bytes(now - b->zone_bytes, b->zone_bytes, stride);
        size_t behind = zone_changed_bytes(now + b->part_bytes, b->zone_bytes, stride);
        if (before || behind)
            return refuse_outside(l, i, before, behind, result);
    }
    for (size_t i = 0; i < l->signature.parameter_count; i++) {
        pool_buffer *b = buffer_at(l, i);
        if (b)
            b->is_changed = l->arguments[i].is_output;
    }
    return 0;
}

static int check_any(const launch *l, launch_result *result)
{
    bool has_buffer = false;
    char sizes[200] = "";
    size_t length = 0;
    for (size_t i = 0; i < l->signature.parameter_count; i++) {
        const parameter *p = &l->signature.parameters[i];
        const launch_argument *a = &l->arguments[i];
        has_buffer |= a->buffer != NULL;
        if (a->is_output)
            return 0;
        bool is_size = a->value && p->element.lanes <= 1 &&
                       (p->element.scalar == SCALAR_SIGNED || p->element.scalar == SCALAR_UNSIGNED);
        if (!is_size || length >= sizeof sizes)
            continue;
        int64_t value = a->spec.number_count ? (int64_t)a->spec.numbers[0] : 0;
        length +=
            (size_t)snprintf(sizes + length, sizeof sizes - length, "%s%s = %" PRId64 "%s",
                             length ? ", " : "", p->name, value, a->is_guessed ? " (guess)" : "");
    }
    if (!has_buffer)
        return 0;
    return launch_fail(result, OUTCOME_NOTHING, "it wrote nothing: are its sizes right?%s%s",
                       length ? " " : "", sizes);
}

/* ---- what is expected ---- */

/* Elements of --expect say nothing of what is in front of them: that is as it was written. */
static int copy_in_front(const launch *l, const buffer_request *wanted, pool_buffer *b,
                         uint8_t *data, launch_result *result)
{
    kt_status status;
    if (wanted->spec.kind == SPECIFICATION_NPY || wanted->spec.kind == SPECIFICATION_BIN ||
        wanted->in_front == 0 || wanted->in_front > wanted->bytes)
        return 0;
    const uint8_t *now = buffer_read(l->pool, b, &status);
    if (!now)
        return launch_fail_status(result, status);
    memcpy(data, now, wanted->in_front);
    return 0;
}

/* The content that --expect has for an argument, or NULL. `code` is -1 after a failure. */
static uint8_t *read_expectation(const launch *l, size_t index, launch_result *result, int *code)
{
    const run_texts *texts = &l->subject->settings.expectations;
    const launch_argument *a = &l->arguments[index];
    char name[SIGNATURE_NAME_BYTES], reason[SPECIFICATION_REASON_BYTES], own[SIGNATURE_NAME_BYTES];
    const buffer_request *r = &a->buffer->request;
    for (size_t i = 0; i < texts->count; i++) {
        const char *words = specification_split(texts->texts[i], name, reason);
        specification spec = {.kind = SPECIFICATION_ZEROS};
        if (words && strcmp(name, launch_name(l, index, own)) != 0)
            continue;
        bool is_read =
            words && specification_read(words, run_lookup, &l->names, &spec, reason) == 0;
        int64_t count = is_read ? specification_count(&spec, &r->element, r->count, reason) : -1;
        if (count >= 0 && count != r->count) {
            snprintf(reason, sizeof reason, "it has %" PRId64 " elements, and %s has %" PRId64,
                     count, name, r->count);
            count = -1;
        }
        uint8_t *data = count >= 0 ? calloc(r->bytes, 1) : NULL;
        buffer_request wanted = *r;
        wanted.spec = spec;
        wanted.seed = 0;
        if (data && buffer_fill(&wanted, data, reason) == 0) {
            *code = copy_in_front(l, &wanted, a->buffer, data, result);
            return data;
        }
        if (count >= 0 && !data)
            snprintf(reason, sizeof reason, "the host is out of memory");
        free(data);
        *code = launch_fail(result, OUTCOME_ARGUMENTS, "--expect %s: %s", texts->texts[i], reason);
        return NULL;
    }
    return NULL;
}

static uint8_t *copy_output(launch *l, size_t index, launch_result *result, int *code)
{
    pool_buffer *b = l->arguments[index].buffer;
    kt_status status;
    const uint8_t *now = buffer_read(l->pool, b, &status);
    uint8_t *copy = now ? malloc(b->request.bytes) : NULL;
    if (copy)
        memcpy(copy, now, b->request.bytes);
    else if (now)
        *code = launch_fail(result, OUTCOME_LIMIT, "the host is out of memory");
    else
        *code = launch_fail_status(result, status);
    return copy;
}

/* Refuses a --expect that is of no buffer. */
static int check_expectations(const launch *l, launch_result *result)
{
    const run_texts *texts = &l->subject->settings.expectations;
    char name[SIGNATURE_NAME_BYTES], own[SIGNATURE_NAME_BYTES], reason[LAUNCH_REASON_BYTES];
    for (size_t i = 0; i < texts->count; i++) {
        bool found = !specification_split(texts->texts[i], name, reason); /* refused elsewhere */
        for (size_t k = 0; k < l->signature.parameter_count && !found; k++)
            found = buffer_at(l, k) && strcmp(launch_name(l, k, own), name) == 0;
        if (!found)
            return launch_fail(result, OUTCOME_ARGUMENTS, "--expect %s: %s has no buffer %s",
                               texts->texts[i], l->subject->label, name);
    }
    return 0;
}

/* Makes this launch's outputs what is expected of the contest. */
static int set_expected(launch *l, launch_result *result)
{
    expected_outputs *e = l->expected;
    char text[SIGNATURE_NAME_BYTES], count[32];
    int code = check_expectations(l, result);
    for (size_t i = 0; i < l->signature.parameter_count && code == 0; i++) {
        if (!buffer_at(l, i))
            continue;
        const element_type *element = &l->signature.parameters[i].element;
        expected_buffer *b = &e->buffers[e->count++];
        *b = (expected_buffer){.element = *element,
                               .in_front = l->arguments[i].buffer->request.in_front,
                               .seed = l->arguments[i].buffer->request.seed,
                               .bytes = l->arguments[i].buffer->request.bytes};
        snprintf(b->name, sizeof b->name, "%s", l->signature.parameters[i].name);
        b->data = read_expectation(l, i, result, &code);
        bool is_expected = b->data != NULL;
        if (!b->data && code == 0 && l->arguments[i].is_output)
            b->data = copy_output(l, i, result, &code);
        b->is_output = b->data != NULL;
        size_t in_front = b->in_front < b->bytes ? b->in_front : b->bytes;
        uint64_t nan =
            b->data ? comparison_count_nan(element, b->data + in_front, b->bytes - in_front) : 0;
        if (nan && !is_expected && !l->pool->plan->has_reference && !l->nan[0])
            snprintf(l->nan, sizeof l->nan,
                     "it writes NaN into %s (%s of them); is that right? --check and --expect tell",
                     launch_name(l, i, text), count_text(nan, count));
    }
    e->is_known = code == 0;
    return code;
}

/* What the first kernel left as it was, others must leave, too. */
static int check_unchanged(const launch *l, launch_result *result)
{
    const expected_outputs *e = l->expected;
    const char *first = l->pool->plan->has_reference ? "the kernel of --check" : "the first one";
    for (size_t i = 0; i < l->signature.parameter_count; i++) {
        const launch_argument *a = &l->arguments[i];
        const char *name = l->signature.parameters[i].name;
        for (size_t k = 0; k < e->count && a->is_output && a->expected == NOT_EXPECTED; k++)
            if (name[0] && !e->buffers[k].is_output && strcmp(e->buffers[k].name, name) == 0)
                return launch_fail(result, OUTCOME_WRONG, "it changes %s, which %s only reads",
                                   name, first);
    }
    return 0;
}

/* Finds the argument of each expected output: the one of its name, else that of its place among
 * outputs. */
static int match_outputs(launch *l, launch_result *result)
{
    const expected_outputs *e = l->expected;
    size_t expected = 0, written = 0, by_place[SIGNATURE_PARAMETERS_MAX];
    char text[SIGNATURE_NAME_BYTES], count[32];
    for (size_t i = 0; i < l->signature.parameter_count; i++) {
        l->arguments[i].expected = NOT_EXPECTED;
        if (l->arguments[i].is_output)
            by_place[written++] = i;
    }
    for (size_t k = 0; k < e->count; k++) {
        size_t match = SIZE_MAX;
        for (size_t i = 0; i < l->signature.parameter_count && e->buffers[k].name[0]; i++)
            if (buffer_at(l, i) && strcmp(l->signature.parameters[i].name, e->buffers[k].name) == 0)
                match = i;
        if (!e->buffers[k].is_output)
            continue;
        if (match == SIZE_MAX && expected < written)
            match = by_place[expected];
        expected++;
        if (match == SIZE_MAX)
            return launch_fail(result, OUTCOME_WRONG, "it writes %zu buffer%s; %s is missing",
                               written, text_plural(written),
                               e->buffers[k].name[0] ? e->buffers[k].name : "an output");
        l->arguments[match].expected = k;
        const compared_part part = part_of(l, match);
        if (part.own_bytes > part.expected_bytes)
            launch_note(l, "%s: its first %s bytes are compared, as many as are expected",
                        launch_name(l, match, text), count_text(part.expected_bytes, count));
    }
    return check_unchanged(l, result);
}

static void note_outputs(launch *l)
{
    char text[SIGNATURE_NAME_BYTES], names[120] = "";
    size_t length = 0;
    for (size_t i = 0; i < l->signature.parameter_count; i++)
        if (l->arguments[i].is_output && length < sizeof names)
            length += (size_t)snprintf(names + length, sizeof names - length, "%s%s",
                                       length ? ", " : "", launch_name(l, i, text));
    const char *again = !l->changes_itself ? ""
                        : l->subject->settings.no_reset
                            ? ", changed again by each dispatch, so not verified without reset"
                            : ", changed again by each dispatch, so --trials is 1";
    if (!l->changes_itself && l->trials_max == 1 && !l->expected->varies)
        again = ", integers that may be indices, so --trials is 1";
    if (length)
        launch_note(l, "output: %s%s", names, again);
}

/* Runs it on its own output. */
static int run_again(launch *l, launch_result *result)
{
    char ignored[LAUNCH_REASON_BYTES];
    l->runs_on = true;
    int code = run_once(l, result);
    l->runs_on = false;
    if (code != 0)
        return code;
    launch_outcome outcome = compare_all(l, ignored);
    if (outcome == OUTCOME_FAILED || outcome == OUTCOME_TIMEOUT)
        return launch_fail(result, outcome, "%s", ignored);
    l->changes_itself = outcome != OUTCOME_OK;
    if (!l->changes_itself)
        return 0;
    if (!l->subject->settings.no_reset)
        l->trials_max = 1;
    return launch_make_job(l, result);
}

/* Compares what the first kernel of a contest writes with what it wrote before. Where the order of
 * atomics or a race decides, no output can be right. */
static int find_variation(launch *l, launch_result *result)
{
    char reason[LAUNCH_REASON_BYTES];
    launch_outcome outcome = OUTCOME_OK;
    if (l->pool->plan->has_reference || l->subject->settings.expectations.count)
        return 0;
    for (int i = 0; i < VARIATION_RUNS && outcome == OUTCOME_OK; i++) {
        if (run_once(l, result) != 0)
            return -1;
        outcome = compare_all(l, reason);
    }
    if (outcome == OUTCOME_FAILED || outcome == OUTCOME_TIMEOUT)
        return launch_fail(result, outcome, "%s", reason);
    if (outcome == OUTCOME_OK)
        return 0;
    describe_variation(l, reason);
    l->expected->varies = true;
    for (size_t i = 0; i < l->expected->count; i++)
        l->expected->buffers[i].varies = l->expected->buffers[i].is_output;
    return 0;
}

/* Whether it writes integers: they may be indices that are only right once. */
static bool writes_integers(const launch *l)
{
    for (size_t i = 0; i < l->signature.parameter_count; i++) {
        scalar_kind scalar = l->signature.parameters[i].element.scalar;
        if (l->arguments[i].is_output && (scalar == SCALAR_SIGNED || scalar == SCALAR_UNSIGNED))
            return true;
    }
    return false;
}

/* Compares its outputs, and finds how often a submission may dispatch it. */
static int check_outputs(launch *l, launch_result *result)
{
    if (l->expected->varies) {
        l->trials_max = 1; /* what it makes of its own output cannot be known */
        return launch_make_job(l, result);
    }
    result->outcome = compare_all(l, result->reason);
    if (result->outcome != OUTCOME_OK)
        return -1;
    if (l->subject->settings.no_reset || !writes_integers(l))
        return run_again(l, result);
    l->trials_max = 1; /* on its own output it could write anywhere */
    return launch_make_job(l, result);
}

/* Hands the outputs of a first kernel over once it passed its whole check. Those of one that did not
 * pass show nothing. */
static int keep_expected(launch *l, int code, launch_result *result)
{
    if (code == 0 && expected_write(l->pool, l->expected, result->reason) != 0) {
        result->outcome = OUTCOME_FAILED;
        code = -1;
    }
    if (code != 0)
        expected_empty(l->expected);
    return code;
}

int launch_check(launch *l, bool is_reference, launch_result *result)
{
    result->outcome = OUTCOME_OK;
    result->reason[0] = 0;
    for (size_t i = 0; i < l->signature.parameter_count; i++)
        if (l->arguments[i].buffer)
            l->arguments[i].buffer->is_changed = true;
    int code = run_once(l, result);
    if (code == 0)
        code = find_outputs(l, result);
    if (code == 0)
        code = check_any(l, result);
    if (code == 0 && !l->expected->is_known && !is_reference && l->pool->plan->has_reference)
        code =
            launch_fail(result, OUTCOME_FAILED, "the kernel of --check wrote nothing to compare");
    bool is_first = !l->expected->is_known;
    if (code == 0 && is_first)
        code = set_expected(l, result);
    if (code == 0)
        code = match_outputs(l, result);
    if (code == 0 && is_first)
        code = find_variation(l, result);
    if (code == 0)
        code = check_outputs(l, result);
    if (is_first)
        code = keep_expected(l, code, result);
    if (code == 0)
        note_outputs(l);
    return code;
}
