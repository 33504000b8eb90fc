/* The table policies: for each instance with branches or loops a row for each policy: bytes,
   whether its plans are safe, and how far its best plan is above those of path and select. */

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "results/views/policies.h"
#include "results/views/recipe.h"

struct comparison {
    struct table *table;
    uint32_t instances, lost;
    double log_ratio[POLICIES_COUNT]; /* sums of ln(best / best of select) */
    uint32_t compared[POLICIES_COUNT];
};

/* Adds a peak. A peak that a check refused is in brackets: it is what the policy claims to need. */
static void add_strategy(struct table *table, const struct result_row *row)
{
    char claimed[32];
    if (!row) {
        table_add(table, cell_missing());
        return;
    }
    switch (query_worth(row)) {
    case RESULT_NUMBER:
        table_add(table, cell_number(row->peak_bytes));
        break;
    case RESULT_INVALID:
        snprintf(claimed, sizeof claimed, "(%" PRIu64 ")", row->peak_bytes);
        table_add(table, cell_text(claimed));
        break;
    case RESULT_NO_PLAN:
        table_add(table, cell_text(row->status));
        break;
    }
}

static void add_optimum(struct table *table, const struct policy_facts *facts)
{
    char text[64];
    if (!facts->best_bytes) {
        table_add(table, cell_missing());
        return;
    }
    if (policies_is_optimum(facts) && !*facts->fault) {
        table_add(table, cell_number(facts->best_bytes));
        return;
    }
    if (*facts->fault)
        snprintf(text, sizeof text, "(%" PRIu64 ")", facts->best_bytes);
    else
        snprintf(text, sizeof text, "%" PRIu64 " to %" PRIu64, facts->bound_bytes,
                 facts->best_bytes);
    table_add(table, cell_text(text));
}

static void add_remark(struct comparison *comparison, const struct policy_facts *all,
                       unsigned policy)
{
    char text[64];
    if (policy != POLICIES_RECURSIVE || !all[POLICIES_FLAT].best_bytes ||
        all[POLICIES_RECURSIVE].best_bytes <= all[POLICIES_FLAT].best_bytes) {
        table_add(comparison->table, cell_text(""));
        return;
    }
    snprintf(text, sizeof text, "loses to flat by %" PRIu64,
             all[POLICIES_RECURSIVE].best_bytes - all[POLICIES_FLAT].best_bytes);
    table_add(comparison->table, cell_text(text));
    comparison->lost++;
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
                    add_strategy(table, facts->strategy[k]);
                add_optimum(table, facts);
                bool known = facts->best_bytes && !*facts->fault;
                table_add(
                    table, picker_gap(known, facts->best_bytes, all[POLICIES_PATH].best_bytes),
                    picker_gap(known, facts->best_bytes, all[POLICIES_SELECT].best_bytes),
                    cell_text(facts->addresses), cell_text(*facts->fault ? facts->fault : "yes"));
                add_remark(comparison, all, p);
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
            char text[64];
            snprintf(text, sizeof text, "geometric mean of %u", comparison->compared[p]);
            table_add(table, cell_text(text), cell_text(policies_name(p)));
            for (unsigned i = 0; i < COLUMNS_BEFORE; i++)
                table_add(table, cell_text(""));
            table_add(table, cell_real(100 * (mean - 1), 2));
            for (unsigned i = 0; i < COLUMNS_BEHIND; i++)
                table_add(table, cell_text(""));
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
