/* SPDX-License-Identifier: MIT */
/* Names of devices: "sim:0:bits=32", "opencl:0". */
#include "fuzz.h"

#include <kerntime/kerntime.h>

static uint32_t count_devices(kt_context *context, const char *backend)
{
    uint32_t i = 0;
    while (strcmp(kt_backend_get(context, i)->name, backend) != 0)
        i++;
    return kt_backend_get(context, i)->device_count;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    static kt_context *context;
    const kt_context_options options = {.size = sizeof options, .backends = "sim"};
    CHECK(context || kt_context_create(&context, &options) == KT_OK);
    char *text = fuzz_text(data, bytes);
    kt_device_info info;
    fuzz_fill(&info, sizeof info);
    kt_status status = kt_device_describe(context, text, &info);
    if (status == KT_OK) {
        CHECK(strcmp(info.id, text) == 0); /* one device, one name */
        CHECK(strcmp(info.backend, "sim") == 0 && strncmp(text, "sim:", 4) == 0);
        CHECK(strtoul(text + strlen("sim:"), NULL, 10) < count_devices(context, "sim"));
        CHECK(info.clock_count == 1 && info.clocks[0].valid_bits <= 64);
    } else {
        CHECK(status == KT_INVALID || status == KT_UNAVAILABLE);
        fuzz_check_untouched(&info, sizeof info);
        CHECK(kt_error_text()[0]);
    }
    free(text);
    return 0;
}
