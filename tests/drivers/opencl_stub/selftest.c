/* selftest LIBRARY        runs every case
 * selftest LIBRARY bench  prints what the null hot path costs */
#include "selftest.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

struct api cl;

static int failures;

enum { CASE_SECONDS = 20, TEXT_MAX = 8192, BENCH_RUNS = 10, BENCH_ROUNDS = 1000000 };

void check(bool good, const char *text, const char *file, int line)
{
    if (good)
        return;
    failures++;
    fprintf(stderr, "%s:%d: not so: %s\n", file, line, text);
}

static void load(void *library, const char *name, void *pointer)
{
    void *symbol = dlsym(library, name);
    if (!symbol) {
        fprintf(stderr, "missing: %s\n", name);
        exit(1);
    }
    memcpy(pointer, &symbol, sizeof symbol);
}

static void open_library(const char *path)
{
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        fprintf(stderr, "%s\n", dlerror());
        exit(1);
    }
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

void stamps_of(cl_event event, cl_ulong stamps[4])
{
    for (cl_uint i = 0; i < 4; i++) {
        cl_profiling_info which = CL_PROFILING_COMMAND_QUEUED + i;
        CHECK(cl.clGetEventProfilingInfo(event, which, sizeof stamps[i], &stamps[i], NULL) == 0);
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

/* Begins with a line end, so that every line has one on both sides. */
static void read_file(const char *path, char text[TEXT_MAX])
{
    FILE *file = fopen(path, "r");
    size_t length = file ? fread(text + 1, 1, TEXT_MAX - 2, file) : 0;
    text[0] = '\n';
    text[length + 1] = '\0';
    if (file)
        fclose(file);
}

static void redirect_errors(const char *path)
{
    int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (file < 0 || dup2(file, STDERR_FILENO) < 0)
        exit(1);
    close(file);
}

static _Noreturn void run_child(const struct test_case *test, const char *library,
                                const char *report, const char *errors)
{
    const struct rlimit no_core = {0, 0};
    setrlimit(RLIMIT_CORE, &no_core);
    alarm(CASE_SECONDS);
    setenv("KT_STUB_OPENCL", test->script, 1);
    setenv("KT_STUB_OPENCL_COUNTS", report, 1);
    if (test->stderr_) /* below stdio: a reopened stream is buffered, and abort drops its buffer */
        redirect_errors(errors);
    open_library(library);
    test->run();
    exit(failures ? 1 : 0);
}

static void check_report(const struct test_case *test, const char *report)
{
    char text[TEXT_MAX];
    char line[128];
    read_file(report, text);
    if (test->report) {
        snprintf(line, sizeof line, "\n%s\n", test->report);
        CHECK(strstr(text, line) != NULL);
    }
    if (test->clean)
        CHECK(!strstr(text, "leak") && !strstr(text, "misuse"));
}

static void run_case(const struct test_case *test, const char *library, const char *folder)
{
    char report[64];
    char errors[64];
    char text[TEXT_MAX];
    int before = failures;
    int state = 0;
    snprintf(report, sizeof report, "%s/report", folder);
    snprintf(errors, sizeof errors, "%s/errors", folder);
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        failures = 0;
        run_child(test, library, report, errors);
    }
    CHECK(child > 0 && waitpid(child, &state, 0) == child);
    if (test->stderr_) {
        read_file(errors, text);
        CHECK(WIFSIGNALED(state) && WTERMSIG(state) == SIGABRT);
        CHECK(strstr(text, test->stderr_) != NULL);
    } else {
        CHECK(WIFEXITED(state) && WEXITSTATUS(state) == 0);
        check_report(test, report);
    }
    unlink(report);
    unlink(errors);
    printf("%s '%s'\n", failures == before ? "ok  " : "FAIL", test->script);
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
        cl_ulong stamps[4];
        cl_event event = NULL;
        cl.clEnqueueNDRangeKernel(world->queue, world->empty, 1, NULL, &global, NULL, 0, NULL,
                                  &event);
        cl.clFlush(world->queue);
        cl.clWaitForEvents(1, &event);
        for (cl_uint k = 0; k < 4; k++)
            cl.clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_QUEUED + k, sizeof stamps[k],
                                       &stamps[k], NULL);
        cl.clReleaseEvent(event);
        sum += stamps[3] - stamps[2];
    }
    return sum;
}

static void bench(void)
{
    struct world world;
    double best = 1e9;
    world_open(&world);
    for (int run = 0; run < BENCH_RUNS; run++) {
        double start = now_ns();
        CHECK(hot_path(&world, BENCH_ROUNDS) == 1000ULL * BENCH_ROUNDS);
        double each = (now_ns() - start) / BENCH_ROUNDS;
        best = each < best ? each : best;
    }
    world_close(&world);
    printf("null hot path: %.1f ns per dispatch (best of %d runs of %d)\n", best, BENCH_RUNS,
           BENCH_ROUNDS);
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        fprintf(stderr, "usage: selftest LIBRARY [bench]\n");
        return 2;
    }
    if (argc > 2 && strcmp(argv[2], "bench") == 0) {
        open_library(argv[1]);
        bench();
        return failures ? 1 : 0;
    }
    char folder[] = "/tmp/opencl_stub.XXXXXX";
    if (!mkdtemp(folder)) {
        perror(folder);
        return 1;
    }
    for (const struct test_case *test = call_cases; test->run; test++)
        run_case(test, argv[1], folder);
    for (const struct test_case *test = script_cases; test->run; test++)
        run_case(test, argv[1], folder);
    for (const struct test_case *test = late_cases; test->run; test++)
        run_case(test, argv[1], folder);
    for (const struct test_case *test = memory_cases; test->run; test++)
        run_case(test, argv[1], folder);
    rmdir(folder);
    return failures ? 1 : 0;
}
