#include "results/compare/verdict.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/compare.h"
#include "core/memory.h"
#include "core/plural.h"
#include "results/store/failure.h"
#include "results/store/reconstructions.h"

/* What the planners that changed add up to. */
struct change {
    uint32_t planners, pairs, losses, wins, with, longer;
    double log_ratio;
};

static void append_names(const struct comparison *comparison, struct text *text)
{
    enum { MOST_NAMED = 3 };
    uint32_t named = 0;
    for (uint32_t i = 0; i < comparison->planners; i++)
        if (comparison_planner_changed(comparison, &comparison->planner[i]) && named++ < MOST_NAMED)
            text_append(text, "%s%s", named > 1 ? ", " : " (", comparison->planner[i].name);
    if (named > MOST_NAMED)
        text_append(text, " and %u more", named - MOST_NAMED);
    text_append(text, named ? ")" : "");
}

static void append_failures(const struct comparison *comparison, struct text *text)
{
    uint32_t count[FAILURE_KINDS + 1] = {0}, failures = 0, listed = 0;
    for (uint32_t i = 0; i < comparison->pairs; i++) {
        count[comparison->pair[i].failure]++;
        failures += comparison->pair[i].failure < FAILURE_KINDS;
    }
    if (!failures)
        return;
    text_append(text, ", %u new failure%s", failures, plural_ending(failures));
    for (unsigned kind = 0; kind < FAILURE_KINDS; kind++)
        if (count[kind])
            text_append(text, "%s%u %s", listed++ ? ", " : " (", count[kind], failure_name(kind));
    text_append(text, ")");
}

static struct change add_up(const struct comparison *comparison)
{
    struct change change = {0};
    for (uint32_t i = 0; i < comparison->planners; i++) {
        const struct comparison_planner *planner = &comparison->planner[i];
        if (!comparison_planner_changed(comparison, planner))
            continue;
        change.planners++;
        change.pairs += planner->pairs;
        change.wins += planner->verdicts[COMPARISON_BYTES][COMPARISON_WIN];
        change.losses += planner->verdicts[COMPARISON_BYTES][COMPARISON_LOSS] - planner->failures;
        change.longer += planner->verdicts[COMPARISON_NODES][COMPARISON_LOSS];
        change.with += planner->with[COMPARISON_BYTES];
        change.log_ratio += planner->log_ratio[COMPARISON_BYTES];
    }
    return change;
}

enum status verdict_append(const struct comparison *comparison, struct text *text,
                           struct error *error)
{
    const struct comparison_sides *sides = comparison->sides;
    const struct change change = add_up(comparison);
    bool is_worse = comparison_is_worse(comparison);
    text_append(text, "%s is %s %s: ", sides->name[1],
                is_worse      ? "worse than"
                : change.wins ? "better than"
                              : "as good as",
                sides->name[0]);
    if (!sides->across_planners) {
        text_append(text, "%u of %u planner%s changed", change.planners, comparison->planners,
                    plural_ending(comparison->planners));
        append_names(comparison, text);
        text_append(text, ", ");
    }
    text_append(text, "%u job%s on both sides", comparison->pairs,
                plural_ending(comparison->pairs));
    if (change.losses || change.wins)
        text_append(text, ", %u of %u peaks worse, %u better, ratio %.4f", change.losses,
                    change.pairs, change.wins, exp(change.log_ratio / fmax(change.with, 1)));
    append_failures(comparison, text);
    if (sides->judges_nodes && change.longer)
        text_append(text, ", %u search%s longer", change.longer, change.longer == 1 ? "" : "es");
    return text_check(text, error);
}

/* A pair that is worse. */
struct loss {
    const struct comparison_pair *pair;
    double distance; /* from a tie: the logarithm of the ratio; of failures, how grave they are */
    bool failed;
};

/* The worst first, of equal ones that which stands first. */
COMPARE_BY(compare_losses, struct loss, compare_reals(b->distance, a->distance),
           (a->pair > b->pair) - (a->pair < b->pair))

static void append_loss(const struct loss *loss, const char *command, struct text *text)
{
    const struct comparison_pair *pair = loss->pair;
    const struct result_row *first = pair->row[0], *second = pair->row[1];
    const bool by_nodes = pair->verdict[COMPARISON_BYTES] != COMPARISON_LOSS;
    text_append(text, "%s on %s%s", second->planner, second->instance,
                second->reconstruction ? RECONSTRUCTIONS_LABEL : "");
    if (strcmp(second->policy, RESULT_PROBLEM) != 0)
        text_append(text, ", policy %s", second->policy);
    if (query_worth(first) == RESULT_NUMBER && !by_nodes)
        text_append(text, ": was %" PRIu64 " bytes", first->peak_bytes);
    else
        text_append(text, ": was %s", first->status);
    if (by_nodes)
        text_append(text, " after %" PRIu64 " nodes, is %s after %" PRIu64 " (%.3f times as many)",
                    first->nodes, second->status, second->nodes, exp(loss->distance));
    else if (loss->failed)
        text_append(text, ", is %s%s%s", failure_name(pair->failure),
                    *failure_reason(second) ? ": " : "", failure_reason(second));
    else if (query_worth(second) == RESULT_NUMBER)
        text_append(text, ", is %" PRIu64 " (%.4f times as high)", second->peak_bytes,
                    exp(loss->distance));
    else
        text_append(text, ", is %s", second->status);
    text_append(text, "\n    ");
    failure_repeat(second, command, text);
    text_append(text, "\n");
}

static double find_distance(const struct comparison_pair *pair)
{
    if (pair->failure < FAILURE_KINDS)
        return FAILURE_KINDS - pair->failure;
    if (pair->verdict[COMPARISON_BYTES] == COMPARISON_LOSS)
        return pair->has[COMPARISON_BYTES] ? pair->log_ratio[COMPARISON_BYTES] : INFINITY;
    return log((double)pair->row[1]->nodes / (double)pair->row[0]->nodes);
}

enum status verdict_append_worst(const struct comparison *comparison, const char *command,
                                 struct text *text, struct error *error)
{
    SCOPED(memory_release) struct loss *loss = NULL;
    uint32_t losses = 0, failures = 0, shown = 0;
    TRY(memory_create(&loss, comparison->pairs, sizeof *loss, error));
    for (uint32_t i = 0; i < comparison->pairs; i++) {
        const struct comparison_pair *pair = &comparison->pair[i];
        bool is_longer =
            comparison->sides->judges_nodes && pair->verdict[COMPARISON_NODES] == COMPARISON_LOSS;
        if (pair->verdict[COMPARISON_BYTES] != COMPARISON_LOSS && !is_longer)
            continue;
        loss[losses++] = (struct loss){pair, find_distance(pair), pair->failure < FAILURE_KINDS};
        failures += loss[losses - 1].failed;
    }
    if (!losses)
        return STATUS_OK;
    qsort(loss, losses, sizeof *loss, compare_losses);
    uint32_t others = losses - failures, most[2];
    most[1] = others < VERDICT_WORST / 2 ? VERDICT_WORST - others : VERDICT_WORST / 2;
    most[0] = VERDICT_WORST - (failures < most[1] ? failures : most[1]);
    for (int failed = 1; failed >= 0; failed--)
        for (uint32_t i = 0, taken = 0; i < losses && taken < most[failed]; i++)
            if (loss[i].failed == failed) {
                append_loss(&loss[i], command, text);
                taken++;
                shown++;
            }
    if (losses > shown)
        text_append(text, "and %u more\n", losses - shown);
    return text_check(text, error);
}
