/* SPDX-License-Identifier: MIT */
/*
 * frame.h - what all stub drivers share. A stub driver is a library that exports a vendor's
 * functions and imitates devices, so that tests run what no driver on the machine does. The stub
 * brings functions, state and rules of its API. The frame brings:
 *
 *   script.h   script in an environment variable: key=value,key=value
 *   calls.h    entering and leaving a call: one lock, counts, threads that must not meet
 *   report.h   calls that the script lets fail, misuse, leaks; the report at exit
 *   objects.h  objects with lifetimes; late use and leaks are found
 *   counted.h  objects that a program retains and releases
 *   memory.h   memory with borders; writes beyond its ends are found
 *   clock.h    the device's clock: simulated, the host's or its own; durations
 *   kernels.h  kernels by name, run as C functions
 *   cases.h    runner of a selftest: one process for each case
 *
 * A stub defines `report_of`, script_read(), report_own() and, with objects.h, `kind_names`.
 * selftest.c has one case for each kind of misuse. A stub's own selftest covers its script keys.
 */
#ifndef FRAME_FRAME_H
#define FRAME_FRAME_H

#include "tests/drivers/frame/calls.h"
#include "tests/drivers/frame/clock.h"
#include "tests/drivers/frame/counted.h"
#include "tests/drivers/frame/kernels.h"
#include "tests/drivers/frame/memory.h"
#include "tests/drivers/frame/objects.h"
#include "tests/drivers/frame/report.h"
#include "tests/drivers/frame/script.h"

#endif
