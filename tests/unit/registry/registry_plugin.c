/* SPDX-License-Identifier: MIT */
/* A plugin that records; built with the library inside, and linked with the shared one. */
#include <kerntime/registry.h>
#include <kerntime/snapshot.h>

KT_API int plugin_record(int times);

KT_SITE(site, "of a plugin", KT_BACKEND_VULKAN);

/* How many its row has now; -1: a failure. */
int plugin_record(int times)
{
    kt_snapshot *snapshot = NULL;
    for (int i = 0; i < times; i++)
        kt_record(&site, 5);
    if (kt_snapshot_take(&snapshot) != KT_OK)
        return -1;
    const kt_row *row = kt_snapshot_find(snapshot, "of a plugin", KT_BACKEND_VULKAN);
    int count = row ? (int)row->count : 0;
    kt_snapshot_destroy(&snapshot);
    return count;
}
