#include "solvers/best/turns.h"

#include <assert.h>

#include "core/clock.h"
#include "solvers/best/kind.h"
#include "solvers/best/parts.h"
#include "solvers/exact/quick_plans.h"
#include "solvers/tiles/tile_search.h"

/* Some quick rules take three times as long as the first plan; so many quarters of its time are
   expected of them. */
enum { SLOW_QUARTERS = 12 };

/* Where there is no time for all first rules, so many come even before it is known whether windows
   decide the peak. */
enum { FIRST_OF_RULES = 2, RULES_PLANS = 4 };

/* How long a part that can pause anywhere goes on before it pauses: SLICE_NS, and all the time used
   so far divided by USED_PER_SLICE. */
static const uint64_t SLICE_NS = 1000000;
enum { USED_PER_SLICE = 32, USED_PER_STEP = 4 };

/* A part is charged for its next step in advance, so that a long one does not keep short ones of
   others waiting. In problems of many buffers a step that made a better plan costs only one part in
   BETTER_COSTS, so that a search goes on while it finds some. Where neither windows nor chains say
   which search is good, one that has found nothing so far pays BARREN_COSTS times: what lowers the
   peak of one such problem, the squeeze or descents, often does nothing for another. */
enum { BETTER_COSTS = 4, BARREN_COSTS = 4 };

/* After the first attempt of the windows, at the bound, those at higher capacities are quicker and
   more likely to end. */
enum { WINDOWS_SOONER = 8 };

/* Where more of the bytes below the bound are free, hardly any buffers fill a rectangle. */
static const double TILES_FREE_PERCENT = 10;

bool best_is_over(const struct best *best)
{
    return exact_incumbent_is_solved(&best->incumbent) || !clock_left_ns(best->deadline_ns);
}

/* Searches that can pause anywhere take turns often. In problems of many buffers they take long
   steps as others do, since the memory of the windows is freed and allocated with each change of
   the search. */
static bool is_sliced(const struct best *best, enum best_part_name part)
{
    assert(part < BEST_PARTS && (best->are_few || best->kind != BEST_FEW));
    return best->are_few && best_rows[part].pauses;
}

/* How long the next step of the part may take: as long as it is expected to and, in problems of
   many buffers, one part in USED_PER_STEP of the time that all parts took so far. So no first step,
   of which little is known, takes all of the time. */
static uint64_t find_step_ns(const struct best *best, enum best_part_name part)
{
    assert(part < BEST_PARTS && !best->part[part].is_over);
    uint64_t used_ns = 0;
    for (uint32_t i = 0; i < BEST_PARTS; i++)
        used_ns += best->part[i].used_ns;
    if (is_sliced(best, part))
        return SLICE_NS + used_ns / USED_PER_SLICE;
    return BEST_FIRST_SLICE_NS + best->part[part].next_ns +
           (best->are_few ? 0 : used_ns / USED_PER_STEP);
}

/* Whether even the first step of the part would take longer than there is time, or a quick rule,
   which cannot be cut short. The squeeze can begin with the best plan at any time. */
static bool is_too_late(const struct best *best, const struct best_part *part)
{
    assert(part >= best->part && part < best->part + BEST_PARTS);
    bool is_rule = !best->are_few && part == &best->part[BEST_QUICK],
         is_first = !part->used_ns && part != &best->part[BEST_SQUEEZE];
    return (is_rule || is_first) && part->next_ns > clock_left_ns(best->deadline_ns);
}

/* The part that would have had the least of its share of the time after its next step; BEST_PARTS
   where all are over. */
static uint32_t choose_part(const struct best *best)
{
    uint64_t least_ns = UINT64_MAX;
    uint32_t chosen = BEST_PARTS;
    for (uint32_t i = 0; i < BEST_PARTS; i++) {
        const struct best_part *part = &best->part[i];
        if (part->is_over || is_too_late(best, part))
            continue;
        assert(best_rows[i].share[best->kind]);
        uint64_t ns = (part->charged_ns + part->next_ns) / best_rows[i].share[best->kind];
        if (chosen == BEST_PARTS || ns < least_ns) {
            chosen = i;
            assert(chosen == BEST_PARTS || !best->part[chosen].is_over);
            least_ns = ns;
        }
    }
    return chosen;
}

/* What the next quick rule is expected to take. */
static uint64_t find_rule_ns(const struct best *best)
{
    bool is_slow = best_is_next_rule_slow(best);
    return best->first_plan_ns / 4 *
           (is_slow ? SLOW_QUARTERS : best_rows[BEST_QUICK].plan_quarters);
}

static enum status take_step(struct best *best, uint32_t index)
{
    struct best_part *part = &best->part[index];
    assert(index < BEST_PARTS && best_rows[index].share[best->kind]);
    for (uint32_t i = 0; i < BEST_PARTS; i++)
        if (i != index && best_rows[i].rest && !best->are_few)
            best_rows[i].rest(best);
    uint64_t began_ns = clock_monotonic_ns(), peak = exact_incumbent_peak_bytes(&best->incumbent);
    bool advanced;
    TRY(best_rows[index].advance(best, find_step_ns(best, index), &advanced));
    uint64_t took_ns = clock_monotonic_ns() - began_ns;
    assert(exact_incumbent_peak_bytes(&best->incumbent) <= peak);
    part->is_over = !advanced;
    part->used_ns += took_ns;
    assert(part->charged_ns / BARREN_COSTS <= part->used_ns);
    bool is_better = exact_incumbent_peak_bytes(&best->incumbent) < peak;
    part->is_fertile = part->is_fertile || is_better;
    if (!best->are_few && is_better && best->kind != BEST_OF_TILES) {
        part->charged_ns += took_ns / BETTER_COSTS;
        part->next_ns = 0;
    } else {
        part->charged_ns +=
            took_ns * (best->kind == BEST_MANY && !part->is_fertile ? BARREN_COSTS : 1);
        part->next_ns =
            is_sliced(best, index) ? 0 : 2 * took_ns + (best->are_few ? BEST_FIRST_SLICE_NS : 0);
    }
    if (!best->are_few && index == BEST_QUICK)
        part->next_ns = find_rule_ns(best);
    if (!best->are_few && index == BEST_WINDOWS)
        part->next_ns /= WINDOWS_SOONER;
    return STATUS_OK;
}

static enum status take_first_rules(struct best *best, uint32_t count)
{
    assert(count <= BEST_FIRST_RULES);
    while (best->quick_rules < count && !best_is_over(best) && !best->part[BEST_QUICK].is_over &&
           !is_too_late(best, &best->part[BEST_QUICK]))
        TRY(take_step(best, BEST_QUICK));
    return STATUS_OK;
}

/* The quick rules, and the first dive of the descents, which goes lower than rules where the load
   is not steep: where windows decide the peak instead of them, else after all but the slow one. */
static enum status take_first_plans(struct best *best)
{
    const struct best_part *descents = &best->part[BEST_DESCENTS];
    if (best->is_steep)
        return take_first_rules(best, best->kind == BEST_MANY ? 1 : 0);
    if (best->kind == BEST_MANY_AND_FULL || best->rule_order != BEST_BY_AREA)
        return take_first_rules(best, BEST_FIRST_RULES);
    if (best->kind == BEST_MANY || is_too_late(best, descents))
        TRY(take_first_rules(best, BEST_FIRST_RULES - 1));
    if (descents->is_over || best_is_over(best) || is_too_late(best, descents))
        return STATUS_OK;
    return take_step(best, BEST_DESCENTS);
}

/* Whether an attempt of the windows comes before all else: where it may be quicker, or where there
   is time for as much again. */
static bool is_attempt_first(const struct best *best)
{
    if (best_is_over(best))
        return false;
    return best->is_steep
               ? best->are_hot_few
               : best->is_local && best->rule_order == BEST_BY_AREA &&
                     clock_left_ns(best->deadline_ns) / 2 >= BEST_EARLY_PLANS * best->first_plan_ns;
}

/* The first steps in problems of many buffers, whose order is fixed. */
static enum status take_first_steps(struct best *best)
{
    assert(!best->are_few);
    if (best->kind == BEST_MANY_IN_CHAINS)
        return STATUS_OK;
    if (!best->is_steep && clock_left_ns(best->deadline_ns) < RULES_PLANS * best->first_plan_ns)
        TRY(take_first_rules(best, FIRST_OF_RULES));
    if (!is_too_late(best, &best->part[BEST_WINDOWS]))
        TRY(take_step(best, BEST_WINDOWS));
    if (is_attempt_first(best))
        TRY(take_step(best, BEST_WINDOWS));
    /* From a plan that the windows made the squeeze gets lower than a quick plan. */
    if (best->is_steep && !best->part[BEST_WINDOWS].is_fertile && !best_is_over(best) &&
        clock_left_ns(best->deadline_ns) > best->first_plan_ns / 4 * 3)
        TRY(exact_quick_plans_try(&best->incumbent, 1, best->error));
    if (best->are_hot_few)
        return STATUS_OK;
    TRY(take_first_plans(best));
    if (!is_too_late(best, &best->part[BEST_SQUEEZE]))
        TRY(take_step(best, BEST_SQUEEZE));
    uint64_t attempt_ns = BEST_WINDOWS_PLANS * best->first_plan_ns;
    if (attempt_ns > clock_left_ns(best->deadline_ns))
        best->part[BEST_WINDOWS].next_ns = attempt_ns;
    return STATUS_OK;
}

/* Says which parts take part, and what is expected of the first step of each. */
static enum status expect_first_steps(struct best *best)
{
    uint64_t pairs, most_pairs;
    struct best_part *part = best->part;
    TRY(best_find_kind(best, &pairs, &most_pairs));
    for (uint32_t i = 0; i < BEST_PARTS; i++) {
        const struct best_row *row = &best_rows[i];
        part[i].is_over = !row->share[best->kind];
        part[i].next_ns = pairs * row->pair_ns + best->first_plan_ns / 4 * row->plan_quarters +
                          row->fixed_ns + (best->are_few ? row->few_ns : 0);
        if (!best->are_few || !row->few_part)
            continue;
        uint64_t latest_ns = clock_left_ns(best->deadline_ns) / row->few_part /
                             best_rows[BEST_EXACT].share[BEST_FEW] * row->share[BEST_FEW];
        if (part[i].next_ns > latest_ns)
            part[i].next_ns = latest_ns;
    }
    if (!best->are_few)
        part[BEST_QUICK].next_ns = find_rule_ns(best);
    /* These three have a share in problems of all kinds. */
    assert(best_rows[BEST_EXACT].share[best->kind] && best_rows[BEST_QUICK].share[best->kind] &&
           best_rows[BEST_DESCENTS].share[best->kind]);
    part[BEST_EXACT].is_over = pairs > most_pairs;
    part[BEST_MIRRORED].is_over = part[BEST_MIRRORED].is_over || pairs > most_pairs;
    part[BEST_TILES].is_over = part[BEST_TILES].is_over ||
                               best->free_percent > TILES_FREE_PERCENT ||
                               !tile_search_can(&best->incumbent);
    part[BEST_QUICK].is_over = part[BEST_DESCENTS].is_over = !best->task->helper;
    return STATUS_OK;
}

enum status best_take_turns(struct best *best)
{
    TRY(expect_first_steps(best));
    if (!best->are_few)
        TRY(take_first_steps(best));
    while (!best_is_over(best)) {
        uint32_t next = choose_part(best);
        if (next == BEST_PARTS)
            return STATUS_OK;
        assert(!best->part[next].is_over);
        TRY(take_step(best, next));
    }
    return STATUS_OK;
}
