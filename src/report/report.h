/* SPDX-License-Identifier: MIT */
/* report.h - a report: a document and the memory behind it. */
#ifndef KT_REPORT_REPORT_H
#define KT_REPORT_REPORT_H

#include "report/document.h"
#include "report/transfers.h"

struct kt_report {
    kt_document document;       /* `series`: those of all results, in order of addition */
    kt_zero_copies zero_copies; /* which of the series are zero copies */
    void **copies;              /* memory behind the document, except the results' */
    kt_result **results;
    uint32_t copy_count, result_count; /* array lengths of `copies` and `results` */
    kt_report_origin origin, simulated;
    kt_launch launch;  /* of both */
    bool is_anonymous; /* what identifies host and devices is left out */
    bool origin_given; /* false: `origin` describes this machine, and `simulated` may replace it */
};

#endif
