/* SPDX-License-Identifier: MIT */
/* The tests' own kernels as texts and words, as the build made them: of SPIR-V for
 * shaders none without glslc, of PTX none without clang, of SPIR-V of OpenCL none without
 * llvm-spirv. */
#include "suite.h"

#include "buffers.comp.h"
#include "much_shared.wgsl.h"
#include "own_kernels.cl.h"
#include "own_kernels.ptx.h"
#include "own_kernels.spv.h"
#include "place.comp.h"
#include "place.wgsl.h"
#include "places.comp.h"
#include "places.wgsl.h"
#include "plus_one.comp.h"
#include "plus_one.wgsl.h"
#include "scale.comp.h"
#include "scale.wgsl.h"
#include "sizes.comp.h"
#include "sizes.wgsl.h"
#include "twice.comp.h"
#include "twice.wgsl.h"
#include "two_values.comp.h"
#include "two_values.wgsl.h"

typedef struct shader {
    const char *name;
    const uint32_t *words;
    size_t bytes;
} shader;

static const shader shaders[] = {
    {"buffers", buffers_comp, buffers_comp_bytes},
    {"place", place_comp, place_comp_bytes},
    {"places", places_comp, places_comp_bytes},
    {"plus_one", plus_one_comp, plus_one_comp_bytes},
    {"scale", scale_comp, scale_comp_bytes},
    {"sizes", sizes_comp, sizes_comp_bytes},
    {"twice", twice_comp, twice_comp_bytes},
    {"two_values", two_values_comp, two_values_comp_bytes},
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

typedef struct text {
    const char *name, *wgsl;
} text;

static const text texts[] = {
    {"much_shared", much_shared_wgsl},
    {"place", place_wgsl},
    {"places", places_wgsl},
    {"plus_one", plus_one_wgsl},
    {"scale", scale_wgsl},
    {"sizes", sizes_wgsl},
    {"twice", twice_wgsl},
    {"two_values", two_values_wgsl},
};

const char *find_wgsl(const char *name)
{
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        if (strcmp(texts[i].name, name) == 0)
            return texts[i].wgsl;
    return NULL;
}

const char *own_kernels_text(kt_language language)
{
    return language == KT_LANGUAGE_PTX ? own_kernels_ptx : own_kernels_cl;
}

const uint32_t *own_kernels_words(size_t *bytes)
{
    *bytes = own_kernels_spv_bytes;
    return own_kernels_spv;
}
