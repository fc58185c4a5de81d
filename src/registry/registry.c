/* SPDX-License-Identifier: MIT */
/*
 * registry.c - the rows, and how threads record to them.
 *
 * A row has two units: ns, and ticks of the CPU's counter (kt_cycles_now()), which become ns when
 * the row is read. So a period that is known better later also corrects what was recorded before.
 * Each unit that is recorded has a number and statistics of its own.
 *
 * Only a thread's first record to a row takes the lock. The thread-local variables of the library
 * are few and small: the registry's is initial-exec, so all of them lie in the static TLS block, of
 * which dlopen() finds about 1.5 KiB free (glibc 2.36). It does not always get that back, so the
 * shared library is never unloaded (-z nodelete).
 */
#include "registry/registry.h"

#include "clock/cycles.h"
#include "registry/thread_statistics.h"
#include "support/alloc.h"
#include "support/error.h"

#include <math.h>
#include <string.h>

#define ROWS_MAX 65536

/* About 31 years. A longer duration is an error, and its square might not fit into a double. */
#define DURATION_MAX_NS 1e18
/* Hours. Longer spans are recorded in ns: by then the period is known well, and a million of them
 * might not fit into a sum. */
#define TICKS_MAX (UINT64_C(1) << 44)

/* Bits of `word`: whether threads record, and above it the epoch, which each reset raises. A row
 * keeps the word under which it began, so that one comparison checks both. */
#define ENABLED    UINT64_C(1)
#define EPOCH_STEP UINT64_C(2)

typedef enum row_unit { UNIT_NS, UNIT_TICKS, UNIT_COUNT } row_unit;

typedef struct row {
    char *name;
    kt_backend_id backend;
    uint32_t numbers[UNIT_COUNT]; /* number of each unit, from 1 on; 0: not recorded */
    uint64_t discarded[KT_TIMESTAMP_STATE_COUNT];
    uint64_t stop_late;
    /* by unit, records of ended threads; NULL before the first record of any thread */
    kt_accumulator *ended[UNIT_COUNT];
} row;

/* Guarded by the library's mutex. */
static struct {
    row **rows; /* the row with the number n is rows[n - 1] */
    row **ordered;
    size_t rows_room, ordered_room;
    uint32_t numbers; /* given so far */
    uint32_t count;   /* rows */
    kt_thread_statistics *threads;
    bool unloaded;
} registry;

static _Atomic(uint64_t) word = EPOCH_STEP | ENABLED;
static _Atomic(uint64_t) dropped;
int kt_registry_enabled = 1;
void (*kt_registry_before_report)(void);

static kt_thread_statistics no_statistics; /* stands for a thread that has recorded nothing */

/* The initial-exec model saves 3 ns per record. It costs a plugin that is loaded at run time a few
 * bytes of scarce static TLS. */
#if defined(__GNUC__)
__attribute__((tls_model("initial-exec")))
#endif
static _Thread_local kt_thread_statistics *own_statistics = &no_statistics;

/* Copy of that of own_statistics, for a record: it saves one load of a chain. */
#if defined(__GNUC__)
__attribute__((tls_model("initial-exec")))
#endif
static _Thread_local kt_row_table own_rows;

static inline kt_row_statistics *own_row(uint32_t number)
{
    return kt_row_table_at(&own_rows, number);
}

static void lock(void)
{
    kt_mutex_lock(kt_mutex_of_library());
}

static void unlock(void)
{
    kt_mutex_unlock(kt_mutex_of_library());
}

static int compare(const row *r, const char *name, kt_backend_id backend)
{
    return kt_compare_keys(r->name, r->backend, name, backend);
}

/* First index in `ordered` whose row is not before this name and backend. */
static uint32_t place_of(const char *name, kt_backend_id backend)
{
    uint32_t low = 0, high = registry.count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (compare(registry.ordered[middle], name, backend) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static row *add_row(uint32_t place, const char *name, kt_backend_id backend)
{
    size_t needed = (size_t)registry.count + 1;
    row **ordered = kt_make_room(registry.ordered, &registry.ordered_room, needed, sizeof *ordered);
    if (!ordered)
        return NULL;
    registry.ordered = ordered;
    row *r = kt_alloc(1, sizeof *r);
    char *copy = kt_copy_text(name);
    if (!r || !copy) {
        kt_free(copy);
        kt_free(r);
        return NULL;
    }
    memmove(ordered + place + 1, ordered + place, (registry.count - place) * sizeof(row *));
    ordered[place] = r;
    registry.count++;
    r->name = copy;
    r->backend = backend;
    return r;
}

/* Gives a row the number of a unit that is recorded for the first time. False on failure. */
static bool add_number(row *r, row_unit unit)
{
    row **rows = kt_make_room(registry.rows, &registry.rows_room, (size_t)registry.numbers + 1,
                              sizeof *rows);
    if (!rows)
        return false;
    registry.rows = rows;
    rows[registry.numbers++] = r;
    r->numbers[unit] = registry.numbers;
    return true;
}

static uint32_t *number_in(kt_site *site, row_unit unit)
{
    return unit == UNIT_NS ? &site->row : &site->cycles_row;
}

/* Returns the row of a site. Creates the row and the number of the unit if needed, and stores the
 * number in the site. NULL on failure. */
static row *row_of(kt_site *site, row_unit unit)
{
    uint32_t number = __atomic_load_n(number_in(site, unit), __ATOMIC_RELAXED);
    if (number)
        return registry.rows[number - 1];
    if (registry.unloaded || !site->name || !*site->name ||
        (unsigned)site->backend >= KT_BACKEND_ID_COUNT)
        return NULL;
    uint32_t place = place_of(site->name, site->backend);
    row *r = place < registry.count ? registry.ordered[place] : NULL;
    bool is_new = !r || compare(r, site->name, site->backend) != 0;
    if (is_new && registry.count == ROWS_MAX)
        return NULL;
    if (is_new)
        r = add_row(place, site->name, site->backend);
    if (!r || (!r->numbers[unit] && !add_number(r, unit)))
        return NULL;
    __atomic_store_n(number_in(site, unit), r->numbers[unit], __ATOMIC_RELAXED);
    return r;
}

static uint64_t epoch_now(void)
{
    return atomic_load_explicit(&word, memory_order_relaxed) | ENABLED;
}

/* Moves the statistics of a thread that ends to the rows. */
static void end_statistics(kt_thread_end *end)
{
    kt_thread_statistics *thread = (kt_thread_statistics *)end; /* first member */
    static kt_accumulator part;                                 /* guarded by the lock */
    own_statistics = &no_statistics;
    own_rows = own_statistics->active;
    lock();
    for (uint32_t i = 1; !registry.unloaded && i < thread->active.room; i++) {
        const row *r = registry.rows[i - 1];
        kt_accumulator *ended = r->ended[i == r->numbers[UNIT_TICKS] ? UNIT_TICKS : UNIT_NS];
        kt_thread_statistics_read_own(thread, i, epoch_now(), ended, &part);
    }
    kt_thread_statistics **link = &registry.threads;
    while (*link && *link != thread)
        link = &(*link)->next;
    if (*link)
        *link = thread->next;
    unlock();
    kt_thread_statistics_free(thread);
}

static kt_thread_statistics *make_statistics(void)
{
    kt_thread_statistics *thread = kt_alloc(1, sizeof *thread);
    if (!thread)
        return NULL;
    thread->end.run = end_statistics;
    thread->next = registry.threads;
    registry.threads = thread;
    kt_thread_at_end(&thread->end);
    return thread;
}

/* Creates what this thread needs to record to a site. NULL on failure. */
static kt_row_statistics *make_row_statistics(kt_site *site, row_unit unit)
{
    kt_row_statistics *row_numbers = NULL;
    lock();
    row *r = registry.unloaded ? NULL : row_of(site, unit);
    if (r && !r->ended[unit]) /* allocated here, so that the end of a thread allocates nothing */
        r->ended[unit] = kt_alloc(1, sizeof(kt_accumulator));
    if (r && r->ended[unit] && own_statistics == &no_statistics) {
        kt_thread_statistics *thread = make_statistics();
        if (thread)
            own_statistics = thread;
    }
    if (r && r->ended[unit] && own_statistics != &no_statistics) {
        bool added = kt_thread_statistics_add_row(own_statistics, r->numbers[unit]) == KT_OK;
        own_rows = own_statistics->active;
        row_numbers = added ? own_row(r->numbers[unit]) : NULL;
    }
    unlock();
    return row_numbers;
}

/* The rare cases of records are kept apart, so that the common case saves no registers for them. */
#if defined(__GNUC__)
#define RARE __attribute__((noinline, cold))
#else
#define RARE
#endif

/* This thread's row to record to, made if needed. NULL if nothing is to be recorded, or cannot be,
 * which is counted. */
static kt_row_statistics *row_to_record(kt_site *site, row_unit unit, bool is_duration,
                                        uint64_t *epoch)
{
    *epoch = atomic_load_explicit(&word, memory_order_relaxed);
    if (!(*epoch & ENABLED))
        return NULL;
    kt_row_statistics *row_numbers = NULL;
    if (is_duration) {
        row_numbers = own_row(__atomic_load_n(number_in(site, unit), __ATOMIC_RELAXED));
        if (row_numbers == &kt_no_row_statistics)
            row_numbers = make_row_statistics(site, unit);
    }
    if (!row_numbers)
        atomic_fetch_add_explicit(&dropped, 1, memory_order_relaxed);
    return row_numbers;
}

RARE static void record_slowly(kt_site *site, double duration_ns)
{
    uint64_t epoch;
    kt_row_statistics *row_numbers =
        row_to_record(site, UNIT_NS, duration_ns >= 0 && duration_ns <= DURATION_MAX_NS, &epoch);
    if (!row_numbers)
        return;
    duration_ns += 0.0; /* turns -0 into 0 */
    if (kt_row_statistics_get(&row_numbers->epoch) != epoch)
        kt_row_statistics_begin(row_numbers, epoch, duration_ns);
    kt_row_statistics_add(row_numbers, duration_ns, kt_bits_of(duration_ns),
                          kt_histogram_bucket(duration_ns), true);
}

/* Spans of the system's clock, negative and very long ones. */
static void record_span(kt_site *site, uint64_t begin, uint64_t end)
{
    double span_ns = kt_cycles_span_ns(begin, end, NULL);
    if (isnan(span_ns)) /* the clock changed in between */
        kt_registry_discard(site, KT_TIMESTAMP_AMBIGUOUS);
    else
        kt_record(site, span_ns);
}

RARE static void record_cycles_slowly(kt_site *site, uint64_t begin, uint64_t end)
{
    uint64_t epoch, ticks = end - begin;
    if (end >= KT_CYCLES_SYSTEM || ticks >= TICKS_MAX) {
        record_span(site, begin, end);
        return;
    }
    kt_row_statistics *row_numbers = row_to_record(site, UNIT_TICKS, true, &epoch);
    if (!row_numbers)
        return;
    if (kt_row_statistics_get(&row_numbers->epoch) != epoch)
        kt_row_statistics_begin_ticks(row_numbers, epoch, ticks);
    kt_row_statistics_add_ticks(row_numbers, ticks, kt_histogram_bucket((double)ticks), true);
}

/* A duration of these bits, or so many ticks, that can be added to a row as it is. */
static inline bool is_common(kt_row_statistics *row_numbers, uint64_t bits)
{
    return kt_row_statistics_has(row_numbers, bits) &&
           kt_row_statistics_get(&row_numbers->epoch) ==
               atomic_load_explicit(&word, memory_order_relaxed);
}

/* A name in parentheses keeps the macro of the same name from expanding. */
void(kt_record)(kt_site *site, double duration_ns)
{
    kt_row_statistics *row_numbers = own_row(__atomic_load_n(&site->row, __ATOMIC_RELAXED));
    uint64_t bits = kt_bits_of(duration_ns);
    if (is_common(row_numbers, bits))
        kt_row_statistics_add(row_numbers, duration_ns, bits, kt_histogram_step(bits) + 1, false);
    else
        record_slowly(site, duration_ns);
}

void(kt_record_cycles)(kt_site *site, uint64_t begin, uint64_t end)
{
    kt_row_statistics *row_numbers = own_row(__atomic_load_n(&site->cycles_row, __ATOMIC_RELAXED));
    /* Readings of two clocks are far more ticks apart than any common duration. */
    uint64_t ticks = end - begin, step = kt_histogram_step(kt_bits_of((double)(int64_t)ticks));
    if (!KT_UNLIKELY(end >= KT_CYCLES_SYSTEM) && is_common(row_numbers, ticks))
        kt_row_statistics_add_ticks(row_numbers, ticks, step + 1, false);
    else
        record_cycles_slowly(site, begin, end);
}

void kt_record_name(const char *name, kt_backend_id backend, double duration_ns)
{
    kt_site site = {.name = name, .backend = backend};
    if (!kt_is_enabled())
        return;
    lock();
    row_of(&site, UNIT_NS);
    unlock();
    kt_record(&site, duration_ns);
}

void kt_registry_discard_locked(kt_site *site, kt_timestamp_state state, uint64_t count)
{
    row *r = count && kt_is_enabled() ? row_of(site, UNIT_NS) : NULL;
    if (r)
        r->discarded[state] += count;
}

void kt_registry_discard(kt_site *site, kt_timestamp_state state)
{
    lock();
    kt_registry_discard_locked(site, state, 1);
    unlock();
}

void kt_registry_count_late(kt_site *site)
{
    lock();
    row *r = kt_is_enabled() ? row_of(site, UNIT_NS) : NULL;
    if (r)
        r->stop_late++;
    unlock();
}

static void set_enabled(bool on)
{
    lock();
    if (!registry.unloaded) {
        uint64_t now = epoch_now();
        atomic_store_explicit(&word, on ? now : now & ~ENABLED, memory_order_relaxed);
        __atomic_store_n(&kt_registry_enabled, on, __ATOMIC_RELAXED);
    }
    unlock();
}

void kt_enable(void)
{
    set_enabled(true);
}

void kt_disable(void)
{
    set_enabled(false);
}

int(kt_is_enabled)(void)
{
    return KT_ENABLED_NOW_();
}

void kt_reset(void)
{
    lock();
    atomic_fetch_add_explicit(&word, EPOCH_STEP, memory_order_relaxed);
    atomic_store_explicit(&dropped, 0, memory_order_relaxed);
    for (uint32_t i = 0; i < registry.count; i++) {
        row *r = registry.ordered[i];
        memset(r->discarded, 0, sizeof r->discarded);
        r->stop_late = 0;
        for (int u = 0; u < UNIT_COUNT; u++)
            if (r->ended[u])
                r->ended[u]->count = 0;
    }
    unlock();
}

/* Reads the statistics of a unit. */
static kt_status read_unit(const row *r, row_unit unit, kt_accumulator *all, kt_accumulator *part)
{
    all->count = 0; /* an accumulator ignores its other members if count is 0 */
    if (r->ended[unit])
        kt_accumulator_add(all, r->ended[unit]);
    kt_status status = KT_OK;
    for (kt_thread_statistics *s = registry.threads; s && status == KT_OK; s = s->next)
        if (s->gone || s == own_statistics)
            kt_thread_statistics_read_own(s, r->numbers[unit], epoch_now(), all, part);
        else
            status = kt_thread_statistics_read(s, r->numbers[unit], epoch_now(), all, part);
    return status;
}

/* Reads the statistics of a row in ns. */
static kt_status read_row(const row *r, double tick_ns, kt_accumulator *all, kt_accumulator *part)
{
    static kt_accumulator of_ns; /* guarded by the registry's lock */
    kt_status status = KT_OK;
    of_ns.count = all->count = 0;
    if (r->numbers[UNIT_TICKS])
        status = read_unit(r, UNIT_TICKS, all, part);
    kt_accumulator_scale(all, tick_ns);
    if (r->numbers[UNIT_NS] && status == KT_OK)
        status = read_unit(r, UNIT_NS, &of_ns, part);
    kt_accumulator_add(all, &of_ns);
    return status;
}

static bool has_something(const row *r, const kt_accumulator *accumulator)
{
    for (int i = 0; i < KT_TIMESTAMP_STATE_COUNT; i++)
        if (r->discarded[i])
            return true;
    return accumulator->count > 0;
}

kt_status kt_registry_read(kt_status (*take)(void *user, const kt_registry_row *row), void *user,
                           uint64_t *dropped_count)
{
    static kt_accumulator all, part; /* guarded by the registry's lock */
    kt_status status = KT_OK;
    kt_cycles_update();
    if (!kt_lock_library())
        return kt_fail(KT_NOT_READY, "a signal handler interrupted this thread in the registry");
    double tick_ns = kt_cycles_period_ns();
    double tick_uncertainty = kt_cycles_period_uncertainty_ns() / tick_ns;
    for (uint32_t i = 0; i < registry.count && status == KT_OK; i++) {
        const row *r = registry.ordered[i];
        status = read_row(r, tick_ns, &all, &part);
        if (status == KT_OK && has_something(r, &all)) {
            const kt_registry_row out = {.name = r->name,
                                         .backend = r->backend,
                                         .discarded = r->discarded,
                                         .stop_late = r->stop_late,
                                         .period_uncertainty =
                                             r->numbers[UNIT_TICKS] ? tick_uncertainty : NAN,
                                         .accumulator = &all};
            status = take(user, &out);
        }
    }
    *dropped_count = atomic_load_explicit(&dropped, memory_order_relaxed);
    unlock();
    return status;
}

/* The child of a fork has only the thread that forked. */
static void leave_threads_to_parent(void)
{
    for (kt_thread_statistics *s = registry.threads; s; s = s->next)
        s->gone = s != own_statistics;
    kt_registry_before_report = NULL; /* timer contexts are the parent's */
}

#if defined(__GNUC__)
__attribute__((constructor)) static void load(void)
{
    kt_thread_at_fork(leave_threads_to_parent);
}

/* Before the destructors below, after those of the program, which may still record. */
__attribute__((destructor(102))) static void report(void)
{
    bool locked = kt_lock_library();
    bool used = registry.count > 0 || atomic_load(&dropped) > 0;
    if (locked)
        unlock();
    kt_registry_report(used);
}

/*
 * Frees the rows when the program exits or a plugin with this library is unloaded. Other threads
 * may still record during exit, so their statistics stay and the registry is disabled. This thread
 * holds the lock if a signal handler exits.
 */
__attribute__((destructor(101))) static void unload(void)
{
    if (!kt_mutex_try_lock(kt_mutex_of_library()))
        return;
    atomic_store_explicit(&word, epoch_now() & ~ENABLED, memory_order_relaxed);
    __atomic_store_n(&kt_registry_enabled, 0, __ATOMIC_RELAXED);
    for (uint32_t i = 0; i < registry.count; i++) {
        row *r = registry.ordered[i];
        kt_free(r->name);
        for (int u = 0; u < UNIT_COUNT; u++)
            kt_free(r->ended[u]);
        kt_free(r);
    }
    kt_free(registry.rows);
    kt_free(registry.ordered);
    registry.rows = registry.ordered = NULL;
    registry.count = registry.numbers = 0;
    registry.unloaded = true;
    unlock();
}
#endif
