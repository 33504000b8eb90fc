/* Tables of all figures that a source prints, in its order: each beside the measured one, with its
   verdict. A source is a file of results/published/ that results/views/figures.h reads. */

#include "results/views/figures.h"

#include <string.h>

#include "results/views/recipe.h"

static void add_figure(struct table *table, const struct figure *figure,
                       const struct measure_set *set)
{
    int64_t measured = 0;
    enum figure_verdict verdict = figures_judge(figure, set, &measured);
    bool is_printed = strcmp(figure->instance.text, FIGURES_PRINTED) == 0;
    table_add(
        table, cell_text(figure->place.text), cell_text(figure->figure.text),
        cell_text(figure->printed.text),
        *figure->measure.text && verdict != FIGURE_NOT_MEASURED ? figures_cell(figure, measured)
                                                                : cell_missing(),
        cell_any_text(figure->unit.text), cell_text(figures_verdict_name(verdict)),
        cell_any_text(figure->reason.text),
        *figure->instance.text && !is_printed ? cell_instance(figure->instance.text)
                                              : cell_missing(),
        is_printed
            ? cell_words("%s of what it prints: %s", figure->variant.text, figure->measure.text)
            : cell_any_text(figure->variant.text));
}

static enum status fill(struct table_making *making)
{
    struct figure figure;
    for (unsigned row = 0; figures_next(making->recipe->topic, &row, &figure);)
        add_figure(making->table, &figure, &making->measures);
    return STATUS_OK;
}

/* A table of the figures of a source, which is also the topic of its measures: the kind of place by
   which it is divided, what its printed figures are called, and the reproduction that measures it.
   The verdict is what a reader looks for, and most figures name their instance, so these columns
   stay longest. */
#define FIGURES_OF(symbol, table, what, source_topic, place, printed, reproduction)                \
    const struct table_recipe table_##symbol = {                                                   \
        .name = table,                                                                             \
        .title = "every " what ", beside what was measured",                                       \
        .caption = "Every " what,                                                                  \
        .columns = place " | figure | " printed                                                    \
                         ": | measured: | unit | verdict | why ~3 | instance ~1 | how ~2",         \
        .source = TABLE_OF_MEASURES,                                                               \
        .topic = source_topic,                                                                     \
        .fill = fill,                                                                              \
        .wanted = reproduction,                                                                    \
    }

FIGURES_OF(wang2025, "wang2025", "figure of Wang et al. 2025", "wang2025", "place", "printed",
           NULL);
FIGURES_OF(nnvm, "nnvm", "statement that follows from the NNVM note", "nnvm", "section",
           "by the note", NULL);
FIGURES_OF(patent, "patent", "figure of the patent on mutually exclusive operators", "patent",
           "paragraph", "printed", NULL);
FIGURES_OF(ge, "ge", "figure of the GE article", "ge", "section", "printed", NULL);
FIGURES_OF(xu2019, "xu2019", "figure of Xu 2019, chapters 3 and 6", "xu2019", "place", "printed",
           NULL);
FIGURES_OF(tflite, "tflite", "figure of Pisarchyk and Lee 2020 that was found", "tflite", "place",
           "printed", NULL);
FIGURES_OF(minimalloc_figures, "minimalloc-figures",
           "figure of MiniMalloc's slides and OmniMalloc's plots", "minimalloc", "place", "printed",
           NULL);
FIGURES_OF(dsa, "dsa", "figure of dsa-solver's results", "dsa", "place", "printed", NULL);
FIGURES_OF(orders_published, "orders-published",
           "figure that papers on the order of operators print", "orders-published", "source",
           "printed", "orders");
