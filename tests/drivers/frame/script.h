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

/* The variable may be unset. `stub` is who speaks when something is refused. */
void script_keys_read(const char *stub, const char *variable, const struct script_key *keys,
                      size_t count);

/* For a key that is read by itself. The first ends `text` at that character and gives what follows
 * it, or NULL. */
char *script_cut(char *text, char at);
uint64_t script_choice(const char *choices, const char *word);
uint64_t script_number(const char *text, uint64_t min, uint64_t max);
_Noreturn void script_refuse(const char *what, const char *text);

#endif
