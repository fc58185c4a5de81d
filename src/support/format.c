/* SPDX-License-Identifier: MIT */
#include <kerntime/result.h>
#include <math.h>
#include <stdio.h>

char *kt_format_ns(char *text, size_t bytes, double ns)
{
    if (!text)
        return NULL;
    static const char *const units[] = {"ns", "us", "ms", "s"};
    if (isnan(ns)) {
        snprintf(text, bytes, "-");
        return text;
    }
    if (isinf(ns)) {
        snprintf(text, bytes, ns > 0 ? "inf" : "-inf");
        return text;
    }
    int unit = 0;
    double value = ns == 0 ? 0 : ns; /* no -0.000 */
    /* 999.95 would print as 1000.0, so it takes the next unit. */
    for (; unit < 3 && fabs(value) >= 999.95; unit++)
        value /= 1000;
    double size = fabs(value);
    if (size >= 99999.5) { /* 99999.5 s is more than a day */
        snprintf(text, bytes, "%.3e s", value);
        return text;
    }
    /* Fractions of a ns mean something only for averages, which are small values. */
    int decimals = size >= 99.995 ? 1 : size >= 9.9995 ? 2 : 3;
    snprintf(text, bytes, "%.*f %s", unit == 0 && size >= 9.9995 ? 1 : decimals, value,
             units[unit]);
    return text;
}

char *kt_format_bytes(char *text, size_t bytes, uint64_t size_bytes)
{
    if (!text)
        return NULL;
    /* 1023.95 MiB would print as 1024.0, so it takes the next unit. */
    if ((double)size_bytes >= 1023.95 * (1 << 20))
        snprintf(text, bytes, "%.1f GiB", (double)size_bytes / (1 << 30));
    else if (size_bytes >= UINT64_C(1) << 20)
        snprintf(text, bytes, "%.1f MiB", (double)size_bytes / (1 << 20));
    else
        snprintf(text, bytes, "%llu bytes", (unsigned long long)size_bytes);
    return text;
}
