/* Misuse is found: one case for each sentence. */
#include "selftest.h"

#define MISUSE "misuse 1 "

/* ---- lifetimes ---- */

static void used_after_release(struct world *w)
{
    release(w->queue);
    CHECK(commands(w) == NULL);
}

static void released_twice(struct world *w)
{
    release(w->fill);
    release(w->fill);
}

static void device_released(struct world *w)
{
    release(w->queue); /* which holds it, too */
    release(w->device);
    release(w->device);
}

static void no_pool(struct world *w)
{
    mtl.objc_autoreleasePoolPop(w->pool);
    commands(w);
}

static void pool_within(struct world *w)
{
    mtl.objc_autoreleasePoolPush();
    mtl.objc_autoreleasePoolPop(w->pool);
}

static void pool_twice(struct world *w)
{
    void *pool = mtl.objc_autoreleasePoolPush();
    mtl.objc_autoreleasePoolPop(pool);
    mtl.objc_autoreleasePoolPop(pool);
    (void)w;
}

static void leaked(struct world *w)
{
    (void)w;
}

static void leaked_texts(struct world *w)
{
    GET(id, text("kept"), "retain");
    mtl.objc_autoreleasePoolPop(w->pool);
}

/* ---- command buffers ---- */

static void committed_twice(struct world *w)
{
    id to = commands(w);
    commit(to);
    commit(to);
}

static void committed_open(struct world *w)
{
    id to = commands(w);
    encoder(to, "compute", NULL);
    commit(to);
}

static void encoded_late(struct world *w)
{
    id to = commands(w);
    commit(to);
    CHECK(encoder(to, "compute", NULL) == NULL);
}

static void two_encoders(struct world *w)
{
    id to = commands(w);
    encoder(to, "compute", NULL);
    CHECK(encoder(to, "blit", NULL) == NULL);
}

static void encoded_after_end(struct world *w)
{
    id e = encoder(commands(w), "compute", NULL);
    end(e);
    end(e);
}

static void dropped_open(struct world *w)
{
    void *pool = mtl.objc_autoreleasePoolPush();
    encoder(commands(w), "compute", NULL);
    mtl.objc_autoreleasePoolPop(pool);
}

static void waits_for_nothing(struct world *w)
{
    GET(void, commands(w), "waitUntilCompleted");
}

static void too_many_commands(struct world *w)
{
    for (int i = 0; i < 65; i++)
        commands(w);
}

static void too_many_of_two(struct world *w)
{
    id queue = SEND(id, (id, SEL, ns_uint), w->device,
                    "newCommandQueueWithMaxCommandBufferCount:", (ns_uint)2);
    for (int i = 0; i < 3; i++)
        GET(id, queue, "commandBuffer");
}

/* ---- samples ---- */

static void no_stage(struct world *w)
{
    encoder(commands(w), "compute", make_pass(w, "Compute", 0, 1));
}

static void sample_at(struct world *w, const char *kind, ns_bool barrier)
{
    SEND(void, (id, SEL, id, ns_uint, ns_bool), encoder(commands(w), kind, NULL),
         "sampleCountersInBuffer:atSampleIndex:withBarrier:", w->samples, (ns_uint)0, barrier);
}

static void no_dispatch_boundary(struct world *w)
{
    sample_at(w, "compute", 0);
}

static void odd_bool(struct world *w)
{
    sample_at(w, "blit", 2);
}

static void sample_beyond(struct world *w)
{
    encoder(commands(w), "compute", make_pass(w, "Compute", 0, SAMPLES));
}

static void sample_twice(struct world *w)
{
    id to = commands(w), e = encoder(to, "compute", make_pass(w, "Compute", 0, 1));
    dispatch_fill(w, e, w->private, WORDS);
    end(e);
    commit(to);
    CHECK(await(to) == DONE);
    encoder(commands(w), "compute", make_pass(w, "Compute", 1, 2));
}

/* What they were written by has completed, and is still there. */
static void samples_gone(struct world *w)
{
    id to = commands(w);
    void *pool = mtl.objc_autoreleasePoolPush();
    fill_in_pass(w, to, 0);
    mtl.objc_autoreleasePoolPop(pool); /* with the descriptor */
    commit(to);
    CHECK(await(to) == DONE);
    release(w->samples);
    w->samples = make_samples(w, SAMPLES, NULL);
}

/* Not committed; kept twice by the same key, and another thing by another one. */
static void samples_kept(struct world *w)
{
    void *pool = mtl.objc_autoreleasePoolPush();
    id to = commands(w);
    fill_in_pass(w, to, 0);
    mtl.objc_setAssociatedObject(to, w->samples, w->samples, RETAIN);
    mtl.objc_setAssociatedObject(to, w->samples, w->samples, RETAIN);
    mtl.objc_setAssociatedObject(to, w, w->shared, RETAIN);
    mtl.objc_setAssociatedObject(to, w, NULL, RETAIN);
    release(w->samples);
    mtl.objc_autoreleasePoolPop(pool);
    w->samples = make_samples(w, SAMPLES, NULL);
}

static void kept_by_no_reference(struct world *w)
{
    mtl.objc_setAssociatedObject(commands(w), w->samples, w->samples, 0); /* ..._ASSIGN */
}

static void waits_for_itself(struct world *w)
{
    id fence = GET(id, w->device, "newFence"), e = encoder(commands(w), "compute", NULL);
    SEND(void, (id, SEL, id), e, "updateFence:", fence);
    SEND(void, (id, SEL, id), e, "waitForFence:", fence);
    end(e);
    release(fence);
}

static void resolved_early(struct world *w)
{
    uint64_t value;
    encoder(commands(w), "compute", make_pass(w, "Compute", 0, 1));
    CHECK(resolve(w, &value, 1));
}

static void resolved_beyond(struct world *w)
{
    uint64_t values[SAMPLES + 1];
    CHECK(!resolve(w, values, SAMPLES + 1));
}

static void wrong_pass(struct world *w)
{
    encoder(commands(w), "compute", make_pass(w, "Blit", 0, 1));
}

/* ---- what encoders are given ---- */

static void no_pipeline(struct world *w)
{
    const struct mtl_size one = {1, 1, 1};
    SEND(void, (id, SEL, struct mtl_size, struct mtl_size), encoder(commands(w), "compute", NULL),
         "dispatchThreadgroups:threadsPerThreadgroup:", one, one);
}

static void group_too_large(struct world *w)
{
    const struct mtl_size groups = {1, 1, 1}, size = {32, 32, 2};
    id e = encoder(commands(w), "compute", NULL);
    dispatch_fill(w, e, w->private, WORDS);
    SEND(void, (id, SEL, struct mtl_size, struct mtl_size), e,
         "dispatchThreadgroups:threadsPerThreadgroup:", groups, size);
}

static void buffer_too_small(struct world *w)
{
    dispatch_fill(w, encoder(commands(w), "compute", NULL), w->private, WORDS + 1);
}

static void buffer_missing(struct world *w)
{
    dispatch_fill(w, encoder(commands(w), "compute", NULL), NULL, WORDS);
}

static void offset_beyond(struct world *w)
{
    SEND(void, (id, SEL, id, ns_uint, ns_uint), encoder(commands(w), "compute", NULL),
         "setBuffer:offset:atIndex:", w->private, (ns_uint)BYTES, (ns_uint)0);
}

static void too_many_bytes(struct world *w)
{
    static const char bytes[4097];
    SEND(void, (id, SEL, const void *, ns_uint, ns_uint), encoder(commands(w), "compute", NULL),
         "setBytes:length:atIndex:", bytes, (ns_uint)sizeof bytes, (ns_uint)0);
}

static void copy_beyond(struct world *w)
{
    SEND(void, (id, SEL, id, ns_uint, id, ns_uint, ns_uint), encoder(commands(w), "blit", NULL),
         "copyFromBuffer:sourceOffset:toBuffer:destinationOffset:size:", w->private, (ns_uint)4,
         w->shared, (ns_uint)0, (ns_uint)BYTES);
}

static void copy_onto_itself(struct world *w)
{
    id e = encoder(commands(w), "blit", NULL);
    SEND(void, (id, SEL, id, ns_uint, id, ns_uint, ns_uint), e,
         "copyFromBuffer:sourceOffset:toBuffer:destinationOffset:size:", w->private, 0, w->private,
         256, 512);
    end(e);
}

static void odd_fill(struct world *w)
{
    const struct ns_range range = {0, 7};
    SEND(void, (id, SEL, id, struct ns_range, unsigned char), encoder(commands(w), "blit", NULL),
         "fillBuffer:range:value:", w->private, range, (unsigned char)1);
}

/* ---- what devices are given ---- */

static void no_whole_pages(struct world *w)
{
    static _Alignas(65536) unsigned char memory[65536];
    CHECK(!SEND(id, (id, SEL, void *, ns_uint, ns_uint, void *), w->device,
                "newBufferWithBytesNoCopy:length:options:deallocator:", memory + 64, (ns_uint)64,
                (ns_uint)0, NULL));
}

static void odd_options(struct world *w)
{
    CHECK(SEND(id, (id, SEL, ns_uint, ns_uint), w->device,
               "newBufferWithLength:options:", (ns_uint)64, (ns_uint)2) != NULL);
}

static void beyond_its_end(struct world *w)
{
    ((unsigned char *)GET(void *, w->shared, "contents"))[BYTES] = 0;
    release(w->shared);
}

static void index_beyond(struct world *w)
{
    id sets = GET(id, w->device, "counterSets");
    CHECK(!SEND(id, (id, SEL, ns_uint), sets, "objectAtIndex:", (ns_uint)1));
}

static void another_attachment(struct world *w)
{
    id pass = make_pass(w, "Compute", 0, 1);
    CHECK(!SEND(id, (id, SEL, ns_uint), GET(id, pass, "sampleBufferAttachments"),
                "objectAtIndexedSubscript:", (ns_uint)1));
}

const struct test_case misuse_cases[] = {
    {"", used_after_release, MISUSE "commandBuffer: command queue was destroyed", false},
    {"", released_twice, MISUSE "release: pipeline was destroyed", false},
    {"", device_released, MISUSE "release: device was released more often than retained", false},
    {"", no_pool, MISUSE "commandBuffer: autoreleased with no pool in place", false},
    {"", pool_within, MISUSE "objc_autoreleasePoolPop: there are pools within it", false},
    {"", pool_twice, MISUSE "objc_autoreleasePoolPop: no pool of this thread", false},
    {"", committed_twice, MISUSE "commit: it is committed", false},
    {"", committed_open, MISUSE "commit: an encoder is open", false},
    {"", encoded_late, MISUSE "computeCommandEncoder: it is committed", false},
    {"", two_encoders, MISUSE "blitCommandEncoder: an encoder is open", false},
    {"", encoded_after_end, MISUSE "endEncoding: encoding has ended", false},
    {"", dropped_open, MISUSE "objc_autoreleasePoolPop: an encoder of it is open at its end",
     false},
    {"", waits_for_nothing, MISUSE "waitUntilCompleted: it is not committed", false},
    {"", too_many_commands,
     MISUSE "commandBuffer: 64 command buffers are not complete: it would wait for one", false},
    {"", too_many_of_two,
     MISUSE "commandBuffer: 2 command buffers are not complete: it would wait for one", false},
    {"sampling=amd", no_stage,
     MISUSE "computeCommandEncoderWithDescriptor:: this device does not sample at stages", false},
    {"", no_dispatch_boundary,
     MISUSE "sampleCountersInBuffer:atSampleIndex:withBarrier:: this device does not sample there",
     false},
    {"sampling=amd", odd_bool, MISUSE "sampleCountersInBuffer:atSampleIndex:withBarrier:: BOOL 2",
     false},
    {"", sample_beyond,
     MISUSE "computeCommandEncoderWithDescriptor:: sample 8 is beyond the sample buffer", false},
    {"", sample_twice,
     MISUSE "computeCommandEncoderWithDescriptor:: sample 1 is used before, and never reset",
     false},
    {"", samples_gone, MISUSE "release: a command buffer that writes to it is not deallocated",
     false},
    {"", samples_kept, NULL, false},
    {"", kept_by_no_reference, MISUSE "objc_setAssociatedObject: policy 0x0", false},
    {"", waits_for_itself, MISUSE "waitForFence:: it has updated that fence", false},
    {"", resolved_early, MISUSE "resolveCounterRange:: what writes them is not complete", false},
    {"", resolved_beyond, MISUSE "resolveCounterRange:: range 0, 9", false},
    {"", wrong_pass,
     MISUSE "computeCommandEncoderWithDescriptor:: a descriptor of another kind of pass", false},
    {"", no_pipeline, MISUSE "dispatchThreadgroups:threadsPerThreadgroup:: no pipeline", false},
    {"", group_too_large,
     MISUSE "dispatchThreadgroups:threadsPerThreadgroup:: sizes 1 1 1, 32 32 2", false},
    {"", buffer_too_small,
     MISUSE "dispatchThreadgroups:threadsPerThreadgroup:: fill: the buffer at 0 is too small",
     false},
    {"", buffer_missing, MISUSE "dispatchThreadgroups:threadsPerThreadgroup:: fill: no buffer at 0",
     false},
    {"", offset_beyond, MISUSE "setBuffer:offset:atIndex:: offset 4096, index 0", false},
    {"", too_many_bytes, MISUSE "setBytes:length:atIndex:: length 4097, index 0", false},
    {"", copy_beyond,
     MISUSE "copyFromBuffer:sourceOffset:toBuffer:destinationOffset:size:: 4096 bytes from 4 to 0",
     false},
    {"", copy_onto_itself,
     MISUSE "copyFromBuffer:sourceOffset:toBuffer:destinationOffset:size:: the parts overlap",
     false},
    {"", odd_fill, MISUSE "fillBuffer:range:value:: range 0, 7", false},
    {"", no_whole_pages,
     MISUSE "newBufferWithBytesNoCopy:length:options:deallocator:: the memory is no whole pages",
     false},
    {"", odd_options, MISUSE "newBufferWithLength:options:: options 0x2", false},
    {"", beyond_its_end, MISUSE "release: memory was written beyond its ends", false},
    {"", index_beyond, MISUSE "objectAtIndex:: index 1", false},
    {"", another_attachment, MISUSE "objectAtIndexedSubscript:: attachment 1", false},
    {"", leaked, "leak buffer 2", false},
    {"", leaked, "leak device reference 2", false},
    {"", leaked, "leak autorelease pool 1", false},
    {"", leaked_texts, "leak string 2", false}, /* and the label of the world's samples */
    {"strict=1", released_twice, "abort: misuse: release: pipeline was destroyed", false},
    {NULL, NULL, NULL, false},
};
