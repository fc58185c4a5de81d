// SPDX-License-Identifier: MIT
// A program in C++ that uses kerntime.hpp: which handles are ended when. Prints the version of the
// library it runs with.
#include <cstdio>
#include <cstring>
#include <kerntime/kerntime.h>
#include <kerntime/kerntime.hpp>
#include <kerntime/timer/cpu.h>
#include <type_traits>
#include <utility>

template <typename T> constexpr bool moves_only()
{
    return std::is_nothrow_move_constructible<T>::value &&
           std::is_nothrow_move_assignable<T>::value && !std::is_copy_constructible<T>::value &&
           !std::is_copy_assignable<T>::value;
}
static_assert(moves_only<kt::timer_context>() && moves_only<kt::timer>() &&
                  moves_only<kt::recording>() && moves_only<kt::snapshot>(),
              "handles are moved, never copied");
static_assert(!std::is_copy_constructible<kt::span>::value &&
                  !std::is_move_constructible<kt::span>::value,
              "a span stays in its block");

static int failures;
#define EXPECT(condition)                                           \
    do {                                                            \
        if (!(condition)) {                                         \
            std::fprintf(stderr, "it is not so: " #condition "\n"); \
            failures++;                                             \
        }                                                           \
    } while (0)

static uint64_t count_of(const char *name)
{
    const kt::snapshot now = kt::snapshot::take();
    const kt_row *row = now.find(name, KT_BACKEND_CPU);
    return row ? row->count : 0;
}

static void leave_by_exception(kt::timer &timer)
{
    kt::span span(timer);
    throw 1;
}

static void spans()
{
    kt::timer_context context;
    EXPECT(!context);
    EXPECT(kt_timer_context_import_cpu(context.out()) == KT_OK && context);
    kt::timer timer(context, "span");
    for (int i = 0; i < 3; i++)
        kt::span span(timer);
    EXPECT(count_of("span") == 3);
    try {
        leave_by_exception(timer);
    } catch (int) {
    }
    EXPECT(count_of("span") == 4);
    // A span within a span of the same timer is none, and does not stop the outer one.
    {
        kt::span outer(timer);
        {
            kt::span inner(timer);
        }
        EXPECT(count_of("span") == 4);
    }
    EXPECT(count_of("span") == 5);
    double elapsed_ns = -1;
    EXPECT(timer.elapsed(elapsed_ns) == KT_OK && elapsed_ns >= 0);
    EXPECT(timer.wait() == KT_OK && context.wait(1) == KT_OK && context.collect() == KT_OK);
}

static void moves()
{
    kt::timer kept;
    {
        kt::timer_context context;
        EXPECT(kt_timer_context_import_cpu(context.out()) == KT_OK);
        kt::timer first(context, "moved");
        kt_timer *handle = first.get();
        kt::timer second(std::move(first));
        EXPECT(!first && second.get() == handle);
        kept = kt::timer(context, "replaced");
        kept = std::move(second); // ends the one that it held
        EXPECT(!second && kept.get() == handle);
        EXPECT(kept.start() == KT_OK && kept.stop() == KT_OK);
    }
    EXPECT(kept.start() == KT_INVALID); // its context was closed
    EXPECT(count_of("moved") == 1 && count_of("replaced") == 0);
    kt_timer *own = kept.release();
    EXPECT(own && !kept);
    kt_timer_destroy(&own);
}

// As where a driver is missing.
static void empty()
{
    kt::timer_context context;
    kt::timer timer(context, "empty");
    kt::recording recording(context);
    EXPECT(!timer && !recording);
    {
        kt::span span(timer);
    }
    EXPECT(timer.start() == KT_UNAVAILABLE && timer.stop() == KT_UNAVAILABLE);
    EXPECT(context.collect() == KT_UNAVAILABLE && context.wait() == KT_UNAVAILABLE);
    EXPECT(recording.start(timer) == KT_UNAVAILABLE && recording.stop(timer) == KT_UNAVAILABLE &&
           recording.submit() == KT_UNAVAILABLE);
    EXPECT(count_of("empty") == 0);
    const kt::snapshot none;
    EXPECT(!(none.begin() != none.end()) && !none.find("span", KT_BACKEND_CPU));
}

static void rows()
{
    uint32_t count = 0;
    bool found = false;
    for (const kt_row &row : kt::snapshot::take()) {
        count++;
        found |= std::strcmp(row.name, "span") == 0 && row.count == 5;
    }
    EXPECT(count == 2 && found);
}

int main()
{
    spans();
    moves();
    empty();
    rows();
    std::printf("%s\n", kt_version());
    return failures != 0;
}
