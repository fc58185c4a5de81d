/* SPDX-License-Identifier: MIT */
/* A program of CUDA or HIP, for tests of timers in its streams. */
#define _GNU_SOURCE
#include "tests/unit/backends/cuda_hip/cuda_user.h"

#include <dlfcn.h>
#include <stdlib.h>

user_api user;
bool is_hip;
kt_backend_id user_backend;
cuda_context user_context;
cuda_stream streams[2];

static cuda_address memory;

static void load(void *library, const char *symbol, void *out)
{
    void *address = dlsym(library, symbol);
    if (!address && strcmp(symbol, "cuDevicePrimaryCtxRelease_v2") == 0) /* CUDA 11 brought it */
        address = dlsym(library, "cuDevicePrimaryCtxRelease");
    if (!address && !strstr(symbol, "ThreadExchange")) /* nor has one from before that */
        fail_msg("the stub has no %s", symbol);
    memcpy(out, &address, sizeof address);
}

void user_load(const char *api)
{
    is_hip = strcmp(api, "hip") == 0;
    user_backend = is_hip ? KT_BACKEND_HIP : KT_BACKEND_CUDA;
    const char *name = getenv(is_hip ? "KERNTIME_LIB_HIP" : "KERNTIME_LIB_CUDA");
    if (!name)
        name = is_hip ? "libamdhip64.so.6" : "libcuda.so.1";
    void *library = dlopen(name, RTLD_NOW);
    if (!library)
        fail_msg("%s", dlerror());
#define LOAD(name, cuda, hip, parameters) load(library, is_hip ? #hip : #cuda, &user.name);
    USER_FUNCTIONS(LOAD)
#undef LOAD
#define LOAD(name, symbol, parameters) load(library, #symbol, &user.name);
    if (is_hip) {
        USER_FUNCTIONS_HIP(LOAD)
    } else {
        USER_FUNCTIONS_CUDA(LOAD)
    }
#undef LOAD
}

void user_open(void)
{
    assert_int_equal(user.init(0), CUDA_OK);
    if (!is_hip) {
        assert_int_equal(user.retain(&user_context, 0), CUDA_OK);
        assert_int_equal(user.set_context(user_context), CUDA_OK);
    }
    for (int i = 0; i < 2; i++)
        assert_int_equal(user.stream_create(&streams[i], CUDA_STREAM_NON_BLOCKING), CUDA_OK);
    assert_int_equal(user.alloc(&memory, WORK_BYTES), CUDA_OK);
}

void user_close(void)
{
    assert_int_equal(user.release(memory), CUDA_OK);
    for (int i = 0; i < 2; i++)
        assert_int_equal(user.stream_destroy(streams[i]), CUDA_OK);
    if (is_hip)
        return;
    assert_int_equal(user.set_context(NULL), CUDA_OK);
    assert_int_equal(user.let_go(0), CUDA_OK);
}

void user_work(cuda_stream stream, int count)
{
    for (int i = 0; i < count; i++)
        assert_int_equal(user.fill(memory, 7, WORK_BYTES, stream), CUDA_OK);
}

kt_status user_import(cuda_stream stream, uint32_t spans_max, kt_timer_context **out)
{
    const kt_cuda_import cuda = {
        .size = sizeof cuda, .stream = (struct CUstream_st *)stream, .spans_max = spans_max};
    const kt_hip_import hip = {
        .size = sizeof hip, .stream = (struct ihipStream_t *)stream, .spans_max = spans_max};
    return is_hip ? kt_timer_context_import_hip(&hip, out)
                  : kt_timer_context_import_cuda(&cuda, out);
}

kt_status user_add(kt_timer_context *timer_context, cuda_stream stream)
{
    return is_hip ? kt_timer_context_add_hip_stream(timer_context, (struct ihipStream_t *)stream)
                  : kt_timer_context_add_cuda_stream(timer_context, (struct CUstream_st *)stream);
}
