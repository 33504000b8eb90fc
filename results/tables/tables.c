#include "results/tables/tables.h"

#include <string.h>

#include "results/tables/builders.h"

static const struct table_recipe recipes[] = {
    {"luna-memory",
     "LUNA models, three strategies: published beside measured (Wang et al. 2025, Table 1)",
     table_luna_memory},
    {"luna-control-flow",
     "LUNA models with control-flow optimisation: published beside measured (Wang et al. 2025, "
     "Table 2)",
     table_luna_control_flow},
    {"luna-dma",
     "LUNA models, weight transfers: published times beside modelled ones (Wang et al. 2025, Table "
     "3)",
     table_luna_dma},
    {"dma-front", "time against on-chip bytes of weights that are planned with the tensors",
     table_dma_front},
    {"worked", "worked examples of the sources: published beside measured", table_worked},
    {"policies",
     "seven control-flow policies: bytes, safety and gap to the optimum of path and select",
     table_policies},
    {"optimality", "proven optima up to 500 buffers: solvers' status and time, heuristics' gaps",
     table_optimality},
    {"heuristics", "every heuristic against the best known bounds: mean, worst, how often met",
     table_heuristics},
    {"minimalloc", "MiniMalloc's challenging set: status, nodes and time beside the published",
     table_minimalloc},
    {"quantise",
     "weights of twelve networks before and after quantisation: published beside measured (Xu "
     "2019, Table 6.3)",
     table_quantise},
    {"quantise-dma", "what quantised weights do to the time of transfers, under every mode",
     table_quantise_dma},
    {"summary", "every instance, policy and planner of a database", table_summary},
    {"gaps", "every planner's gap to the best known lower bound", table_gaps},
};

unsigned tables_count(void)
{
    return sizeof recipes / sizeof *recipes;
}

const struct table_recipe *tables_at(unsigned index)
{
    return &recipes[index];
}

const struct table_recipe *tables_find(const char *name)
{
    for (unsigned i = 0; i < tables_count(); i++)
        if (strcmp(recipes[i].name, name) == 0)
            return &recipes[i];
    return NULL;
}

enum status tables_build(const char *name, struct store *store, const char *run,
                         struct table *table, struct error *error)
{
    const struct table_recipe *recipe = tables_find(name);
    if (!recipe)
        return error_set(error, STATUS_USAGE, "no table '%s', expected one of memplan list tables",
                         name);
    return recipe->build(store, run, table, error);
}
