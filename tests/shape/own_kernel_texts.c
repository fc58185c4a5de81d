/* SPDX-License-Identifier: MIT */
/*
 * own_kernel_texts ptx|msl        prints that text of examples/own_kernel.c
 * own_kernel_texts nvrtc|hiprtc   compiles its CUDA C; 77: there is no such compiler here
 */
int example_main(int argc, char **argv);
#define main example_main
#include "examples/own_kernel.c"
#undef main

#include "tests/conformance/targets.h"

#include <stdarg.h>
#include <string.h>

bool complain(complaint *to, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    vsnprintf(to->text, sizeof to->text, format, list);
    va_end(list);
    return false;
}

int main(int argc, char **argv)
{
    const char *what = argc == 2 ? argv[1] : "";
    if (strcmp(what, "ptx") == 0)
        return fputs(square_ptx, stdout) < 0;
    if (strcmp(what, "msl") == 0)
        return fputs(square_msl, stdout) < 0;
    complaint reason = {""};
    const workload_kernel kernel = {.entry = "square", .source = square_cuda};
    const char *missing = runtime_compiler_open(what);
    if (missing) {
        printf("skipped: %s\n", missing);
        return 77;
    }
    bool takes = runtime_compiler_takes(&kernel, &reason);
    puts(takes ? "it compiles" : reason.text);
    return !takes;
}
