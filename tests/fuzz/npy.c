/* SPDX-License-Identifier: MIT */
/* Headers of .npy files. The first byte says how long the file is besides what is given. */
#include "cli/run/npy.h"
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    char reason[NPY_REASON_BYTES];
    npy_header header;
    if (bytes == 0)
        return 0;
    uint64_t more = *data, file_bytes = bytes - 1 + more;
    uint8_t *copy = malloc(bytes); /* exactly as long as it is */
    CHECK(copy);
    memcpy(copy, data + 1, bytes - 1);
    uint8_t *exact = realloc(copy, bytes > 1 ? bytes - 1 : 1);
    CHECK(exact);
    fuzz_fill(&header, sizeof header);
    fuzz_fill(reason, sizeof reason);
    if (npy_read_header(exact, bytes - 1, file_bytes, &header, reason) != 0) {
        fuzz_check_untouched(&header, sizeof header);
        fuzz_check_sentence(reason, sizeof reason);
    } else {
        CHECK(strchr("fiub", header.kind) && header.begin <= bytes - 1);
        CHECK(header.bytes == 1 || header.bytes == 2 || header.bytes == 4 || header.bytes == 8);
        CHECK(header.count <= file_bytes &&
              header.begin + header.count * header.bytes == file_bytes);
    }
    free(exact);
    return 0;
}
