/* selftest LIBRARY        runs every case
 * selftest LIBRARY bench  prints what the null hot path costs */
#include "selftest.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct api cl;

enum { BENCH_RUNS = 10, BENCH_ROUNDS = 1000000 };

static void load(void *library, const char *name, void *pointer)
{
    void *symbol = dlsym(library, name);
    if (!symbol) {
        fprintf(stderr, "missing: %s\n", name);
        exit(1);
    }
    memcpy(pointer, &symbol, sizeof symbol);
}

static void load_api(void *library)
{
#define LOAD(name) load(library, #name, &cl.name);
    ENTRY_POINTS(LOAD)
#undef LOAD
}

void world_open(struct world *world)
{
    static const char *source = "kernel void empty(void) {} kernel void matmul_naive() {}";
    const cl_queue_properties properties[] = {CL_QUEUE_PROPERTIES, CL_QUEUE_PROFILING_ENABLE, 0};
    cl_int error = CL_SUCCESS;
    CHECK(cl.clGetPlatformIDs(1, &world->platform, NULL) == CL_SUCCESS);
    CHECK(cl.clGetDeviceIDs(world->platform, CL_DEVICE_TYPE_ALL, 1, &world->device, NULL) == 0);
    world->context = cl.clCreateContext(NULL, 1, &world->device, NULL, NULL, &error);
    CHECK(world->context && error == CL_SUCCESS);
    world->queue =
        cl.clCreateCommandQueueWithProperties(world->context, world->device, properties, &error);
    CHECK(world->queue && error == CL_SUCCESS);
    world->program = cl.clCreateProgramWithSource(world->context, 1, &source, NULL, &error);
    CHECK(world->program && error == CL_SUCCESS);
    CHECK(cl.clBuildProgram(world->program, 0, NULL, NULL, NULL, NULL) == CL_SUCCESS);
    world->empty = cl.clCreateKernel(world->program, "empty", &error);
    CHECK(world->empty && error == CL_SUCCESS);
}

void world_close(struct world *world)
{
    CHECK(cl.clReleaseKernel(world->empty) == CL_SUCCESS);
    CHECK(cl.clReleaseProgram(world->program) == CL_SUCCESS);
    CHECK(cl.clReleaseCommandQueue(world->queue) == CL_SUCCESS);
    CHECK(cl.clReleaseContext(world->context) == CL_SUCCESS);
}

cl_event dispatch(const struct world *world)
{
    const size_t global = 64;
    cl_event event = NULL;
    cl.clEnqueueNDRangeKernel(world->queue, world->empty, 1, NULL, &global, NULL, 0, NULL, &event);
    return event;
}

void timestamps_of(cl_event event, cl_ulong timestamps[4])
{
    for (cl_uint i = 0; i < 4; i++) {
        cl_profiling_info which = CL_PROFILING_COMMAND_QUEUED + i;
        CHECK(cl.clGetEventProfilingInfo(event, which, sizeof timestamps[i], &timestamps[i],
                                         NULL) == 0);
    }
}

cl_int status_of(cl_event event)
{
    cl_int status = 12345;
    CHECK(cl.clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status,
                            NULL) == CL_SUCCESS);
    return status;
}

cl_command_queue new_queue(const struct world *world, cl_command_queue_properties properties)
{
    return cl.clCreateCommandQueue(world->context, world->device, properties, NULL);
}

static void run_test(const struct test_case *test, void *library)
{
    load_api(library);
    test->run();
}

static bool run_cases(const struct test_case *test, const char *library)
{
    static const struct stub stub = {"KT_STUB_OPENCL", "KT_STUB_OPENCL_COUNTS", run_test};
    bool good = true;
    for (; test->run; test++) {
        good &= stub_case_run(&stub, library, test->script, test->report, test);
        if (test->clean && test->report && *test->report)
            good &= stub_case_run(&stub, library, test->script, NULL, test);
    }
    return good;
}

static double now_ns(void)
{
    struct timespec now = {0};
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

/* As lean as a host can be, so that what is measured is the stub. */
static cl_ulong hot_path(const struct world *world, int rounds)
{
    const size_t global = 64;
    cl_ulong sum = 0;
    for (int i = 0; i < rounds; i++) {
        cl_ulong timestamps[4];
        cl_event event = NULL;
        cl.clEnqueueNDRangeKernel(world->queue, world->empty, 1, NULL, &global, NULL, 0, NULL,
                                  &event);
        cl.clFlush(world->queue);
        cl.clWaitForEvents(1, &event);
        for (cl_uint k = 0; k < 4; k++)
            cl.clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_QUEUED + k, sizeof timestamps[k],
                                       &timestamps[k], NULL);
        cl.clReleaseEvent(event);
        sum += timestamps[3] - timestamps[2];
    }
    return sum;
}

static bool bench(void)
{
    bool good = true;
    struct world world;
    double best = 1e9;
    world_open(&world);
    for (int run = 0; run < BENCH_RUNS; run++) {
        double start = now_ns();
        good &= hot_path(&world, BENCH_ROUNDS) == 1000ULL * BENCH_ROUNDS;
        double each = (now_ns() - start) / BENCH_ROUNDS;
        best = each < best ? each : best;
    }
    world_close(&world);
    printf("null hot path: %.1f ns per dispatch (best of %d runs of %d)\n", best, BENCH_RUNS,
           BENCH_ROUNDS);
    return good;
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        fprintf(stderr, "usage: selftest LIBRARY [bench]\n");
        return 2;
    }
    if (argc > 2 && strcmp(argv[2], "bench") == 0) {
        void *library = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
        if (!library) {
            fprintf(stderr, "%s\n", dlerror());
            return 1;
        }
        load_api(library);
        return bench() ? 0 : 1;
    }
    bool good = run_cases(call_cases, argv[1]);
    good &= run_cases(script_cases, argv[1]);
    good &= run_cases(late_cases, argv[1]);
    good &= run_cases(memory_cases, argv[1]);
    return good ? 0 : 1;
}
