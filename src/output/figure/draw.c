/* SPDX-License-Identifier: MIT */
#include "output/figure/draw.h"

#include "output/script.h"
#include "output/text.h"

const char kt_colours[KT_COLOURS][8] = {"0072B2", "E69F00", "000000", "D55E00",
                                        "56B4E9", "009E73", "CC79A7"};

void kt_cut_include(kt_cut *cut, const kt_axis *y, const kt_point *point)
{
    cut->below |= point->low < y->low;
    cut->above |= point->high > y->high;
}

void kt_put_point(kt_writer *writer, const kt_point *point)
{
    kt_put_value(writer, point->value);
    kt_put_value(writer, point->low);
    kt_put_value(writer, point->high);
    kt_put(writer, "\n");
}

void kt_put_ends(kt_writer *writer, const kt_axis *y)
{
    kt_put(writer, "bottom = ");
    kt_put_number(writer, y->low);
    kt_put(writer, "; top = ");
    kt_put_number(writer, y->high);
    kt_put(writer, "; inside(y) = y < bottom ? bottom : y > top ? top : y\n");
}

/* A row without a bar is left out: gnuplot would draw the bar's ends onto the axis. */
void kt_put_bars(kt_writer *writer, unsigned number, const char *colour, kt_cut cut)
{
    kt_putf(writer,
            "$curve%u using 1:($3 <= $4 ? $2 : NaN):(inside($3)):(inside($4)) with yerrorbars "
            "lc rgb '#%s' lw 1 pt -1 ps 0.5 notitle, \\\n",
            number, colour);
    if (cut.below)
        kt_putf(writer,
                "  '' using 1:($3 < bottom ? bottom : NaN) with points lc rgb '#%s' pt 11 "
                "ps 0.8 notitle, \\\n",
                colour);
    if (cut.above)
        kt_putf(writer,
                "  '' using 1:($4 > top ? top : NaN) with points lc rgb '#%s' pt 9 ps 0.8 "
                "notitle, \\\n",
                colour);
}
