/*
 * registry.c - the rows, and how threads record to them.
 *
 * Only a thread's first record to a row takes the lock. The thread-local variables of the library
 * are few and small: the registry's is initial-exec, so all of them lie in the static TLS block, of
 * which dlopen() finds about 1.5 KiB free (glibc 2.36). It does not always get that back, so the
 * shared library is never unloaded (-z nodelete).
 */
#include "registry/registry.h"

#include "registry/thread_statistics.h"
#include "support/alloc.h"
#include "support/error.h"

#include <string.h>

#define ROWS_MAX 65536

/* About 31 years. A longer duration is an error, and its square might not fit into a double. */
#define DURATION_MAX_NS 1e18

/* Bits of `word`: whether threads record, and above it the epoch, which each reset raises. A row
 * keeps the word under which it began, so that one comparison checks both. */
#define ENABLED    UINT64_C(1)
#define EPOCH_STEP UINT64_C(2)

typedef struct row {
    char *name;
    kt_backend_id backend;
    uint32_t number; /* number of the row, from 1 on */
    uint64_t discarded[KT_TIMESTAMP_STATE_COUNT];
    uint64_t stop_late;
    kt_accumulator
        *ended; /* records of ended threads; NULL before the first record of any thread */
} row;

/* Guarded by the library's mutex. */
static struct {
    row **rows; /* row n is rows[n - 1] */
    row **ordered;
    size_t rows_room, ordered_room;
    uint32_t count;
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
    if (registry.count == ROWS_MAX)
        return NULL;
    size_t needed = (size_t)registry.count + 1;
    row **rows = kt_make_room(registry.rows, &registry.rows_room, needed, sizeof *rows);
    if (!rows)
        return NULL;
    registry.rows = rows;
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
    ordered[place] = rows[registry.count++] = r;
    r->name = copy;
    r->backend = backend;
    r->number = registry.count;
    return r;
}

/* Returns the row of a site. Creates the row if needed, and stores its number in the site. NULL on
 * failure. */
static row *row_of(kt_site *site)
{
    uint32_t number = __atomic_load_n(&site->row, __ATOMIC_RELAXED);
    if (number)
        return registry.rows[number - 1];
    if (registry.unloaded || !site->name || !*site->name ||
        (unsigned)site->backend >= KT_BACKEND_ID_COUNT)
        return NULL;
    uint32_t place = place_of(site->name, site->backend);
    row *r = place < registry.count ? registry.ordered[place] : NULL;
    if (!r || compare(r, site->name, site->backend) != 0)
        r = add_row(place, site->name, site->backend);
    if (r)
        __atomic_store_n(&site->row, r->number, __ATOMIC_RELAXED);
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
    lock();
    for (uint32_t i = 1; !registry.unloaded && i < thread->room; i++)
        kt_thread_statistics_read_own(thread, i, epoch_now(), registry.rows[i - 1]->ended, &part);
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
static kt_row_statistics *make_row_statistics(kt_site *site)
{
    kt_row_statistics *row_numbers = NULL;
    lock();
    row *r = registry.unloaded ? NULL : row_of(site);
    if (r && !r->ended) /* allocated here, so that the end of a thread allocates nothing */
        r->ended = kt_alloc(1, sizeof *r->ended);
    if (r && r->ended && own_statistics == &no_statistics) {
        kt_thread_statistics *thread = make_statistics();
        if (thread)
            own_statistics = thread;
    }
    if (r && r->ended && own_statistics != &no_statistics &&
        kt_thread_statistics_add_row(own_statistics, r->number) == KT_OK)
        row_numbers = kt_thread_statistics_row(own_statistics, r->number);
    unlock();
    return row_numbers;
}

/* The rare cases of kt_record(), kept apart so that the common case saves no registers for them. */
#if defined(__GNUC__)
__attribute__((noinline, cold))
#endif
static void
record_slowly(kt_site *site, double duration_ns)
{
    uint64_t epoch = atomic_load_explicit(&word, memory_order_relaxed);
    if (!(epoch & ENABLED))
        return;
    kt_row_statistics *row_numbers = NULL;
    if (duration_ns >= 0 && duration_ns <= DURATION_MAX_NS) {
        uint32_t number = __atomic_load_n(&site->row, __ATOMIC_RELAXED);
        row_numbers = kt_thread_statistics_row(own_statistics, number);
        if (row_numbers == &kt_no_row_statistics)
            row_numbers = make_row_statistics(site);
    }
    if (!row_numbers) {
        atomic_fetch_add_explicit(&dropped, 1, memory_order_relaxed);
        return;
    }
    duration_ns += 0.0; /* turns -0 into 0 */
    if (kt_row_statistics_get(&row_numbers->epoch) != epoch)
        kt_row_statistics_begin(row_numbers, epoch, duration_ns);
    kt_row_statistics_add(row_numbers, duration_ns, kt_bits_of(duration_ns),
                          kt_histogram_bucket(duration_ns));
}

/* A name in parentheses keeps the macro of the same name from expanding. */
void(kt_record)(kt_site *site, double duration_ns)
{
    kt_row_statistics *row_numbers =
        kt_thread_statistics_row(own_statistics, __atomic_load_n(&site->row, __ATOMIC_RELAXED));
    uint64_t bits = kt_bits_of(duration_ns), step = kt_histogram_step(bits);
    if (step < KT_HISTOGRAM_STEPS && kt_row_statistics_get(&row_numbers->epoch) ==
                                         atomic_load_explicit(&word, memory_order_relaxed))
        kt_row_statistics_add(row_numbers, duration_ns, bits, step + 1);
    else
        record_slowly(site, duration_ns);
}

void kt_record_name(const char *name, kt_backend_id backend, double duration_ns)
{
    kt_site site = {name, backend, 0};
    if (!kt_is_enabled())
        return;
    lock();
    row_of(&site);
    unlock();
    kt_record(&site, duration_ns);
}

void kt_registry_discard_locked(kt_site *site, kt_timestamp_state state, uint64_t count)
{
    row *r = count && kt_is_enabled() ? row_of(site) : NULL;
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
    row *r = kt_is_enabled() ? row_of(site) : NULL;
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
        row *r = registry.rows[i];
        memset(r->discarded, 0, sizeof r->discarded);
        r->stop_late = 0;
        if (r->ended)
            r->ended->count = 0;
    }
    unlock();
}

static kt_status read_row(const row *r, kt_accumulator *all, kt_accumulator *part)
{
    all->count = 0; /* an accumulator ignores its other members if count is 0 */
    if (r->ended)
        kt_accumulator_add(all, r->ended);
    kt_status status = KT_OK;
    for (kt_thread_statistics *s = registry.threads; s && status == KT_OK; s = s->next)
        if (s->gone || s == own_statistics)
            kt_thread_statistics_read_own(s, r->number, epoch_now(), all, part);
        else
            status = kt_thread_statistics_read(s, r->number, epoch_now(), all, part);
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
    if (!kt_lock_library())
        return kt_fail(KT_NOT_READY, "a signal handler interrupted this thread in the registry");
    for (uint32_t i = 0; i < registry.count && status == KT_OK; i++) {
        const row *r = registry.ordered[i];
        status = read_row(r, &all, &part);
        if (status == KT_OK && has_something(r, &all)) {
            const kt_registry_row out = {r->name, r->backend, r->discarded, r->stop_late, &all};
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
        kt_free(registry.rows[i]->name);
        kt_free(registry.rows[i]->ended);
        kt_free(registry.rows[i]);
    }
    kt_free(registry.rows);
    kt_free(registry.ordered);
    registry.rows = registry.ordered = NULL;
    registry.count = 0;
    registry.unloaded = true;
    unlock();
}
#endif
