#include "tests/unit/moods.h"

#include <stdio.h>

typedef struct chosen {
    const mood_program *program;
    const mood *mood;
} chosen;

static void run(void **state)
{
    const chosen *c = *state;
    const mood *m = c->mood;
    if (!m->is_bare)
        c->program->open();
    if (m->test)
        m->test();
    if (m->about)
        m->about(m->text);
    if (m->with)
        m->with(m->number);
    if (!m->is_bare)
        c->program->close();
}

int moods_run(const mood_program *program, const char *name)
{
    for (const mood *const *list = program->lists; *list; list++)
        for (const mood *m = *list; m->name; m++)
            if (strcmp(m->name, name) == 0) {
                chosen c = {program, m};
                const struct CMUnitTest tests[] = {{m->name, run, NULL, NULL, &c}};
                return cmocka_run_group_tests_name(program->title, tests, NULL, NULL);
            }
    fprintf(stderr, "no such mood: %s\n", name);
    return 2;
}
