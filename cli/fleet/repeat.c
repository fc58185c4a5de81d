/* SPDX-License-Identifier: MIT */
/* repeat.c - the command that made a result file, as a shell runs it again on other devices. */
#define _POSIX_C_SOURCE 200809L /* open_memstream */
#include "cli/fleet/commands.h"

#include <stdlib.h>
#include <string.h>

bool fleet_is_word(const char *text)
{
    while (*text && (unsigned char)*text >= 0x20 && *text != 0x7F)
        text++;
    return !*text;
}

bool fleet_put_word(FILE *file, const char *text)
{
    size_t plain = strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "_-+.,:/%@");
    if (!fleet_is_word(text))
        return false;
    if (*text && !text[plain]) {
        fputs(text, file);
        return true;
    }
    fputc('\'', file);
    for (; *text; text++)
        if (*text == '\'')
            fputs("'\\''", file);
        else
            fputc(*text, file);
    fputc('\'', file);
    return true;
}

typedef struct words {
    FILE *file;
    bool begun, is_fine;
} words;

static void put(void *user, const char *word)
{
    words *w = user;
    if (w->begun)
        fputc(' ', w->file);
    w->begun = true;
    w->is_fine = fleet_put_word(w->file, word) && w->is_fine;
}

/* One run shows no noise; and baselines cost time for nothing. */
static void put_more(words *w, const cli_options *parsed, bool is_bench)
{
    if (parsed->runs <= 1)
        fprintf(w->file, " --runs %d", FLEET_RUNS_USUAL);
    if (is_bench && parsed->baseline_samples == BASELINE_SAMPLES_AUTO)
        fputs(" --baseline-samples 0", w->file);
}

const char *fleet_repeat(fleet *of, const kt_report_desc *desc, const char **why)
{
    char reason[PARSE_WHY_BYTES + 160] = "out of memory", *text = NULL;
    size_t bytes = 0, count = desc->command_count;
    cli_options parsed;
    char **copy = fleet_alloc(of, count, sizeof *copy);
    words w = {.file = copy ? open_memstream(&text, &bytes) : NULL, .is_fine = true};
    bool is_fine = w.file != NULL;
    if (is_fine && count)
        memcpy(copy, desc->command, count * sizeof *copy);
    if (is_fine)
        is_fine = options_repeat((int)count, copy, &parsed, put, &w, reason, sizeof reason) == 0;
    if (is_fine)
        put_more(&w, &parsed, strcmp(desc->command[0], "bench") == 0);
    if (is_fine && !w.is_fine)
        snprintf(reason, sizeof reason, "it has control characters");
    if (w.file && fclose(w.file) != 0)
        w.is_fine = false;
    const char *kept = is_fine && w.is_fine ? fleet_keep(of, text) : NULL;
    if (!kept)
        *why = fleet_keep(of, reason);
    free(text);
    free(copy);
    return kept;
}
