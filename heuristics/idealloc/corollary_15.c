/* Corollary 15 of boxing.h: jobs of many heights, class by class of heights. */

#include <math.h>

#include "heuristics/idealloc/boxing.h"

/* Class i holds the heights above (1 + epsilon)^(i - 1) and up to (1 + epsilon)^i, rounded down.
   This function gives the upper end of a height's class, which is never below the height. */
static double find_class_top(double height, double epsilon)
{
    double growth = 1 + epsilon;
    double exponent = floor(log(height) / log(growth));
    double top = floor(pow(growth, exponent > 0 ? exponent : 0));
    if (top < height)
        top = floor(pow(growth, exponent + 1));
    return top < height ? height : top;
}

static uint64_t count_jobs_of_box(double box_height, double class_top)
{
    double jobs = floor(box_height / class_top);
    if (jobs < 1)
        return 1;
    return jobs < UINT32_MAX ? (uint64_t)jobs : UINT32_MAX;
}

enum status boxing_corollary_15(struct boxing *boxing, struct boxing_list list,
                                struct boxing_target target, struct error *error)
{
    boxing_sort(boxing, BOXING_HEIGHT, list);
    for (uint32_t i = 0, end; i < list.count; i = end) {
        double top = find_class_top(boxing->job[list.job[i]].height, target.epsilon);
        for (end = i + 1; end < list.count && boxing->job[list.job[end]].height <= top;)
            end++;
        target.jobs = count_jobs_of_box(target.height, top);
        TRY(boxing_theorem_2(boxing, (struct boxing_list){list.job + i, end - i}, &target, error));
    }
    return STATUS_OK;
}
