/* SPDX-License-Identifier: MIT */
/* Programs that look at kernels, or compile them: clang, ptxas, spirv-val and ocloc. None needs a
 * GPU for that. */
#include "targets.h"

#include "tests/unit/testing.h"

#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define WORDS_MAX (FLAGS_MAX + 12)
#define INPUT     "kernel.txt"
#define OUTPUT    "kernel.s"
#define GPUS_MAX  8

/* What is made of a kernel, or found wrong with it. */
typedef struct looker {
    const char *name;     /* of its file */
    const char *variable; /* of CMake, by which it was looked for */
    const char *missing;
    bool (*takes)(const workload_kernel *kernel, complaint *reason);
    bool (*asked)(void); /* Does it know some of the GPUs? NULL: it need not. */
} looker;

static const looker *which;
static const char *program;  /* its path */
static const target *wanted; /* what it is to take kernels for */

/* Runs it with these words, up to the first NULL. 0: it found nothing wrong. */
static int run_program(const char *const *words)
{
    char *copies[WORDS_MAX] = {NULL};
    for (size_t i = 0; words[i]; i++)
        assert_non_null(copies[i] = strdup(words[i]));
    pid_t child = 0;
    int state = -1;
    if (posix_spawnp(&child, program, NULL, NULL, copies, environ) == 0)
        assert_int_equal(waitpid(child, &state, 0), child);
    for (size_t i = 0; words[i]; i++)
        free(copies[i]);
    return state;
}

static void write_input(const void *content, size_t bytes)
{
    FILE *file = fopen(INPUT, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(content, 1, bytes, file), bytes);
    assert_int_equal(fclose(file), 0);
}

/* With a zero behind it; NULL: there is none. */
static char *read_output(size_t *bytes)
{
    FILE *file = fopen(OUTPUT, "rb");
    if (!file)
        return NULL;
    assert_int_equal(fseek(file, 0, SEEK_END), 0);
    long length = ftell(file);
    rewind(file);
    char *content = malloc((size_t)length + 1);
    assert_non_null(content);
    *bytes = fread(content, 1, (size_t)length, file);
    content[*bytes] = '\0';
    fclose(file);
    return content;
}

/* ---- clang ---- */

static int run_compiler(void)
{
    const char *words[WORDS_MAX] = {program, "-O2", "-Wall", "-Wextra", "-Werror", "-S"};
    size_t count = 6;
    for (size_t i = 0; wanted->flags[i]; i++)
        words[count++] = wanted->flags[i];
    const char *const files[] = {INPUT, "-o", OUTPUT};
    for (size_t i = 0; i < 3; i++)
        words[count++] = files[i];
    return run_program(words);
}

static bool compiles(const workload_kernel *kernel, complaint *reason)
{
    if (!kernel->source)
        return complain(reason, "there is no text");
    write_input(kernel->source, strlen(kernel->source));
    remove(OUTPUT);
    if (run_compiler() != 0)
        return complain(reason, "it does not compile");
    char mark[128];
    snprintf(mark, sizeof mark, wanted->mark, kernel->entry);
    size_t bytes;
    char *text = read_output(&bytes);
    bool there = text && strstr(text, mark);
    free(text);
    return there || complain(reason, "there is no kernel %s", kernel->entry);
}

/* ---- ptxas and ocloc, each of which knows some GPUs ---- */

static bool knows[GPUS_MAX];

static bool ask_for(const char *const *gpus, int (*run)(const char *gpu))
{
    bool some = false;
    for (size_t i = 0; gpus[i]; i++) {
        knows[i] = run(gpus[i]) == 0;
        some |= knows[i];
        print_message("%s: %s\n", gpus[i], knows[i] ? "known" : "not known");
    }
    return some;
}

/* Old ones and new ones. */
static const char *const nvidias[] = {"-arch=sm_50", "-arch=sm_75", "-arch=sm_90", "-arch=sm_121",
                                      NULL};

static int run_ptxas_for(const char *gpu, const char *entry)
{
    const char *const words[] = {
        program, gpu, "--warning-as-error", "-o", OUTPUT, INPUT, entry ? "-e" : NULL, entry, NULL};
    return run_program(words);
}

static int run_ptxas(const char *gpu)
{
    return run_ptxas_for(gpu, NULL);
}

/* A text without kernels is right for all GPUs. */
static bool ask_ptxas(void)
{
    static const char nothing[] = ".version 4.0\n.target sm_50\n.address_size 64\n";
    write_input(nothing, sizeof nothing - 1);
    return ask_for(nvidias, run_ptxas);
}

static bool assembles(const workload_kernel *kernel, complaint *reason)
{
    if (!kernel->ptx)
        return complain(reason, "there is no text");
    write_input(kernel->ptx, strlen(kernel->ptx));
    for (size_t i = 0; nvidias[i]; i++)
        if (knows[i] && run_ptxas_for(nvidias[i], kernel->entry) != 0)
            return complain(reason, "ptxas does not take it with %s", nvidias[i]);
    return true;
}

/* Of Gen9, Gen11 and three times Xe-LP: by the names that ocloc has for them. */
static const char *const intels[] = {"skl", "kbl", "icllp", "tgllp", "rkl", "adl-s", NULL};

/* For one GPU, or several after each other with commas between them. Without the words, which have
 * every name in them. */
static int run_ocloc(const char *gpus)
{
    const char *const words[] = {program, "compile",           "-q", "-exclude_ir",  "-file",
                                 INPUT,   "-device",           gpus, "-spirv_input", "-output",
                                 OUTPUT,  "-output_no_suffix", NULL};
    remove(OUTPUT);
    return run_program(words);
}

/* Words without kernels are right for all GPUs: a header, the capabilities Addresses and Kernel,
 * and a model of memory. */
static bool ask_ocloc(void)
{
    static const uint32_t nothing[] = {
        0x07230203, 0x00010000, 0, 1, 0, 2 << 16 | 17, 4, 2 << 16 | 17, 6, 3 << 16 | 14, 2, 2};
    write_input(nothing, sizeof nothing);
    return ask_for(intels, run_ocloc);
}

/* Code names its kernels in strings. */
static size_t count_strings(const char *code, size_t bytes, const char *name)
{
    size_t count = 0, length = strlen(name) + 1;
    const char *end = code + bytes;
    for (const char *at = code; (at = memmem(at, (size_t)(end - at), name, length)); at += length)
        count++;
    return count;
}

/* What was made of a module, which several kernels share: ocloc takes long. */
typedef struct module_code {
    kernel_words of;
    char *code; /* for all known GPUs */
    size_t bytes;
} module_code;

/* NULL: nothing is made of these words, which are to stay as they are and where they are. */
static const module_code *make_code(kernel_words of, const char *gpus)
{
    static module_code made[64];
    module_code *at = made;
    while (at->code && (at->of.words != of.words || at->of.bytes != of.bytes))
        at++;
    assert_true(at < made + sizeof made / sizeof made[0] - 1);
    if (at->code)
        return at;
    write_input(of.words, of.bytes);
    if (run_ocloc(gpus) != 0 || !(at->code = read_output(&at->bytes)))
        return NULL;
    at->of = of;
    return at;
}

static bool becomes_code(const workload_kernel *kernel, complaint *reason)
{
    char gpus[64] = "";
    size_t length = 0, known = 0;
    if (!kernel->spirv_kernel)
        return complain(reason, "there are no words");
    for (size_t i = 0; intels[i]; i++)
        if (knows[i])
            length += (size_t)snprintf(gpus + length, sizeof gpus - length, "%s%s",
                                       known++ ? "," : "", intels[i]);
    const module_code *made = make_code(words_of(kernel, wanted), gpus);
    if (!made)
        return complain(reason, "ocloc makes no code of it for %s", gpus);
    size_t found = count_strings(made->code, made->bytes, kernel->entry);
    return found >= known ||
           complain(reason, "there are %zu kernels %s for %zu GPUs", found, kernel->entry, known);
}

/* ---- spirv-val ---- */

kernel_words words_of(const workload_kernel *kernel, const target *of)
{
    return of->bit == WORKLOAD_SPIRV_SHADER
               ? (kernel_words){kernel->spirv, kernel->spirv_bytes}
               : (kernel_words){kernel->spirv_kernel, kernel->spirv_kernel_bytes};
}

const uint32_t *find_entry(const workload_kernel *kernel, kernel_words in, const target *of)
{
    enum { OP_ENTRY_POINT = 15, GL_COMPUTE = 5, KERNEL = 6 };
    const bool shader = of->bit == WORKLOAD_SPIRV_SHADER;
    const uint32_t head[] = {OP_ENTRY_POINT, shader ? GL_COMPUTE : KERNEL};
    const char *name = shader ? "main" : kernel->entry;
    size_t count = in.bytes / sizeof *in.words;
    for (size_t at = SPIRV_HEADER_BYTES / sizeof *in.words; at < count && in.words[at] >> 16;
         at += in.words[at] >> 16)
        if ((in.words[at] & 0xFFFF) == head[0] && in.words[at + 1] == head[1] &&
            strcmp((const char *)&in.words[at + 3], name) == 0)
            return &in.words[at + 3];
    return NULL;
}

static bool is_valid(const workload_kernel *kernel, complaint *reason)
{
    const kernel_words looked_at = words_of(kernel, wanted);
    if (!looked_at.words)
        return complain(reason, "there are no words");
    write_input(looked_at.words, looked_at.bytes);
    const char *const words[] = {program, wanted->flags[0], wanted->flags[1], INPUT, NULL};
    if (run_program(words) != 0)
        return complain(reason, "it is not valid");
    return find_entry(kernel, looked_at, wanted) ||
           complain(reason, "there is no kernel main or %s", kernel->entry);
}

/* ---- which of them ---- */

static const looker lookers[] = {
    {"clang", "CLANG", "there is no clang here", compiles, NULL},
    {"ptxas", "PTXAS", "there is no ptxas here", assembles, ask_ptxas},
    {"spirv-val", "SPIRV_VAL", "there is no spirv-val here", is_valid, NULL},
    {"ocloc", "OCLOC", "there is no ocloc here", becomes_code, ask_ocloc},
};

static char folder[] = "/tmp/kerntime-targets.XXXXXX";

const char *program_open(const char *path, const target *for_whom)
{
    const char *slash = strrchr(path, '/'), *file = slash ? slash + 1 : path;
    for (size_t i = 0; i < sizeof lookers / sizeof lookers[0]; i++)
        if (strncmp(file, lookers[i].name, strlen(lookers[i].name)) == 0 ||
            strncmp(file, lookers[i].variable, strlen(lookers[i].variable)) == 0)
            which = &lookers[i];
    if (!which)
        return "no such program is known";
    program = path;
    wanted = for_whom;
    if (access(program, X_OK) != 0)
        return which->missing;
    if (!mkdtemp(folder) || chdir(folder) != 0) {
        perror(folder);
        exit(1);
    }
    return which->asked && !which->asked() ? "it knows none of these GPUs" : NULL;
}

void program_close(void)
{
    remove(INPUT);
    remove(OUTPUT);
    rmdir(folder);
}

bool program_takes(const workload_kernel *kernel, complaint *reason)
{
    return which->takes(kernel, reason);
}

bool program_compiles_words(void)
{
    return which && which->takes == becomes_code;
}
