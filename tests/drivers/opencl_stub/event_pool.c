#include "event_pool.h"

#include <pthread.h>
#include <stdlib.h>

enum { CHUNK_BITS = 10, CHUNK_SIZE = 1 << CHUNK_BITS, CHUNK_MAX = 1 << 12 };
enum { INDEX_BITS = 22 };

#define ONE_GENERATION ((uintptr_t)1 << INDEX_BITS)
#define NO_SLOT        UINT32_MAX

/* Whole cache lines, so that threads with neighbouring events do not slow each other. */
_Static_assert(sizeof(struct event) == 64, "an event is a cache line");

static _Atomic(struct event *) chunks[CHUNK_MAX];
static pthread_mutex_t grow_lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned chunk_count; /* under grow_lock */

/* The low half is the first free slot, the high half counts pops: a slot that was taken and given
 * back between a thread's load and its exchange must not look untouched. Last in, first out keeps
 * a benchmark's event in the cache. */
static _Atomic(uint64_t) free_head = NO_SLOT;

static struct event *chunk_of(unsigned index)
{
    return atomic_load_explicit(&chunks[index >> CHUNK_BITS], memory_order_acquire);
}

/* Of an index that the pool itself handed out. */
static struct event *slot_at(unsigned index)
{
    return &chunk_of(index)[index & (CHUNK_SIZE - 1)];
}

static unsigned pop_slot(void)
{
    uint64_t head = atomic_load_explicit(&free_head, memory_order_acquire);
    for (;;) {
        unsigned index = (unsigned)(head & UINT32_MAX);
        if (index == NO_SLOT)
            return NO_SLOT;
        uint64_t next = atomic_load_explicit(&slot_at(index)->link, memory_order_relaxed);
        uint64_t pops = (head >> 32) + 1;
        if (atomic_compare_exchange_weak_explicit(&free_head, &head, pops << 32 | next,
                                                  memory_order_acq_rel, memory_order_acquire))
            return index;
    }
}

/* Gives back a chain of slots that is already linked from first to last. */
static void push_slots(unsigned first, struct event *last)
{
    uint64_t head = atomic_load_explicit(&free_head, memory_order_relaxed);
    uint64_t wanted = 0;
    do {
        atomic_store_explicit(&last->link, (unsigned)(head & UINT32_MAX), memory_order_relaxed);
        wanted = (head >> 32 << 32) | first;
    } while (!atomic_compare_exchange_weak_explicit(&free_head, &head, wanted, memory_order_acq_rel,
                                                    memory_order_relaxed));
}

static bool add_chunk(void)
{
    if (chunk_count == CHUNK_MAX)
        return false;
    size_t bytes = sizeof(struct event) * CHUNK_SIZE;
    struct event *slots = aligned_alloc(64, bytes);
    if (!slots)
        return false;
    memset(slots, 0, bytes);
    unsigned base = chunk_count * CHUNK_SIZE;
    for (unsigned i = 0; i < CHUNK_SIZE; i++) {
        atomic_init(&slots[i].id, (uintptr_t)(base + i));
        atomic_init(&slots[i].link, base + i + 1);
    }
    atomic_store_explicit(&chunks[chunk_count], slots, memory_order_release);
    chunk_count++;
    push_slots(base, &slots[CHUNK_SIZE - 1]);
    return true;
}

static unsigned take_slot(void)
{
    unsigned index = pop_slot();
    while (index == NO_SLOT) {
        pthread_mutex_lock(&grow_lock);
        index = pop_slot(); /* another thread may have grown the pool meanwhile */
        bool grown = index != NO_SLOT || add_chunk();
        pthread_mutex_unlock(&grow_lock);
        if (!grown)
            return NO_SLOT;
        if (index == NO_SLOT)
            index = pop_slot();
    }
    return index;
}

static bool alive(uintptr_t id)
{
    return (id & ONE_GENERATION) != 0;
}

cl_event event_create(const struct event *contents)
{
    unsigned index = take_slot();
    if (index == NO_SLOT)
        return NULL;
    struct event *slot = slot_at(index);
    atomic_store_explicit(&slot->link, 1, memory_order_relaxed);
    slot->type = contents->type;
    slot->fate = contents->fate;
    atomic_init(&slot->asks, (unsigned char)script.late);
    slot->ordinal = contents->ordinal;
    slot->queue = contents->queue;
    slot->timestamps = contents->timestamps;
    uintptr_t id = atomic_load_explicit(&slot->id, memory_order_relaxed) + ONE_GENERATION;
    atomic_store_explicit(&slot->id, id, memory_order_release);
    return (cl_event)id; // NOLINT(performance-no-int-to-ptr): a handle is a number here
}

struct event *event_find(cl_event handle)
{
    uintptr_t id = (uintptr_t)handle;
    unsigned index = (unsigned)(id & (ONE_GENERATION - 1));
    if (!alive(id) || !chunk_of(index))
        return NULL;
    struct event *slot = slot_at(index);
    return atomic_load_explicit(&slot->id, memory_order_acquire) == id ? slot : NULL;
}

bool event_retain(cl_event handle)
{
    struct event *slot = event_find(handle);
    if (slot)
        atomic_fetch_add_explicit(&slot->link, 1, memory_order_relaxed);
    return slot != NULL;
}

/* Takes a reference that is not the last one. */
static bool drop_reference(struct event *slot)
{
    unsigned references = atomic_load_explicit(&slot->link, memory_order_acquire);
    while (references > 1)
        if (atomic_compare_exchange_weak(&slot->link, &references, references - 1))
            return true;
    return false;
}

bool event_release(cl_event handle)
{
    struct event *slot = event_find(handle);
    uintptr_t id = (uintptr_t)handle;
    if (slot && drop_reference(slot))
        return true;
    /* The exchange lets exactly one of two threads that release it at once win. */
    if (!slot || !atomic_compare_exchange_strong(&slot->id, &id, id + ONE_GENERATION))
        return false;
    push_slots((unsigned)(id & (ONE_GENERATION - 1)), slot);
    return true;
}

unsigned long long events_alive(void)
{
    unsigned long long count = 0;
    pthread_mutex_lock(&grow_lock);
    for (unsigned i = 0; i < chunk_count * CHUNK_SIZE; i++) {
        if (alive(atomic_load(&slot_at(i)->id)))
            count++;
    }
    pthread_mutex_unlock(&grow_lock);
    return count;
}
