/* SPDX-License-Identifier: MIT */
/* write.c - writes snapshots as text, JSON and CSV, and two snapshots side by side as text. */
#include "output/registry/registry.h"
#include "registry/comparison.h"
#include "support/file.h"
#include "support/host_clock.h"
#include "support/options.h"

#include <kerntime/kerntime.h>

static const kt_row *row_of(const void *snapshot, uint32_t index)
{
    return kt_snapshot_row(snapshot, index);
}

static void (*const printers[])(const kt_registry_document *document,
                                kt_writer *writer) = {KT_FORMATS_(KT_SNAPSHOT_PRINTER)};

kt_status kt_snapshot_write(const kt_snapshot *snapshot, kt_format format, const kt_sink *sink)
{
    KT_NEED(sink);
    KT_NEED(sink->write);
    if ((unsigned)format >= KT_FORMAT_COUNT || !printers[format])
        return kt_fail(KT_INVALID, "there is no format %d of a snapshot", (int)format);
    kt_host host;
    char written[32];
    kt_host_describe(&host);
    kt_utc_text(written, sizeof written);
    const kt_report_origin origin = {.version = kt_version(),
                                     .started = written,
                                     .os = host.os,
                                     .cpu = host.cpu[0] ? host.cpu : NULL,
                                     .clock = kt_system_clock_name(),
                                     .cores = host.cores,
                                     .host = host.name[0] ? host.name : NULL,
                                     .boot_id = host.boot_id[0] ? host.boot_id : NULL};
    const kt_registry_document document = {.origin = &origin,
                                           .rows = snapshot,
                                           .row = row_of,
                                           .row_count = kt_snapshot_count(snapshot),
                                           .dropped = kt_snapshot_dropped(snapshot)};
    kt_writer writer = {.sink = sink};
    printers[format](&document, &writer);
    return kt_end_writing(&writer, "snapshot");
}

kt_status kt_registry_print(FILE *file)
{
    KT_NEED(file);
    kt_snapshot *times = NULL;
    const kt_sink sink = kt_file_sink(file);
    kt_status status = kt_snapshot_take(&times);
    if (status == KT_OK)
        status = kt_snapshot_write(times, KT_FORMAT_TABLE, &sink);
    kt_snapshot_destroy(&times);
    return status;
}

static kt_status write_to(const void *snapshot, int format, const kt_sink *sink)
{
    return kt_snapshot_write(snapshot, (kt_format)format, sink);
}

kt_status kt_snapshot_write_file(const kt_snapshot *snapshot, kt_format format, const char *path)
{
    KT_NEED(path);
    return kt_file_write_whole(path, write_to, snapshot, (int)format);
}

kt_status kt_comparison_write(const kt_comparison *comparison, const kt_sink *sink)
{
    KT_NEED(sink);
    KT_NEED(sink->write);
    kt_comparison_document document = {0};
    if (comparison)
        document = (kt_comparison_document){
            .changes = comparison->changes,
            .change_count = comparison->count,
            .dropped_before = kt_snapshot_dropped(comparison->before),
            .dropped_after = kt_snapshot_dropped(comparison->after),
        };
    kt_writer writer = {.sink = sink};
    kt_print_comparison(&document, &writer);
    return kt_end_writing(&writer, "comparison");
}
