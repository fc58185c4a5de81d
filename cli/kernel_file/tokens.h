/* SPDX-License-Identifier: MIT */
/*
 * tokens.h - the words of a text in a C-like language, of WGSL or of PTX, without comments.
 *
 * Of OpenCL C, CUDA C and MSL a small preprocessor follows #if, as far as the text itself decides
 * it, and replaces macros without arguments.
 */
#ifndef CLI_TOKENS_H
#define CLI_TOKENS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum token_kind {
    TOKEN_END = 0,
    TOKEN_NAME,
    TOKEN_NUMBER,
    TOKEN_STRING, /* with its quotes */
    TOKEN_MARK    /* one character, or "::" */
} token_kind;

typedef struct token {
    token_kind kind;
    const char *text;
    size_t length;
} token;

typedef struct tokens {
    token *list; /* count tokens, and one of TOKEN_END behind them */
    size_t count, capacity;
} tokens;

typedef enum token_dialect {
    TOKENS_C,     /* without the parts that #if leaves out */
    TOKENS_C_ALL, /* with them, but for #if 0 */
    TOKENS_WGSL,
    TOKENS_PTX
} token_dialect;

/* Returns false if memory runs out. The tokens point into `text`; free them in any case. */
bool tokens_read(const char *text, size_t bytes, token_dialect dialect, tokens *out);
/* Likewise with macros that are defined in front of the text: "NAME=VALUE" or "NAME". */
bool tokens_read_defined(const char *text, size_t bytes, token_dialect dialect,
                         const char *const *defines, size_t define_count, tokens *out);
void tokens_free(tokens *words);

bool token_is(const token *t, const char *text);
/* One of the words of a text, separated by spaces: "const volatile". */
bool token_among(const token *t, const char *words);
bool token_equal(const token *a, const token *b);
/* Copies a name, cut to `bytes`. */
void token_copy(const token *t, char *text, size_t bytes);

/* The token that closes the bracket ( [ { or < at `open`; `end` if none before it does. */
size_t tokens_close(const token *list, size_t open, size_t end);
/* Likewise the next comma outside of brackets, from `at` on; `end` if there is none. */
size_t tokens_comma(const token *list, size_t at, size_t end);

/* Finds the value of a name; false: it has none. */
typedef bool (*token_lookup)(const void *context, const token *name, double *value);
/* Evaluates an expression of numbers and names. Returns false if it is anything else. */
bool tokens_evaluate(const token *list, size_t at, size_t end, token_lookup lookup,
                     const void *context, double *value);

#endif
