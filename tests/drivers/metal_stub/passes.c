/* SPDX-License-Identifier: MIT */
/* Pass descriptors, and which samples a pass writes. */
#include "stub.h"

static void attachment_end(void *thing)
{
    thing_drop(((struct attachment *)thing)->samples);
}

static void attachments_end(void *thing)
{
    thing_drop(((struct attachments *)thing)->attachment);
}

static void pass_end(void *thing)
{
    thing_drop(((struct pass *)thing)->attachments);
}

static id pass_make(enum entry entry, enum encoder_type type)
{
    LEAVES bool goes = stub_enter_call(entry);
    struct pass *pass = NULL;
    if (goes) {
        pass = thing_create(KIND_PASS, type, sizeof *pass, pass_end);
        pass->type = type;
        pass->attachments =
            thing_create(KIND_ATTACHMENTS, type, sizeof *pass->attachments, attachments_end);
        pass->attachments->attachment =
            thing_create(KIND_ATTACHMENT, type, sizeof(struct attachment), attachment_end);
    }
    return thing_leave(pass);
}

static id compute_pass(id self, SEL selector)
{
    return pass_make(ENTRY_computePassDescriptor, ENCODER_COMPUTE);
}

static id blit_pass(id self, SEL selector)
{
    return pass_make(ENTRY_blitPassDescriptor, ENCODER_BLIT);
}

static id render_pass(id self, SEL selector)
{
    return pass_make(ENTRY_renderPassDescriptor, ENCODER_RENDER);
}

const struct method compute_pass_class_methods[] = {
    METHOD(computePassDescriptor, compute_pass, "@@:"), METHODS_END};
const struct method blit_pass_class_methods[] = {METHOD(blitPassDescriptor, blit_pass, "@@:"),
                                                 METHODS_END};
const struct method render_pass_class_methods[] = {METHOD(renderPassDescriptor, render_pass, "@@:"),
                                                   METHODS_END};

static id pass_attachments(id self, SEL selector)
{
    ANSWER(id, sampleBufferAttachments, struct pass, KIND_PASS, thing_id(it->attachments));
}

const struct method pass_methods[] = {METHOD(sampleBufferAttachments, pass_attachments, "@@:"),
                                      METHODS_END};

/* Of four that Metal has, the stub has the first. */
static id attachments_at(id self, SEL selector, ns_uint index)
{
    ENTER(const struct attachments, of, objectAtIndexedSubscript, KIND_ATTACHMENTS);
    EXPECT_USE(index == 0, "attachment %lu", index);
    return of && index == 0 ? thing_id(of->attachment) : NULL;
}

const struct method attachments_methods[] = {
    METHOD(objectAtIndexedSubscript, attachments_at, "@@:Q"), METHODS_END};

/* ---- attachments ---- */

static id attachment_samples(id self, SEL selector)
{
    ANSWER(id, sampleBuffer, struct attachment, KIND_ATTACHMENT, thing_id(it->samples));
}

static void attachment_set_samples(id self, SEL selector, id samples)
{
    ENTER(struct attachment, attachment, setSampleBuffer, KIND_ATTACHMENT);
    if (attachment) {
        struct samples *held = thing_retain(thing_use(samples, KIND_SAMPLES));
        thing_drop(attachment->samples);
        attachment->samples = held;
    }
}

static void set_index(enum entry entry, id self, int place, ns_uint index)
{
    LEAVES struct attachment *attachment = stub_enter(entry, self, KIND_ATTACHMENT);
    if (attachment)
        attachment->index[place] = index;
}

#define SETTER(function, entry, place)                         \
    static void function(id self, SEL selector, ns_uint index) \
    {                                                          \
        set_index(ENTRY_##entry, self, place, index);          \
    }
SETTER(set_start, setStartOfEncoderSampleIndex, 0)
SETTER(set_end, setEndOfEncoderSampleIndex, 1)
SETTER(set_vertex_start, setStartOfVertexSampleIndex, 0)
SETTER(set_vertex_end, setEndOfVertexSampleIndex, 1)
SETTER(set_fragment_start, setStartOfFragmentSampleIndex, 2)
SETTER(set_fragment_end, setEndOfFragmentSampleIndex, 3)
#undef SETTER

const struct method attachment_methods[] = {METHOD(sampleBuffer, attachment_samples, "@@:"),
                                            METHOD(setSampleBuffer, attachment_set_samples, "v@:@"),
                                            METHOD(setStartOfEncoderSampleIndex, set_start, "v@:Q"),
                                            METHOD(setEndOfEncoderSampleIndex, set_end, "v@:Q"),
                                            METHODS_END};

const struct method render_attachment_methods[] = {
    METHOD(sampleBuffer, attachment_samples, "@@:"),
    METHOD(setSampleBuffer, attachment_set_samples, "v@:@"),
    METHOD(setStartOfVertexSampleIndex, set_vertex_start, "v@:Q"),
    METHOD(setEndOfVertexSampleIndex, set_vertex_end, "v@:Q"),
    METHOD(setStartOfFragmentSampleIndex, set_fragment_start, "v@:Q"),
    METHOD(setEndOfFragmentSampleIndex, set_fragment_end, "v@:Q"),
    METHODS_END};
