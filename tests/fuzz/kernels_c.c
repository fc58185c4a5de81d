/* SPDX-License-Identifier: MIT */
/* Kernels of OpenCL C, CUDA C and MSL: each text is read as all three, and its first line is the
 * name of a kernel, which may have template arguments. */
#include "kernels.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    static const kt_language languages[] = {KT_LANGUAGE_OPENCL_C, KT_LANGUAGE_CUDA_C,
                                            KT_LANGUAGE_MSL};
    static signature told;
    char reason[KERNEL_FILE_REASON_BYTES], entry[SIGNATURE_NAME_BYTES], words[64];
    char *text = malloc(bytes + 1);
    CHECK(text);
    if (bytes)
        memcpy(text, data, bytes);
    text[bytes] = '\0';
    size_t line = strcspn(text, "\n");
    snprintf(entry, sizeof entry, "%.*s", (int)(line < 100 ? line : 100), text);
    const char *defines[] = {"A=1", "T=float", "B=A"};
    for (size_t i = 0; i < 3; i++) {
        kernel_file file = {.path = "a",
                            .language = languages[i],
                            .text = text,
                            .bytes = bytes,
                            .defines = defines,
                            .define_count = i};
        fuzz_kernels(&file);
        if (kernel_file_signature(&file, entry, &told, reason) == 0)
            check_signature(&told);
        else
            fuzz_check_sentence(reason, sizeof reason);
        for (size_t k = 0; kernel_file_defaults(&file, entry, k, words, sizeof words); k++)
            CHECK(memchr(words, '\0', sizeof words) && k < 50);
    }
    free(text);
    return 0;
}
