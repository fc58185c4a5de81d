/* mark.h - a number that stands in the kernel's text and changes nothing, in all languages. */
#ifndef WORKLOAD_LOOP_MARK_H
#define WORKLOAD_LOOP_MARK_H

/* More iterations than are ever asked for. It stands in a kernel's text once, just so: loop_mark()
 * puts another there. */
#define LOOP_MARK 0xa5c0de17u

#endif
