/* SPDX-License-Identifier: MIT */
/*
 * loop_vulkan.c - dispatches an empty kernel through the system's loader, each waited for, and
 * prints the median ns of one: `vulkan-loop timed|plain [COUNT]`. `timed`: with timestamps by hand.
 */
#include "bench/bench.h"
#include "bench/by_hand/raw.h"

#include <kerntime/clock.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SLICES = 101, WARM = 200 };

const char bench_name[] = "vulkan-loop";

int main(int argc, char **argv)
{
    bool is_timed = argc > 1 && strcmp(argv[1], "timed") == 0;
    uint32_t count = argc > 2 ? (uint32_t)strtoul(argv[2], NULL, 10) : 100;
    double ns[SLICES];
    void *raw = raw_vulkan.open("libvulkan.so.1");
    if (!raw || count == 0 || !raw_vulkan.dispatch(raw, is_timed, WARM))
        return 1;
    for (int i = 0; i < SLICES; i++) {
        int64_t begin_ns = kt_host_now_ns();
        if (!raw_vulkan.dispatch(raw, is_timed, count))
            return 1;
        ns[i] = (double)(kt_host_now_ns() - begin_ns) / count;
    }
    raw_vulkan.close(raw);
    printf("%.1f\n", bench_median(ns, SLICES));
    return 0;
}
