/* SPDX-License-Identifier: MIT */
/*
 * kerntime-calibrate - places timestamps of a device's clock on the host's by pairs out of a file, so
 * that anyone can try kerntime's calibration on clocks of their own; and writes the bench's clocks
 * as such files.
 */
#include "bench/calibrate/clock_scenario.h"
#include "bench/calibrate/pairs_csv.h"
#include "clock/calibrate.h"
#include "statistics/interval.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* clang-format off */
static const char help[] =
    "Usage: kerntime-calibrate [OPTION...] PAIRS.csv QUERIES.csv\n"
    "       kerntime-calibrate --write-scenario NAME SEED PAIRS.csv QUERIES.csv TRUTH.csv\n"
    "\n"
    "Places timestamps of a device's clock on the host's clock by pairs of both, as kerntime does. Prints\n"
    "\"host_ns uncertainty_ns\" for each timestamp: where it lies, and by how much that may be wrong\n"
    "(99 %). \"- -\": no pair, or no period, was known by then. Only pairs from before a timestamp take\n"
    "part in placing it.\n"
    "\n"
    "  --period NS   length of a tick as told; without it, it is found from the pairs\n"
    "  --bits N      width of the counter, 1 to 64; without it, it is found once the counter wraps\n"
    "  --truth FILE  column host_ns: where each timestamp truly lies; prints by how much it was missed\n"
    "  --state       prints what was found out about the clock\n"
    "  --help        this text\n"
    "\n"
    "PAIRS.csv     columns host_before_ns,ticks,host_after_ns in order of time: the device's clock\n"
    "              was read between two readings of the host's. A line \"# period_ns=41.667 bits=36\"\n"
    "              says the same as the options, which come first. A counter that wraps has to be\n"
    "              read at least twice each time round.\n"
    "QUERIES.csv   column ticks, the timestamps, in order of time. Pairs up to each count as before it,\n"
    "              by the order of their ticks. With a column asked_ns, those count that were done by\n"
    "              that moment of the host's clock. A timestamp lies within half a turn of the counter\n"
    "              from the newest pair.\n"
    "\n"
    "Columns are known by a line of names; without one, or where it has other names alone, they are\n"
    "as above. Blank lines and lines that begin with # are passed over. What --truth and --state\n"
    "print goes to standard error.\n"
    "Exit codes: 0 done, 2 an option or a file is wrong, 4 the result cannot be written.\n";
/* clang-format on */

typedef struct options {
    double period_ns; /* NaN: not given */
    uint32_t bits;    /* 0: not given */
    const char *pairs, *queries, *truth;
    bool state;
} options;

typedef struct rows {
    pairs_csv_row *row;
    size_t count;
    pairs_csv csv; /* as it was at the end */
} rows;

static int refuse(const char *what, const char *reason)
{
    fprintf(stderr, "kerntime-calibrate: %s: %s\n", what, reason);
    return 2;
}

/* ---- files ---- */

/* The rest of a file with a zero behind it, to be freed; NULL: errno says why. */
static char *read_stream(FILE *file, size_t *length)
{
    char *text = NULL;
    for (size_t room = 65536;; room *= 2) {
        char *more = realloc(text, room + 1);
        if (!more)
            break;
        text = more;
        *length += fread(text + *length, 1, room - *length, file);
        if (ferror(file))
            break;
        if (*length < room) {
            text[*length] = '\0';
            return text;
        }
    }
    free(text);
    return NULL;
}

/* NULL after a sentence. */
static char *read_text(const char *path)
{
    FILE *file = fopen(path, "rb");
    size_t length = 0;
    char *text = file ? read_stream(file, &length) : NULL;
    if (!text)
        refuse(path, strerror(errno));
    if (file)
        fclose(file);
    if (text && strlen(text) != length) {
        refuse(path, "there is a zero byte in it");
        free(text);
        return NULL;
    }
    return text;
}

static int refuse_row(const char *path, const pairs_csv *csv, const char *reason)
{
    fprintf(stderr, "%s:%zu: %s\n", path, csv->line, reason);
    return 2;
}

/* Makes room for one more. */
static bool grow(rows *all)
{
    if (all->count & (all->count - 1) || (all->count && all->count < 1024))
        return true;
    size_t room = all->count ? all->count * 2 : 1024;
    pairs_csv_row *more = realloc(all->row, room * sizeof *more);
    if (more)
        all->row = more;
    return more != NULL;
}

/* What is wrong with the place of the newest row, or NULL. */
static const char *order_offence(const rows *all)
{
    const pairs_csv_row *newest = all->count > 1 ? &all->row[all->count - 1] : NULL;
    if (newest && newest->pair.host_before_ns < newest[-1].pair.host_before_ns)
        return "this pair is before the one above it";
    if (newest && newest->asked_ns < newest[-1].asked_ns)
        return "this timestamp is asked for before the one above it";
    return NULL;
}

/* 0, or 2 after a sentence. Rows are to be freed either way. */
static int read_rows(const char *path, pairs_csv_kind kind, rows *all)
{
    char *text = read_text(path);
    if (!text)
        return 2;
    all->csv = pairs_csv_begin(kind, text);
    int state = 1, failed = 0;
    while (!failed && state > 0) {
        if (!grow(all))
            failed = refuse(path, "there is not enough memory for it");
        else if ((state = pairs_csv_next(&all->csv, &all->row[all->count])) > 0)
            all->count++;
        if (state < 0)
            failed = refuse_row(path, &all->csv, all->csv.reason);
        else if (state > 0 && order_offence(all))
            failed = refuse_row(path, &all->csv, order_offence(all));
    }
    if (!failed && all->count == 0)
        failed = refuse(path, "there are no rows in it");
    free(text);
    return failed;
}

/* ---- which pairs were there when a timestamp was written ---- */

/* Timestamps of a counter in order of time. Where one seems to be before the one above it, the counter
 * began anew. */
typedef struct order {
    uint64_t newest, beginnings;
    bool any;
} order;

static bool is_before(uint64_t a, uint64_t b, uint32_t bits)
{
    uint64_t ahead = (b - a) << (64 - bits);
    return ahead != 0 && ahead < UINT64_C(1) << 63;
}

static void order_add(order *o, uint64_t ticks, uint32_t bits)
{
    if (o->any && is_before(ticks, o->newest, bits))
        o->beginnings++;
    o->newest = ticks;
    o->any = true;
}

/* Bits that count when timestamps are put in order, where nobody says how many there are: all, if those
 * of the pairs always increase; else as many as the largest has. */
static uint32_t ordering_bits(const rows *pairs)
{
    uint64_t all = 0;
    bool fell = false;
    for (size_t i = 0; i < pairs->count; i++) {
        fell = fell || (i && pairs->row[i].pair.ticks < pairs->row[i - 1].pair.ticks);
        all |= pairs->row[i].pair.ticks;
    }
    uint32_t bits = 64;
    while (fell && bits > 1 && !(all >> (bits - 1)))
        bits--;
    return bits;
}

typedef struct clock_file {
    const rows *pairs;
    size_t used; /* pairs */
    uint32_t bits;
    order taken, asked;
    kt_calibration calibration;
} clock_file;

/* Whether the next pair was there before the timestamp. */
static bool was_before(const clock_file *c, const pairs_csv_row *query, bool has_asked)
{
    const kt_clock_pair *pair = &c->pairs->row[c->used].pair;
    if (has_asked)
        return pair->host_after_ns <= query->asked_ns;
    order next = c->taken;
    order_add(&next, pair->ticks, c->bits);
    if (next.beginnings != c->asked.beginnings)
        return next.beginnings < c->asked.beginnings;
    return !is_before(query->pair.ticks, pair->ticks, c->bits);
}

static void add_pairs(clock_file *c, const pairs_csv_row *query, bool has_asked)
{
    order_add(&c->asked, query->pair.ticks, c->bits);
    while (c->used < c->pairs->count &&
           (was_before(c, query, has_asked) || (c->used == 0 && !has_asked))) {
        const kt_clock_pair *pair = &c->pairs->row[c->used++].pair;
        order_add(&c->taken, pair->ticks, c->bits);
        kt_calibration_add(&c->calibration, pair);
    }
}

/* ---- the result ---- */

typedef struct outcome {
    double *errors; /* of those placed; NULL where the truth is not given */
    double squares;
    size_t placed, covered;
} outcome;

/* A timestamp may be placed anywhere, so that whole ns would overflow where it is not near the
 * truth. */
static double distance_ns(int64_t from_ns, int64_t to_ns)
{
    bool near = (from_ns < 0) == (to_ns < 0);
    return near ? (double)(to_ns - from_ns) : (double)to_ns - (double)from_ns;
}

static void compare(outcome *o, const pairs_csv_row *truth, int64_t host_ns, double uncertainty_ns)
{
    double error_ns = distance_ns(truth->host_ns, host_ns) - truth->fraction_ns;
    o->errors[o->placed] = fabs(error_ns);
    o->squares += error_ns * error_ns;
    o->covered += fabs(error_ns) <= uncertainty_ns;
}

static void place_all(clock_file *c, const rows *queries, const rows *truth, outcome *o)
{
    for (size_t i = 0; i < queries->count; i++) {
        const pairs_csv_row *query = &queries->row[i];
        int64_t host_ns;
        double uncertainty_ns;
        add_pairs(c, query, queries->csv.has_asked);
        if (!kt_calibration_place(&c->calibration, query->pair.ticks, &host_ns, &uncertainty_ns)) {
            puts("- -");
            continue;
        }
        printf("%" PRId64 " %.3f\n", host_ns, uncertainty_ns);
        if (o->errors)
            compare(o, &truth->row[i], host_ns, uncertainty_ns);
        o->placed++;
    }
}

static void say_outcome(outcome *o, size_t queries)
{
    fflush(stdout);
    if (o->placed < queries)
        fprintf(
            stderr,
            "kerntime-calibrate: %zu of %zu timestamps: no pair, or no period, was known by then\n",
            queries - o->placed, queries);
    if (!o->errors || o->placed == 0)
        return;
    kt_sort(o->errors, o->placed);
    fprintf(stderr, "rms_ns=%.3f p99_ns=%.3f worst_ns=%.3f covered=%.3f%% of %zu\n",
            sqrt(o->squares / (double)o->placed), kt_quantile(o->errors, o->placed, 0.99),
            o->errors[o->placed - 1], 100.0 * (double)o->covered / (double)o->placed, o->placed);
}

static void say_state(const clock_file *c)
{
    kt_clock_state state;
    kt_calibration_get_state(&c->calibration, &state);
    fprintf(stderr, "period_ns=%.9g period_uncertainty_ns=%.3g period_exact=%s\n", state.period_ns,
            state.period_uncertainty_ns, state.period_exact ? "yes" : "no");
    if (state.valid_bits)
        fprintf(stderr, "bits=%" PRIu32, state.valid_bits);
    else
        fprintf(stderr, "bits>=%" PRIu32, state.valid_bits_min);
    fprintf(stderr,
            " narrowest_ns=%g pairs=%" PRIu64 " retaken=%" PRIu64 " wraps=%" PRIu64
            " resets=%" PRIu64 "\n",
            state.narrowest_ns, state.pairs, state.retaken, state.wraps, state.resets);
}

/* ---- placing ---- */

static int read_all(const options *o, rows *pairs, rows *queries, rows *truth)
{
    int failed = read_rows(o->pairs, PAIRS_CSV_PAIRS, pairs);
    if (!failed)
        failed = read_rows(o->queries, PAIRS_CSV_QUERIES, queries);
    if (!failed && o->truth)
        failed = read_rows(o->truth, PAIRS_CSV_TRUTH, truth);
    if (!failed && o->truth && truth->count != queries->count)
        failed = refuse(o->truth, "there are not as many rows as timestamps to place");
    return failed;
}

/* No timestamp may have more bits than the counter. */
static int check_width(const char *path, const rows *all, uint32_t bits)
{
    char reason[64];
    snprintf(reason, sizeof reason, "there are ticks that have more than %" PRIu32 " bits", bits);
    for (size_t i = 0; bits && bits < 64 && i < all->count; i++)
        if (all->row[i].pair.ticks >> bits)
            return refuse(path, reason);
    return 0;
}

static int place_files(const options *o)
{
    rows pairs = {0}, queries = {0}, truth = {0};
    outcome result = {0};
    static clock_file c;
    int failed = read_all(o, &pairs, &queries, &truth);
    kt_calibration_rule rule = {.step_ticks = 1};
    rule.period_ns = isnan(o->period_ns) ? pairs.csv.period_ns : o->period_ns;
    rule.valid_bits = o->bits ? o->bits : pairs.csv.bits;
    failed = failed ? failed : check_width(o->pairs, &pairs, rule.valid_bits);
    failed = failed ? failed : check_width(o->queries, &queries, rule.valid_bits);
    if (!failed && o->truth) {
        result.errors = malloc(queries.count * sizeof *result.errors);
        if (!result.errors)
            failed = refuse(o->truth, "there is not enough memory for it");
    }
    if (!failed) {
        c.pairs = &pairs;
        c.bits = rule.valid_bits ? rule.valid_bits : ordering_bits(&pairs);
        kt_calibration_init(&c.calibration, &rule);
        place_all(&c, &queries, &truth, &result);
        say_outcome(&result, queries.count);
        if (o->state)
            say_state(&c);
    }
    free(result.errors);
    free(pairs.row);
    free(queries.row);
    free(truth.row);
    return failed;
}

/* ---- the bench's clocks as files ---- */

/* An instant between each two pairs, asked for just before the later one: that tells nothing of
 * when it was. */
static void write_rows(const clock_scenario *of, uint64_t seed, FILE *pairs, FILE *queries,
                       FILE *truth)
{
    clock_run run = clock_run_begin(of, seed);
    clock_taken taken;
    fprintf(pairs, "# %s, seed %" PRIu64 "\n# period_ns=%g bits=%" PRIu32 "\n", of->name, seed,
            of->period_ns, of->bits);
    fputs("host_before_ns,ticks,host_after_ns\n", pairs);
    fputs("ticks,asked_ns\n", queries);
    fputs("host_ns\n", truth);
    while (clock_run_pair(&run, &taken)) {
        clock_instant instant = clock_run_ask(&run, 0, 1);
        fprintf(pairs, "%" PRId64 ",%" PRIu64 ",%" PRId64 "\n", taken.pair.host_before_ns,
                taken.pair.ticks, taken.pair.host_after_ns);
        fprintf(queries, "%" PRIu64 ",%" PRId64 "\n", instant.ticks,
                run.host_start_ns + (int64_t)run.end_ns);
        fprintf(truth, "%" PRId64 ".%03d\n", instant.host_ns, (int)(instant.fraction_ns * 1000));
    }
}

static int list_scenarios(const char *name)
{
    fprintf(stderr, "kerntime-calibrate: there is no scenario \"%s\"; there are:\n", name);
    for (size_t i = 0; i < clock_scenario_count; i++)
        fprintf(stderr, "  %s\n", clock_scenarios[i].name);
    return 2;
}

static int write_scenario(char **words)
{
    const clock_scenario *of = clock_scenario_find(words[0]);
    if (!of)
        return list_scenarios(words[0]);
    char *end;
    unsigned long long seed = strtoull(words[1], &end, 10);
    if (*end || strspn(words[1], "0123456789") == 0)
        return refuse(words[1], "a seed is a whole number");
    FILE *files[3] = {NULL};
    int failed = 0;
    for (int i = 0; i < 3 && !failed; i++) {
        files[i] = fopen(words[2 + i], "wb");
        if (!files[i])
            failed = refuse(words[2 + i], strerror(errno));
    }
    if (!failed)
        write_rows(of, seed, files[0], files[1], files[2]);
    for (int i = 0; i < 3; i++) {
        bool bad = files[i] && ferror(files[i]);
        bad = (files[i] && fclose(files[i]) != 0) || bad;
        if (bad && !failed) {
            refuse(words[2 + i], "it could not be written");
            failed = 4;
        }
    }
    return failed;
}

/* ---- the command line ---- */

static int usage(const char *option)
{
    fprintf(stderr, "kerntime-calibrate: %s; --help says more\n", option);
    return 2;
}

/* Takes an option and its value off `words`. 0, or 2 after a sentence. */
static int read_option(options *o, char ***words)
{
    const char *name = *(*words)++, *value = **words;
    if (strcmp(name, "--state") == 0) {
        o->state = true;
        return 0;
    }
    if (strcmp(name, "--period") != 0 && strcmp(name, "--bits") != 0 &&
        strcmp(name, "--truth") != 0) {
        fprintf(stderr, "kerntime-calibrate: unknown option \"%s\"; --help lists them\n", name);
        return 2;
    }
    if (!value)
        return refuse(name, "its value is missing");
    (*words)++;
    if (strcmp(name, "--truth") == 0)
        o->truth = value;
    else if (strcmp(name, "--period") == 0 && !pairs_csv_period(value, &o->period_ns))
        return refuse(value, "a period is 1e-6 to 1e12 ns");
    else if (strcmp(name, "--bits") == 0 && !pairs_csv_bits(value, &o->bits))
        return refuse(value, "a width is 1 to 64 bits");
    return 0;
}

int main(int argc, char **argv)
{
    options o = {.period_ns = NAN};
    char **words = argv + 1;
    if (argc == 2 && strcmp(argv[1], "--help") == 0)
        return fputs(help, stdout) < 0 || fflush(stdout) != 0 ? 4 : 0;
    if (argc > 1 && strcmp(argv[1], "--write-scenario") == 0)
        return argc == 7 ? write_scenario(argv + 2)
                         : usage("--write-scenario takes a name, a seed and three files");
    while (*words && strncmp(*words, "--", 2) == 0)
        if (read_option(&o, &words) != 0)
            return 2;
    if (argv + argc - words != 2)
        return usage("two files are needed, PAIRS.csv and QUERIES.csv");
    o.pairs = words[0];
    o.queries = words[1];
    int failed = place_files(&o);
    if (!failed && (ferror(stdout) || fflush(stdout) != 0)) {
        perror("kerntime-calibrate: standard output");
        failed = 4;
    }
    return failed;
}
