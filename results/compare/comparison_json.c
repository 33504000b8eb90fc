#include "results/compare/comparison_json.h"

#include <math.h>

#include "results/compare/comparison_tables.h"
#include "results/table/escape.h"
#include "results/table/formats.h"

/* Appends one more key of an object: the number, or null where it is not known. */
static void append_known(struct text *text, const char *key, bool is_known, double number)
{
    text_append(text, is_known ? ", \"%s\": %.9g" : ", \"%s\": null", key, number);
}

static void append_figures(const struct comparison *comparison, struct text *text)
{
    const struct comparison_sides *sides = comparison->sides;
    static const char *const names[COMPARISON_FIGURES] = {"peak", "time", "nodes"};
    const struct {
        const char *name;
        uint32_t count;
    } counts[] = {{"jobs", comparison->pairs},
                  {"only_first", comparison->unmatched[0]},
                  {"only_second", comparison->unmatched[1]},
                  {"instances_changed", comparison->changed},
                  {"plan_only_first", comparison->found[0]},
                  {"plan_only_second", comparison->found[1]},
                  {"nodes_differ", comparison->nodes_differ},
                  {"counters_differ", comparison->counters_differ},
                  {"instances", comparison->instances},
                  {"instances_better", comparison->better},
                  {"instances_worse", comparison->worse}};
    for (int side = 0; side < 2; side++) {
        text_append(text, "  \"%s\": ", side ? "second" : "first");
        escape_json(text, sides->name[side]);
        text_append(text, ",\n");
    }
    text_append(text,
                "  \"across_planners\": %s,\n  \"is_worse\": %s,\n"
                "  \"tolerance\": %.9g,\n  \"search_tolerance\": %.9g,\n"
                "  \"time_threshold\": %.9g,\n  \"node_tolerance\": ",
                sides->across_planners ? "true" : "false",
                comparison_is_worse(comparison) ? "true" : "false", sides->tolerance,
                sides->search_tolerance, sides->time_threshold);
    text_append(text, sides->judges_nodes ? "%.9g,\n" : "null,\n", sides->node_tolerance);
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        text_append(text, "  \"%s\": %u,\n", counts[i].name, counts[i].count);
    for (int figure = 0; figure < COMPARISON_FIGURES; figure++) {
        const uint32_t *verdicts = comparison->verdicts[figure];
        const struct statistics_interval *ratio = &comparison->ratio[figure];
        text_append(text, "  \"%s\": {\"better\": %u, \"equal\": %u, \"worse\": %u", names[figure],
                    verdicts[COMPARISON_WIN], verdicts[COMPARISON_TIE], verdicts[COMPARISON_LOSS]);
        append_known(text, "ratio", !isnan(ratio->value), ratio->value);
        append_known(text, "ratio_lower", isfinite(ratio->upper), ratio->lower);
        append_known(text, "ratio_upper", isfinite(ratio->upper), ratio->upper);
        text_append(text, "},\n");
    }
    text_append(text, "  \"sign_test\": %.9g,\n  \"signed_rank_test\": %.9g", comparison->sign_p,
                comparison->rank_p);
}

/* Writes all but the first table, the overview, which the figures already contain. */
enum status comparison_json_write(const struct comparison *comparison, struct text *text,
                                  struct error *error)
{
    text_append(text, "{\n  \"format\": \"memplan-compare/1\",\n");
    append_figures(comparison, text);
    for (unsigned i = 1; i < comparison_tables_count(); i++) {
        const struct comparison_table *recipe = comparison_tables_at(i);
        struct table table = {0};
        enum status status = comparison_tables_build(recipe, comparison, &table, error);
        if (!status) {
            text_append(text, ",\n  \"%s\": [", recipe->name);
            table_append_objects(text, &table, "\n    ", ",\n    ");
            text_append(text, "\n  ]");
        }
        table_free(&table);
        TRY(status);
    }
    text_append(text, "\n}\n");
    return text_check(text, error);
}
