/* Cases of the clock and of events. */
#include "selftest.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- the clock ---- */

/* The stream was idle, so the pause before the launch is in the pair: 1000 and 200 ns, in steps of
 * 100. */
static void pair_in_steps(struct world *w)
{
    const float ms = pair(w);
    CHECK(ms >= 0.0012F && ms < 0.0014F);
    CHECK(fmodf(ms * 1e6F + 0.5F, 100.0F) < 1.0F);
}

static void coarse(struct world *w)
{
    CHECK(pair(w) == 0.001F);
}

static void long_pair(struct world *w)
{
    const int64_t before = gpu.ktStubNow();
    CHECK(fabsf(pair(w) - 60000.0F) < 0.01F);
    CHECK(gpu.ktStubNow() - before >= INT64_C(60000000000));
}

static void held_pair(struct world *w)
{
    float ms = NAN;
    CHECK(hold(w, 1, 10000000) == CUDA_OK);
    CHECK(gpu.cuEventRecord(w->begin, w->stream) == CUDA_OK);
    CHECK(launch(w) == CUDA_OK);
    CHECK(gpu.cuEventRecord(w->end, w->stream) == CUDA_OK);
    CHECK(gpu.cuStreamQuery(w->stream) == CUDA_NOT_READY);
    CHECK(gpu.cuEventQuery(w->end) == CUDA_NOT_READY);
    CHECK(gpu.cuEventElapsedTime(&ms, w->begin, w->end) == CUDA_NOT_READY && isnan(ms));
    w->words[0] = 1;
    drain(w);
    CHECK(gpu.cuEventElapsedTime(&ms, w->begin, w->end) == CUDA_OK && ms == 0.001F);
    CHECK(w->words[16] == 0);
}

static void blocking_expires(struct world *w)
{
    const int64_t before = gpu.ktStubNow();
    CHECK(hold(w, 7, 50000) == CUDA_OK && launch(w) == CUDA_OK);
    drain(w);
    CHECK(w->words[16] == 7 && gpu.ktStubNow() - before >= 51000);
}

static void blocking_waits(struct world *w)
{
    CHECK(hold(w, 7, 50000) == CUDA_OK && launch(w) == CUDA_OK);
    gpu.ktStubAdvance(60000);
    CHECK(gpu.cuStreamQuery(w->stream) == CUDA_NOT_READY && w->words[16] == 0);
    w->words[0] = 7;
    drain(w);
    CHECK(w->words[16] == 0);
}

static void blocking_ignored(struct world *w)
{
    CHECK(hold(w, 7, 50000000) == CUDA_OK && launch(w) == CUDA_OK);
    CHECK(drain(w) <= 1 && w->words[16] == 0);
}

static void queue_is_full(struct world *w)
{
    CHECK(hold(w, 1, 50000) == CUDA_OK);
    for (int i = 0; i < 4; i++)
        CHECK(launch(w) == CUDA_OK);
    CHECK(w->words[16] == 1);
    drain(w);
    world_close(w);
}

static void late(struct world *w)
{
    float ms = NAN;
    CHECK(launch(w) == CUDA_OK);
    CHECK(gpu.cuEventRecord(w->begin, w->stream) == CUDA_OK);
    CHECK(gpu.cuEventRecord(w->end, w->stream) == CUDA_OK);
    gpu.ktStubAdvance(1000000);
    CHECK(gpu.cuEventElapsedTime(&ms, w->begin, w->end) == CUDA_NOT_READY);
    for (int i = 0; i < 3; i++)
        CHECK(gpu.cuEventQuery(w->begin) == CUDA_NOT_READY);
    CHECK(gpu.cuEventQuery(w->begin) == CUDA_OK);
    CHECK(gpu.cuEventElapsedTime(&ms, w->begin, w->end) == CUDA_NOT_READY);
    CHECK(drain(w) == 3);
    CHECK(gpu.cuEventElapsedTime(&ms, w->begin, w->end) == CUDA_OK);
}

static void polled(struct world *w)
{
    CHECK(launch(w) == CUDA_OK);
    CHECK(gpu.cuStreamQuery(w->stream) == CUDA_NOT_READY);
    CHECK(gpu.cuStreamQuery(w->stream) == CUDA_NOT_READY);
    gpu.ktStubAdvance(10000);
    CHECK(gpu.cuStreamQuery(w->stream) == CUDA_OK);
}

static void host_clock(struct world *w)
{
    const float ms = pair(w);
    CHECK(ms >= 2.0F);
}

static void hangs(struct world *w)
{
    CHECK(launch(w) == CUDA_OK);
    for (int i = 0; i < 100; i++)
        CHECK(gpu.cuStreamQuery(w->stream) == CUDA_NOT_READY);
}

static void ends_what_hangs(struct world *w)
{
    CHECK(launch(w) == CUDA_OK);
    CHECK(gpu.cuStreamDestroy(w->stream) == CUDA_OK);
}

static void loses(struct world *w)
{
    CHECK(launch(w) == CUDA_OK);
    CHECK(launch(w) == CUDA_ILLEGAL_ADDRESS);
    CHECK(gpu.cuStreamQuery(w->stream) == CUDA_ILLEGAL_ADDRESS);
    CHECK(gpu.cuEventCreate(&w->end, 0) == CUDA_ILLEGAL_ADDRESS);
}

/* ---- what events tell ---- */

static void never_recorded(struct world *w)
{
    float ms = 5;
    CHECK(gpu.cuEventQuery(w->begin) == CUDA_OK);
    CHECK(gpu.cuEventRecord(w->begin, w->stream) == CUDA_OK);
    drain(w);
    CHECK(gpu.cuEventElapsedTime(&ms, w->begin, w->end) == CUDA_INVALID_HANDLE && ms == 5);
}

static void without_times(struct world *w)
{
    cuda_event timeless = NULL;
    float ms = 5;
    CHECK(gpu.cuEventCreate(&timeless, 2) == CUDA_OK);
    CHECK(gpu.cuEventRecord(w->begin, w->stream) == CUDA_OK);
    CHECK(gpu.cuEventRecord(timeless, w->stream) == CUDA_OK);
    drain(w);
    CHECK(gpu.cuEventElapsedTime(&ms, w->begin, timeless) == CUDA_INVALID_HANDLE);
    CHECK(gpu.cuEventDestroy(timeless) == CUDA_OK);
}

static cuda_code elapsed(struct world *w, float *ms)
{
    pair(w);
    *ms = 77;
    return gpu.cuEventElapsedTime(ms, w->begin, w->end);
}

static void negative(struct world *w)
{
    float ms = 0;
    CHECK(elapsed(w, &ms) == CUDA_OK && ms < 0);
}

static void nothing_written(struct world *w)
{
    float ms = 0;
    CHECK(elapsed(w, &ms) == CUDA_OK && ms == 77);
}

static void not_ready(struct world *w)
{
    float ms = 0;
    CHECK(elapsed(w, &ms) == CUDA_NOT_READY && ms == 77);
}

static void every_second(struct world *w)
{
    float ms = 0;
    for (int i = 0; i < 2; i++) { /* pair() asks once itself */
        CHECK(elapsed(w, &ms) == CUDA_INVALID_HANDLE && ms == 77);
    }
}

static void captured(struct world *w)
{
    cuda_capture_status status = CUDA_CAPTURE_NONE;
    void *graph = NULL;
    float ms = 0;
    CHECK(gpu.cuEventRecord(w->begin, w->stream) == CUDA_OK);
    drain(w);
    CHECK(gpu.cuStreamBeginCapture(w->stream, CUDA_CAPTURE_MODE_RELAXED) == CUDA_OK);
    CHECK(gpu.cuStreamIsCapturing(w->stream, &status) == CUDA_OK);
    CHECK(status == CAPTURE_ACTIVE);
    CHECK(gpu.cuEventRecord(w->end, w->stream) == CUDA_OK);
    CHECK(gpu.cuEventQuery(w->end) == CUDA_CAPTURED_EVENT);
    CHECK(gpu.cuEventElapsedTime(&ms, w->begin, w->end) == CUDA_CAPTURED_EVENT);
    CHECK(gpu.cuStreamEndCapture(w->stream, &graph) == CUDA_OK);
    CHECK(gpu.cuStreamIsCapturing(w->stream, &status) == CUDA_OK);
    CHECK(status == CUDA_CAPTURE_NONE);
}

static void reported_captured(struct world *w)
{
    cuda_capture_status status = CUDA_CAPTURE_NONE;
    CHECK(gpu.cuStreamIsCapturing(w->stream, &status) == CUDA_OK);
    CHECK(status == CAPTURE_ACTIVE);
    CHECK(gpu.cuEventRecord(w->end, w->stream) == CUDA_OK);
    CHECK(gpu.cuEventQuery(w->end) == CUDA_CAPTURED_EVENT);
}

/* In a relaxed thread what would spoil a global capture is allowed. */
static void relaxed(struct world *w)
{
    void *graph = NULL;
    cuda_capture_mode mode = CUDA_CAPTURE_MODE_RELAXED;
    cuda_address memory = 0;
    CHECK(gpu.cuStreamBeginCapture(w->stream, 0) == CUDA_OK);
    CHECK(gpu.cuThreadExchangeStreamCaptureMode(&mode) == CUDA_OK && mode == 0);
    CHECK(gpu.cuMemAlloc(&memory, 4) == CUDA_OK && gpu.cuMemFree(memory) == CUDA_OK);
    CHECK(gpu.cuThreadExchangeStreamCaptureMode(&mode) == CUDA_OK);
    CHECK(gpu.cuStreamEndCapture(w->stream, &graph) == CUDA_OK);
}

static void spoils_capture(struct world *w)
{
    cuda_address memory = 0;
    CHECK(gpu.cuStreamBeginCapture(w->stream, 0) == CUDA_OK);
    CHECK(gpu.cuMemAlloc(&memory, 4) == CUDA_CAPTURE_UNSUPPORTED);
}

const struct test_case cases_of_events[] = {
    {"kernel_ns=1000,launch_gap_ns=200,record_ns=0,step_ns=100", pair_in_steps, NULL, BOTH, false},
    {"kernel_ns=1000,launch_gap_ns=0,record_ns=0,call_ns=0", coarse, NULL, BOTH, false},
    {"kernel_ns=60000000000", long_pair, NULL, BOTH, false},
    {"kernel_ns=750,launch_gap_ns=20000", held_pair, NULL, BOTH, false},
    {"kernel_ns=1000", blocking_expires, NULL, BOTH, false},
    {"blocking=patient,kernel_ns=1000", blocking_waits, NULL, BOTH, false},
    {"blocking=ignored", blocking_ignored, NULL, BOTH, false},
    {"depth=3", queue_is_full, "blocked 1", BOTH, false},
    {"late=3", late, NULL, BOTH, false},
    {"poll_ns=10", polled, NULL, BOTH, false},
    {"clock=host,kernel_ns=2000000", host_clock, NULL, BOTH, false},
    {"hang=1", hangs, "leak stream 1", BOTH, false},
    {"hang=1", ends_what_hangs, "misuse 1 cuStreamDestroy_v2: the stream hangs", CUDA_ALONE_CASE,
     false},
    {"lost=2", loses, "leak stream 1", BOTH, false},
    {"", never_recorded, NULL, BOTH, false},
    {"", without_times, NULL, BOTH, false},
    {"elapsed=negative", negative, NULL, BOTH, false},
    {"elapsed=nothing", nothing_written, NULL, BOTH, false},
    {"elapsed=not_ready", not_ready, NULL, BOTH, false},
    {"elapsed=invalid,every=2", every_second, NULL, BOTH, false},
    {"", captured, NULL, BOTH, false},
    {"capturing=1", reported_captured, NULL, BOTH, false},
    {"", relaxed, NULL, BOTH, false},
    {"", spoils_capture, "misuse 1 cuMemAlloc_v2: it spoils a capture", CUDA_ALONE_CASE, false},
    {NULL, NULL, NULL, BOTH, false},
};
