/* What works, and what the script's keys change. */
#include "selftest.h"

#include <string.h>

/* ---- what works ---- */

/* A pass that fills, and one that copies; what they write is there when they are complete. */
static void run_both(struct world *w, id to, const char *const passes[2])
{
    id e = encoder(to, "compute", passes[0] ? make_pass(w, passes[0], 0, 1) : NULL);
    dispatch_fill(w, e, w->private, WORDS);
    end(e);
    e = encoder(to, "blit", passes[1] ? make_pass(w, passes[1], 2, 3) : NULL);
    copy(w, e);
    end(e);
    commit(to);
}

static void sound(struct world *w)
{
    static const char *const passes[2] = {"Compute", "Blit"};
    uint64_t values[4] = {0};
    id to = commands(w);
    run_both(w, to, passes);
    CHECK(GET(double, to, "GPUStartTime") == 0);
    CHECK(await(to) == DONE);
    const uint32_t *words = GET(const void *, w->shared, "contents");
    CHECK(words && words[0] != 0 && words[WORDS - 1] == words[0]);
    CHECK(resolve(w, values, 4));
    CHECK(values[0] && values[1] > values[0] && values[2] > values[1] && values[3] > values[2]);
    CHECK(GET(double, to, "GPUStartTime") * 1e9 < (double)values[0] + 100);
    CHECK(GET(double, to, "GPUEndTime") * 1e9 + 100 > (double)values[3]);
    CHECK(GET(id, to, "error") == NULL && GET(id, to, "device") == w->device);
}

/* Behind a macro, too, but in no comment. */
static void kernels_are_found(struct world *w)
{
    static const struct {
        const char *name;
        bool there;
    } kernels[] = {{"plain", true}, {"marked", true}, {"absent", false}, {"helper", false}};
    id library = make_library(w,
                              "#define OTHER device\n#define MARK  kernel\n"
                              "kernel void plain() {}\nMARK void marked() {}\n"
                              "// MARK void absent() {}\nOTHER void helper() {}\n",
                              NULL);
    for (size_t i = 0; i < sizeof kernels / sizeof kernels[0]; i++) {
        id function =
            SEND(id, (id, SEL, id), library, "newFunctionWithName:", text(kernels[i].name));
        CHECK((function != NULL) == kernels[i].there);
        release(function);
    }
    release(library);
}

const struct test_case cases[] = {
    {"", sound, NULL, false},
    {"timebase=1/1", sound, NULL, false},
    {"", kernels_are_found, NULL, false},
    {NULL, NULL, NULL, false},
};
