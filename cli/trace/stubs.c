/* stubs.c - for as long as the collector and the formats are not here. */
#include "cli/trace/trace.h"

int trace_collect(const char *folder, trace_totals *out, char *reason, size_t reason_bytes)
{
    (void)folder, (void)reason, (void)reason_bytes;
    *out = (trace_totals){0};
    return 0;
}

void trace_free(trace_totals *totals)
{
    (void)totals;
}

const char *trace_reason_text(trace_reason reason) { (void)reason; return "the queue gives no timestamps"; }
const char *trace_api_name(trace_api api) { (void)api; return "opencl"; }
const char *trace_reason_name(trace_reason reason) { static const char *const n[]={"no timestamps","overwritten","failed","too many","untrusted","no memory","dropped by driver"}; return n[reason]; }
const char *trace_kind_name(trace_kind kind) { static const char *const n[]={"kernel","render","copy","fill","map"}; return n[kind]; }
void trace_each_event(const trace_totals *totals, bool (*take)(void *user, const trace_total_event *event), void *user) {(void)totals,(void)take,(void)user;}
