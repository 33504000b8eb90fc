#include "results/views/picker.h"

#include <string.h>

#include "core/plural.h"

const struct result_row *picker_find(struct picker *picker, const char *instance,
                                     const char *policy, const char *planner)
{
    uint32_t index = query_find(picker->set, instance, policy, planner);
    if (index == UINT32_MAX) {
        picker->missing++;
        return NULL;
    }
    picker->used = true;
    picker->with_options += *picker->set->row[index].options != '\0';
    return &picker->set->row[index];
}

bool picker_peak(const struct result_row *row, uint64_t *peak_bytes)
{
    if (!row || query_worth(row) != RESULT_NUMBER)
        return false;
    *peak_bytes = row->peak_bytes;
    return true;
}

struct cell picker_cell(struct picker *picker, const struct result_row *row)
{
    if (!row)
        return cell_missing();
    if (query_worth(row) == RESULT_NUMBER)
        return cell_number(row->peak_bytes);
    if (query_worth(row) == RESULT_NO_PLAN)
        return cell_text(*row->status ? row->status : "no plan");
    picker->invalid++;
    return cell_text("invalid");
}

struct cell picker_load(const struct picker *picker, const char *instance, const char *policy)
{
    uint64_t load_bytes = 0;
    for (uint32_t i = 0; i < picker->set->count; i++) {
        const struct result_row *row = &picker->set->row[i];
        if (strcmp(row->instance, instance) == 0 && strcmp(row->policy, policy) == 0 &&
            row->load_bytes > load_bytes)
            load_bytes = row->load_bytes;
    }
    return cell_known(load_bytes, load_bytes);
}

struct cell picker_gap(bool known, uint64_t peak_bytes, uint64_t base_bytes)
{
    return known && base_bytes ? cell_real(query_gap_percent(peak_bytes, base_bytes), 2)
                               : cell_missing();
}

void picker_add_notes(const struct picker *picker, struct table *table)
{
    if (picker->missing)
        table_add_note(table, "-: not measured (%u figure%s), or not published.", picker->missing,
                       plural_ending(picker->missing));
    if (picker->invalid)
        table_add_note(table,
                       "invalid: verify or execute refused the answer (%u), so its peak is not "
                       "shown.",
                       picker->invalid);
    /* Adds notes on what a single row does not say: that it stands for several runs, and that
       claims were left out. */
    uint32_t most = 1;
    for (uint32_t i = 0; i < picker->set->count; i++)
        if (picker->set->spread[i].rows > most)
            most = picker->set->spread[i].rows;
    if (most > 1)
        table_add_note(table, "Peaks and times are medians over up to %u seeds and repetitions.",
                       most);
    if (picker->set->claims)
        table_add_note(
            table,
            "Bounds or optima that plug-ins and programs claim and that nothing here proves are "
            "left out: %u row%s.",
            picker->set->claims, plural_ending(picker->set->claims));
    if (picker->with_options)
        table_add_note(table, "Figures from runs with options of their own: %u.",
                       picker->with_options);
}
