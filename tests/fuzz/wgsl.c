/* SPDX-License-Identifier: MIT */
/* Texts in WGSL. What is told of the kernel is found a second time: by making a list of all tokens
 * first and going back from the function. */
#include "backends/webgpu/wgsl.h"

#include "fuzz.h"

#include <ctype.h>
#include <stdbool.h>

#define NAME       "main"
#define TOKENS_MAX 4096

static char *tokens[TOKENS_MAX]; /* each ends with a zero */
static size_t count;

/* Comments are blanks, and so are all blanks; nothing is left out, so that places stay. */
static void blank_out(char *text, size_t bytes)
{
    static const char *const blanks[] = {
        "\xC2\x85", "\xE2\x80\x8E", "\xE2\x80\x8F", "\xE2\x80\xA8", "\xE2\x80\xA9",
        "\t",       "\n",           "\v",           "\f",           "\r"};
    enum { CODE, LINE, BLOCK } where = CODE;
    size_t depth = 0;
    for (size_t i = 0, length; i < bytes; i += length) {
        bool is_blank = false;
        length = 1;
        for (size_t b = 0; b < sizeof blanks / sizeof blanks[0]; b++)
            if (bytes - i >= strlen(blanks[b]) &&
                memcmp(text + i, blanks[b], strlen(blanks[b])) == 0) {
                /* The two marks of direction break no line. */
                if (where == LINE && b != 1 && b != 2 && b != 5)
                    where = CODE;
                is_blank = true;
                length = strlen(blanks[b]);
            }
        if (!is_blank && i + 1 < bytes) {
            bool begins = text[i] == '/' && text[i + 1] == '*';
            bool ends = text[i] == '*' && text[i + 1] == '/';
            if (where == CODE && text[i] == '/' && text[i + 1] == '/')
                where = LINE;
            else if (begins && where != LINE)
                depth++, where = BLOCK, length = 2;
            else if (ends && where == BLOCK)
                length = 2, depth--, is_blank = true;
        }
        if (where != CODE || is_blank)
            memset(text + i, ' ', length);
        if (where == BLOCK && depth == 0)
            where = CODE;
    }
}

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_' || (unsigned char)c >= 0x80;
}

/* False: there are too many. */
static bool make_tokens(const char *text, size_t bytes)
{
    count = 0;
    for (size_t i = 0, length; i < bytes; i += length) {
        for (length = 0; i + length < bytes && is_word(text[i + length]);)
            length++;
        length = length ? length : 1;
        if (text[i] == ' ')
            continue;
        if (count == TOKENS_MAX)
            return false;
        tokens[count] = malloc(length + 1);
        CHECK(tokens[count]);
        memcpy(tokens[count], text + i, length);
        tokens[count++][length] = '\0';
    }
    return true;
}

static bool is(size_t at, const char *text)
{
    return at < count && strcmp(tokens[at], text) == 0;
}

static uint32_t number(const char *word)
{
    char digits[20], *end;
    size_t hex = word[0] == '0' && (word[1] == 'x' || word[1] == 'X') ? 2 : 0;
    size_t length = strlen(word + hex);
    if (length && strchr("ui", word[hex + length - 1]))
        length--;
    while (length > 1 && word[hex] == '0')
        hex++, length--;
    if (length == 0 || length >= sizeof digits)
        return 0;
    memcpy(digits, word + hex, length);
    digits[length] = '\0';
    bool is_hex = hex >= 2 && (word[1] == 'x' || word[1] == 'X');
    unsigned long long value = strtoull(digits, &end, is_hex ? 16 : 10);
    return *end || value > UINT32_MAX ? 0 : (uint32_t)value;
}

/* The list that begins at a '('. Each place of it begins behind one of `begins`. */
static void find_sizes(size_t at, uint32_t sizes[3])
{
    size_t begins[5] = {at + 1}, places = 1, depth = 1;
    bool whole = false;
    memset(sizes, 0, 3 * sizeof *sizes);
    for (at++; at < count && !whole && places < 5; at++) {
        if (strpbrk(";@{}<", tokens[at]) && tokens[at][0] && !tokens[at][1])
            break;
        if (is(at, "(") || is(at, "["))
            depth++;
        else if (is(at, ")") || (is(at, "]") && depth > 1))
            depth--;
        whole = depth == 0;
        if (whole || (is(at, ",") && depth == 1))
            begins[places++] = at + 1;
    }
    if (whole && places > 2 &&
        begins[places - 1] == begins[places - 2] + 1) /* nothing behind the last ',' */
        places--;
    for (size_t i = 0; i < 3; i++)
        if (i + 1 < places)
            sizes[i] = begins[i + 1] == begins[i] + 2 ? number(tokens[begins[i]]) : 0;
        else
            sizes[i] = whole ? 1 : 0;
}

static bool find_kernel(wgsl_kernel *kernel)
{
    size_t function = 0, begin;
    memset(kernel, 0, sizeof *kernel);
    while (function < count && !(is(function, "fn") && is(function + 1, NAME)))
        function++;
    if (function == count)
        return false;
    for (begin = function; begin > 0 && !is(begin - 1, ";") && !is(begin - 1, "}");)
        begin--;
    for (size_t at = begin; at < function; at++) {
        if (is(at, "@") && is(at + 1, "compute"))
            kernel->is_entry = true;
        if (is(at, "@") && is(at + 1, "workgroup_size")) {
            memset(kernel->group_size, 0, sizeof kernel->group_size);
            if (is(at + 2, "("))
                find_sizes(at + 2, kernel->group_size);
        }
    }
    return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    char *text = calloc(bytes ? bytes : 1, 1);
    wgsl_kernel kernel, expected;
    CHECK(text);
    if (bytes)
        memcpy(text, data, bytes);
    fuzz_fill(&kernel, sizeof kernel);
    bool found = kt_webgpu_wgsl_parse(text, bytes, NAME, &kernel);
    blank_out(text, bytes);
    if (make_tokens(text, bytes)) {
        CHECK(found == find_kernel(&expected));
        CHECK(kernel.is_entry == expected.is_entry);
        for (int i = 0; i < 3; i++)
            CHECK(kernel.group_size[i] == expected.group_size[i]);
    }
    while (count > 0)
        free(tokens[--count]);
    free(text);
    return 0;
}
