/* SPDX-License-Identifier: MIT */
/* A job of one step that copies, its source written before each submission and its destination
 * looked at after it, in pieces. */
#include "copy.h"

#include "kernels.h"
#include "pattern.h"

#include <stdio.h>

/* Source and destination are written and read in pieces of this size: it stays in the caches, and
 * what a call costs is small beside it. */
#define PIECE_BYTES ((size_t)256 << 10)
/* The least that is worth another core. */
#define PART_BYTES 4096

enum { SRC, DST };

static uint64_t bytes(uint64_t size)
{
    return size;
}

static uint64_t memory_bytes(uint64_t size)
{
    return 2 * size;
}

static size_t piece_at(uint64_t size, uint64_t offset)
{
    return size - offset < PIECE_BYTES ? (size_t)(size - offset) : PIECE_BYTES;
}

/* Fills a memory with the pattern of a submission. */
static kt_status write_pattern(workload_run *run, int index, char *reason, size_t reason_bytes)
{
    kt_status status = KT_OK;
    for (uint64_t at = 0; at < run->output_bytes && status == KT_OK; at += PIECE_BYTES) {
        size_t count = piece_at(run->output_bytes, at);
        copy_pattern_make(run->submission, at, run->output, count);
        status = workload_write_piece(run, index, at, count, reason, reason_bytes);
    }
    return status;
}

static kt_status reset(void *user, char *reason, size_t reason_bytes)
{
    workload_run *run = user;
    run->submission = run->submission < COPY_NUMBER_MAX ? run->submission + 1 : COPY_NUMBER_FIRST;
    return write_pattern(run, SRC, reason, reason_bytes);
}

static kt_status verify(void *user, char *reason, size_t reason_bytes)
{
    workload_run *run = user;
    copy_diagnostic diagnostic = {.number = run->submission, .bytes = run->output_bytes};
    for (uint64_t at = 0; at < run->output_bytes; at += PIECE_BYTES) {
        size_t count = piece_at(run->output_bytes, at);
        kt_status status = workload_read_piece(run, DST, at, count, reason, reason_bytes);
        if (status != KT_OK)
            return status;
        copy_diagnostic_add(&diagnostic, at, run->output, count);
    }
    if (!diagnostic.wrong)
        return KT_OK;
    copy_diagnostic_say(&diagnostic, reason, reason_bytes);
    return KT_WRONG_RESULT;
}

/* ---- on a device ---- */

static kt_status create_memories(workload_run *run, kt_device *device,
                                 const copy_direction *direction)
{
    kt_status status =
        kt_memory_create(device, direction->src, run->output_bytes, &run->memories[SRC]);
    if (status == KT_OK)
        status = kt_memory_create(device, direction->dst, run->output_bytes, &run->memories[DST]);
    run->output_memory = run->memories[DST];
    return status;
}

/* The kernel of all cores: one part for each, if they are worth it. */
static kt_status make_kernel(workload_run *run, kt_device *device, kt_step *step)
{
    const kt_program_desc program = {.size = sizeof program,
                                     .language = KT_LANGUAGE_C_FUNCTION,
                                     .entry = "copy",
                                     .function = copy_c};
    uint64_t parts = (step->copy_bytes + PART_BYTES - 1) / PART_BYTES;
    uint32_t cores = kt_device_get_info(device)->compute_units;
    step->kind = KT_STEP_DISPATCH;
    step->groups[0] = parts < cores ? (uint32_t)parts : cores;
    kt_status status = kt_program_create(device, &program, &run->programs[0]);
    step->program = run->programs[0];
    return status;
}

static kt_status open(workload_run *run, kt_device *device, uint64_t size, kt_job_desc *desc)
{
    copy_direction direction;
    if (!desc->variant || !copy_direction_parse(desc->variant, &direction))
        return KT_INVALID;
    kt_status status = workload_add_pieces(run, size, PIECE_BYTES);
    if (status == KT_OK)
        status = create_memories(run, device, &direction);
    /* Its pages are touched by that, and what is never written to is known. */
    run->submission = COPY_NUMBER_NONE;
    char reason[256];
    if (status == KT_OK)
        status = write_pattern(run, DST, reason, sizeof reason);
    if (status != KT_OK)
        return status;
    const kt_arg args[] = {{.memory = run->memories[SRC]},
                           {.memory = run->memories[DST]},
                           {.value = &size, .value_bytes = sizeof size}};
    kt_step step = {.name = "copy",
                    .kind = direction.way == COPY_MAP ? KT_STEP_MAP : KT_STEP_COPY,
                    .args = args,
                    .arg_count = 3,
                    .src = run->memories[SRC],
                    .dst = run->memories[DST],
                    .copy_bytes = run->output_bytes};
    if (direction.way == COPY_ALL_CORES)
        status = make_kernel(run, device, &step);
    return status == KT_OK ? workload_create_steps(run, device, &step, 1, desc) : status;
}

const workload workload_copy = {
    .name = "copy",
    .summary = "a copy between two memories",
    .param = "size",
    .param_help = "bytes that are copied",
    .sizes = "8KiB..1GiB",
    .size_max = COPY_BYTES_MAX,
    .flops = workload_no_flops,
    .bytes = bytes,
    .memory_bytes = memory_bytes,
    .largest_bytes = bytes,
    .open = open,
    .reset = reset,
    .verify = verify,
};
