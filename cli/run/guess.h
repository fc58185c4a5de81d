/* SPDX-License-Identifier: MIT */
/* guess.h - arguments that nobody gave, from the types and names of parameters: pure. */
#ifndef CLI_RUN_GUESS_H
#define CLI_RUN_GUESS_H

#include "cli/run/specification.h"

/* What a buffer or value gets. Values are one element, buffers have no count: the caller knows n. */
void guess_content(const parameter *parameter, uint64_t n, specification *out);
/* The type that a buffer's content is made for: float where its own is unknown. */
element_type guess_element(const parameter *parameter);
/* "random 0..1", "1.0": how messages write such a content. */
void guess_text(const parameter *parameter, const specification *spec, char *text, size_t bytes);

/* A number of elements to try where a guessed one is too small: "n*n". */
const char *guess_larger(const parameter *parameter, uint64_t n);

#endif
