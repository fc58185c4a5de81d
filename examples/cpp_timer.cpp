// SPDX-License-Identifier: MIT
// cpp_timer.cpp - times in C++: objects that end their handles, a span per block, rows of a
// snapshot.
#include <cstdio>
#include <kerntime/kerntime.hpp>
#include <kerntime/timer/cpu.h>
#include <vector>

namespace {

class solver {
public:
    explicit solver(std::size_t size) : x(size, 1)
    {
        if (kt_timer_context_import_cpu(context.out()) != KT_OK)
            std::fprintf(stderr, "cpp_timer: not timed: %s\n", kt_error_text());
        steps = kt::timer(context, "step");
    }

    double step()
    {
        kt::span span(steps); // to the end of the function, also if it throws
        scale();
        return norm();
    }

private:
    void scale()
    {
        KT_SCOPE("scale"); // needs no timer
        for (double &value : x)
            value *= 0.99;
    }

    double norm() const
    {
        KT_SCOPE("norm");
        double sum = 0;
        for (double value : x)
            sum += value * value;
        return sum;
    }

    std::vector<double> x;
    kt::timer_context context;
    kt::timer steps;
};

} // namespace

int main()
{
    solver heat(1 << 20);
    int count = 1;
    while (heat.step() > 1 << 19)
        count++;
    std::printf("%d steps\n", count);
    for (const kt_row &row : kt::snapshot::take())
        std::printf("%s: %.3f ms on average, 95 %% below %.3f ms\n", row.name,
                    kt_ns_to_ms(row.mean_ns), kt_ns_to_ms(row.p95_ns));
    return 0;
}
