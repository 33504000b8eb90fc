#ifndef MEMPLAN_RESULTS_VIEWS_FIGURES_H
#define MEMPLAN_RESULTS_VIEWS_FIGURES_H

#include "results/published/published.h"
#include "results/store/measures.h"
#include "results/table/cell.h"

/* Published figures with the measure that each is to be compared with, from sources whose heading
   is

       place,figure,printed,unit,instance,variant,measure,verdict,reason

   A figure that a source prints in several places has one row, which names them all. The measure is
   one of the source's topic (results/store/measures.h). Where the instance is FIGURES_PRINTED, it
   is computed from other printed figures of the source: the variant is an operation and the measure
   lists its operands (results/views/arithmetic.h).

   The verdict is blank where the numbers decide between agrees and differs; otherwise it says what
   kind of figure it is. The reason says why the figures differ or what cannot be compared or is not
   given; for others it is a remark. */

#define FIGURES_PRINTED "printed"

struct figure {
    const char *source;
    struct published_value place, figure, printed, unit, instance, variant, measure, kind, reason;
};

/* Reads the figure in row *row (from 0) of a source and moves *row to the next one; false after the
   last. */
bool figures_next(const char *source, unsigned *row, struct figure *figure);

/* The closed list of verdicts, and after it two faults that a reproduction ends with. A measured
   number agrees if it does in all digits that are printed, which may be rounded or cut off. */
enum figure_verdict {
    FIGURE_AGREES,         /* measured on something that owes nothing to the printed figure */
    FIGURE_MET,            /* by an instance that was made to meet it */
    FIGURE_ARITHMETIC,     /* follows from other printed figures of the source */
    FIGURE_SLIP,           /* cannot be right by what the source itself says */
    FIGURE_DIFFERS,        /* the reason says why */
    FIGURE_NOT_COMPARABLE, /* of another machine, or of another quantity */
    FIGURE_NOT_GIVEN,      /* what would have to be measured is not known */
    FIGURE_VERDICTS,
    FIGURE_UNEXPLAINED = FIGURE_VERDICTS, /* no reason, or what was measured contradicts the kind */
    FIGURE_NOT_MEASURED,
    FIGURE_OUTCOMES
};

/* "agrees", "met by a reconstruction" and so on; and in a few words what that means. */
const char *figures_verdict_name(enum figure_verdict verdict);
const char *figures_verdict_meaning(enum figure_verdict verdict);

/* Judges a figure; *measured is set only where there is a measure. */
enum figure_verdict figures_judge(const struct figure *figure, const struct measure_set *set,
                                  int64_t *measured);

/* The unit of figures that are sets, printed as "1 3 4 5": a measure has bit n where n is in it. */
#define FIGURES_SET "set"

/* A measured number as a cell: in the unit of the figure, with as many decimals as the printed one.
   A number below one unit of the last decimal has three decimals, or as many as show its first
   digit; where the printed digits are the measured ones cut off, one decimal more shows it. A set
   is a text. */
struct cell figures_cell(const struct figure *figure, int64_t measured);

/* How many figures of the source got each verdict: count[FIGURE_OUTCOMES]. */
void figures_count(const char *source, const struct measure_set *set, unsigned *count);

#endif
