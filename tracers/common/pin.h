/* SPDX-License-Identifier: MIT */
/* pin.h - keeps drivers and loaders in a process that the tracer still calls. */
#ifndef TRACERS_COMMON_PIN_H
#define TRACERS_COMMON_PIN_H

/* The library or program of an address, as of a function, stays mapped until the process ends, even
 * if the program closes it. Any thread; not in a destructor. */
void tracer_pin(const void *function);

#endif
