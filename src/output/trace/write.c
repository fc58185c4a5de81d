/* SPDX-License-Identifier: MIT */
/* write.c - writes a trace to a sink or to a file. */
#include "output/trace/trace.h"
#include "support/error.h"
#include "support/file.h"
#include "support/options.h"
#include "trace/trace.h"

static kt_status print(const kt_trace_document *document, const kt_sink *sink)
{
    kt_writer writer = {.sink = sink};
    kt_print_trace(document, &writer);
    return kt_end_writing(&writer, "trace");
}

kt_status kt_trace_write(kt_trace *trace, const kt_sink *sink)
{
    KT_NEED(trace);
    KT_NEED(sink);
    KT_NEED(sink->write);
    kt_trace_layout layout = {0};
    kt_trace_document document;
    kt_mutex_lock(trace->mutex);
    kt_status status = kt_trace_lay_out(trace, &layout, &document);
    if (status == KT_OK)
        status = print(&document, sink);
    kt_mutex_unlock(trace->mutex);
    kt_trace_free_layout(&layout);
    return status;
}

static kt_status write_to(const void *place, int format, const kt_sink *sink)
{
    kt_trace *const *trace = place;
    (void)format; /* a trace has only one format */
    return kt_trace_write(*trace, sink);
}

kt_status kt_trace_write_file(kt_trace *trace, const char *path)
{
    KT_NEED(trace);
    KT_NEED(path);
    return kt_file_write_whole(path, write_to, &trace, 0);
}
