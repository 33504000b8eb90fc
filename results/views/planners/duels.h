#ifndef MEMPLAN_RESULTS_VIEWS_DUELS_H
#define MEMPLAN_RESULTS_VIEWS_DUELS_H

#include "results/compare/statistics.h"
#include "results/store/rectangles.h"
#include "results/views/planners/contest.h"

/* One planner of a contest, "mine", against each of the others, on the comparable lines where both
   have a number. */

struct duel {
    uint32_t standing; /* the other's place in the standings */
    uint32_t rows, wins, ties, losses;
    uint32_t instances;
    /* Mine / the other's peak: geometric mean over instances, each the mean of its rows, with its
       interval, corrected for the number of opponents, see statistics_mean; and the
       greatest ratio of a row. */
    struct statistics_interval ratio;
    double worst_ratio;
    uint32_t worst_line;
    /* The probability that the instances would differ this much by chance if both planners were
       equally good, by Wilcoxon's signed-rank test: alone, and corrected for the number of
       opponents by Holm. */
    double p_value, p_corrected;
};

struct duels {
    uint32_t mine;     /* of the grid */
    struct duel *duel; /* [count] by the standings, those with an unsafe plan last */
    uint32_t count;
};

/* others: only these opponents; NULL for all. Opponents without a row in common are left out.
   Free with duels_free. O(planners * lines * resamples). */
enum status duels_create(const struct contest *contest, uint32_t mine, const struct names *others,
                         struct duels *duels, struct error *error);
void duels_free(struct duels *duels);

/* What a duel says, at the level of 5%: "better" or "worse" where both the corrected probability
   and the interval say so, else "unclear"; "unsafe" where the other has a plan that a check
   refused. */
const char *duel_describe(const struct contest *contest, const struct duel *duel);

/* Counts the rows of a duel whose layouts were stored for both planners, and of these the rows on
   which every buffer lies at the same offset. O(rectangles log rectangles). */
struct duel_layouts {
    uint32_t known, same;
};
enum status duel_compare_layouts(struct store *store, const struct contest *contest, uint32_t mine,
                                 const struct duel *duel, struct duel_layouts *layouts,
                                 struct error *error);

#endif
