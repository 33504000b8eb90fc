#ifndef MEMPLAN_RESULTS_VIEWS_FIGURES_H
#define MEMPLAN_RESULTS_VIEWS_FIGURES_H

#include "results/published/published.h"
#include "results/store/measures.h"

/* Published figures with the measure that each is to be compared with, from sources whose heading
   is

       place,figure,printed,unit,instance,variant,measure,reason

   The measure is one of the source's topic (results/store/measures.h). A figure without a measure
   cannot be reproduced, and the reason says why. For other figures the reason says why the printed
   and the measured one differ, or adds a remark where they agree. */

struct figure {
    struct published_value place, figure, printed, unit, instance, variant, measure, reason;
};

/* Reads the figure in row *row (from 0) of a source and moves *row to the next one; false after the
   last. */
bool figures_next(const char *source, unsigned *row, struct figure *figure);

enum figure_verdict {
    FIGURE_AGREES,           /* in all digits that are printed, which may be rounded or cut off */
    FIGURE_DIFFERS,          /* the reason says why */
    FIGURE_UNEXPLAINED,      /* differs, and there is no reason */
    FIGURE_NOT_REPRODUCIBLE, /* the reason says why */
    FIGURE_NOT_MEASURED,
    FIGURE_VERDICTS
};

/* Judges a figure; *measured is set only where there is a measure. */
enum figure_verdict figures_judge(const struct figure *figure, const struct measure_set *set,
                                  int64_t *measured);

/* The unit of figures that are sets, printed as "1 3 4 5": a measure has bit n where n is in it. */
#define FIGURES_SET "set"

/* A measured number in the unit of the figure, with as many decimals as the printed one. A number
   below one unit of the last decimal has three decimals, or as many as show its first digit. */
struct figure_number {
    double value;
    unsigned decimals;
};
struct figure_number figures_scale(const struct figure *figure, int64_t measured);

/* How many figures of the source got each verdict: count[FIGURE_VERDICTS]. */
void figures_count(const char *source, const struct measure_set *set, unsigned *count);

#endif
