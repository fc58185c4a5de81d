// SPDX-License-Identifier: MIT
/**
 * @file
 * Instrumentation API for C++11 and later: objects that end their handles.
 *
 * - All but spans can be moved, none copied. An empty object has a NULL handle, on which every call
 *   does nothing.
 * - Nothing throws. Calls return the kt_status of the C call; kt_error_text() has the reason. What
 *   cannot be made is empty, as without a driver, and the program goes on untimed.
 * - A timer or recording may outlive its timer context.
 * - Threads, and -DKT_COMPILED_OUT: as of the C calls.
 *
 *     kt::timer_context context;
 *     kt_timer_context_import_opencl(&import, context.out());
 *     kt::timer blur(context, "blur");
 *     {
 *         kt::span span(blur, queue);
 *         enqueue_work(queue);
 *     }
 *     context.collect();
 */
#ifndef KERNTIME_HPP
#define KERNTIME_HPP

#include <kerntime/snapshot.h>
#include <kerntime/timer.h>

namespace kt {

/** @cond */
struct end_ {
    static void of(kt_timer_context **held) noexcept { kt_timer_context_close(held); }
    static void of(kt_timer **held) noexcept { kt_timer_destroy(held); }
    static void of(kt_recording **held) noexcept { kt_recording_destroy(held); }
    static void of(kt_snapshot **held) noexcept { kt_snapshot_destroy(held); }
};
/** @endcond */

/** Owns one handle of the C API. */
template <typename T> class handle {
public:
    handle() noexcept = default;
    handle(handle &&from) noexcept : held(from.release()) {}
    handle &operator=(handle &&from) noexcept
    {
        T *next = from.release();
        *out() = next;
        return *this;
    }
    ~handle() { end_::of(&held); }
    explicit operator bool() const noexcept { return held != nullptr; }
    /** The handle, for calls of the C API. */
    T *get() const noexcept { return held; }
    /** Ends the handle. Returns where a call of the C API puts the next one. */
    T **out() noexcept
    {
        end_::of(&held);
        held = nullptr;
        return &held;
    }
    /** Gives the handle away without ending it. */
    T *release() noexcept
    {
        T *given = held;
        held = nullptr;
        return given;
    }

private:
    T *held = nullptr;
};

/** A timer context: `kt_timer_context_import_X(..., context.out())` imports a device. */
struct timer_context : handle<kt_timer_context> {
    kt_status collect() noexcept { return kt_collect(get()); }
    /** Waits until all spans in flight are collected, at most `timeout_ns`; 0: 30 s. */
    kt_status wait(int64_t timeout_ns = 0) noexcept
    {
        return kt_timer_context_wait(get(), timeout_ns);
    }
};

/** A timer; empty if it could not be created. */
struct timer : handle<kt_timer> {
    timer() noexcept = default;
    timer(const timer_context &context, const char *name) noexcept
    {
        kt_timer_create(context.get(), name, out());
    }
    kt_status start(void *queue = nullptr) noexcept { return kt_timer_start(get(), queue); }
    kt_status stop(void *queue = nullptr) noexcept { return kt_timer_stop(get(), queue); }
    kt_status elapsed(double &ns) const noexcept { return kt_timer_elapsed(get(), &ns); }
    /** Waits until its spans in flight are collected, at most `timeout_ns`; 0: 30 s. */
    kt_status wait(int64_t timeout_ns = 0) noexcept { return kt_timer_wait(get(), timeout_ns); }
};

/** A span from here to the end of the block, however that is left. */
class span {
public:
    explicit span(timer &timer, void *queue = nullptr) noexcept
        : started(timer.start(queue) == KT_OK ? timer.get() : nullptr), in(queue)
    {}
    span(const span &) = delete;
    span &operator=(const span &) = delete;
    ~span() { kt_timer_stop(started, in); }

private:
    kt_timer *started; /* NULL: there is nothing to stop */
    void *in;
};

/** A recording, begun by `kt_recording_begin_X(recording.get(), ...)`. */
struct recording : handle<kt_recording> {
    recording() noexcept = default;
    explicit recording(const timer_context &context) noexcept
    {
        kt_recording_create(context.get(), nullptr, out());
    }
    kt_status start(timer &timer) noexcept { return kt_recording_start(get(), timer.get()); }
    kt_status stop(timer &timer) noexcept { return kt_recording_stop(get(), timer.get()); }
    kt_status submit() noexcept { return kt_recording_submit(get()); }
};

/** A snapshot, as a range: `for (const kt_row &row : kt::snapshot::take())`. */
struct snapshot : handle<kt_snapshot> {
    /** The registry as it is now; empty if that failed. */
    static snapshot take() noexcept
    {
        snapshot taken;
        kt_snapshot_take(taken.out());
        return taken;
    }
    /** The row, or NULL. */
    const kt_row *find(const char *name, kt_backend_id backend) const noexcept
    {
        return kt_snapshot_find(get(), name, backend);
    }
    struct iterator {
        const kt_snapshot *of;
        uint32_t index;
        const kt_row &operator*() const noexcept { return *kt_snapshot_row(of, index); }
        iterator &operator++() noexcept { return ++index, *this; }
        bool operator!=(const iterator &other) const noexcept { return index != other.index; }
    };
    iterator begin() const noexcept { return {get(), 0}; }
    iterator end() const noexcept { return {get(), kt_snapshot_count(get())}; }
};

} // namespace kt

#endif
