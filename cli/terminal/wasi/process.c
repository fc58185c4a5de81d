/* SPDX-License-Identifier: MIT */
/* process.c - processes in WebAssembly: other instances of this module, in turns on one thread. */
#include "cli/terminal/process.h"

#include "cli/terminal/process_lines.h"
#include "cli/terminal/terminal.h"
#include "cli/terminal/wasi/imports.h"

#include <kerntime/clock.h>
#include <stdlib.h>
#include <unistd.h>

#define LOOK_MS 100 /* how often a waiting process looks for a request to stop */
#define TRAPPED 256 /* code of import_finish() */

void process_keep_environment(void) {}

int64_t process_number(bool of_starter)
{
    return of_starter ? 0 : 1;
}

int process_run(const char *const *arguments, FILE *input, const char *hidden, process_output *out)
{
    (void)arguments, (void)input, (void)hidden;
    *out = (process_output){0};
    return PROCESS_MISSING;
}

static int start(const char *const *arguments)
{
    size_t count = 0;
    while (arguments[count])
        count++;
    return import_spawn(arguments, count);
}

/* Returns the bytes read; 0: the process has ended, or memory runs out; -1: nothing came. */
static int read_more(process_child *child)
{
    if (!process_make_room(child))
        return 0;
    int count = import_read_output(child->pid, child->text + child->length,
                                   child->room - child->length, LOOK_MS);
    child->length += count > 0 ? (size_t)count : 0;
    return count;
}

int process_run_again(const char *const *arguments, process_output *out)
{
    process_child child = {.pid = start(arguments)};
    *out = (process_output){0};
    while (read_more(&child) != 0)
        ;
    int code = import_finish(child.pid, 0);
    if (process_make_room(&child))
        child.text[child.length] = '\0';
    out->output = child.text;
    out->output_bytes = child.length;
    return out->output ? code : PROCESS_BROKEN;
}

void process_free(process_output *output)
{
    free(output->output);
    free(output->errors);
    *output = (process_output){0};
}

int process_start_again(const char *const *arguments, process_child *child)
{
    *child = (process_child){.pid = start(arguments), .pipe = -1};
    return 0;
}

process_event process_read_line(process_child *child, int64_t limit_ns, bool obeys, char **line)
{
    int64_t end_ns = kt_host_now_ns() + limit_ns;
    while ((*line = process_take_line(child)) == NULL) {
        int count = read_more(child);
        if (count == 0)
            return PROCESS_ENDED;
        if (count < 0 && obeys && terminal_interrupted())
            return PROCESS_INTERRUPTED;
        if (count < 0 && kt_host_now_ns() >= end_ns)
            return PROCESS_SILENT;
    }
    return PROCESS_LINE;
}

int process_finish(process_child *child, bool forced, char *how, size_t bytes)
{
    int code = import_finish(child->pid, forced);
    if (code == TRAPPED)
        snprintf(how, bytes, "was ended by a trap of WebAssembly");
    else
        snprintf(how, bytes, "ended with exit code %d", code);
    free(child->text);
    *child = (process_child){.pipe = -1};
    return code;
}

FILE *process_open_lines(void)
{
    setvbuf(stdout, NULL, _IOLBF, 0);
    return stdout;
}

_Noreturn void process_leave(int code)
{
    _Exit(code);
}
