/* SPDX-License-Identifier: MIT */
/* The workloads' kernels, known by their words. */
#include "stub.h"

#include "loop/mark.h"

#include "fill.comp.h"
#include "loop_rounds.comp.h"
#include "matmul_naive.comp.h"
#include "matmul_tiled.comp.h"
#include "reduce_final.comp.h"
#include "reduce_partial.comp.h"
#include "saxpy.comp.h"
#include "scan_block_sums.comp.h"
#include "scan_blocks.comp.h"
#include "scan_offsets.comp.h"
#include "sort_histogram.comp.h"
#include "sort_scan.comp.h"
#include "sort_scatter.comp.h"

/* The loop's mark, which no other kernel has, may be any number: it is the same kernel. */
static bool same_words(const uint32_t *known, const uint32_t *words, size_t bytes)
{
    for (size_t i = 0; i < bytes / sizeof *words; i++)
        if (known[i] != words[i] && known[i] != LOOP_MARK)
            return false;
    return true;
}

const group_kernel *kernel_find(const uint32_t *words, size_t bytes)
{
#define SHADER(shader)                              \
    {                                               \
#shader, shader##_comp, shader##_comp_bytes \
    }
    static const struct {
        const char *name;
        const uint32_t *words;
        size_t bytes;
    } shaders[] = {SHADER(fill),
                   SHADER(saxpy),
                   SHADER(matmul_naive),
                   SHADER(matmul_tiled),
                   SHADER(reduce_partial),
                   SHADER(reduce_final),
                   SHADER(scan_block_sums),
                   SHADER(scan_offsets),
                   SHADER(scan_blocks),
                   SHADER(sort_histogram),
                   SHADER(sort_scan),
                   SHADER(sort_scatter),
                   {"loop_rounds", loop_rounds_comp, loop_rounds_comp_bytes}};
    for (size_t i = 0; i < sizeof shaders / sizeof shaders[0]; i++)
        if (shaders[i].bytes == bytes && same_words(shaders[i].words, words, bytes))
            return named_kernel_find(shaders[i].name);
    return NULL;
}
