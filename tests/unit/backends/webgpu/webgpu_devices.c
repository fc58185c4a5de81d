/* SPDX-License-Identifier: MIT */
/* Which adapters are devices, and why the others are none. */
#include "tests/unit/backends/webgpu/webgpu.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Why there is no device. */
typedef struct none_case {
    kt_status status;
    const char *part;
} none_case;

static void none(void **state)
{
    const none_case *c = *state;
    EXPECT_STATUS(try_device(0), c->status);
    EXPECT_TEXT_HAS(kt_error_text(), c->part);
    /* A library that was named is not asked for. */
    assert_true(!strstr(c->part, "/nowhere") || !strstr(kt_error_text(), "name a library of Dawn"));
    kt_context_destroy(&context);
}

static none_case null_backend = {KT_UNAVAILABLE, "null backend"};
static none_case no_adapter = {KT_UNAVAILABLE, "no adapter;"};
static none_case wgpu_native = {KT_UNAVAILABLE, "wgpu-native"};
static none_case no_library = {KT_UNAVAILABLE, "KERNTIME_LIB_WEBGPU: /nowhere/libwebgpu.so"};
static none_case no_timed_wait = {KT_DRIVER_ERROR, "wgpuCreateInstance"};

static void expect_device(uint32_t index, const char *name, kt_device_type type)
{
    char id[16], driver[80];
    kt_device_info found;
    snprintf(id, sizeof id, "webgpu:%u", index);
    EXPECT_OK(kt_device_describe(context, id, &found));
    assert_string_equal(found.name, name);
    assert_int_equal(found.type, type);
    assert_string_equal(found.vendor, "stub vendor");
    const char *library = getenv("KERNTIME_LIB_WEBGPU");
    const bool early = library && strstr(library, "webgpu_stub_early");
    snprintf(driver, sizeof driver, "Vulkan: webgpu stub 1.0 (webgpu.h of %s)",
             early ? "spring 2025" : "summer 2025 or later");
    assert_string_equal(found.driver, driver);
}

/* In the order of strength, and each once: the fallback is the third. */
static void three(void **state)
{
    expect_device(0, "Stub GPU", KT_DEVICE_GPU);
    expect_device(1, "Stub integrated GPU", KT_DEVICE_GPU);
    expect_device(2, "Stub CPU", KT_DEVICE_CPU);
    kt_device *third = NULL, *fourth = NULL;
    EXPECT_OK(kt_device_open(context, "webgpu:2", &third));
    assert_string_equal(kt_device_get_info(third)->name, "Stub CPU");
    assert_int_not_equal(kt_device_open(context, "webgpu:3", &fourth), KT_OK);
    kt_device_close(&third);
}

/* However it is asked for, it is the same one. */
static void one(void **state)
{
    kt_device_info found;
    expect_device(0, "Stub CPU", KT_DEVICE_CPU);
    assert_int_not_equal(kt_device_describe(context, "webgpu:1", &found), KT_OK);
    EXPECT_OK(run_fill(1000));
}

const struct CMUnitTest webgpu_device_tests[] = {
    {"null_backend", none, NULL, NULL, &null_backend},
    {"no_adapter", none, NULL, NULL, &no_adapter},
    {"wgpu_native", none, NULL, NULL, &wgpu_native},
    {"no_library", none, NULL, NULL, &no_library},
    {"no_timed_wait", none, NULL, NULL, &no_timed_wait},
    MOOD(three),
    MOOD(one),
    MOODS_END,
};
