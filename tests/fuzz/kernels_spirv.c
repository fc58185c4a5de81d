/* SPDX-License-Identifier: MIT */
/* Kernels and shaders of SPIR-V: the library that reads shaders gets what was looked at before. */
#include "kernels.h"

#include "cli/kernel_file/reader.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    char reason[KERNEL_FILE_REASON_BYTES];
    char *words = malloc(bytes + 1);
    CHECK(words);
    if (bytes)
        memcpy(words, data, bytes);
    kernel_file file = {.path = "a", .text = words, .bytes = bytes};
    if (spirv_see(&file, reason) == 0)
        fuzz_kernels(&file);
    else
        fuzz_check_sentence(reason, sizeof reason);
    free(words);
    return 0;
}
