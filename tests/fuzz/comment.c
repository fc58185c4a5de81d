/* SPDX-License-Identifier: MIT */
/* Options in the comments of a kernel's file, and the values of the -D among them. What is refused
 * is printed. */
#include "cli/run/subject.h"
#include "fuzz.h"

static run_plan plan;

static void check_texts(const run_texts *texts)
{
    CHECK(texts->count <= RUN_OPTIONS_MAX);
    for (size_t i = 0; i < texts->count; i++)
        CHECK(texts->texts[i][0]);
}

static void check_defines(void)
{
    static const cli_options options;
    plan.options = &options;
    if (defines_read(&plan, 0) == EXIT_DONE)
        for (size_t i = 0; i < plan.define_count[0]; i++)
            CHECK(plan.defines[0][i].name[0] && plan.defines[0][i].value_count);
    defines_free(&plan, 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    run_subject *subject = &plan.subjects[0];
    run_settings layers[COMMENT_LAYERS] = {{.global = NULL}};
    parse_sizes sizes[COMMENT_LAYERS] = {{.count = 0}};
    *subject = (run_subject){.entry = "k", .label = "k.cl"};
    subject->path = fuzz_text((const uint8_t *)"k.cl", 4);
    subject->file = (kernel_file){.language = KT_LANGUAGE_OPENCL_C, .path = subject->path};
    subject->file.text = fuzz_text(data, bytes);
    subject->file.bytes = strlen(subject->file.text);
    plan.subject_count = 1;
    if (comment_read(subject, layers, sizes) == EXIT_DONE) {
        for (int i = 0; i < COMMENT_LAYERS; i++) {
            check_texts(&layers[i].arguments);
            check_texts(&layers[i].defines);
            check_texts(&layers[i].conditions);
            check_texts(&layers[i].locals);
        }
        subject->settings = layers[COMMENT_OF_ALL];
        if (settings_lay_over(&subject->settings, &layers[COMMENT_OF_KERNEL]))
            check_defines();
    }
    free(subject->file.text);
    subject->file.text = NULL;
    subject_free(subject);
    return 0;
}
