#include "cli/output/plot_file.h"

#include "cli/options/options.h"
#include "cli/terminal/process.h"

#include <stdlib.h>
#include <string.h>

#define GNUPLOT_VERSION_MIN 5.0 /* first version with inline data and custom dashes */

/* File types and the gnuplot terminals that draw them, preferred ones first. Sizes are those that
 * the script sets in its first line. */
static const struct {
    const char *suffix, *terminal, *options;
} kinds[] = {
    {".svg", "svg", "size width, height font 'sans-serif,12' background '#ffffff'"},
    {".png", "pngcairo",
     "size 1.6*width, 1.6*height font 'Sans,12' fontscale 1.6 linewidth 1.6 pointscale 1.6"},
    {".png", "png", "truecolor size width, height font 'sans,10'"},
};

#define KIND_COUNT (sizeof kinds / sizeof kinds[0])

static bool ends_in(const char *text, const char *end)
{
    size_t length = strlen(text), end_length = strlen(end);
    return length > end_length && strcmp(text + length - end_length, end) == 0;
}

/* Runs gnuplot without the user's start-up files and default terminal, which would change the
 * figure. */
static int run_gnuplot(FILE *script, process_output *out)
{
    static const char *const arguments[] = {"gnuplot", "-d", NULL};
    return process_run(arguments, script, "GNUTERM", out);
}

/* Prints the first non-empty line of gnuplot's error messages. */
static void print_first_line(const process_output *out)
{
    const char *text = out->errors ? out->errors : "";
    text += strspn(text, " \t\r\n");
    if (!*text)
        text = "it does not say why";
    fprintf(stderr, "%.*s\n", (int)strcspn(text, "\r\n"), text);
}

/* Reports what failed in a run of gnuplot; EXIT_DONE if nothing did. */
static int judge(int code, const process_output *out, int exit_code)
{
    if (code == 0 && out->output_bytes > 0)
        return EXIT_DONE;
    if (code == PROCESS_MISSING) {
        fprintf(stderr,
                "kerntime: --plot: gnuplot is not here; install it (Debian: gnuplot-nox)\n");
        return exit_code;
    }
    if (code == PROCESS_BROKEN)
        fprintf(stderr, "kerntime: --plot: gnuplot cannot be run: ");
    else if (code == 0)
        fprintf(stderr, "kerntime: --plot: gnuplot wrote nothing: ");
    else
        fprintf(stderr, "kerntime: --plot: gnuplot failed (exit code %d): ", code);
    print_first_line(out);
    return exit_code;
}

static FILE *out_of_files(void)
{
    fprintf(stderr, "kerntime: --plot: there is no room for temporary files\n");
    return NULL;
}

/* ---- checks before measuring ---- */

/* Whether a text, which begins with a separator, contains the word. */
static bool has_word(const char *text, const char *word)
{
    size_t length = strlen(word);
    for (const char *at = text; (at = strstr(at, word)) != NULL; at += length)
        if (strchr(" \n", at[-1]) && strchr(" \n", at[length]))
            return true;
    return false;
}

/* The type that this gnuplot can draw for the file; KIND_COUNT: none. */
static size_t choose_kind(const char *path, const char *terminals)
{
    size_t kind = 0;
    while (kind < KIND_COUNT &&
           (!ends_in(path, kinds[kind].suffix) || !has_word(terminals, kinds[kind].terminal)))
        kind++;
    return kind;
}

/* Asks gnuplot for its version and, on the second line, its terminals. Returns an exit code. */
static int ask_gnuplot(process_output *out)
{
    FILE *script = tmpfile();
    if (!script && !out_of_files())
        return EXIT_USAGE;
    fputs("set print '-'\nprint GPVAL_VERSION\nprint GPVAL_TERMINALS\n", script);
    int code = judge(run_gnuplot(script, out), out, EXIT_USAGE);
    fclose(script);
    if (code != EXIT_DONE || strtod(out->output, NULL) >= GNUPLOT_VERSION_MIN)
        return code;
    fprintf(stderr, "kerntime: --plot: gnuplot %.*s is too old, %.1f is needed\n",
            (int)strcspn(out->output, "\n"), out->output, GNUPLOT_VERSION_MIN);
    return EXIT_USAGE;
}

/* The type of the file with this machine's gnuplot; KIND_COUNT after an error message. */
static size_t find_kind(const char *path)
{
    process_output out = {0};
    size_t kind = KIND_COUNT;
    if (ask_gnuplot(&out) == EXIT_DONE) {
        const char *terminals = strchr(out.output, '\n'); /* gnuplot's second line lists them */
        kind = choose_kind(path, terminals ? terminals : "");
        if (kind == KIND_COUNT)
            fprintf(stderr, "kerntime: --plot: this gnuplot cannot draw a file like %s\n", path);
    }
    process_free(&out);
    return kind;
}

int plot_check(const char *path)
{
    if (kt_path_check_writable(path) != KT_OK) {
        fprintf(stderr, "kerntime: --plot: %s\n", kt_error_text());
        return EXIT_USAGE;
    }
    return find_kind(path) == KIND_COUNT ? EXIT_USAGE : EXIT_DONE;
}

/* ---- drawing ---- */

/* Writes the script to a file and sets the terminal after its first line. */
typedef struct script_writer {
    FILE *file;
    size_t kind;
    bool in_body;
} script_writer;

static int write_script(void *user, const char *data, size_t bytes)
{
    script_writer *to = user;
    const char *line_end = to->in_body ? NULL : memchr(data, '\n', bytes);
    size_t first = line_end ? (size_t)(line_end + 1 - data) : 0;
    if (line_end) {
        to->in_body = true;
        fwrite(data, 1, first, to->file);
        fprintf(to->file, "set terminal %s noenhanced %s\n", kinds[to->kind].terminal,
                kinds[to->kind].options);
    }
    fwrite(data + first, 1, bytes - first, to->file);
    return ferror(to->file) ? -1 : 0;
}

static FILE *make_script(const kt_report *report, size_t kind)
{
    script_writer to = {.file = tmpfile(), .kind = kind};
    if (!to.file)
        return out_of_files();
    kt_sink sink = {.write = write_script, .user = &to};
    if (kt_report_write(report, KT_FORMAT_GNUPLOT, &sink) == KT_OK)
        return to.file;
    fclose(to.file);
    return out_of_files();
}

int plot_write(const char *path, const kt_report *report)
{
    size_t kind = find_kind(path);
    FILE *script = kind == KIND_COUNT ? NULL : make_script(report, kind);
    if (!script)
        return EXIT_FAILED;
    process_output picture;
    int code = judge(run_gnuplot(script, &picture), &picture, EXIT_FAILED);
    fclose(script);
    if (code == EXIT_DONE && kt_path_write(path, picture.output, picture.output_bytes) != KT_OK) {
        fprintf(stderr, "kerntime: --plot: %s\n", kt_error_text());
        code = EXIT_FAILED;
    }
    process_free(&picture);
    return code;
}
