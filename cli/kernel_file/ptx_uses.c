/* SPDX-License-Identifier: MIT */
/*
 * ptx_uses.c - types of PTX's pointers from the instructions that use them.
 *
 * PTX gives a pointer no type, and a plain C name tells none. Compilers write each register once, so
 * one pass suffices: a parameter is loaded, made an address, moved by an offset, and loaded from or
 * stored to with a type.
 */
#include "cli/kernel_file/reader.h"

#include <stdio.h>
#include <string.h>

#define REGISTERS_MAX 1024

/* A register that holds a parameter, or an address made of it. */
typedef struct holder {
    const token *name;
    size_t parameter;
} holder;

typedef struct use {
    element_type type; /* lanes of 0: none */
    bool is_loaded, is_address, is_written, is_mixed;
} use;

typedef struct uses {
    const tokens *words;
    const token *const *names;
    size_t count;
    use list[SIGNATURE_PARAMETERS_MAX];
    holder registers[REGISTERS_MAX];
    size_t register_count;
    bool calls; /* what a function does with its arguments is not looked at */
} uses;

element_type ptx_type(const token *t)
{
    element_type none = {0};
    unsigned bits = 0;
    if (t->length < 2 || t->length > 3 || !strchr("busf", *t->text))
        return none;
    for (size_t i = 1; i < t->length; i++) {
        if (t->text[i] < '0' || t->text[i] > '9')
            return none;
        bits = 10 * bits + (unsigned)(t->text[i] - '0');
    }
    scalar_kind scalar = *t->text == 'u'   ? SCALAR_UNSIGNED
                         : *t->text == 's' ? SCALAR_SIGNED
                         : *t->text == 'f' ? SCALAR_FLOAT
                                           : SCALAR_UNKNOWN;
    if (bits != 8 && bits != 16 && bits != 32 && bits != 64)
        return none;
    return (element_type){scalar, bits / 8, 1, bits / 8};
}

/* The parameter in the register that is named at `at`, behind its %; `count`: none. */
static size_t held_in(const uses *u, size_t at)
{
    for (size_t i = u->register_count; i-- > 0;)
        if (token_equal(u->registers[i].name, &u->words->list[at]))
            return u->registers[i].parameter;
    return u->count;
}

static bool is_register(const uses *u, size_t at, size_t end)
{
    return at + 1 < end && token_is(&u->words->list[at], "%");
}

static void hold(uses *u, size_t at, size_t held)
{
    if (u->register_count < REGISTERS_MAX)
        u->registers[u->register_count++] = (holder){&u->words->list[at], held};
}

/* An instruction: OPCODE[.MODIFIER...] OPERANDS */
typedef struct instruction {
    const token *opcode;
    element_type type; /* the last that its modifiers name */
    uint32_t lanes;
    bool is_param, is_shared, is_to; /* .param, .shared or .local, cvta.to */
    size_t operands, end;
} instruction;

static instruction read_instruction(const uses *u, size_t at, size_t end)
{
    const token *list = u->words->list;
    if (token_is(&list[at], "@")) /* a predicate: @%p1 or @!%p1 */
        at += token_is(&list[at + 1], "!") ? 4 : 3;
    instruction made = {.opcode = &list[at < end ? at : end], .lanes = 1, .end = end};
    for (at++; at + 1 < end && token_among(&list[at], ". ::"); at += 2) {
        const token *word = &list[at + 1];
        element_type type = ptx_type(word);
        if (type.lanes)
            made.type = type;
        made.is_param |= token_is(word, "param");
        made.is_shared |= token_among(word, "shared local const");
        made.is_to |= token_is(word, "to");
        if (token_among(word, "v2 v4 v8"))
            made.lanes = (uint32_t)(word->text[1] - '0');
    }
    made.operands = at < end ? at : end;
    return made;
}

/* ld.param.u64 %rd1, [NAME]; */
static void load_parameter(uses *u, const instruction *i)
{
    const token *list = u->words->list;
    size_t at = i->operands;
    while (at < i->end && !token_is(&list[at], "["))
        at++;
    if (!is_register(u, i->operands, i->end) || at + 2 >= i->end || !token_is(&list[at + 2], "]"))
        return;
    for (size_t p = 0; p < u->count; p++)
        if (u->names[p] && token_equal(u->names[p], &list[at + 1])) {
            u->list[p].is_loaded = true;
            hold(u, i->operands + 1, p);
        }
}

static void see_type(use *seen, const element_type *type, uint32_t lanes)
{
    element_type now = *type;
    now.lanes = lanes;
    now.stride = lanes * now.scalar_bytes;
    if (!seen->type.lanes) {
        seen->type = now;
    } else if (seen->type.scalar_bytes != now.scalar_bytes) {
        seen->is_mixed = true;
    } else {
        if (seen->type.lanes > now.lanes) {
            seen->type.lanes = now.lanes;
            seen->type.stride = now.stride;
        }
        if (seen->type.scalar == SCALAR_UNKNOWN) /* bits without a kind */
            seen->type.scalar = now.scalar;
        else if (now.scalar == SCALAR_FLOAT)
            seen->type.scalar = SCALAR_FLOAT;
    }
}

/* ld.global.f32 %f1, [%rd4+4]; and st, atom, red likewise. */
static void access_memory(uses *u, const instruction *i, bool writes)
{
    const token *list = u->words->list;
    size_t at = i->operands;
    while (at < i->end && !token_is(&list[at], "["))
        at++;
    if (i->is_shared || !is_register(u, at + 1, i->end))
        return;
    size_t held = held_in(u, at + 2);
    if (held == u->count)
        return;
    u->list[held].is_address = true;
    u->list[held].is_written |= writes;
    if (i->type.lanes)
        see_type(&u->list[held], &i->type, i->lanes);
}

/* add.s64 %rd6, %rd3, %rd5; the sources from operand number `first` on may hold an address. */
static void move(uses *u, const instruction *i, unsigned first)
{
    size_t chosen = u->count, operand = i->operands;
    if (!is_register(u, operand, i->end))
        return;
    for (unsigned number = 0; operand < i->end; number++) {
        size_t held = number > 0 && number >= first && is_register(u, operand, i->end)
                          ? held_in(u, operand + 1)
                          : u->count;
        bool is_known = chosen < u->count && u->list[chosen].is_address;
        if (held < u->count && !is_known)
            chosen = held;
        operand = tokens_comma(u->words->list, operand, i->end) + 1;
    }
    if (chosen == u->count)
        return;
    u->list[chosen].is_address |= i->is_to;
    hold(u, i->operands + 1, chosen);
}

static void see(uses *u, const instruction *i)
{
    if (token_is(i->opcode, "ld") && i->is_param)
        load_parameter(u, i);
    else if (token_among(i->opcode, "ld ldu"))
        access_memory(u, i, false);
    else if (token_among(i->opcode, "st atom red"))
        access_memory(u, i, true);
    else if (token_among(i->opcode, "mov cvta add sub selp"))
        move(u, i, 1);
    else if (token_is(i->opcode, "mad"))
        move(u, i, 3);
    u->calls |= token_is(i->opcode, "call");
}

static void put_type(const element_type *type, parameter *p)
{
    char vector[16] = "";
    if (type->lanes > 1)
        snprintf(vector, sizeof vector, ".v%u", type->lanes);
    snprintf(p->type, sizeof p->type, "%s.%c%u *", vector, "bsuf"[type->scalar],
             8 * type -> scalar_bytes);
}

void ptx_see_uses(const tokens *words, size_t body, size_t end, const token *const *names,
                  signature *out)
{
    uses u = {.words = words, .names = names, .count = out->parameter_count};
    for (size_t at = body; at < end;) {
        size_t next = at;
        while (next < end && !token_among(&words->list[next], "; { } :"))
            next++;
        /* Braces also stand around operands: {%f1, %f2}. */
        while (next < end && next > at && token_is(&words->list[next], "{")) {
            size_t close = tokens_close(words->list, next, end);
            next = close < end ? close + 1 : end;
            while (next < end && !token_among(&words->list[next], "; { }"))
                next++;
        }
        if (next > at) {
            instruction i = read_instruction(&u, at, next);
            see(&u, &i);
        }
        at = next + 1;
    }
    for (size_t p = 0; p < out->parameter_count; p++) {
        parameter *changed = &out->parameters[p];
        const use *seen = &u.list[p];
        if (changed->kind != PARAMETER_BUFFER || u.calls)
            continue;
        if (seen->is_loaded && !seen->is_address) {
            changed->kind = PARAMETER_VALUE;
            changed->is_read_only = true;
            changed->element = (element_type){SCALAR_UNSIGNED, 8, 1, 8};
        }
        if (!seen->is_address)
            continue;
        changed->is_read_only = !seen->is_written;
        if (!seen->is_mixed && seen->type.lanes) {
            changed->element = seen->type;
            put_type(&seen->type, changed);
        }
    }
}
