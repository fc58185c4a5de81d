/* SPDX-License-Identifier: MIT */
#include "tests/drivers/frame/counted.h"

void *counted_create(unsigned kind, size_t bytes, void *context)
{
    struct counted *counted = object_create(kind, bytes, context);
    counted->refs = counted->holds = 1;
    counted_hold(context);
    return counted;
}

void counted_retain(void *handle)
{
    ((struct counted *)handle)->refs++;
}

/* An object without references is no leak, whoever holds it. */
void counted_hide(void *handle)
{
    struct counted *counted = handle;
    counted->refs = 0;
    counted->object.alive = false;
    counted->object.implicit = true;
}

void counted_lend(void *handle)
{
    struct counted *counted = handle;
    counted->object.alive = true;
    counted->object.implicit = false;
    if (counted->refs++ == 0)
        counted_hold(counted);
}

void counted_release(void *handle)
{
    struct counted *counted = handle;
    if (--counted->refs > 0)
        return;
    counted_hide(counted);
    counted_drop(counted);
}

void counted_hold(void *handle)
{
    if (handle)
        ((struct counted *)handle)->holds++;
}

void counted_drop(void *handle)
{
    struct counted *counted = handle;
    if (!counted || --counted->holds > 0)
        return;
    void *context = counted->object.context;
    object_destroy(counted);
    counted_drop(context);
}
