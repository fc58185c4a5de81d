/* The tests' own kernels in SPIR-V, from shaders/: all of them, or none in a build without glslc. */
#include "suite.h"

#include "buffers.comp.h"
#include "churn.comp.h"
#include "much_shared.comp.h"
#include "place.comp.h"
#include "plus_one.comp.h"
#include "scale.comp.h"
#include "twice.comp.h"
#include "two_values.comp.h"
#include "uniform.comp.h"

typedef struct shader {
    const char *name;
    const uint32_t *words;
    size_t bytes;
} shader;

static const shader shaders[] = {
    {"buffers", buffers_comp, buffers_comp_bytes},
    {"churn", churn_comp, churn_comp_bytes},
    {"much_shared", much_shared_comp, much_shared_comp_bytes},
    {"place", place_comp, place_comp_bytes},
    {"plus_one", plus_one_comp, plus_one_comp_bytes},
    {"scale", scale_comp, scale_comp_bytes},
    {"twice", twice_comp, twice_comp_bytes},
    {"two_values", two_values_comp, two_values_comp_bytes},
    {"uniform", uniform_comp, uniform_comp_bytes},
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
