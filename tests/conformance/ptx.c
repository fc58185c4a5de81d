/* SPDX-License-Identifier: MIT */
/* PTX read without any tool of NVIDIA: what a driver would refuse, or a GPU would be slow with, is
 * found everywhere. */
#include "targets.h"

#include "tests/unit/testing.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#define PARAMETERS_MAX 16

/* Bits of each parameter of a kernel: 64 is a pointer, 32 a value. */
typedef struct signature {
    int bits[PARAMETERS_MAX];
    int count; /* -1: there is none that could be read */
} signature;

/* Where what begins the text ends; NULL: it does not begin with it. */
static const char *after(const char *text, const char *beginning)
{
    size_t length = strlen(beginning);
    return strncmp(text, beginning, length) == 0 ? text + length : NULL;
}

static bool find_within(const char *begin, const char *end, const char *part)
{
    const char *at = strstr(begin, part);
    return at && at < end;
}

/* Behind "BEFORE NAME(" in a text, or NULL. */
static const char *find_list(const char *text, const char *before, const char *name)
{
    char head[128];
    snprintf(head, sizeof head, "%s %s(", before, name);
    const char *at = strstr(text, head);
    return at ? at + strlen(head) : NULL;
}

/* Takes one parameter after the other, up to the parenthesis. */
static signature read_list(const char *at, int (*bits_of)(const char *begin, const char *end))
{
    signature found = {.count = -1};
    if (!at || !strchr(at, ')'))
        return found;
    const char *const close = strchr(at, ')');
    found.count = 0;
    for (const char *end; at < close; at = end + 1) {
        end = at + strcspn(at, ",)");
        int bits = bits_of(at, end);
        if (bits != 0 && found.count < PARAMETERS_MAX)
            found.bits[found.count++] = bits;
    }
    return found;
}

/* Of the dialect: `GLOBAL const float *a`, `VALUE n`, or `void` and blanks for none. */
static int bits_in_source(const char *begin, const char *end)
{
    if (find_within(begin, end, "*"))
        return 64;
    return find_within(begin, end, "VALUE ") ? 32 : 0;
}

/* Of PTX: `.param .u64 name`, `.param .b32 name`, or blanks for none. */
static int bits_in_ptx(const char *begin, const char *end)
{
    static const char *const types64[] = {".param .u64", ".param .b64"};
    static const char *const types32[] = {".param .u32", ".param .b32"};
    for (int i = 0; i < 2; i++) {
        if (find_within(begin, end, types64[i]))
            return 64;
        if (find_within(begin, end, types32[i]))
            return 32;
    }
    return find_within(begin, end, ".param") ? -1 : 0;
}

static bool same_signature(signature a, signature b)
{
    bool same = a.count >= 0 && a.count == b.count;
    for (int i = 0; same && i < a.count; i++)
        same = a.bits[i] == b.bits[i];
    return same;
}

/* The next line that is more than blanks and a comment, from its first word on; NULL: there is
 * none. */
static const char *next_line(const char *line, bool first)
{
    if (!first)
        line += strcspn(line, "\n");
    for (;;) {
        line += strspn(line, " \t\r\n");
        if (!after(line, "//"))
            return *line ? line : NULL;
        line += strcspn(line, "\n");
    }
}

/* The three lines that every PTX begins with. */
static bool head_is_good(const char *ptx, complaint *reason)
{
    const char *line = next_line(ptx, true);
    const char *version = line ? after(line, ".version 4.0") : NULL;
    if (!version || isdigit((unsigned char)*version))
        return complain(reason, "it does not begin with .version 4.0, which every driver knows");
    line = next_line(line, false);
    const char *gpu = line ? after(line, ".target sm_50") : NULL;
    if (!gpu || isalnum((unsigned char)*gpu))
        return complain(reason, "its .target is not sm_50");
    line = next_line(line, false);
    const char *address = line ? after(line, ".address_size 64") : NULL;
    if (!address || isdigit((unsigned char)*address))
        return complain(reason, "its .address_size is not 64");
    return true;
}

/* Loads and stores that do not say of which memory: slower than those that do. */
static bool is_generic(const char *instruction)
{
    static const char *const accesses[] = {"ld.", "st.", "atom.", "red."};
    static const char *const spaces[] = {"global", "shared", "param", "local", "const"};
    const char *space = NULL;
    for (size_t i = 0; i < sizeof accesses / sizeof *accesses && !space; i++)
        space = after(instruction, accesses[i]);
    if (!space)
        return false;
    const char *rest = after(space, "volatile.");
    for (size_t i = 0; i < sizeof spaces / sizeof *spaces; i++)
        if (after(rest ? rest : space, spaces[i]))
            return false;
    return true;
}

/* `@%p1 ld.f32 ...` is an instruction under a condition. */
static const char *without_condition(const char *line)
{
    if (*line != '@')
        return line;
    line += strcspn(line, " \t\n");
    return line + strspn(line, " \t");
}

static bool body_is_good(const char *ptx, complaint *reason)
{
    for (const char *line = next_line(ptx, true); line; line = next_line(line, false)) {
        if (after(line, ".extern"))
            return complain(reason, "it needs what is not there: %.60s", line);
        if (is_generic(without_condition(line)))
            return complain(reason, "it does not say which memory: %.40s", line);
    }
    return true;
}

bool ptx_is_good(const workload_kernel *kernel, complaint *reason)
{
    if (!kernel->ptx)
        return complain(reason, "there is no text");
    const char *list = find_list(kernel->ptx, ".visible .entry", kernel->entry);
    if (!list)
        return complain(reason, "there is no kernel %s", kernel->entry);
    if (!same_signature(
            read_list(find_list(kernel->source, "KERNEL void", kernel->entry), bits_in_source),
            read_list(list, bits_in_ptx)))
        return complain(reason, "it has other parameters than the source");
    return head_is_good(kernel->ptx, reason) && body_is_good(kernel->ptx, reason);
}

/* A text that is right, and what is wrong with it when one part of it is another. */
void what_ptx_must_have(void **state)
{
    static const char good[] =
        "// made by hand\n.version 4.0\n.target sm_50\n.address_size 64\n"
        ".visible .entry add(\n\t.param .u64 add_param_0,\n"
        "\t.param .u32 add_param_1\n)\n{\n\t@%p1 ld.global.u32 %r1, [%rd1];\n"
        "\tst.volatile.shared.u32 [%rd2], %r1;\n\tret;\n}\n";
    static const struct {
        const char *part, *other, *complaint;
    } wrong[] = {
        {".version 4.0\n", "", ".version"},
        {".version 4.0", ".version 8.5", ".version"},
        {".target sm_50", ".target sm_75", ".target"},
        {".target sm_50", ".target sm_500", ".target"},
        {".address_size 64", ".address_size 32", ".address_size"},
        {".visible .entry add(", ".visible .entry sub(", "no kernel add"},
        {".visible .entry add(", ".func add(", "no kernel add"},
        {".param .u32", ".param .u64", "other parameters"},
        {",\n\t.param .u32 add_param_1", "", "other parameters"},
        {".visible", ".extern .func printf;\n.visible", "not there"},
        {"ld.global", "ld", "which memory"},
        {"st.volatile.shared", "st.volatile", "which memory"},
    };
    complaint reason;
    workload_kernel kernel = {.entry = "add",
                              .source = "KERNEL void add(GLOBAL float *a, VALUE n POSITIONS)\n",
                              .ptx = good};
    if (!ptx_is_good(&kernel, &reason))
        fail_msg("%s", reason.text);
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        char text[sizeof good + 64];
        const char *at = strstr(good, wrong[i].part);
        assert_non_null(at);
        snprintf(text, sizeof text, "%.*s%s%s", (int)(at - good), good, wrong[i].other,
                 at + strlen(wrong[i].part));
        kernel.ptx = text;
        assert_false(ptx_is_good(&kernel, &reason));
        EXPECT_TEXT_HAS(reason.text, wrong[i].complaint);
    }
}
