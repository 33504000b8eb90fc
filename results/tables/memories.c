/* The tables memories, penalties and moves: what plans for problems with several memories cost, for
   each problem and planner, and for each planner beside the sums that dsa-solver publishes. */
#include <inttypes.h>
#include <string.h>

#include "results/best/list.h"
#include "results/published/published.h"
#include "results/views/memories.h"
#include "results/views/recipe.h"

static int64_t find(const struct table_making *making, uint32_t measure, const char *name)
{
    const struct measure *one = &making->measures.measure[measure];
    int64_t value = -1;
    measures_find(&making->measures, one->instance, one->variant, name, &value);
    return value;
}

/* Whether measure `index` is the first one of its instance and planner. */
static bool starts_plan(const struct table_making *making, uint32_t index)
{
    const struct measure *measure = &making->measures.measure[index];
    return making_starts_instance(making, index) || strcmp(measure->variant, measure[-1].variant);
}

/* "fast 7808 of 7832, slow 11216": the peaks of a plan whose first measure is `first`. */
static void append_peaks(const struct table_making *making, uint32_t first, struct text *text)
{
    const struct measure_set *set = &making->measures;
    const struct measure *one = &set->measure[first];
    struct measure_parts parts;
    int64_t capacity;
    for (uint32_t i = first; i < set->count && (i == first || !starts_plan(making, i)); i++) {
        if (!measure_key_read(&set->measure[i], MEASURE_PEAK_OF_MEMORY, &parts))
            continue;
        text_append(text, "%s%s %" PRId64, text->length ? ", " : "", parts.part,
                    set->measure[i].value);
        if (measures_find_part(set, one->instance, one->variant,
                               &(struct measure_key){parts.part, MEASURE_CAPACITY_OF_MEMORY, NULL},
                               &capacity))
            text_append(text, " of %" PRId64, capacity);
    }
}

static const char *name_status(const struct table_making *making, uint32_t first)
{
    if (find(making, first, "infeasible") == 1)
        return "does not fit";
    if (find(making, first, "cost") < 0)
        return "no plan";
    return find(making, first, "optimal") == 1 ? "optimal" : "feasible";
}

static enum status fill_plans(struct table_making *making)
{
    SCOPED(best_list_free) struct best_list list = {0};
    TRY(best_list_read(NULL, &list, making->error));
    for (uint32_t i = 0; i < making->measures.count; i++) {
        const struct measure *measure = &making->measures.measure[i];
        SCOPED(text_free) struct text peaks = {0};
        if (!starts_plan(making, i))
            continue;
        const struct best_known *known = best_list_find(&list, measure->digest, BEST_MEMORIES, "");
        uint64_t known_cost = known ? best_cost(known) : UINT64_MAX;
        append_peaks(making, i, &peaks);
        TRY(text_check(&peaks, making->error));
        table_add(making->table, cell_instance(measure->instance), cell_text(measure->variant),
                  cell_text(name_status(making, i)),
                  making_scaled(making, measure->instance, measure->variant, "cost", 1e3, 3),
                  making_scaled(making, measure->instance, measure->variant, "cost_bound", 1e3, 3),
                  cell_known_real(known_cost != UINT64_MAX, (double)known_cost / 1e3, 3),
                  cell_any_text(peaks.length ? peaks.bytes : ""),
                  making_scaled(making, measure->instance, measure->variant, "wall_ns", 1e6, 3));
    }
    table_add_note(making->table, "Costs are traffic and paid penalties; no plan is below the "
                                  "bound; the known cost is the least that memplan best lists. "
                                  "Peaks and capacities are in bytes.");
    return STATUS_OK;
}

/* What a planner did on all problems. */
struct sums {
    uint32_t problems, fit, refused, proved, zero;
    int64_t cost, wall_ns, slowest_ns;
};

static void add_plan(const struct table_making *making, uint32_t first, struct sums *sums)
{
    int64_t cost = find(making, first, "cost"), wall_ns = find(making, first, "wall_ns");
    bool refused = find(making, first, "infeasible") == 1;
    sums->problems++;
    sums->fit += cost >= 0;
    sums->refused += refused;
    sums->proved += refused || find(making, first, "optimal") == 1;
    sums->zero += cost == 0;
    sums->cost += cost > 0 ? cost : 0;
    sums->wall_ns += wall_ns;
    sums->slowest_ns = wall_ns > sums->slowest_ns ? wall_ns : sums->slowest_ns;
}

/* The rule of dsa-solver beside which a planner stands: mostly the one of its name. */
static const char *name_rule(const char *planner)
{
    static const char *const rules[][2] = {{"ruin_recreate", "reuse_penalty_local_search"},
                                           {"hitting_set", "implicit_hitting_set"},
                                           {"best", "reuse_penalty_portfolio"}};
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
        if (strcmp(rules[i][0], planner) == 0)
            return rules[i][1];
    return planner;
}

/* What dsa-solver's rule of the same kind costs, where as many problems were planned. */
static bool find_published(const char *planner, const struct sums *sums, uint64_t *cost)
{
    static const char *const words[] = {"problems", "fit", "cost"};
    uint64_t number[3];
    for (int i = 0; i < 3; i++) {
        struct published_value value;
        if (!published_of("dsa", "204 pairs", name_rule(planner), words[i], &value) ||
            !text_parse_u64(value.text, strlen(value.text), &number[i]))
            return false;
    }
    *cost = number[2];
    return number[0] == sums->problems && number[1] == sums->fit;
}

static void add_planner(struct table_making *making, const char *planner)
{
    struct sums sums = {0};
    uint64_t published = 0;
    for (uint32_t i = 0; i < making->measures.count; i++)
        if (starts_plan(making, i) && strcmp(making->measures.measure[i].variant, planner) == 0)
            add_plan(making, i, &sums);
    bool is_published = find_published(planner, &sums, &published);
    double cost = (double)sums.cost / 1e3;
    table_add(making->table, cell_text(planner), cell_number(sums.problems), cell_number(sums.fit),
              cell_number(sums.refused), cell_number(sums.proved), cell_number(sums.zero),
              cell_real(cost, 3), cell_known(is_published, published),
              cell_any_text(!is_published               ? ""
                            : cost < (double)published  ? "lower"
                            : cost == (double)published ? "equal"
                                                        : "higher"),
              cell_real((double)sums.wall_ns / 1e9, 3),
              cell_real((double)sums.slowest_ns / 1e9, 3));
}

static enum status fill_planners(struct table_making *making)
{
    const struct measure_set *set = &making->measures;
    for (uint32_t i = 0; i < set->count; i++) {
        bool is_first = starts_plan(making, i);
        for (uint32_t k = 0; k < i && is_first; k++)
            is_first = strcmp(set->measure[k].variant, set->measure[i].variant) != 0;
        if (is_first)
            add_planner(making, set->measure[i].variant);
    }
    table_add_note(making->table,
                   "Proved: least cost, or that nothing fits. Published: the sum that dsa-solver "
                   "gives for the rule, of its local search beside ruin_recreate and its portfolio "
                   "beside best; shown where as many problems were planned and as many fit.");
    return STATUS_OK;
}

static enum status fill_moves(struct table_making *making)
{
    for (uint32_t i = 0; i < making->measures.count; i++) {
        const struct measure *one = &making->measures.measure[i];
        SCOPED(text_free) struct text planner = {0};
        int64_t total = find(making, i, "total_ps"), still = find(making, i, "still_ps");
        if (!starts_plan(making, i))
            continue;
        text_append_bytes(&planner, one->variant, strcspn(one->variant, " "));
        TRY(text_check(&planner, making->error));
        table_add(making->table, cell_instance(one->instance), cell_text(planner.bytes),
                  making_scaled(making, one->instance, one->variant, "capacity_bytes", 1, 0),
                  making_scaled(making, one->instance, one->variant, "total_ps", 1e9, 6),
                  making_scaled(making, one->instance, one->variant, "still_ps", 1e9, 6),
                  making_scaled(making, one->instance, one->variant, "bound_ps", 1e9, 6),
                  cell_known_real(still > 0, 100 * (double)(still - total) / (double)still, 2),
                  making_measure(making, one->instance, one->variant, "transfers"),
                  making_measure(making, one->instance, one->variant, "transferred_bytes"),
                  making_scaled(making, one->instance, one->variant, "wall_ns", 1e6, 3));
    }
    table_add_note(making->table,
                   "Without moves: the assignment of memories that best makes, weights off chip. "
                   "Capacity is that of the first memory.");
    return STATUS_OK;
}

const struct table_recipe table_memories = {
    .name = "memories",
    .title = "what plans for problems with several memories cost, and the peaks of each memory",
    .caption = "Problems with several memories",
    .columns = "instance | planner | status | cost: | cost bound: | known cost: | "
               "peaks (bytes) | time (ms):",
    .source = TABLE_OF_MEASURES,
    .topic = MEMORIES_TOPIC,
    .command = "bench PROBLEM.json",
    .fill = fill_plans,
};

const struct table_recipe table_penalties = {
    .name = "penalties",
    .title = "planners of several memories: sums of costs and proofs, beside dsa-solver's",
    .caption = "Planners of problems with several memories",
    .columns = "planner | problems: | fit: | do not fit: | proved: | at no cost: | cost: | "
               "published: | ours is | time (s): | slowest (s):",
    .source = TABLE_OF_MEASURES,
    .topic = MEMORIES_TOPIC,
    .command = "bench PROBLEM.json",
    .fill = fill_planners,
};

const struct table_recipe table_moves = {
    .name = "moves",
    .title = "how long graphs take whose tensors and weights move between memories",
    .caption = "Time where tensors and weights move between memories",
    .columns = "instance | planner | capacity (bytes): | time (ms): | without moves (ms): | bound "
               "(ms): | saved (%): | transfers: | transferred (bytes): | wall time (ms):",
    .source = TABLE_OF_MEASURES,
    .topic = MOVES_TOPIC,
    .wanted = "moves",
    .command = "bench GRAPH --memories NAME --moves",
    .fill = fill_moves,
};
