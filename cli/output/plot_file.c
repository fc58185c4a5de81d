/* SPDX-License-Identifier: MIT */
#include "cli/output/plot_file.h"

#include "cli/terminal/process.h"
#include "workloads/workload.h"

#include <stdlib.h>
#include <string.h>

#define WORKLOADS_MAX       32
#define GNUPLOT_VERSION_MIN 5.0 /* first version with inline data and custom dashes */

/* File types and the gnuplot terminals that draw them, preferred ones first, for a screen and for
 * print, where a .png has 300 pixels an inch. The script's first line sets width and height, in
 * pixels of 1/96 inch; `lines` is how far lines of a legend are apart. For cairo a pixel of a font
 * is 3/4 point. */
static const struct {
    const char *suffix, *terminal, *screen, *print;
} kinds[] = {
    {".svg", "svg", "size width, height font 'sans-serif,12' background '#ffffff'",
     "size width+0.5, height font 'sans-serif,10' linewidth 0.8 background '#ffffff'; lines = "
     "0.85"},
    {".pdf", "pdfcairo",
     "size 0.75*width/72, 0.75*height/72 font 'Sans,12' fontscale 0.5625 linewidth 1.5",
     "size (0.75*width+0.5)/72, 0.75*height/72 font 'Sans,10' fontscale 0.5625 linewidth 1.2 "
     "pointscale 0.8; lines = 1.1"},
    {".png", "pngcairo",
     "size 1.6*width, 1.6*height font 'Sans,12' fontscale 1.2 linewidth 1.6 pointscale 1.6",
     "size 3.125*width, 3.125*height font 'Sans,10' fontscale 2.34375 linewidth 2.5 "
     "pointscale 2.5; lines = 1.1"},
    {".png", "png", "truecolor size width, height font 'sans,10'", NULL},
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

/* The terminal that a file of that name is best drawn by. */
static const char *terminal_for(const char *path)
{
    size_t kind = 0;
    while (!ends_in(path, kinds[kind].suffix))
        kind++;
    return kinds[kind].terminal;
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
            fprintf(stderr,
                    "kerntime: --plot: this gnuplot cannot draw a file like %s: it lacks the "
                    "terminal %s\n",
                    path, terminal_for(path));
    }
    process_free(&out);
    return kind;
}

static int check_writable(const char *what, const char *path)
{
    if (kt_path_check_writable(path) == KT_OK)
        return EXIT_DONE;
    fprintf(stderr, "kerntime: %s: %s\n", what, kt_error_text());
    return EXIT_USAGE;
}

static const char *const beside[] = {".gp", ".csv"};

char *plot_file_beside(const char *path, const char *end)
{
    size_t stem = (size_t)(strrchr(path, '.') - path), bytes = stem + strlen(end) + 1;
    char *name = malloc(bytes);
    if (name)
        snprintf(name, bytes, "%.*s%s", (int)stem, path, end);
    return name;
}

int plot_check(const cli_options *options)
{
    int code = check_writable("--plot", options->plot);
    for (int i = 0; i < 2 && options->plot_data && code == EXIT_DONE; i++) {
        char *name = plot_file_beside(options->plot, beside[i]);
        code = name ? check_writable("--plot-data", name) : EXIT_FAILED;
        free(name);
    }
    if (code != EXIT_DONE)
        return code;
    return find_kind(options->plot) == KIND_COUNT ? EXIT_USAGE : EXIT_DONE;
}

/* ---- drawing ---- */

/* A figure that is drawn into a file. */
typedef struct drawing {
    const cli_options *options;
    size_t kind;
    plot_writer write;
    const void *user;
} drawing;

/* Writes the script to a file and sets the terminal after its first line. */
typedef struct script_writer {
    const drawing *from;
    FILE *file;
    bool in_body;
    bool named; /* the script names its output */
} script_writer;

static void put_quoted(FILE *file, const char *text)
{
    fputc('\'', file);
    for (; *text; text++) {
        fputc(*text, file);
        if (*text == '\'')
            fputc('\'', file);
    }
    fputc('\'', file);
}

/* A word of a name: letters and digits, a line below for what else it has. */
static void put_name_part(const char *text, FILE *file)
{
    for (; *text; text++) {
        bool is_plain = (*text >= '0' && *text <= '9') || (*text >= 'A' && *text <= 'Z') ||
                        (*text >= 'a' && *text <= 'z');
        fputc(is_plain ? *text : '_', file);
    }
}

/* The SVG's title and the prefix of its names. gnuplot refuses most signs. */
static void put_svg_name(const cli_options *options, FILE *file)
{
    fputs(" name '", file);
    put_name_part(options->command, file);
    for (int i = 0; i < options->operand_count; i++) {
        fputc('_', file);
        put_name_part(options->operands[i], file);
    }
    fputc('\'', file);
}

static void put_terminal(const script_writer *to)
{
    const drawing *from = to->from;
    bool print = from->options->plot_width_mm > 0 && kinds[from->kind].print;
    fprintf(to->file, "set terminal %s noenhanced", kinds[from->kind].terminal);
    if (strcmp(kinds[from->kind].terminal, "svg") == 0)
        put_svg_name(from->options, to->file);
    fprintf(to->file, " %s\n", print ? kinds[from->kind].print : kinds[from->kind].screen);
    if (!to->named)
        return;
    const char *path = from->options->plot, *folder = strrchr(path, '/');
    fputs("set output ", to->file);
    put_quoted(to->file, folder ? folder + 1 : path);
    fputc('\n', to->file);
}

static int write_script(void *user, const char *data, size_t bytes)
{
    script_writer *to = user;
    const char *line_end = to->in_body ? NULL : memchr(data, '\n', bytes);
    size_t first = line_end ? (size_t)(line_end + 1 - data) : 0;
    if (line_end) {
        to->in_body = true;
        fwrite(data, 1, first, to->file);
        put_terminal(to);
    }
    fwrite(data + first, 1, bytes - first, to->file);
    return ferror(to->file) ? -1 : 0;
}

static FILE *make_script(const drawing *from, bool named)
{
    script_writer to = {.from = from, .file = tmpfile(), .named = named};
    if (!to.file)
        return out_of_files();
    kt_sink sink = {.write = write_script, .user = &to};
    if (from->write(from->user, false, &sink) == KT_OK)
        return to.file;
    fclose(to.file);
    return out_of_files();
}

static FILE *make_points(const drawing *from)
{
    FILE *file = tmpfile();
    if (!file)
        return out_of_files();
    kt_sink sink = kt_file_sink(file);
    if (from->write(from->user, true, &sink) == KT_OK)
        return file;
    fclose(file);
    return out_of_files();
}

static int write_path(const char *what, const char *path, const void *data, size_t bytes)
{
    if (kt_path_write(path, data, bytes) == KT_OK)
        return EXIT_DONE;
    fprintf(stderr, "kerntime: %s: %s\n", what, kt_error_text());
    return EXIT_FAILED;
}

/* Writes what a temporary file has beside the figure, and closes it. NULL: its making failed. */
static int write_beside(const cli_options *options, const char *end, FILE *file)
{
    long bytes = file && fseek(file, 0, SEEK_END) == 0 ? ftell(file) : -1;
    char *name = plot_file_beside(options->plot, end),
         *data = bytes >= 0 ? malloc((size_t)bytes + 1) : NULL;
    int code = EXIT_FAILED;
    if (data)
        rewind(file);
    if (name && data && fread(data, 1, (size_t)bytes, file) == (size_t)bytes)
        code = write_path("--plot-data", name, data, (size_t)bytes);
    else if (file)
        out_of_files();
    free(name);
    free(data);
    if (file)
        fclose(file);
    return code;
}

static int draw(const drawing *from)
{
    FILE *script = make_script(from, false);
    if (!script)
        return EXIT_FAILED;
    process_output picture;
    int code = judge(run_gnuplot(script, &picture), &picture, EXIT_FAILED);
    fclose(script);
    if (code == EXIT_DONE)
        code = write_path("--plot", from->options->plot, picture.output, picture.output_bytes);
    process_free(&picture);
    return code;
}

int plot_draw(const cli_options *options, plot_writer write, const void *user)
{
    drawing d = {
        .options = options, .kind = find_kind(options->plot), .write = write, .user = user};
    if (d.kind == KIND_COUNT)
        return EXIT_FAILED;
    int code = draw(&d);
    if (options->plot_data && write_beside(options, beside[0], make_script(&d, true)) != EXIT_DONE)
        code = EXIT_FAILED;
    if (options->plot_data && write_beside(options, beside[1], make_points(&d)) != EXIT_DONE)
        code = EXIT_FAILED;
    return code;
}

/* ---- the figure of a report ---- */

typedef struct report_figure {
    const kt_report *report;
    kt_figure_workload workloads[WORKLOADS_MAX];
    kt_figure_options options;
} report_figure;

static kt_status write_figure(const void *user, bool points, const kt_sink *sink)
{
    const report_figure *figure = user;
    kt_figure_options options = figure->options;
    options.points = points;
    return kt_report_write_figure(figure->report, &options, sink);
}

/* Tells the library what the workloads declare. */
static void describe(report_figure *out, const cli_options *options)
{
    uint32_t count = 0;
    for (; workloads[count] && count < WORKLOADS_MAX; count++)
        out->workloads[count] = (kt_figure_workload){
            .name = workloads[count]->name,
            .unit = workloads[count]->unit,
            .usual = workloads[count]->bandwidth ? KT_FIGURE_GBS : KT_FIGURE_USUAL};
    out->options = (kt_figure_options){.size = sizeof out->options,
                                       .values = options->plot_values,
                                       .width_mm = options->plot_width_mm,
                                       .plain = options->plot_plain,
                                       .workloads = out->workloads,
                                       .workload_count = count};
}

int plot_write(const cli_options *options, const kt_report *report)
{
    report_figure figure = {.report = report};
    describe(&figure, options);
    return plot_draw(options, write_figure, &figure);
}
