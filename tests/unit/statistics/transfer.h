/* SPDX-License-Identifier: MIT */
/* transfer.h - sweeps of copies whose truth is known, and what is to be found of them. */
#ifndef TRANSFER_H
#define TRANSFER_H

#include "tests/unit/testing.h"

#include <kerntime/transfer.h>

#define KIB 1024.0
#define MIB (1024 * KIB)
#define GIB (1024 * MIB)

#define SIZES 18 /* 8 KiB to 1 GiB */

static inline double size_at(int i)
{
    return ldexp(8 * KIB, i);
}

/* What copies of one way take. */
typedef double (*shape)(double bytes);

static inline size_t sweep(shape of, kt_transfer_point *points, double error)
{
    for (int i = 0; i < SIZES; i++) {
        double ns = of(size_at(i));
        points[i] = (kt_transfer_point){size_at(i), ns, error * ns};
    }
    return SIZES;
}

static inline kt_transfer_model fit(const kt_transfer_point *points, size_t count, double most)
{
    kt_transfer_model model;
    kt_transfer_fit(points, count, most, &model);
    return model;
}

static inline kt_transfer_model fit_shape(shape of, double most)
{
    kt_transfer_point points[SIZES];
    return fit(points, sweep(of, points, 0.001), most);
}

static inline void expect_none(const kt_transfer_model *m, kt_transfer_state expected)
{
    assert_string_equal(kt_transfer_state_name(m->state), kt_transfer_state_name(expected));
    const double all[] = {m->latency_ns, m->latency_low_ns, m->latency_high_ns,
                          m->gb_per_s,   m->gb_per_s_low,   m->gb_per_s_high,
                          m->half_bytes, m->from_bytes,     m->to_bytes,
                          m->below,      m->above};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        assert_true(isnan(all[i]));
    assert_int_equal(m->points, 0);
}

/* One time whatever the size, and nothing about a bandwidth. */
static inline void expect_flat(const kt_transfer_model *m, double ns, double half_ns, double from,
                               double to)
{
    assert_string_equal(kt_transfer_state_name(m->state), "flat");
    EXPECT_NEAR(m->latency_ns, ns, 1e-9 * ns);
    EXPECT_NEAR(m->latency_low_ns, ns - half_ns, 1e-3 * half_ns + 1e-9 * ns);
    EXPECT_NEAR(m->latency_high_ns, ns + half_ns, 1e-3 * half_ns + 1e-9 * ns);
    EXPECT_NUMBER(m->from_bytes, from);
    EXPECT_NUMBER(m->to_bytes, to);
    const double none[] = {m->gb_per_s,   m->gb_per_s_low, m->gb_per_s_high,
                           m->half_bytes, m->below,        m->above};
    for (size_t i = 0; i < sizeof none / sizeof none[0]; i++)
        assert_true(isnan(none[i]));
}

/* Within a share of the truth, and the truth within the intervals. */
static inline void expect_model(const kt_transfer_model *m, double latency_ns, double gb_per_s,
                                double share, double from, double to)
{
    assert_string_equal(kt_transfer_state_name(m->state), "ok");
    EXPECT_NEAR(m->latency_ns, latency_ns, share * latency_ns);
    EXPECT_NEAR(m->gb_per_s, gb_per_s, share * gb_per_s);
    EXPECT_NEAR(m->half_bytes, m->latency_ns * m->gb_per_s, 1e-12 * m->half_bytes);
    EXPECT_NUMBER(m->from_bytes, from);
    EXPECT_NUMBER(m->to_bytes, to);
    assert_true(m->latency_low_ns <= m->latency_ns && m->latency_ns <= m->latency_high_ns);
    assert_true(m->gb_per_s_low <= m->gb_per_s && m->gb_per_s <= m->gb_per_s_high);
}

/* A bus of a GPU. */
static inline double pcie(double bytes)
{
    return 10000 + bytes / 25;
}

#endif
