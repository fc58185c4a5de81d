/* kerntime.h - all of kerntime, and its version. */
#ifndef KERNTIME_H
#define KERNTIME_H

#include <kerntime/clock.h>
#include <kerntime/compare.h>
#include <kerntime/device.h>
#include <kerntime/finding.h>
#include <kerntime/host.h>
#include <kerntime/job.h>
#include <kerntime/measure.h>
#include <kerntime/memory.h>
#include <kerntime/program.h>
#include <kerntime/registry.h>
#include <kerntime/result.h>
#include <kerntime/snapshot.h>
#include <kerntime/stats.h>
#include <kerntime/status.h>
#include <kerntime/timer.h>
#include <kerntime/trace.h>
#include <kerntime/transfer.h>
#include <kerntime/units.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The one place of the version: the build reads it from here. */
#define KT_VERSION_MAJOR 0
#define KT_VERSION_MINOR 1
#define KT_VERSION_PATCH 0

/** The version of the library that is running, "0.1.0". */
KT_API const char *kt_version(void);

#ifdef __cplusplus
}
#endif

#endif
