/* The tests' own kernels in SPIR-V, from shaders/: all of them, or none in a build without glslc. */
#include "suite.h"

#include "churn.comp.h"
#include "place.comp.h"
#include "plus_one.comp.h"
#include "scale.comp.h"
#include "twice.comp.h"

typedef struct shader {
    const char *name;
    const uint32_t *words;
    size_t bytes;
} shader;

static const shader shaders[] = {
    {"churn", churn_comp, churn_comp_bytes},          {"place", place_comp, place_comp_bytes},
    {"plus_one", plus_one_comp, plus_one_comp_bytes}, {"scale", scale_comp, scale_comp_bytes},
    {"twice", twice_comp, twice_comp_bytes},
};

const uint32_t *find_shader(const char *name, size_t *bytes)
{
    for (size_t i = 0; i < sizeof shaders / sizeof shaders[0]; i++)
        if (strcmp(shaders[i].name, name) == 0) {
            *bytes = shaders[i].bytes;
            return shaders[i].words;
        }
    *bytes = 0;
    return NULL;
}
