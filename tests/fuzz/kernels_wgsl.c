/* SPDX-License-Identifier: MIT */
/* Kernels of WGSL. */
#include "kernels.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    char *text = malloc(bytes + 1);
    CHECK(text);
    if (bytes)
        memcpy(text, data, bytes);
    text[bytes] = '\0';
    kernel_file file = {.path = "a", .language = KT_LANGUAGE_WGSL, .text = text, .bytes = bytes};
    fuzz_kernels(&file);
    free(text);
    return 0;
}
