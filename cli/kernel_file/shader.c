/* SPDX-License-Identifier: MIT */
/* shader.c - what SPIR-V shaders take, as SPIRV-Cross reads them. */
#include "cli/kernel_file/reader.h"

#if HAVE_SPIRV_CROSS
#include <spirv_cross_c.h>
#endif
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int shader_entries(const kernel_file *file, kernel_entries *out, char *reason)
{
    (void)reason;
    spirv_entries(file, SPIRV_MODEL_COMPUTE, out);
    return 0;
}

#if HAVE_SPIRV_CROSS

typedef struct shader {
    const kernel_file *file;
    spvc_context context;
    spvc_compiler compiler;
    signature *out;
    char *reason;
} shader;

static int fail_cross(const shader *s)
{
    const char *text =
        s->context ? spvc_context_get_last_error_string(s->context) : "out of memory";
    return reader_fail(s->reason, s->file, "SPIRV-Cross cannot read the shader: %s", text);
}

static int too_many(const shader *s, const char *what)
{
    return reader_fail(s->reason, s->file, "the shader has too many %s", what);
}

/* ---- types ---- */

typedef struct type_row {
    spvc_basetype base;
    scalar_kind scalar;
    uint32_t bytes;
    const char *name, *vector;
} type_row;

static const type_row rows[] = {
    {SPVC_BASETYPE_BOOLEAN, SCALAR_BOOL, 4, "bool", "bvec"},
    {SPVC_BASETYPE_INT8, SCALAR_SIGNED, 1, "int8_t", "i8vec"},
    {SPVC_BASETYPE_UINT8, SCALAR_UNSIGNED, 1, "uint8_t", "u8vec"},
    {SPVC_BASETYPE_INT16, SCALAR_SIGNED, 2, "int16_t", "i16vec"},
    {SPVC_BASETYPE_UINT16, SCALAR_UNSIGNED, 2, "uint16_t", "u16vec"},
    {SPVC_BASETYPE_INT32, SCALAR_SIGNED, 4, "int", "ivec"},
    {SPVC_BASETYPE_UINT32, SCALAR_UNSIGNED, 4, "uint", "uvec"},
    {SPVC_BASETYPE_INT64, SCALAR_SIGNED, 8, "int64_t", "i64vec"},
    {SPVC_BASETYPE_UINT64, SCALAR_UNSIGNED, 8, "uint64_t", "u64vec"},
    {SPVC_BASETYPE_FP16, SCALAR_FLOAT, 2, "float16_t", "f16vec"},
    {SPVC_BASETYPE_FP32, SCALAR_FLOAT, 4, "float", "vec"},
    {SPVC_BASETYPE_FP64, SCALAR_FLOAT, 8, "double", "dvec"},
};

static const type_row *find_row(spvc_type type)
{
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (rows[i].base == spvc_type_get_basetype(type))
            return &rows[i];
    return NULL;
}

/* A number, vector or matrix of `bytes` in memory; of anything else the size alone. Columns with
 * gaps between them are no row of numbers. */
static element_type element_of(spvc_type type, uint32_t bytes)
{
    const type_row *row = find_row(type);
    element_type element = {.stride = bytes};
    uint32_t columns = spvc_type_get_columns(type);
    uint32_t lanes = spvc_type_get_vector_size(type) * columns;
    if (row && lanes && lanes <= 16 && (columns == 1 || lanes * row->bytes == bytes)) {
        element.scalar = row->scalar;
        element.scalar_bytes = row->bytes;
        element.lanes = lanes;
    }
    return element;
}

/* Bytes of a number or vector without padding; 0: it is something else. */
static uint32_t packed_bytes(spvc_type type)
{
    const type_row *row = find_row(type);
    return row ? row->bytes * spvc_type_get_vector_size(type) * spvc_type_get_columns(type) : 0;
}

static void put_type(const shader *s, spvc_type type, const char *suffix, char *text, size_t bytes)
{
    const type_row *row = find_row(type);
    uint32_t lanes = spvc_type_get_vector_size(type), columns = spvc_type_get_columns(type);
    if (!row)
        snprintf(text, bytes, "%.100s%s",
                 spvc_compiler_get_name(s->compiler, spvc_type_get_base_type_id(type)), suffix);
    else if (columns > 1)
        snprintf(text, bytes, "%smat%ux%u%s", row->bytes == 8 ? "d" : "", columns, lanes, suffix);
    else if (lanes > 1)
        snprintf(text, bytes, "%s%u%s", row->vector, lanes, suffix);
    else
        snprintf(text, bytes, "%s%s", row->name, suffix);
}

static void put_name(char out[SIGNATURE_NAME_BYTES], const char *name)
{
    snprintf(out, SIGNATURE_NAME_BYTES, "%s", name ? name : "");
    for (; *out; out++)
        if ((unsigned char)*out < 0x20 || *out == 0x7F)
            *out = '?';
}

/* ---- members ---- */

typedef struct member {
    spvc_type type;
    const char *name;
    uint32_t offset, bytes, array_stride;
    uint32_t count; /* elements of an array; 0: it has no fixed number, 1: it is none */
    bool is_array;
} member;

/* Returns false if the library refuses. */
static bool read_member(const shader *s, spvc_type block, spvc_type_id id, unsigned index,
                        member *out)
{
    unsigned offset = 0, stride = 0;
    size_t bytes = 0;
    *out = (member){.count = 1};
    out->type = spvc_compiler_get_type_handle(s->compiler, spvc_type_get_member_type(block, index));
    out->name = spvc_compiler_get_member_name(s->compiler, id, index);
    if (!out->type ||
        spvc_compiler_type_struct_member_offset(s->compiler, block, index, &offset) != SPVC_SUCCESS)
        return false;
    out->offset = offset;
    out->is_array = spvc_type_get_num_array_dimensions(out->type) > 0;
    for (unsigned i = 0; i < spvc_type_get_num_array_dimensions(out->type); i++)
        out->count *= spvc_type_array_dimension_is_literal(out->type, i)
                          ? spvc_type_get_array_dimension(out->type, i)
                          : 0;
    if (out->is_array && spvc_compiler_type_struct_member_array_stride(s->compiler, block, index,
                                                                       &stride) == SPVC_SUCCESS)
        out->array_stride = stride;
    if (!out->is_array || out->count)
        if (spvc_compiler_get_declared_struct_member_size(s->compiler, block, index, &bytes) !=
            SPVC_SUCCESS)
            return false;
    out->bytes = (uint32_t)bytes;
    return true;
}

/* ---- blocks ---- */

static int fail_block(const shader *s, const spvc_reflected_resource *block)
{
    char name[SIGNATURE_NAME_BYTES];
    put_name(name, block->name);
    return reader_fail(s->reason, s->file, "block %.60s has no layout that SPIRV-Cross understands",
                       name);
}

/* Values of a uniform buffer or of push constants: a parameter for each member. */
static int see_values(const shader *s, const spvc_reflected_resource *block, parameter_place place)
{
    spvc_type type = spvc_compiler_get_type_handle(s->compiler, block->base_type_id);
    size_t bytes = 0;
    if (!type || spvc_compiler_get_declared_struct_size(s->compiler, type, &bytes) != SPVC_SUCCESS)
        return fail_block(s, block);
    const char *instance = spvc_compiler_get_name(s->compiler, block->id);
    for (unsigned i = 0; i < spvc_type_get_num_member_types(type); i++) {
        member m;
        char name[SIGNATURE_NAME_BYTES], suffix[24] = "";
        if (!read_member(s, type, block->base_type_id, i, &m))
            return fail_block(s, block);
        put_name(name, m.name);
        parameter *p =
            signature_add_member(s->out, instance && *instance ? instance : block->name, name);
        if (!p)
            return too_many(s, "parameters");
        if (m.is_array)
            snprintf(suffix, sizeof suffix, "[%u]", m.count);
        put_type(s, m.type, suffix, p->type, sizeof p->type);
        uint32_t packed = packed_bytes(m.type);
        bool is_plain = packed && (!m.is_array || m.array_stride >= packed);
        p->element = m.is_array && is_plain ? element_of(m.type, m.array_stride)
                                            : element_of(m.type, m.bytes);
        if (!is_plain)
            p->element = (element_type){.stride = m.bytes};
        p->count = m.is_array && is_plain ? m.count : 0;
        p->place = place;
        p->offset = m.offset;
        p->block_bytes = (uint32_t)bytes;
        if (place == PLACE_BINDING) {
            p->set =
                spvc_compiler_get_decoration(s->compiler, block->id, SpvDecorationDescriptorSet);
            p->binding = spvc_compiler_get_decoration(s->compiler, block->id, SpvDecorationBinding);
        }
    }
    return 0;
}

static bool is_read_only(const shader *s, spvc_variable_id id)
{
    const SpvDecoration *decorations = NULL;
    size_t count = 0;
    if (spvc_compiler_has_decoration(s->compiler, id, SpvDecorationNonWritable))
        return true;
    if (spvc_compiler_get_buffer_block_decorations(s->compiler, id, &decorations, &count) !=
        SPVC_SUCCESS)
        return false;
    for (size_t i = 0; i < count; i++)
        if (decorations[i] == SpvDecorationNonWritable)
            return true;
    return false;
}

/* The name by which the shader's text speaks of a buffer: of its instance, or of its array. */
static void name_buffer(const shader *s, const spvc_reflected_resource *block, const member *last,
                        bool is_alone, parameter *p)
{
    const char *instance = spvc_compiler_get_name(s->compiler, block->id);
    if (instance && *instance)
        put_name(p->name, instance);
    else if (last->name && *last->name && (is_alone || last->is_array))
        put_name(p->name, last->name);
    else
        put_name(p->name, spvc_compiler_get_name(s->compiler, block->base_type_id));
}

static int see_buffer(const shader *s, const spvc_reflected_resource *block, parameter *p)
{
    spvc_type type = spvc_compiler_get_type_handle(s->compiler, block->base_type_id);
    unsigned members = type ? spvc_type_get_num_member_types(type) : 0;
    size_t bytes = 0;
    member m;
    if (!members || !read_member(s, type, block->base_type_id, members - 1, &m))
        return fail_block(s, block);
    name_buffer(s, block, &m, members == 1, p);
    p->is_read_only = is_read_only(s, block->id);
    if (m.is_array) {
        p->element = element_of(m.type, m.array_stride);
        p->count = m.count;
        p->offset = m.offset;
        put_type(s, m.type, "[]", p->type, sizeof p->type);
    } else if (members == 1) {
        p->element = element_of(m.type, m.bytes);
        p->count = 1;
        put_type(s, m.type, "", p->type, sizeof p->type);
    } else if (spvc_compiler_get_declared_struct_size(s->compiler, type, &bytes) == SPVC_SUCCESS) {
        p->element = (element_type){.stride = (uint32_t)bytes};
        p->count = 1;
        put_name(p->type, spvc_compiler_get_name(s->compiler, block->base_type_id));
    } else {
        return fail_block(s, block);
    }
    return 0;
}

/* ---- all resources ---- */

static int see_resource(const shader *s, spvc_resource_type kind,
                        const spvc_reflected_resource *resource)
{
    if (kind == SPVC_RESOURCE_TYPE_UNIFORM_BUFFER || kind == SPVC_RESOURCE_TYPE_PUSH_CONSTANT) {
        spvc_type block = spvc_compiler_get_type_handle(s->compiler, resource->type_id);
        if (block && spvc_type_get_num_array_dimensions(block) == 0)
            return see_values(
                s, resource, kind == SPVC_RESOURCE_TYPE_PUSH_CONSTANT ? PLACE_PUSH : PLACE_BINDING);
    }
    parameter *p = signature_add(s->out);
    if (!p)
        return too_many(s, "parameters");
    p->place = PLACE_BINDING;
    p->set = spvc_compiler_get_decoration(s->compiler, resource->id, SpvDecorationDescriptorSet);
    p->binding = spvc_compiler_get_decoration(s->compiler, resource->id, SpvDecorationBinding);
    spvc_type type = spvc_compiler_get_type_handle(s->compiler, resource->type_id);
    bool is_array = !type || spvc_type_get_num_array_dimensions(type) > 0;
    if (kind == SPVC_RESOURCE_TYPE_STORAGE_BUFFER && !is_array)
        return see_buffer(s, resource, p);
    p->kind = PARAMETER_NOT_SUPPORTED;
    const char *instance = spvc_compiler_get_name(s->compiler, resource->id);
    put_name(p->name, instance && *instance ? instance : resource->name);
    snprintf(p->type, sizeof p->type, "%s",
             kind == SPVC_RESOURCE_TYPE_STORAGE_BUFFER || kind == SPVC_RESOURCE_TYPE_UNIFORM_BUFFER
                 ? "array of buffers"
             : kind == SPVC_RESOURCE_TYPE_SEPARATE_SAMPLERS      ? "sampler"
             : kind == SPVC_RESOURCE_TYPE_ACCELERATION_STRUCTURE ? "acceleration structure"
                                                                 : "image");
    return 0;
}

static int see_resources(const shader *s)
{
    static const spvc_resource_type kinds[] = {
        SPVC_RESOURCE_TYPE_STORAGE_BUFFER,    SPVC_RESOURCE_TYPE_UNIFORM_BUFFER,
        SPVC_RESOURCE_TYPE_PUSH_CONSTANT,     SPVC_RESOURCE_TYPE_STORAGE_IMAGE,
        SPVC_RESOURCE_TYPE_SAMPLED_IMAGE,     SPVC_RESOURCE_TYPE_SEPARATE_IMAGE,
        SPVC_RESOURCE_TYPE_SEPARATE_SAMPLERS, SPVC_RESOURCE_TYPE_ACCELERATION_STRUCTURE,
    };
    spvc_resources resources;
    /* From SPIR-V 1.4 on those that the entry point names, before all of the module. */
    if (spvc_compiler_create_shader_resources(s->compiler, &resources) != SPVC_SUCCESS)
        return fail_cross(s);
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        const spvc_reflected_resource *list = NULL;
        size_t count = 0;
        if (spvc_resources_get_resource_list_for_type(resources, kinds[i], &list, &count) !=
            SPVC_SUCCESS)
            return fail_cross(s);
        for (size_t k = 0; k < count; k++)
            if (see_resource(s, kinds[i], &list[k]) != 0)
                return -1;
    }
    return 0;
}

/* ---- constants ---- */

static double value_of(spvc_constant handle, spvc_basetype base)
{
    switch (base) {
    case SPVC_BASETYPE_FP16: return (double)spvc_constant_get_scalar_fp16(handle, 0, 0);
    case SPVC_BASETYPE_FP32: return (double)spvc_constant_get_scalar_fp32(handle, 0, 0);
    case SPVC_BASETYPE_FP64: return spvc_constant_get_scalar_fp64(handle, 0, 0);
    case SPVC_BASETYPE_INT8: return spvc_constant_get_scalar_i8(handle, 0, 0);
    case SPVC_BASETYPE_INT16: return spvc_constant_get_scalar_i16(handle, 0, 0);
    case SPVC_BASETYPE_INT32: return spvc_constant_get_scalar_i32(handle, 0, 0);
    default: return spvc_constant_get_scalar_u32(handle, 0, 0);
    }
}

static int see_constants(const shader *s)
{
    const spvc_specialization_constant *list = NULL;
    size_t count = 0;
    if (spvc_compiler_get_specialization_constants(s->compiler, &list, &count) != SPVC_SUCCESS)
        return fail_cross(s);
    for (size_t i = 0; i < count; i++) {
        spvc_constant handle = spvc_compiler_get_constant_handle(s->compiler, list[i].id);
        spvc_type type =
            handle ? spvc_compiler_get_type_handle(s->compiler, spvc_constant_get_type(handle))
                   : NULL;
        constant *made = signature_add_constant(s->out);
        if (!made)
            return too_many(s, "specialisation constants");
        made->id = list[i].constant_id;
        put_name(made->name, spvc_compiler_get_name(s->compiler, list[i].id));
        if (!type)
            continue;
        made->type = element_of(type, packed_bytes(type));
        made->has_value = made->type.scalar_bytes != 0 && made->type.lanes == 1;
        made->value = value_of(handle, spvc_type_get_basetype(type));
    }
    return 0;
}

/* By id: the library has them in the order of a hash table. */
static void sort_constants(signature *out)
{
    for (size_t i = 1; i < out->constant_count; i++) {
        constant moved = out->constants[i];
        size_t to = i;
        for (; to > 0 && out->constants[to - 1].id > moved.id; to--)
            out->constants[to] = out->constants[to - 1];
        out->constants[to] = moved;
    }
}

static void see_group_size(const shader *s)
{
    spvc_specialization_constant by[3] = {{0, 0}, {0, 0}, {0, 0}};
    spvc_compiler_get_work_group_size_specialization_constants(s->compiler, &by[0], &by[1], &by[2]);
    for (unsigned i = 0; i < 3; i++) {
        s->out->group_size[i] = spvc_compiler_get_execution_mode_argument_by_index(
            s->compiler, SpvExecutionModeLocalSize, i);
        for (size_t k = 0; by[i].id && k < s->out->constant_count; k++)
            if (s->out->constants[k].id == by[i].constant_id) {
                s->out->group_constant[i] = (int)k;
                s->out->group_size[i] = 0;
            }
    }
}

static int read_shader(shader *s, const char *entry, const uint32_t *words, size_t count)
{
    spvc_parsed_ir parsed;
    if (spvc_context_parse_spirv(s->context, words, count, &parsed) != SPVC_SUCCESS ||
        spvc_context_create_compiler(s->context, SPVC_BACKEND_NONE, parsed,
                                     SPVC_CAPTURE_MODE_TAKE_OWNERSHIP,
                                     &s->compiler) != SPVC_SUCCESS ||
        spvc_compiler_set_entry_point(s->compiler, entry, SpvExecutionModelGLCompute) !=
            SPVC_SUCCESS)
        return fail_cross(s);
    if (see_resources(s) != 0 || see_constants(s) != 0)
        return -1;
    signature_sort(s->out);
    sort_constants(s->out);
    see_group_size(s);
    return 0;
}

static int shader_signature(const kernel_file *file, const char *entry, signature *out,
                            char *reason)
{
    static kernel_entries all; /* too large for some stacks; nothing here runs in threads */
    shader s = {.file = file, .out = out, .reason = reason};
    all.count = 0;
    shader_entries(file, &all, reason);
    size_t i = 0;
    while (i < all.count && strcmp(all.names[i], entry) != 0)
        i++;
    if (i == all.count)
        return reader_no_entry(reason, file, entry);
    char sentence[KERNEL_FILE_REASON_BYTES];
    size_t count = 0;
    uint32_t *words = spirv_reduce((const uint32_t *)(const void *)file->text, file->bytes / 4,
                                   entry, &count, sentence);
    if (!words)
        return reader_fail(reason, file, "%s", sentence);
    int failed = spvc_context_create(&s.context) == SPVC_SUCCESS
                     ? read_shader(&s, entry, words, count)
                     : fail_cross(&s);
    if (s.context)
        spvc_context_destroy(s.context);
    free(words);
    return failed;
}

#else

static int shader_signature(const kernel_file *file, const char *entry, signature *out,
                            char *reason)
{
    (void)entry;
    (void)out;
    return reader_fail(reason, file,
                       "this kerntime was built without SPIRV-Cross, which reads shaders");
}

#endif

const kernel_reader shader_reader = {shader_entries, shader_signature};
