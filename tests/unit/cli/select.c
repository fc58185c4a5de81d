/* SPDX-License-Identifier: MIT */
/* Which devices are measured without being named. */
#include "cli/options/select.h"
#include "tests/unit/testing.h"

#include <stdlib.h>
#include <string.h>

static selected_device device(const char *id, kt_device_type type, bool named)
{
    selected_device d = {.named = named, .info = {.type = type}};
    snprintf(d.info.id, sizeof d.info.id, "%s", id);
    snprintf(d.info.backend, sizeof d.info.backend, "%.*s", (int)strcspn(id, ":"), id);
    return d;
}

/* The devices that stay of `all`, with a comma behind each. */
static const char *kept(const selected_device *all, size_t count)
{
    static char ids[128];
    static const cli_options quiet = {.quiet = true};
    cli_selection selection = {.devices = malloc(count * sizeof *all), .count = count};
    assert_non_null(selection.devices);
    memcpy(selection.devices, all, count * sizeof *all);
    selection_leave_out_software(&selection, &quiet);
    ids[0] = '\0';
    for (size_t i = 0; i < selection.count; i++) {
        strcat(ids, selection.devices[i].info.id);
        strcat(ids, ",");
    }
    free(selection.devices);
    return ids;
}

static void beside_a_gpu_only_named_software_is_measured(void **state)
{
    selected_device all[] = {
        device("cpu:0", KT_DEVICE_CPU, false),    device("cuda:0", KT_DEVICE_GPU, false),
        device("opencl:0", KT_DEVICE_CPU, false), device("opencl:1", KT_DEVICE_ACCELERATOR, false),
        device("vulkan:0", KT_DEVICE_GPU, false), device("vulkan:1", KT_DEVICE_CPU, false)};
    assert_string_equal(kept(all, 6), "cpu:0,cuda:0,opencl:1,vulkan:0,");
    for (size_t i = 0; i < 6; i++)
        all[i].named = true;
    assert_string_equal(kept(all, 6), "cpu:0,cuda:0,opencl:0,opencl:1,vulkan:0,vulkan:1,");
}

static void without_a_gpu_all_are_measured(void **state)
{
    const selected_device all[] = {device("cpu:0", KT_DEVICE_CPU, false),
                                   device("opencl:0", KT_DEVICE_CPU, false),
                                   device("vulkan:0", KT_DEVICE_CPU, false)};
    assert_string_equal(kept(all, 3), "cpu:0,opencl:0,vulkan:0,");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(beside_a_gpu_only_named_software_is_measured),
        cmocka_unit_test(without_a_gpu_all_are_measured),
    };
    return cmocka_run_group_tests_name("select", tests, NULL, NULL);
}
