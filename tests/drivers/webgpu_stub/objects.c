/* Entering and leaving calls, and the lifetimes of objects. */
#include "stub.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#define OBJECT_MAGIC UINT32_C(0x4b545747)

/* Ended objects that are kept to find late uses; older ones are freed. */
enum { KEPT_MAX = 20000 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct object *newest[KIND_COUNT];
static struct object *kept[KEPT_MAX];
static size_t kept_count;

static const char *const kind_names[KIND_COUNT] = {
    "instance", "adapter",           "device",     "queue",   "buffer", "query set",     "shader",
    "pipeline", "bind group layout", "bind group", "encoder", "pass",   "command buffer"};

/* ---- calls ---- */

/* The threads that are in a call on a device at this moment: asked without the lock, or nobody
 * would ever meet anybody. */
enum { INSIDE_MAX = 64 };
static _Atomic(const void *) inside[INSIDE_MAX];
static _Thread_local int inside_at = -1;

int stub_step_inside(const void *device, bool *others)
{
    int mine = -1;
    *others = false;
    for (int i = 0; i < INSIDE_MAX; i++) {
        const void *none = NULL;
        if (atomic_load(&inside[i]) == device)
            *others = true;
        else if (mine < 0 && atomic_compare_exchange_strong(&inside[i], &none, device))
            mine = i;
    }
    return mine;
}

void stub_step_outside(int at)
{
    if (at >= 0)
        atomic_store(&inside[at], NULL);
}

/* The device whose calls must not meet; NULL: none. */
static const void *device_of(const void *on)
{
    const struct object *object = on;
    if (!object || object->magic != OBJECT_MAGIC || script.threads == THREADS_ANY)
        return NULL;
    const struct WGPUDeviceImpl *device = object->kind == KIND_DEVICE ? on : object->device;
    return device && !device->synchronised ? device : NULL;
}

bool stub_enter(enum entry entry, const void *on)
{
    bool fails = report_call((int)entry);
    const void *device = device_of(on);
    bool others = false;
    inside_at = device ? stub_step_inside(device, &others) : -1;
    pthread_mutex_lock(&lock);
    EXPECT_USE(!others, "%s: another thread is in a call on the same device",
               report_of.entries[entry].name);
    return fails;
}

void stub_lock(void)
{
    pthread_mutex_lock(&lock);
}

void stub_leave(void)
{
    struct event *due = events_take_due();
    pthread_mutex_unlock(&lock);
    stub_step_outside(inside_at);
    inside_at = -1;
    events_call(due);
}

/* ---- objects ---- */

void *object_create(enum kind kind, size_t bytes, struct WGPUDeviceImpl *device)
{
    struct object *object = calloc(1, bytes);
    if (!object)
        abort();
    object->magic = OBJECT_MAGIC;
    object->kind = kind;
    object->refs = object->holds = 1;
    object->device = device;
    object_retain(device);
    object->older = newest[kind];
    if (newest[kind])
        newest[kind]->newer = object;
    newest[kind] = object;
    return object;
}

void *object_use(void *handle, enum kind kind, const char *caller)
{
    struct object *object = handle;
    if (!object || object->magic != OBJECT_MAGIC || object->kind != kind) {
        misuse("%s: no %s", caller, kind_names[kind]);
        return NULL;
    }
    if (object->refs > 0)
        return object;
    misuse("%s: %s was released", caller, kind_names[kind]);
    return NULL;
}

void object_retain(void *handle)
{
    if (handle)
        ((struct object *)handle)->holds++;
}

static void keep(struct object *object)
{
    size_t at = kept_count++ % KEPT_MAX;
    if (kept[at]) {
        kept[at]->magic = 0;
        free(kept[at]);
    }
    kept[at] = object;
}

void object_drop(void *handle)
{
    struct object *object = handle;
    if (!object || --object->holds > 0)
        return;
    if (object->end)
        object->end(object);
    if (object->newer)
        object->newer->older = object->older;
    else
        newest[object->kind] = object->older;
    if (object->older)
        object->older->newer = object->newer;
    struct WGPUDeviceImpl *device = object->device;
    keep(object);
    object_drop(device);
}

void object_release(void *handle, enum kind kind, const char *caller)
{
    struct object *object = object_use(handle, kind, caller);
    if (object && --object->refs == 0)
        object_drop(object);
}

void *object_next(enum kind kind, void *previous)
{
    return previous ? ((struct object *)previous)->older : newest[kind];
}

void view_copy(WGPUStringView view, char *to, size_t bytes)
{
    size_t length = !view.data ? 0 : view.length == WGPU_STRLEN ? strlen(view.data) : view.length;
    length = length < bytes ? length : bytes - 1;
    if (view.data)
        memcpy(to, view.data, length);
    to[length] = '\0';
}
