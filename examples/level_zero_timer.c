/* SPDX-License-Identifier: MIT */
/* level_zero_timer.c - a rod cools: a program that owns its Level Zero lists. */
#include <kerntime/snapshot.h>
#include <kerntime/timer/level_zero.h>
#include <level_zero/ze_api.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 1 << 20, GROUP = 256, FRAMES = 20, STEPS = 10, BYTES = N * 4 };

static ze_device_handle_t device;
static ze_context_handle_t context;

static void must(ze_result_t result)
{
    if (result != ZE_RESULT_SUCCESS) {
        fprintf(stderr, "level_zero_timer: Level Zero answers 0x%x\n", (unsigned)result);
        exit(1);
    }
}

static int find_device(void)
{
    ze_driver_handle_t driver;
    uint32_t drivers = 1, devices = 1;
    if (zeInit(0) != ZE_RESULT_SUCCESS || zeDriverGet(&drivers, &driver) != ZE_RESULT_SUCCESS ||
        drivers == 0 || zeDeviceGet(driver, &devices, &device) != ZE_RESULT_SUCCESS || devices == 0)
        return 0;
    ze_context_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_CONTEXT_DESC};
    must(zeContextCreate(driver, &desc, &context));
    return 1;
}

/* The kernel, of the file that level_zero_timer.cl was compiled to. */
static ze_kernel_handle_t make_kernel(ze_module_handle_t *module)
{
    static uint8_t words[65536];
    FILE *file = fopen("level_zero_timer.spv", "rb");
    if (!file) {
        fprintf(stderr, "level_zero_timer: level_zero_timer.spv is not here\n");
        exit(1);
    }
    size_t bytes = fread(words, 1, sizeof words, file);
    fclose(file);
    ze_module_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_MODULE_DESC,
                             .format = ZE_MODULE_FORMAT_IL_SPIRV,
                             .inputSize = bytes,
                             .pInputModule = words};
    ze_kernel_desc_t entry = {.stype = ZE_STRUCTURE_TYPE_KERNEL_DESC, .pKernelName = "cool"};
    ze_kernel_handle_t kernel;
    must(zeModuleCreate(context, device, &desc, module, NULL));
    must(zeKernelCreate(*module, &entry, &kernel));
    must(zeKernelSetGroupSize(kernel, GROUP, 1, 1));
    return kernel;
}

int main(void)
{
    if (!find_device()) {
        fprintf(stderr, "level_zero_timer: there is no Level Zero device here\n");
        return 0;
    }
    ze_command_queue_handle_t queue;
    ze_command_list_handle_t steps, now;
    ze_command_queue_desc_t queue_desc = {.stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC};
    ze_command_list_desc_t list_desc = {.stype = ZE_STRUCTURE_TYPE_COMMAND_LIST_DESC};
    must(zeCommandQueueCreate(context, device, &queue_desc, &queue));
    must(zeCommandListCreate(context, device, &list_desc, &steps));
    queue_desc.mode =
        ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS; /* a command has ended when it was appended */
    must(zeCommandListCreateImmediate(context, device, &queue_desc, &now));

    kt_level_zero_import import = {.size = sizeof import, .context = context, .device = device};
    kt_timer_context *timer_context = NULL;
    kt_timer *cooling = NULL, *first = NULL, *reading = NULL;
    kt_recording *recording = NULL;
    if (kt_timer_context_import_level_zero(&import, &timer_context) != KT_OK)
        fprintf(stderr, "level_zero_timer: not timed: %s\n", kt_error_text());
    kt_timer_create(timer_context, "cool", &cooling);
    kt_timer_create(timer_context, "first", &first);
    kt_timer_create(timer_context, "read", &reading);
    kt_recording_create(timer_context, NULL, &recording);

    ze_host_mem_alloc_desc_t host_desc = {.stype = ZE_STRUCTURE_TYPE_HOST_MEM_ALLOC_DESC};
    ze_device_mem_alloc_desc_t device_desc = {.stype = ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC};
    void *memory, *heat;
    must(zeMemAllocHost(context, &host_desc, BYTES, 64, &memory));
    must(zeMemAllocDevice(context, &device_desc, BYTES, 64, device, &heat));
    float *rod = memory;
    for (int i = 0; i < N; i++)
        rod[i] = 100;
    must(zeCommandListAppendMemoryCopy(now, heat, rod, BYTES, NULL, 0, NULL));

    /* Recorded once, run in each frame. */
    ze_module_handle_t module;
    ze_kernel_handle_t cool = make_kernel(&module);
    ze_group_count_t groups = {N / GROUP, 1, 1};
    must(zeKernelSetArgumentValue(cool, 0, sizeof heat, &heat));
    kt_recording_begin_level_zero(recording, steps);
    kt_recording_start(recording, cooling);
    for (int i = 0; i < STEPS; i++) {
        ze_event_handle_t event = i == 0 ? kt_recording_event_level_zero(recording, first) : NULL;
        must(zeCommandListAppendLaunchKernel(steps, cool, &groups, event, 0, NULL));
        must(zeCommandListAppendBarrier(steps, NULL, 0, NULL));
        if (i == 0)
            kt_recording_stop(recording, first);
    }
    kt_recording_stop(recording, cooling);
    must(zeCommandListClose(steps));

    for (int frame = 0; frame < FRAMES; frame++) {
        kt_recording_submit(recording);
        must(zeCommandQueueExecuteCommandLists(queue, 1, &steps, NULL));
        must(zeCommandQueueSynchronize(queue, UINT64_MAX));
        must(zeCommandListAppendMemoryCopy(now, rod, heat, BYTES,
                                           kt_timer_event_level_zero(reading), 0, NULL));
        kt_collect(timer_context); /* and the rod could be shown */
    }
    printf("after %d steps its ends have %.2f and %.2f degrees\n", FRAMES * STEPS, (double)rod[0],
           (double)rod[N - 1]);

    kt_registry_print(stdout);
    kt_recording_destroy(&recording); /* its list does not run any more */
    kt_timer_destroy(&cooling);
    kt_timer_destroy(&first);
    kt_timer_destroy(&reading);
    kt_timer_context_close(&timer_context); /* before its context goes */

    zeKernelDestroy(cool);
    zeModuleDestroy(module);
    zeMemFree(context, heat);
    zeMemFree(context, rod);
    zeCommandListDestroy(now);
    zeCommandListDestroy(steps);
    zeCommandQueueDestroy(queue);
    zeContextDestroy(context);
    return 0;
}
