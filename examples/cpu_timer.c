/* SPDX-License-Identifier: MIT */
/* cpu_timer.c - times on the CPU: a scope, a site, a timer that is read while it runs, a name made
 * at run time. */
#include <kerntime/snapshot.h>
#include <kerntime/timer/cpu.h>
#include <kerntime/units.h>
#include <stdio.h>

enum { N = 1 << 20 };
static double x[N];

KT_SITE(norm_site, "norm", KT_BACKEND_CPU);

static void scale(void)
{
    KT_SCOPE("scale"); /* from here to the end of the function, however that is left */
#pragma omp parallel for
    for (int i = 0; i < N; i++)
        x[i] *= 0.99;
}

static double norm(void)
{
    const int64_t begin_ns = kt_host_now_ns();
    double sum = 0;
#pragma omp parallel for reduction(+ : sum)
    for (int i = 0; i < N; i++)
        sum += x[i] * x[i];
    kt_record(&norm_site, (double)(kt_host_now_ns() - begin_ns));
    return sum;
}

int main(void)
{
    kt_timer_context *cpu = NULL;
    kt_timer *solving = NULL;
    if (kt_timer_context_import_cpu(&cpu) != KT_OK ||
        kt_timer_create(cpu, "solve", &solving) != KT_OK)
        fprintf(stderr, "cpu_timer: not timed: %s\n", kt_error_text());
    for (int i = 0; i < N; i++)
        x[i] = 1;

    kt_timer_start(solving, NULL);
    int steps = 0;
    double so_far_ns = 0;
    while (norm() > 0.5 * N && so_far_ns < kt_s_to_ns(10)) {
        scale();
        steps++;
        kt_timer_elapsed(solving, &so_far_ns); /* it goes on */
    }
    kt_timer_stop(solving, NULL);
    printf("%d steps in %.1f ms\n", steps, kt_ns_to_ms(so_far_ns));

    char name[32];
    snprintf(name, sizeof name, "solve/%d", N);
    kt_record_name(name, KT_BACKEND_CPU, so_far_ns);

    kt_snapshot *times = NULL;
    if (kt_snapshot_take(&times) != KT_OK ||
        kt_snapshot_write_file(times, KT_FORMAT_CSV, "times.csv") != KT_OK ||
        kt_snapshot_write_file(times, KT_FORMAT_JSON, "times.json") != KT_OK)
        fprintf(stderr, "cpu_timer: %s\n", kt_error_text());
    const kt_row *row = kt_snapshot_find(times, "norm", KT_BACKEND_CPU);
    if (row)
        printf("norm: %.3f ms on average, 99 %% below %.3f ms\n", kt_ns_to_ms(row->mean_ns),
               kt_ns_to_ms(row->p99_ns));

    kt_snapshot_destroy(&times);
    kt_timer_destroy(&solving);
    kt_timer_context_close(&cpu);
    return 0;
}
