/* The table policies: for each instance with branches or loops a row for each policy: bytes,
   whether its plans are safe, and how far its best plan is above those of path and select. */

#include <inttypes.h>
#include <math.h>

#include "results/views/policies.h"
#include "results/views/recipe.h"

struct comparison {
    struct table *table;
    uint32_t instances, lost;
    double log_ratio[POLICIES_COUNT]; /* sums of ln(best / best of select) */
    uint32_t compared[POLICIES_COUNT];
};

/* A peak; one that a check refused is in brackets: it is what the policy claims to need. */
static struct cell strategy_cell(const struct result_row *row)
{
    if (!row)
        return cell_missing();
    if (query_worth(row) == RESULT_NUMBER)
        return cell_number(row->peak_bytes);
    return query_worth(row) == RESULT_NO_PLAN ? cell_text(row->status)
                                              : cell_words("(%" PRIu64 ")", row->peak_bytes);
}

static struct cell optimum_cell(const struct policy_facts *facts)
{
    if (!facts->best_bytes)
        return cell_missing();
    if (*facts->fault)
        return cell_words("(%" PRIu64 ")", facts->best_bytes);
    return policies_is_optimum(facts)
               ? cell_number(facts->best_bytes)
               : cell_words("%" PRIu64 " to %" PRIu64, facts->bound_bytes, facts->best_bytes);
}

static struct cell remark_cell(struct comparison *comparison, const struct policy_facts *all,
                               unsigned policy)
{
    uint64_t flat = all[POLICIES_FLAT].best_bytes, recursive = all[POLICIES_RECURSIVE].best_bytes;
    if (policy != POLICIES_RECURSIVE || !flat || recursive <= flat)
        return cell_text("");
    comparison->lost++;
    return cell_words("loses to flat by %" PRIu64, recursive - flat);
}

static void add_instances(struct comparison *comparison, const struct result_set *set)
{
    struct policy_facts all[POLICIES_COUNT];
    uint32_t next;
    for (uint32_t i = 0; i < set->count; i = next) {
        next = policies_find(set, i, all);
        if (!policies_is_wanted(all))
            continue;
        comparison->instances++;
        for (unsigned p = 0; p < POLICIES_COUNT; p++)
            if (all[p].measured) {
                struct table *table = comparison->table;
                const struct policy_facts *facts = &all[p];
                table_add(table, cell_instance(set->row[i].instance), cell_text(policies_name(p)),
                          cell_number(facts->load_bytes));
                for (unsigned k = 0; k < ROLES_STRATEGIES; k++)
                    table_add(table, strategy_cell(facts->strategy[k]));
                bool known = facts->best_bytes && !*facts->fault;
                table_add(table, optimum_cell(facts),
                          picker_gap(known, facts->best_bytes, all[POLICIES_PATH].best_bytes),
                          picker_gap(known, facts->best_bytes, all[POLICIES_SELECT].best_bytes),
                          cell_text(facts->addresses),
                          cell_text(*facts->fault ? facts->fault : "yes"),
                          remark_cell(comparison, all, p));
            }
        for (unsigned p = 0; p < POLICIES_COUNT; p++) {
            if (!all[p].best_bytes || !all[POLICIES_SELECT].best_bytes || *all[p].fault)
                continue;
            comparison->log_ratio[p] +=
                log((double)all[p].best_bytes / (double)all[POLICIES_SELECT].best_bytes);
            comparison->compared[p]++;
        }
    }
}

static void add_means(struct comparison *comparison)
{
    uint32_t rows = 0;
    for (unsigned p = 0; p < POLICIES_COUNT; p++)
        if (comparison->compared[p]) {
            enum { COLUMNS_BEFORE = 6, COLUMNS_BEHIND = 3 };
            struct table *table = comparison->table;
            double mean = exp(comparison->log_ratio[p] / comparison->compared[p]);
            table_add(table, cell_words("geometric mean of %u", comparison->compared[p]),
                      cell_text(policies_name(p)));
            table_repeat(table, COLUMNS_BEFORE, cell_text(""));
            table_add(table, cell_real(100 * (mean - 1), 2));
            table_repeat(table, COLUMNS_BEHIND, cell_text(""));
            rows++;
        }
    table_set_foot(comparison->table, rows);
}

static enum status fill(struct table_making *making)
{
    struct table *table = making->table;
    struct comparison comparison = {.table = table};
    for (unsigned i = 0; i < ROLES_STRATEGIES; i++)
        table_add_column(table, roles_strategy(i), "bytes", TABLE_RIGHT);
    table_add_columns(table, "optimum (bytes): | over path (%): | over select (%): | addresses | "
                             "safe | remark");
    add_instances(&comparison, &making->contest.set);
    making->picker.used = comparison.instances > 0;
    add_means(&comparison);
    table_add_note(table, "optimum: the least peak of any plan under the policy where it is "
                          "proved, else the bound and the best plan known.");
    table_add_note(table, "over path, over select: how far the best plan is above the best under "
                          "these. select may need addresses that are known only at run time, path "
                          "never does.");
    table_add_note(table, "(bytes): a check refused the plan; the column safe says what it found "
                          "and on which path.");
    table_add_note(table, "recursive loses to flat on %u of %u instances: its blocks are rigid.",
                   comparison.lost, comparison.instances);
    return STATUS_OK;
}

const struct table_recipe table_policies = {
    .name = "policies",
    .title = "seven control-flow policies: bytes, safety and gap to the optimum of path and select",
    .caption = "Seven ways to treat control flow",
    .columns = "instance | policy | load (bytes):",
    .wanted = "instances with branches or loops under several policies: memplan bench --suite "
              "control_flow",
    .fill = fill,
};
