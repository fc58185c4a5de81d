/* SPDX-License-Identifier: MIT */
/* json_check.h - a strict reader of JSON (RFC 8259), written apart from the writer that it checks.
 */
#ifndef JSON_CHECK_H
#define JSON_CHECK_H

#include <stdbool.h>
#include <stddef.h>

/* Called for each value that is not an object or array: its text as it stands, a string's decoded
 * to UTF-8 and with is_text. */
typedef void (*json_scalar)(void *user, const char *text, size_t length, bool is_text);

/* Whether all of `text` is one value with blanks around it. `scalar` may be NULL. */
bool json_check(const char *text, size_t length, json_scalar scalar, void *user);

/* Length of the valid UTF-8 character at `text`, 0 if there is none. */
size_t json_utf8(const unsigned char *text, size_t length);

#endif
