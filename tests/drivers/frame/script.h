/* SPDX-License-Identifier: MIT */
/*
 * script.h - reads the script of a stub driver: "key=value,key=value" in an environment
 * variable. What it does not understand aborts: a test that asks for the wrong thing must not pass
 * by testing nothing.
 */
#ifndef FRAME_SCRIPT_H
#define FRAME_SCRIPT_H

#include <stddef.h>
#include <stdint.h>

struct script_key {
    const char *name;
    uint64_t *value;
    const char *choices; /* words in the order of their enum, or NULL for a number */
    uint64_t min, max;
    void (*read)(char *text); /* in place of all that, and may write to its copy; or NULL */
};

/*
 * A stub lists its keys once, as X(name, default, choices, min, max), and makes of them the members
 * of its struct script, their values, and rows of the table.
 */
#define SCRIPT_MEMBER(name, value, choices, min, max) uint64_t name;
#define SCRIPT_VALUE(name, value, choices, min, max)  .name = (value),
#define SCRIPT_ROW(name, value, choices, min, max)    {#name, &script.name, choices, min, max, NULL},

/* Words or numbers with '+' between them. */
enum { SCRIPT_LIST_MAX = 4 };
struct script_list {
    uint64_t items[SCRIPT_LIST_MAX], count;
};

/* The variable may be unset. `stub` is who speaks when something is refused. */
void script_keys_read(const char *stub, const char *variable, const struct script_key *keys,
                      size_t count);

/* For a key that is read by itself. The first ends `text` at that character and gives what follows
 * it, or NULL. */
char *script_cut(char *text, char at);
uint64_t script_choice(const char *choices, const char *word);
uint64_t script_number(const char *text, uint64_t min, uint64_t max);
/* `choices` NULL: numbers of at most `max`. */
void script_read_list(struct script_list *list, char *text, const char *choices, uint64_t max);
_Noreturn void script_refuse(const char *what, const char *text);

#endif
