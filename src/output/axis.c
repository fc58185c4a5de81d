/* SPDX-License-Identifier: MIT */
#include "output/axis.h"

#include "output/text.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Values from this size on are not drawn, so that adding the margins cannot overflow. */
#define LARGEST         1e300
#define LOG_SIZES_FROM  4
#define LOG_VALUES_FROM 10
/* Margin beyond the outermost points: as a share of the axis for sizes, as a factor for others. */
#define SIZES_MARGIN      0.0625
#define VALUES_MARGIN     1.08
#define LOG_VALUES_MARGIN 1.3
#define BYTES_MARGIN      1.6
#define RATES_MARGIN      1.1
#define LINEAR_TICS       8
#define OCTAVES_LABELLED  9
#define LABELLED_DECADES  3 /* an axis of up to this many decades has labels at 2 and 5, too */
#define LABELS_OF_DECADES 9
#define DIGITS_LABEL_MAX  100000 /* labels of smaller sizes are written in full, without Ki */

void kt_axis_include(kt_axis *axis, double value)
{
    if (!(fabs(value) < LARGEST))
        return;
    axis->low = axis->used ? fmin(axis->low, value) : value;
    axis->high = axis->used ? fmax(axis->high, value) : value;
    axis->used = true;
}

/* Rounds to six digits, since further digits differ between math libraries. */
static double rounded(double value)
{
    char text[40];
    snprintf(text, sizeof text, "%.6g", value);
    return strtod(text, NULL);
}

void kt_axis_close_sizes(kt_axis *axis)
{
    if (!axis->used)
        *axis = (kt_axis){.low = 1, .high = 1};
    axis->log =
        axis->low > 0 && (axis->high > LOG_SIZES_FROM * axis->low || axis->high == axis->low);
    double ratio = axis->high / axis->low, span = axis->high - axis->low;
    double factor = ratio == 1 ? 2 : pow(ratio, SIZES_MARGIN);
    double margin = span == 0 ? 1 : span * SIZES_MARGIN;
    axis->low = axis->log ? rounded(axis->low / factor) : axis->low - margin;
    axis->high = axis->log ? rounded(axis->high * factor) : axis->high + margin;
}

void kt_axis_close_values(kt_axis *axis)
{
    if (!axis->used)
        *axis = (kt_axis){.low = 1, .high = 1};
    axis->log = axis->high >= LOG_VALUES_FROM * axis->low;
    axis->low = axis->log ? rounded(axis->low / LOG_VALUES_MARGIN) : 0;
    axis->high = rounded(axis->high * (axis->log ? LOG_VALUES_MARGIN : VALUES_MARGIN));
}

void kt_axis_close_bytes(kt_axis *axis)
{
    if (!axis->used)
        *axis = (kt_axis){.low = 1, .high = 1};
    axis->log = true;
    axis->low = rounded(axis->low / BYTES_MARGIN);
    axis->high = rounded(axis->high * BYTES_MARGIN);
}

/* The nearest 1, 2 or 5 times a power of ten that is not below the value (`above`), or not above it
 * (else). */
static double at_tic(double value, bool above)
{
    double decade = pow(10, floor(log10(value))), tic = decade;
    static const int digits[] = {2, 5, 10};
    for (int i = 0; i < 3 && (above ? tic < value : digits[i] * decade <= value); i++)
        tic = digits[i] * decade;
    return rounded(tic);
}

void kt_axis_close_rates(kt_axis *axis)
{
    if (!axis->used)
        *axis = (kt_axis){.low = 1, .high = 1};
    axis->log = true;
    axis->low = at_tic(axis->low / RATES_MARGIN, false);
    axis->high = at_tic(axis->high * RATES_MARGIN, true);
}

void kt_axis_put(const kt_axis *axis, kt_writer *writer, char which, int base)
{
    kt_putf(writer, "set %crange [", which);
    kt_put_number(writer, axis->low);
    kt_put(writer, ":");
    kt_put_number(writer, axis->high);
    kt_put(writer, "]\n");
    if (axis->log)
        kt_putf(writer, "set logscale %c %d\n", which, base);
    else
        kt_putf(writer, "unset logscale %c\n", which);
}

static void put_duration(kt_writer *writer, double ns)
{
    static const char *const units[] = {"ns", "us", "ms", "s"};
    int unit = 0;
    for (; unit < 3 && ns >= 999.5; unit++)
        ns /= 1000;
    kt_put_number(writer, rounded(ns));
    kt_putf(writer, " %s", units[unit]);
}

/* Writes a tic, with a label unless it is small. */
static void put_tic(kt_writer *writer, double value, bool small, bool durations, bool first)
{
    kt_put(writer, first ? "'" : ", '");
    if (!small && durations && value > 0)
        put_duration(writer, value);
    else if (!small)
        kt_put_number(writer, value);
    kt_put(writer, "' ");
    kt_put_number(writer, value);
    kt_put(writer, small ? " 1" : "");
}

static void put_log_tics(const kt_axis *axis, kt_writer *writer, bool durations)
{
    int begin = (int)floor(log10(axis->low)), end = (int)ceil(log10(axis->high));
    double decades = log10(axis->high / axis->low);
    int stride = (int)ceil(decades / LABELS_OF_DECADES);
    bool first = true;
    for (int decade = begin; decade <= end; decade++)
        for (int digit = 1; digit <= 5; digit += digit == 1 ? 1 : 3) {
            double value = rounded(digit * pow(10, decade));
            if (value < axis->low || value > axis->high)
                continue;
            bool small = digit == 1 ? decade % stride != 0 : decades > LABELLED_DECADES;
            put_tic(writer, value, small, durations, first);
            first = false;
        }
}

static void put_linear_tics(const kt_axis *axis, kt_writer *writer, bool durations)
{
    double least = axis->high / LINEAR_TICS, step = pow(10, floor(log10(least)));
    step *= least <= step ? 1 : least <= 2 * step ? 2 : least <= 5 * step ? 5 : 10;
    for (int i = 0; i * step <= axis->high; i++)
        put_tic(writer, rounded(i * step), false, durations, i == 0);
}

void kt_axis_put_tics(const kt_axis *axis, kt_writer *writer, bool durations)
{
    kt_put(writer, "set ytics nomirror out (");
    if (axis->log)
        put_log_tics(axis, writer, durations);
    else
        put_linear_tics(axis, writer, durations);
    kt_put(writer, ")\n");
}

void kt_axis_put_byte_tics(const kt_axis *axis, kt_writer *writer)
{
    static const char units[][4] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    int begin = (int)ceil(log2(axis->low)), end = (int)floor(log2(axis->high));
    begin = begin > 0 ? begin : 0;
    kt_put(writer, "set xtics nomirror out (");
    for (int power = begin; power <= end; power++) {
        kt_put(writer, power > begin ? ", '" : "'");
        /* An axis too long for all labels has one at every third tic, including 8 KiB, and the
         * last. */
        bool labelled =
            end - begin < OCTAVES_LABELLED || power % 3 == 1 || (power == end && power % 3 == 0);
        if (labelled)
            kt_putf(writer, "%d %s", 1 << power % 10, units[power / 10 % 7]);
        kt_putf(writer, "' %.0f%s", ldexp(1, power), labelled ? "" : " 1");
    }
    kt_put(writer, ")\n");
}

char *kt_size_label(char *text, size_t bytes, int64_t size)
{
    static const struct {
        int64_t factor;
        const char *name;
    } units[] = {{INT64_C(1) << 30, "Gi"}, {1000000000, "G"}, {1 << 20, "Mi"},
                 {1000000, "M"},           {1 << 10, "Ki"},   {1000, "k"}};
    for (size_t i = 0; size >= DIGITS_LABEL_MAX && i < sizeof units / sizeof units[0]; i++)
        if (size % units[i].factor == 0) {
            snprintf(text, bytes, "%" PRId64 "%s", size / units[i].factor, units[i].name);
            return text;
        }
    snprintf(text, bytes, "%" PRId64, size);
    return text;
}
