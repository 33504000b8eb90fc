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
    table_add(table, cell_text(figure->place.text), cell_text(figure->figure.text),
              cell_text(figure->printed.text));
    table_add(table,
              *figure->measure.text && verdict != FIGURE_NOT_MEASURED
                  ? figures_cell(figure, measured)
                  : cell_missing(),
              cell_any_text(figure->unit.text), cell_text(figures_verdict_name(verdict)),
              cell_any_text(figure->reason.text),
              *figure->instance.text && !is_printed ? cell_instance(figure->instance.text)
                                                    : cell_missing());
    if (is_printed)
        table_add(table, cell_words("%s of what it prints: %s", figure->variant.text,
                                    figure->measure.text));
    else
        table_add(table, cell_any_text(figure->variant.text));
}

static enum status fill(struct table_making *making)
{
    struct figure figure;
    for (unsigned row = 0; figures_next(making->recipe->topic, &row, &figure);)
        add_figure(making->table, &figure, &making->measures);
    return STATUS_OK;
}

/* What the tables share, by the topic, the kind of place by which the source is divided and what
   its printed figures are called. The verdict is what a reader looks for, and most figures name
   their instance, so these columns stay longest. */
#define FIGURES_OF(source_topic, place, printed)                                                   \
    .columns =                                                                                     \
        place " | figure | " printed ": | measured: | unit | verdict | why ~3 | instance ~1 | "    \
              "how ~2",                                                                            \
    .source = TABLE_OF_MEASURES, .topic = source_topic, .fill = fill

const struct table_recipe table_wang2025 = {
    .name = "wang2025",
    .title = "every figure of Wang et al. 2025: published beside measured",
    .caption = "Every figure of Wang et al. 2025",
    FIGURES_OF("wang2025", "place", "printed"),
};

const struct table_recipe table_tflite = {
    .name = "tflite",
    .title = "what was found of Pisarchyk and Lee 2020: published beside measured",
    .caption = "Every figure of Pisarchyk and Lee 2020 found",
    FIGURES_OF("tflite", "place", "printed"),
};

const struct table_recipe table_minimalloc_figures = {
    .name = "minimalloc-figures",
    .title = "MiniMalloc's slides, OmniMalloc's plots: published beside measured",
    .caption = "Every figure of MiniMalloc's slides and OmniMalloc's plots",
    FIGURES_OF("minimalloc", "place", "printed"),
};

const struct table_recipe table_patent = {
    .name = "patent",
    .title = "every figure of the patent: published beside measured",
    .caption = "Every figure of the patent on mutually exclusive operators",
    FIGURES_OF("patent", "paragraph", "printed"),
};

const struct table_recipe table_xu2019 = {
    .name = "xu2019",
    .title = "every figure of Xu 2019, chapter 6: published beside measured",
    .caption = "Every figure of Xu 2019, chapter 6",
    FIGURES_OF("xu2019", "place", "printed"),
};

const struct table_recipe table_nnvm = {
    .name = "nnvm",
    .title = "what the NNVM note says of its steps, beside what was measured",
    .caption = "What the NNVM note says of its steps, on small graphs",
    FIGURES_OF("nnvm", "section", "by the note"),
};

const struct table_recipe table_ge = {
    .name = "ge",
    .title = "every figure of the GE article: published beside measured",
    .caption = "Every figure of the GE article",
    FIGURES_OF("ge", "section", "printed"),
};

const struct table_recipe table_orders_published = {
    .name = "orders-published",
    .title = "what papers on the order of operators print: published beside measured",
    .caption = "Loads that papers on the order of operators print",
    FIGURES_OF("orders-published", "source", "printed"),
    .wanted = "orders",
};
