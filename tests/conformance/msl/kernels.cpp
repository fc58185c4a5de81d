// SPDX-License-Identifier: MIT
/*
 * The texts in Metal's language, all of them, as C++14. A kernel's arguments are taken as Metal hands them over: buffers in
 * their order, then the places that its attributes name.
 */
#include "msl.h"

#include <string.h>

#define __METAL_VERSION__ 220 /* of macOS 10.15 */
#include "workloads/kernel.h"
/* Items of a group run on one thread, by turns: what they share lies there once. */
#undef LOCAL
#define LOCAL static thread_local

#include "tests/conformance/own_kernels.cl"
#include "workloads/empty/empty.cl"
#include "workloads/fill/fill.cl"
#include "workloads/loop/loop.cl"
#include "workloads/matmul/matmul.cl"
#include "workloads/reduce/reduce.cl"
#include "workloads/saxpy/saxpy.cl"
#include "workloads/scan/scan.cl"
#include "workloads/sort/sort.cl"

#define TEXT_OF_(...) #__VA_ARGS__
#define TEXT_OF(...)  TEXT_OF_(__VA_ARGS__)

/* ---- the stand-in's functions ---- */

void metal::threadgroup_barrier(mem_flags flags)
{
    if (flags == mem_flags::mem_threadgroup) /* another one would not be seen by the group */
        msl_barrier();
}

unsigned metal::atomic_fetch_add_explicit(volatile atomic_uint *at, unsigned number, memory_order)
{
    unsigned before = at->value;
    at->value = before + number;
    return before;
}

unsigned metal::atomic_fetch_or_explicit(volatile atomic_uint *at, unsigned bits, memory_order)
{
    unsigned before = at->value;
    at->value = before | bits;
    return before;
}

unsigned metal::atomic_exchange_explicit(volatile atomic_uint *at, unsigned value, memory_order)
{
    unsigned before = at->value;
    at->value = value;
    return before;
}

unsigned metal::popcount(unsigned word)
{
    unsigned count = 0;
    for (; word; word &= word - 1)
        count++;
    return count;
}

/* ---- arguments ---- */

namespace {
enum { POSITION_COUNT = 4 };

/* What an attribute says of the item; false: nobody knows it. */
bool find_position(const char *attribute, const kt_c_group &group, const uint32_t local[3],
                   uint32_t out[3])
{
    for (int d = 0; d < 3; d++) {
        const uint32_t size = group.group_size[d] ? group.group_size[d] : 1;
        if (strncmp(attribute, "thread_position_in_threadgroup]", 31) == 0)
            out[d] = local[d];
        else if (strncmp(attribute, "threadgroup_position_in_grid]", 29) == 0)
            out[d] = group.group[d];
        else if (strncmp(attribute, "thread_position_in_grid]", 24) == 0)
            out[d] = group.group[d] * size + local[d];
        else if (strncmp(attribute, "threads_per_grid]", 17) == 0)
            out[d] = (group.groups[d] ? group.groups[d] : 1) * size;
        else
            return false;
    }
    return true;
}

/* Position number `which`, by its attribute in the text. */
metal::uint3 position(unsigned which, const kt_c_group &group, const uint32_t local[3])
{
    uint32_t at[3] = {~0u, ~0u, ~0u};
    const char *text = strstr(TEXT_OF(POSITIONS), "[[");
    for (; text && which > 0; which--)
        text = strstr(text + 2, "[[");
    if (!text || !find_position(text + 2, group, local, at))
        __builtin_trap();
    return {at[0], at[1], at[2]};
}

struct call {
    const kt_c_group *group;
    void *const *args;
};

/* Argument number `index` of `count`. */
template <class A> struct taken;

template <class T> struct taken<T *> {
    static T *get(const call &c, const uint32_t *, unsigned index, unsigned)
    {
        return static_cast<T *>(c.args[index]);
    }
};

template <class T> struct taken<const T &> {
    static const T &get(const call &c, const uint32_t *, unsigned index, unsigned)
    {
        return *static_cast<const T *>(c.args[index]);
    }
};

template <> struct taken<metal::uint3> {
    static metal::uint3 get(const call &c, const uint32_t *local, unsigned index, unsigned count)
    {
        return position(index + POSITION_COUNT - count, *c.group, local);
    }
};

template <unsigned... I> struct numbers {};
template <unsigned N, unsigned... I> struct count_up : count_up<N - 1, N - 1, I...> {};
template <unsigned... I> struct count_up<0, I...> {
    typedef numbers<I...> type;
};

template <class... A, unsigned... I>
void call_kernel(void (*function)(A...), const call &c, const uint32_t *local, numbers<I...>)
{
    (void)c, (void)local;
    function(taken<A>::get(c, local, I, sizeof...(A))...);
}

template <class... A> typename count_up<sizeof...(A)>::type numbers_of(void (*)(A...))
{
    return {};
}

/* ---- kernels as C functions ---- */

#define KERNELS(X)     \
    X(empty)           \
    X(fill)            \
    X(loop_rounds)     \
    X(matmul_naive)    \
    X(matmul_tiled)    \
    X(place)           \
    X(plus_one)        \
    X(reduce_final)    \
    X(reduce_partial)  \
    X(saxpy)           \
    X(scale)           \
    X(scan_block_sums) \
    X(scan_blocks)     \
    X(scan_offsets)    \
    X(sort_histogram)  \
    X(sort_scan)       \
    X(sort_scatter)    \
    X(twice)

#define AS_C_FUNCTION(name)                                     \
    void run_##name(const kt_c_group *group, void *const *args) \
    {                                                           \
        call c = {group, args};                                 \
        auto item = [](const uint32_t *local, void *user) {     \
            const call *of = static_cast<const call *>(user);   \
            call_kernel(name, *of, local, numbers_of(name));    \
        };                                                      \
        msl_run_group(group->group_size, item, &c);             \
    }
KERNELS(AS_C_FUNCTION)

struct row {
    const char *entry;
    kt_c_kernel function;
};
#define ROW(name) {#name, run_##name},
const row rows[] = {KERNELS(ROW)};
} // namespace

kt_c_kernel msl_function(const char *entry)
{
    for (const row &r : rows)
        if (strcmp(r.entry, entry) == 0)
            return r.function;
    return nullptr;
}
