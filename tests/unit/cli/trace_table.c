/* The table of `kerntime trace`, of totals made by hand. */
#include "tests/unit/cli/traced.h"
#include "tests/unit/testing.h"

#include <stdio.h>

int main(int argc, char **argv)
{
    static traced t;
    traced_begin(&t);
    static const double a[] = {1.2e6, 1.21e6, 1.19e6, 1.2e6, 1.2e6, 1.9e6, 0}, b[] = {5e4, 5.1e4, 5.2e4, 0};
    trace_total *row = traced_add(&t, TRACE_KERNEL, "matmul", a);
    row->low_ns = 1.19e6; row->high_ns = 1.21e6;
    row = traced_add(&t, TRACE_KERNEL, "void at::native::vectorized_elementwise_kernel<4, at::native::FillFunctor<float>, std::array<char*, 1>>(int, float)", b);
    row = traced_add(&t, TRACE_KERNEL, "saxpy", b);
    row->calls = 20462;
    row->total_ns=1.234e9;
    row = traced_add(&t, TRACE_COPY, "host-device", a);
    row->bytes = 128e6; row->gb_per_s = 12.3;
    traced_add(&t, TRACE_MAP, "map", a);
    traced_add(&t, TRACE_FILL, "fill", b);
    fputs(argc > 2 ? traced_print(&t, argv[2][0]==106 ? trace_print_json : argv[2][0]==99 ? trace_print_csv : argv[2][0]==103 ? trace_print_gbench : trace_print_markdown) : traced_print_table(&t, argc > 1 ? atoi(argv[1]) : 80), stdout);
    return 0;
}
