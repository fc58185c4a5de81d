/*
 * The rows, and what threads record to them. A first record to a row takes the lock; no other
 * record does.
 *
 * The thread-local variables of the library are few and small. The registry's is initial-exec, so
 * all of them lie in the static block, of which dlopen() finds about 1.5 KiB free (glibc 2.36).
 */
#include "registry/registry.h"

#include "registry/shard.h"
#include "support/alloc.h"
#include "support/error.h"

#include <float.h>
#include <string.h>

#define ROWS_MAX 65536

/* Of the word that tells threads what to record to: whether they shall at all, and above it the
 * epoch, which each reset raises. A bank holds the word under which it was begun, so one comparison
 * tells both. */
#define ENABLED    UINT64_C(1)
#define EPOCH_STEP UINT64_C(2)

typedef struct row {
    char *name;
    kt_backend_id backend;
    uint32_t number; /* from 1 on */
    uint64_t discarded[KT_STAMP_STATE_COUNT];
    kt_tally *ended; /* recorded by threads that have ended; NULL before any has recorded */
} row;

/* Of the library's mutex. */
static struct {
    row **rows; /* row n at n - 1; ordered below */
    row **ordered;
    size_t rows_room, ordered_room;
    uint32_t count;
    kt_shard *shards;
    bool unloaded;
} registry;

static _Atomic(uint64_t) word = EPOCH_STEP | ENABLED;
static _Atomic(uint64_t) dropped;
int kt_registry_enabled = 1;

static kt_shard no_shard; /* has no rows */

/* The model costs a plugin that is loaded at run time a few bytes of a small room, and every record
 * 3 ns less. */
#if defined(__GNUC__)
__attribute__((tls_model("initial-exec")))
#endif
static _Thread_local kt_shard *own_shard = &no_shard;

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

/* The first place of `ordered` that is not before this key. */
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

/* The row of a site, which is made if need be and written there. NULL: there can be none. */
static row *row_of(kt_site *site)
{
    uint32_t number = __atomic_load_n(&site->row, __ATOMIC_RELAXED);
    if (number)
        return registry.rows[number - 1];
    if (registry.unloaded || !site->name || (unsigned)site->backend >= KT_BACKEND_ID_COUNT)
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

/* A thread has ended: its durations go to their rows. */
static void end_shard(kt_thread_end *end)
{
    kt_shard *shard = (kt_shard *)end; /* its first member */
    static kt_tally part;              /* the lock's */
    own_shard = &no_shard;
    lock();
    for (uint32_t i = 1; !registry.unloaded && i < shard->room; i++)
        kt_shard_read_own(shard, i, epoch_now(), registry.rows[i - 1]->ended, &part);
    kt_shard **link = &registry.shards;
    while (*link && *link != shard)
        link = &(*link)->next;
    if (*link)
        *link = shard->next;
    unlock();
    kt_shard_free(shard);
}

static kt_shard *make_shard(void)
{
    kt_shard *shard = kt_alloc(1, sizeof *shard);
    if (!shard)
        return NULL;
    shard->end.run = end_shard;
    shard->next = registry.shards;
    registry.shards = shard;
    kt_thread_at_end(&shard->end);
    return shard;
}

/* Makes what is not there for this thread to record to a site. NULL: it cannot. */
static kt_bank *make_bank(kt_site *site)
{
    kt_bank *bank = NULL;
    lock();
    row *r = registry.unloaded ? NULL : row_of(site);
    if (r && !r->ended) /* a thread's end needs no memory */
        r->ended = kt_alloc(1, sizeof *r->ended);
    if (r && r->ended && own_shard == &no_shard) {
        kt_shard *shard = make_shard();
        if (shard)
            own_shard = shard;
    }
    if (r && r->ended && own_shard != &no_shard &&
        kt_shard_make_cell(own_shard, r->number) == KT_OK)
        bank = kt_shard_bank(own_shard, r->number);
    unlock();
    return bank;
}

/* What the few ns have no room for. Kept apart, or else every record would save registers for
 * it. */
#if defined(__GNUC__)
__attribute__((noinline, cold))
#endif
static void
record_slowly(kt_site *site, double duration_ns)
{
    uint64_t epoch = atomic_load_explicit(&word, memory_order_relaxed);
    if (!(epoch & ENABLED))
        return;
    kt_bank *bank = NULL;
    if (duration_ns >= 0 && duration_ns <= DBL_MAX) {
        uint32_t number = __atomic_load_n(&site->row, __ATOMIC_RELAXED);
        bank = kt_shard_bank(own_shard, number);
        if (bank == &kt_no_bank)
            bank = make_bank(site);
    }
    if (!bank) {
        atomic_fetch_add_explicit(&dropped, 1, memory_order_relaxed);
        return;
    }
    duration_ns += 0.0; /* -0 is 0 */
    if (kt_bank_get(&bank->epoch) != epoch)
        kt_bank_begin(bank, epoch, duration_ns);
    kt_bank_add(bank, duration_ns, kt_bits_of(duration_ns), kt_histogram_bucket(duration_ns));
}

/* Functions of which there is a macro, too, have their names in parentheses. */
void(kt_record)(kt_site *site, double duration_ns)
{
    kt_bank *bank = kt_shard_bank(own_shard, __atomic_load_n(&site->row, __ATOMIC_RELAXED));
    uint64_t bits = kt_bits_of(duration_ns), step = kt_histogram_step(bits);
    if (step < KT_HISTOGRAM_STEPS &&
        kt_bank_get(&bank->epoch) == atomic_load_explicit(&word, memory_order_relaxed))
        kt_bank_add(bank, duration_ns, bits, step + 1);
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

void kt_registry_discard(kt_site *site, kt_stamp_state state)
{
    lock();
    row *r = kt_is_enabled() ? row_of(site) : NULL;
    if (r)
        r->discarded[state]++;
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
        if (r->ended)
            r->ended->count = 0;
    }
    unlock();
}

static kt_status read_row(const row *r, kt_tally *all, kt_tally *part)
{
    all->count = 0; /* then nothing else of it is looked at */
    if (r->ended)
        kt_tally_add(all, r->ended);
    kt_status status = KT_OK;
    for (kt_shard *s = registry.shards; s && status == KT_OK; s = s->next)
        status = kt_shard_read(s, r->number, epoch_now(), all, part);
    return status;
}

static bool has_something(const row *r, const kt_tally *tally)
{
    for (int i = 0; i < KT_STAMP_STATE_COUNT; i++)
        if (r->discarded[i])
            return true;
    return tally->count > 0;
}

kt_status kt_registry_read(kt_status (*take)(void *user, const kt_registry_row *row), void *user,
                           uint64_t *dropped_count)
{
    static kt_tally all, part; /* the lock's */
    kt_status status = KT_OK;
    lock();
    for (uint32_t i = 0; i < registry.count && status == KT_OK; i++) {
        const row *r = registry.ordered[i];
        status = read_row(r, &all, &part);
        if (status == KT_OK && has_something(r, &all)) {
            const kt_registry_row out = {r->name, r->backend, r->discarded, &all};
            status = take(user, &out);
        }
    }
    *dropped_count = atomic_load_explicit(&dropped, memory_order_relaxed);
    unlock();
    return status;
}

#if defined(__GNUC__)
/* Of a plugin with this library inside nothing is left. Other threads may still record while a
 * program exits, so their shards stay; they find the registry disabled. Who forked while another
 * thread had the lock, and exits, has it for ever. */
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
