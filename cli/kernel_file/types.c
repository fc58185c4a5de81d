/* SPDX-License-Identifier: MIT */
/* types.c - sizes of the types of OpenCL C, CUDA C and MSL. */
#include "cli/kernel_file/reader.h"

#include <string.h>

typedef struct scalar_row {
    const char *name;
    scalar_kind scalar;
    uint32_t bytes;
    bool has_vectors; /* NAME2, NAME3, ... are vectors of it */
} scalar_row;

static const scalar_row scalars[] = {
    {"bool", SCALAR_BOOL, 1, true},
    {"char", SCALAR_SIGNED, 1, true},
    {"uchar", SCALAR_UNSIGNED, 1, true},
    {"short", SCALAR_SIGNED, 2, true},
    {"ushort", SCALAR_UNSIGNED, 2, true},
    {"int", SCALAR_SIGNED, 4, true},
    {"uint", SCALAR_UNSIGNED, 4, true},
    {"long", SCALAR_SIGNED, 8, true},
    {"ulong", SCALAR_UNSIGNED, 8, true},
    {"longlong", SCALAR_SIGNED, 8, true},
    {"ulonglong", SCALAR_UNSIGNED, 8, true},
    {"half", SCALAR_FLOAT, 2, true},
    {"__half", SCALAR_FLOAT, 2, true},
    {"float", SCALAR_FLOAT, 4, true},
    {"double", SCALAR_FLOAT, 8, true},
    {"int8_t", SCALAR_SIGNED, 1, false},
    {"uint8_t", SCALAR_UNSIGNED, 1, false},
    {"int16_t", SCALAR_SIGNED, 2, false},
    {"uint16_t", SCALAR_UNSIGNED, 2, false},
    {"int32_t", SCALAR_SIGNED, 4, false},
    {"uint32_t", SCALAR_UNSIGNED, 4, false},
    {"int64_t", SCALAR_SIGNED, 8, false},
    {"uint64_t", SCALAR_UNSIGNED, 8, false},
    {"size_t", SCALAR_UNSIGNED, 8, false},
    {"ssize_t", SCALAR_SIGNED, 8, false},
    {"ptrdiff_t", SCALAR_SIGNED, 8, false},
    {"intptr_t", SCALAR_SIGNED, 8, false},
    {"uintptr_t", SCALAR_UNSIGNED, 8, false},
    {"atomic_bool", SCALAR_BOOL, 1, false},
    {"atomic_int", SCALAR_SIGNED, 4, false},
    {"atomic_uint", SCALAR_UNSIGNED, 4, false},
    {"atomic_long", SCALAR_SIGNED, 8, false},
    {"atomic_ulong", SCALAR_UNSIGNED, 8, false},
    {"atomic_float", SCALAR_FLOAT, 4, false},
    {"atomic_double", SCALAR_FLOAT, 8, false},
    {"atomic_size_t", SCALAR_UNSIGNED, 8, false},
};

/* Of the scalar whose name is the first `length` characters; NULL if there is none. */
static const scalar_row *find_scalar(const char *name, size_t length)
{
    for (size_t i = 0; i < sizeof scalars / sizeof scalars[0]; i++)
        if (strlen(scalars[i].name) == length && memcmp(scalars[i].name, name, length) == 0)
            return &scalars[i];
    return NULL;
}

static element_type make(const scalar_row *row, uint32_t lanes, uint32_t stride)
{
    return (element_type){
        .scalar = row->scalar, .scalar_bytes = row->bytes, .lanes = lanes, .stride = stride};
}

/* Numbers between elements: vectors of 3 take as much as those of 4, but in CUDA. */
static uint32_t padded(uint32_t lanes, kt_language language)
{
    return lanes == 3 && language != KT_LANGUAGE_CUDA_C ? 4 : lanes;
}

static bool is_lane_count(uint32_t lanes, kt_language language)
{
    if (language == KT_LANGUAGE_CUDA_C)
        return lanes >= 1 && lanes <= 4;
    return (lanes >= 2 && lanes <= 4) ||
           (language == KT_LANGUAGE_OPENCL_C && (lanes == 8 || lanes == 16));
}

static uint32_t read_digits(const char *text, size_t length)
{
    uint32_t number = 0;
    for (size_t i = 0; i < length && i < 3; i++)
        number = 10 * number + (uint32_t)(text[i] - '0');
    return length && length < 3 && text[0] != '0' ? number : 0;
}

/* "float4", "packed_float3", "float3x4": a matrix is columns x rows. */
static element_type read_vector(const char *name, size_t length, kt_language language)
{
    element_type none = {0};
    bool packed = language == KT_LANGUAGE_MSL && length > 7 && memcmp(name, "packed_", 7) == 0;
    name += packed ? 7 : 0;
    length -= packed ? 7 : 0;
    size_t digits = 0;
    while (digits < length && name[length - 1 - digits] >= '0' && name[length - 1 - digits] <= '9')
        digits++;
    size_t stem = length - digits;
    uint32_t lanes = read_digits(name + stem, digits);
    if (language == KT_LANGUAGE_MSL && stem > 2 && name[stem - 1] == 'x' && digits == 1) {
        uint32_t columns = read_digits(name + stem - 2, 1);
        const scalar_row *row = find_scalar(name, stem - 2);
        if (!row || row->scalar != SCALAR_FLOAT || columns < 2 || columns > 4 || lanes < 2 ||
            lanes > 4)
            return none;
        return make(row, columns * lanes, columns * padded(lanes, language) * row->bytes);
    }
    const scalar_row *row = find_scalar(name, stem);
    if (!row || !row->has_vectors || !is_lane_count(lanes, language))
        return none;
    if (language == KT_LANGUAGE_CUDA_C && row->scalar == SCALAR_BOOL)
        return none;
    return make(row, lanes, (packed ? lanes : padded(lanes, language)) * row->bytes);
}

/* "unsigned long long int" and the like, whose words come in any order. */
static element_type read_words(const token *list, size_t from, size_t to)
{
    unsigned longs = 0, words = 0;
    bool is_unsigned = false;
    const char *base = "int";
    for (size_t i = from; i < to; i++) {
        const token *t = &list[i];
        words++;
        if (token_is(t, "unsigned"))
            is_unsigned = true;
        else if (token_is(t, "long"))
            longs++;
        else if (token_is(t, "char"))
            base = "char";
        else if (token_is(t, "short"))
            base = "short";
        else if (!token_among(t, "signed int"))
            return (element_type){0};
    }
    if (longs)
        base = "long";
    if (!words)
        return (element_type){0};
    element_type type = make(find_scalar(base, strlen(base)), 1, 0);
    type.stride = type.scalar_bytes;
    type.scalar = is_unsigned ? SCALAR_UNSIGNED : SCALAR_SIGNED;
    return type;
}

/* vec<float, 4> of MSL, atomic<uint>. */
static element_type read_template(const token *list, size_t from, size_t to, kt_language language)
{
    element_type none = {0};
    size_t close = tokens_close(list, from + 1, to);
    if (close + 1 != to)
        return none;
    size_t comma = tokens_comma(list, from + 2, close);
    element_type inner = type_read(list, from + 2, comma, language);
    if (token_among(&list[from], "atomic _atomic") && comma == close)
        return inner;
    if (token_among(&list[from], "vec packed_vec") && comma + 2 == close && inner.lanes == 1) {
        uint32_t lanes = read_digits(list[comma + 1].text, list[comma + 1].length);
        if (!is_lane_count(lanes, KT_LANGUAGE_MSL))
            return none;
        inner.lanes = lanes;
        inner.stride =
            inner.scalar_bytes * (token_is(&list[from], "vec") ? padded(lanes, language) : lanes);
        return inner;
    }
    return none;
}

element_type type_read(const token *list, size_t from, size_t to, kt_language language)
{
    /* Namespaces of the languages' own types. */
    while (from + 1 < to && (token_is(&list[from], "::") || token_is(&list[from + 1], "::")))
        from += token_is(&list[from], "::")                       ? 1
                : token_among(&list[from], "std metal simd cuda") ? 2
                                                                  : to - from;
    if (from >= to || list[from].kind != TOKEN_NAME)
        return (element_type){0};
    if (from + 1 < to && to - from < 64 && token_is(&list[from + 1], "<"))
        return read_template(list, from, to, language);
    if (to - from > 1 || token_among(&list[from], "unsigned signed"))
        return read_words(list, from, to);
    const char *name = list[from].text;
    size_t length = list[from].length;
    const scalar_row *row = find_scalar(name, length);
    if (row)
        return make(row, 1, row->bytes);
    if (language == KT_LANGUAGE_CUDA_C && token_is(&list[from], "dim3"))
        return make(find_scalar("uint", 4), 3, 12);
    return read_vector(name, length, language);
}

bool type_is_opaque(const token *name)
{
    static const char *const begins[] = {"image1d", "image2d",   "image3d",   "texture",
                                         "depth2d", "depthcube", "imageblock"};
    for (size_t i = 0; i < sizeof begins / sizeof begins[0]; i++)
        if (name->length > strlen(begins[i]) &&
            memcmp(name->text, begins[i], strlen(begins[i])) == 0)
            return true;
    return token_among(name, "sampler_t sampler pipe queue_t event_t reserve_id_t clk_event_t "
                             "cudaTextureObject_t cudaSurfaceObject_t acceleration_structure "
                             "visible_function_table intersection_function_table "
                             "command_buffer render_command compute_command");
}

element_type type_of_text(const char *text, kt_language language)
{
    tokens words;
    element_type type = {0};
    if (tokens_read(text, strlen(text), TOKENS_C, &words)) {
        size_t from = 0, to = words.count;
        while (to > from && token_among(&words.list[to - 1], "* & const restrict volatile"))
            to--;
        while (from < to && token_among(&words.list[from], "const volatile"))
            from++;
        if (to > from && !(to - from > 1 && token_is(&words.list[to - 1], "*")))
            type = type_read(words.list, from, to, language);
    }
    tokens_free(&words);
    return type;
}
