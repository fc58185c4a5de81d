/* moods.h - a program of tests over a stub driver. It runs one test by its name; a shell script
 * runs it again and again, with the script of the stub that each test wants. */
#ifndef MOODS_H
#define MOODS_H

#include "tests/unit/testing.h"

/* One of the three functions is there. */
typedef struct mood {
    const char *name;
    void (*test)(void);
    bool is_bare; /* it opens what it needs by itself, and closes it */
    void (*about)(const char *text);
    const char *text;
    void (*with)(int number);
    int number;
} mood;

#define MOOD(test)                              \
    {                                           \
#test, test, false, NULL, NULL, NULL, 0 \
    }
#define BARE(test)                             \
    {                                          \
#test, test, true, NULL, NULL, NULL, 0 \
    }
/* A function that several tests share, and what each gives it. */
#define MOOD_ABOUT(name, about, text)           \
    {                                           \
        name, NULL, false, about, text, NULL, 0 \
    }
#define BARE_ABOUT(name, about, text)          \
    {                                          \
        name, NULL, true, about, text, NULL, 0 \
    }
#define MOOD_WITH(name, with, number)               \
    {                                               \
        name, NULL, false, NULL, NULL, with, number \
    }
#define MOODS_END                              \
    {                                          \
        NULL, NULL, false, NULL, NULL, NULL, 0 \
    }

typedef struct mood_program {
    const char *title;
    const mood *const *lists; /* each ends with MOODS_END, all of them with NULL */
    void (*open)(void);       /* before each test, but for bare ones */
    void (*close)(void);      /* and after it */
} mood_program;

/* The exit status. */
int moods_run(const mood_program *program, const char *name);

#endif
