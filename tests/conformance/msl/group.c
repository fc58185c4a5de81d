/* SPDX-License-Identifier: MIT */
/* Work-items as contexts with stacks of their own, of which one runs at a time: the next one's turn
 * comes at a barrier. */
#include "msl.h"

#include <stdio.h>
#include <stdlib.h>
#include <ucontext.h>

#define STACK_BYTES (16u << 10)

typedef struct group {
    ucontext_t scheduler;
    ucontext_t *items;
    uint32_t count, current, ended;
    uint32_t size[3];
    msl_item item;
    void *user;
} group;

static _Thread_local group *here;

void msl_barrier(void)
{
    swapcontext(&here->items[here->current], &here->scheduler);
}

static void run_item(void)
{
    const uint32_t at = here->current, width = here->size[0], height = here->size[1];
    const uint32_t local[3] = {at % width, at / width % height, at / width / height};
    here->item(local, here->user);
    here->ended++;
}

/* Each item runs to its next barrier or to its end. */
static void run_round(group *g)
{
    for (g->current = 0; g->current < g->count; g->current++)
        swapcontext(&g->scheduler, &g->items[g->current]);
    if (g->ended != 0 && g->ended != g->count) {
        fprintf(stderr, "%u of %u work-items of a group never reach a barrier of the others\n",
                g->ended, g->count);
        abort();
    }
}

static uint32_t length_of(uint32_t size)
{
    return size ? size : 1;
}

void msl_run_group(const uint32_t group_size[3], msl_item item, void *user)
{
    group g = {.item = item, .user = user, .count = 1};
    for (int d = 0; d < 3; d++) {
        g.size[d] = length_of(group_size[d]);
        g.count *= g.size[d];
    }
    char *stacks = malloc((size_t)g.count * STACK_BYTES);
    g.items = calloc(g.count, sizeof *g.items);
    if (!stacks || !g.items)
        abort();
    for (uint32_t i = 0; i < g.count; i++) {
        getcontext(&g.items[i]);
        g.items[i].uc_stack.ss_sp = stacks + (size_t)i * STACK_BYTES;
        g.items[i].uc_stack.ss_size = STACK_BYTES;
        g.items[i].uc_link = &g.scheduler;
        makecontext(&g.items[i], run_item, 0);
    }
    here = &g;
    while (g.ended < g.count)
        run_round(&g);
    here = NULL;
    free(g.items);
    free(stacks);
}
