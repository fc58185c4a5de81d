/* SPDX-License-Identifier: MIT */
/* cuda_runtime_timer.c - one picture goes up while another comes down: a program that uses CUDA's
 * runtime API. */
#include <cuda_runtime_api.h>
#include <kerntime/snapshot.h>
#include <kerntime/timer/cuda.h>
#include <stdio.h>
#include <stdlib.h>

enum { BYTES = 16 << 20, FRAMES = 20 };
static unsigned char picture[BYTES], shown[BYTES];

static void must(cudaError_t error)
{
    if (error != cudaSuccess) {
        fprintf(stderr, "cuda_runtime_timer: CUDA answers %d\n", error);
        exit(1);
    }
}

int main(void)
{
    cudaStream_t up, down;
    void *next, *newest;
    int count = 0;
    if (cudaGetDeviceCount(&count) != cudaSuccess || count == 0) {
        fprintf(stderr, "cuda_runtime_timer: there is no CUDA device here\n");
        return 0;
    }
    must(cudaSetDevice(0));
    must(cudaHostRegister(picture, BYTES, cudaHostRegisterDefault));
    must(cudaHostRegister(shown, BYTES, cudaHostRegisterDefault));
    must(cudaMalloc(&next, BYTES));
    must(cudaMalloc(&newest, BYTES));
    must(cudaStreamCreateWithFlags(&up, cudaStreamNonBlocking));
    must(cudaStreamCreateWithFlags(&down, cudaStreamNonBlocking));

    /* The runtime has made the device's context current, and its streams are those of the
     * driver. */
    kt_cuda_import import = {.size = sizeof import, .stream = up};
    kt_timer_context *context = NULL;
    kt_timer *clearing = NULL, *sending = NULL, *fetching = NULL;
    if (kt_timer_context_import_cuda(&import, &context) != KT_OK)
        fprintf(stderr, "cuda_runtime_timer: not timed: %s\n", kt_error_text());
    kt_timer_context_add_cuda_stream(context, down);
    kt_timer_context_add_cuda_stream(context, NULL); /* the default stream */
    kt_timer_create(context, "clear", &clearing);
    kt_timer_create(context, "up", &sending);
    kt_timer_create(context, "down", &fetching);

    kt_timer_start(clearing, NULL);
    must(cudaMemsetAsync(newest, 0, BYTES, NULL));
    kt_timer_stop(clearing, NULL);
    must(cudaStreamSynchronize(NULL));

    for (int frame = 0; frame < FRAMES; frame++) {
        picture[0] = (unsigned char)frame;
        kt_timer_start(sending, up);
        must(cudaMemcpyAsync(next, picture, BYTES, cudaMemcpyHostToDevice, up));
        kt_timer_stop(sending, up);
        kt_timer_start(fetching, down);
        must(cudaMemcpyAsync(shown, newest, BYTES, cudaMemcpyDeviceToHost, down));
        kt_timer_stop(fetching, down);
        must(cudaStreamSynchronize(up));
        must(cudaStreamSynchronize(down));
        void *done = newest;
        newest = next;
        next = done;
        kt_collect(context);
    }
    printf("picture %d of %d was shown last\n", shown[0] + 1, FRAMES);

    kt_registry_print(stdout);
    kt_timer_destroy(&clearing);
    kt_timer_destroy(&sending);
    kt_timer_destroy(&fetching);
    kt_timer_context_close(&context);

    cudaStreamDestroy(up);
    cudaStreamDestroy(down);
    cudaFree(next);
    cudaFree(newest);
    cudaHostUnregister(picture);
    cudaHostUnregister(shown);
    return 0;
}
