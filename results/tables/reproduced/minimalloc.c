/* The table minimalloc: how solvers, and searches under a capacity, do on MiniMalloc's challenging
   set, beside the published times. */

#include <string.h>

#include "results/published/published.h"
#include "results/store/options.h"
#include "results/views/recipe.h"
#include "results/views/roles.h"

static const char place[] = "slides p. 22";

/* The letter of the published set for which an instance stands: "A" for minimalloc/A and for
   A.1048576.csv, which the harness calls A.1048576. */
static bool find_letter(const char *instance, char letter[2])
{
    struct published_value value;
    static const char folder[] = "minimalloc/";
    if (strncmp(instance, folder, sizeof folder - 1) == 0)
        instance += sizeof folder - 1;
    if (strcspn(instance, ".") != 1)
        return false;
    letter[0] = instance[0];
    letter[1] = '\0';
    const char *const keys[] = {place, letter};
    return published_find("minimalloc", keys, 2, "printed", &value);
}

/* Whether the table shows a row: those of solvers, and those that answer whether a capacity is
   enough. */
static bool is_wanted(const struct result_row *row)
{
    const char *capacity;
    size_t length;
    return roles_is_prover(row->planner) ||
           options_find(row->options, OPTIONS_CAPACITY, &capacity, &length);
}

static enum status fill(struct table_making *making)
{
    const struct result_set *set = &making->contest.set;
    char letter[2];
    for (uint32_t i = 0; i < set->count; i++) {
        const struct result_row *row = &set->row[i];
        if (!find_letter(row->instance, letter) || !is_wanted(row))
            continue;
        const char *const keys[] = {place, letter};
        uint64_t published_ms = 0;
        bool published = published_find_bytes("minimalloc", keys, 2, "printed", &published_ms);
        making->picker.used = true;
        table_add(making->table, cell_instance(row->instance), cell_number(row->buffers),
                  cell_number(row->load_bytes), cell_text(row->planner),
                  cell_any_text(row->options), cell_text(row->status),
                  cell_number(row->lower_bound_bytes), picker_cell(&making->picker, row),
                  cell_number(row->nodes), cell_real((double)row->wall_ns / 1e6, 3),
                  cell_known(published, published_ms));
    }
    picker_add_notes(&making->picker, making->table);
    return STATUS_OK;
}

const struct table_recipe table_minimalloc = {
    .name = "minimalloc",
    .title = "MiniMalloc's challenging set: status, nodes and time beside the published",
    .caption = "MiniMalloc's challenging set: time to a packing, and to a proof",
    .columns = "instance | buffers: | load (bytes): | planner | options | status | "
               "lower bound (bytes): | peak (bytes): | nodes: | time (ms): | published time (ms):",
    .wanted = "memplan bench --suite minimalloc --planners exact --capacity 1048576",
    .fill = fill,
};
