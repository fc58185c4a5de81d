/* samples.h - samples of a measurement as they come in. */
#ifndef KT_MEASURE_SAMPLES_H
#define KT_MEASURE_SAMPLES_H

#include "device/submission.h"
#include "measure/stopping.h"

/* Rows of samples; the steps of the job follow from KT_ROW_STEPS on. */
enum { KT_ROW_TOTAL, KT_ROW_GAPS, KT_ROW_SPAN, KT_ROW_WALL, KT_ROW_WALL_STAMPED, KT_ROW_STEPS };

/* One row. Samples are of all trials together; but those of total, gaps and span are per
 * dispatch. */
typedef struct kt_sample_row {
    double *samples_ns; /* NULL: this measurement does not take the row */
    uint32_t n;
    /* Of a step by the clock that pauses, of those samples where it can be told; NULL: the device
     * has no such clock. */
    double *contexts_ns;
    uint32_t context_n;
    uint32_t discarded[KT_STAMP_STATE_COUNT];
    kt_raw *raw; /* NULL unless kept */
    uint32_t raw_n;
    uint32_t clock;      /* of its stamps */
    double first_use_ns; /* its span in the very first submission; NaN: unknown */
} kt_sample_row;

typedef struct kt_samples {
    kt_job *job;
    const kt_measure_options *options;
    const kt_clock_info *clocks; /* of the device, as samples are made with them */
    kt_sample_row *rows;
    uint32_t row_count;
    uint32_t capacity; /* samples that each row has room for */
    double *scratch;   /* for sorting, as large */
    double first_use_ns, warmup_ns;
    uint32_t warmup_n;
    kt_warmup_end warmup_end;
    kt_stop stop;
} kt_samples;

/* `options` must have its defaults filled in and live as long, as must `clocks`. Followed by
 * kt_samples_fini() in any case. */
kt_status kt_samples_init(kt_samples *samples, kt_job *job, const kt_measure_options *options,
                          const kt_clock_info *clocks);
void kt_samples_fini(kt_samples *samples);

/* Room for `count` samples a row, so that adding them allocates nothing. */
kt_status kt_samples_reserve(kt_samples *samples, uint32_t count);
/* A sample in KT_STAMP_OK is kept, one in another state is counted. */
void kt_samples_add(kt_samples *samples, uint32_t row, kt_stamp_state state, double total_ns);
/* The time of a step's newest sample by the clock that pauses; one that is not in KT_STAMP_OK is
 * left out. */
void kt_samples_add_context(kt_samples *samples, uint32_t row, kt_stamp_state state,
                            double total_ns);
/*
 * A sample of total, gaps and span, of all trials together: `total_ns` is the sum of the steps.
 * Those in KT_STAMP_OK are kept so that total + gaps = span holds to the last bit; a total longer
 * than the span, so of steps that overlap, leaves gaps in state KT_STAMP_NEGATIVE.
 */
void kt_samples_add_whole(kt_samples *samples, kt_stamp_state total_state, double total_ns,
                          kt_stamp_state span_state, double span_ns);
/* Whether a stamp is of the clock of what the row has: times of two methods do not belong
 * together. */
bool kt_samples_take_clock(const kt_samples *samples, uint32_t row, const kt_stamp *stamp);
/* Keeps how the sample came about, if asked for. `stamp` is NULL for wall times. */
void kt_samples_add_raw(kt_samples *samples, uint32_t row, const kt_stamp *stamp,
                        kt_stamp_state state, const kt_submission *submission);

/* Shows the rule a summary of each row whose interval is to become narrow. */
void kt_samples_look(kt_samples *samples, kt_stopping *rule);

/* Whether this measurement takes the row. */
bool kt_samples_take_row(const kt_samples *samples, uint32_t index);
/* Whether the row's times are of the host's clock: always, or as the device's are not believed. */
bool kt_samples_are_of_host(const kt_samples *samples, uint32_t index);
/* The clock of the row's stamps. */
uint32_t kt_samples_clock(const kt_samples *samples, uint32_t index);
/* The step that samples of this row are known to move in, all trials together; 0: unknown. */
double kt_samples_grid_ns(const kt_samples *samples, uint32_t index);

#endif
