/* ptx.c - what the kernels of PTX take. */
#include "cli/kernel_file/reader.h"

static int ptx_entries(const kernel_file *file, kernel_entries *out, char *reason)
{
    (void)out;
    return reader_fail(reason, file, "PTX is not read yet");
}

static int ptx_signature(const kernel_file *file, const char *entry, signature *out, char *reason)
{
    (void)entry;
    (void)out;
    return reader_fail(reason, file, "PTX is not read yet");
}

const kernel_reader ptx_reader = {ptx_entries, ptx_signature};
