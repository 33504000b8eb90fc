/* Tables of all that a source prints, in its order: each figure beside the measured one, with what
   became of it. A source is a file of results/published/ that results/views/figures.h reads. */

#include "results/views/figures.h"

#include <stdio.h>
#include <string.h>

#include "results/store/measures.h"
#include "results/table/recipe.h"

struct source {
    const char *name, *title; /* of the file, and of the table */
    const char *place;        /* the kind of place by which the source is divided */
    const char *printed; /* the text for printed figures where the source prints none, or NULL */
    const char *wanted;  /* the reproduction that measures it */
};

enum { INSTANCE = 5, HOW = 6 }; /* columns */

static void add_columns(struct table *table, const struct source *source)
{
    table_set_title(table, source->title);
    table_add_column(table, source->place, "", TABLE_LEFT);
    table_add_column(table, "figure", "", TABLE_LEFT);
    table_add_column(table, source->printed ? source->printed : "printed", "", TABLE_RIGHT);
    table_add_column(table, "measured", "", TABLE_RIGHT);
    table_add_column(table, "unit", "", TABLE_LEFT);
    table_add_column(table, "instance", "", TABLE_LEFT);
    table_add_column(table, "how", "", TABLE_LEFT);
    table_add_column(table, "verdict", "", TABLE_LEFT);
    /* The verdict is what a reader looks for, and most figures name their instance. */
    table_rank_column(table, INSTANCE, 1);
    table_rank_column(table, HOW, 2);
}

static void add_verdict(struct table *table, const struct figure *figure,
                        enum figure_verdict verdict)
{
    static const char *const words[FIGURE_VERDICTS] = {"agrees", "differs", "differs",
                                                       "not reproducible", "not measured"};
    char text[2 * sizeof figure->reason.text];
    bool explained = *figure->reason.text && verdict != FIGURE_NOT_MEASURED;
    snprintf(text, sizeof text, "%s%s%s", words[verdict], explained ? ": " : "",
             explained ? figure->reason.text : "");
    table_add_text(table, text);
}

/* Adds a set of numbers as "1 3 4 5". */
static void add_set(struct table *table, int64_t set)
{
    char text[200] = "";
    for (int member = 0; member < 63; member++)
        if (set >> member & 1) {
            size_t length = strlen(text);
            snprintf(text + length, sizeof text - length, "%s%d", length ? " " : "", member);
        }
    table_add_text(table, text);
}

static void add_measured(struct table *table, const struct figure *figure, int64_t measured)
{
    if (strcmp(figure->unit.text, FIGURES_SET) == 0) {
        add_set(table, measured);
        return;
    }
    struct figure_number number = figures_scale(figure, measured);
    table_add_real(table, number.value, number.decimals);
}

static void add_figure(struct table *table, const struct figure *figure,
                       const struct measure_set *set)
{
    int64_t measured = 0;
    enum figure_verdict verdict = figures_judge(figure, set, &measured);
    table_add_text(table, figure->place.text);
    table_add_text(table, figure->figure.text);
    table_add_text(table, figure->printed.text);
    if (verdict == FIGURE_NOT_REPRODUCIBLE || verdict == FIGURE_NOT_MEASURED)
        table_add_missing(table);
    else
        add_measured(table, figure, measured);
    table_add_any_text(table, figure->unit.text);
    if (*figure->instance.text)
        table_add_instance(table, figure->instance.text);
    else
        table_add_missing(table);
    table_add_any_text(table, figure->variant.text);
    add_verdict(table, figure, verdict);
}

static void add_notes(struct table *table, const unsigned *count)
{
    table_add_note(table,
                   "Figures that agree to the digits printed, rounded or cut off: %u; that differ: "
                   "%u; that are not reproducible: %u.",
                   count[FIGURE_AGREES], count[FIGURE_DIFFERS] + count[FIGURE_UNEXPLAINED],
                   count[FIGURE_NOT_REPRODUCIBLE]);
    if (count[FIGURE_NOT_MEASURED])
        table_add_note(table, "%u were not measured in this run.", count[FIGURE_NOT_MEASURED]);
}

static enum status build_figures(const struct source *source, struct store *store,
                                 const struct result_choice *choice, struct table *table,
                                 struct error *error)
{
    struct measure_set set = {0};
    struct figure figure;
    unsigned count[FIGURE_VERDICTS];
    TRY(measures_read(store, choice, source->name, &set, error));
    if (!set.count)
        return error_set(error, STATUS_NO,
                         "no results for this table, expected those of memplan reproduce %s",
                         source->wanted);
    add_columns(table, source);
    for (unsigned row = 0; figures_next(source->name, &row, &figure);)
        add_figure(table, &figure, &set);
    figures_count(source->name, &set, count);
    add_notes(table, count);
    measures_free(&set);
    return table_check(table, error);
}

static enum status build_ge(struct store *store, const struct result_choice *choice,
                            struct table *table, struct error *error)
{
    static const struct source source = {.name = "ge",
                                         .title = "Every figure of the GE article",
                                         .place = "section",
                                         .wanted = "ge"};
    return build_figures(&source, store, choice, table, error);
}

static enum status build_wang2025(struct store *store, const struct result_choice *choice,
                                  struct table *table, struct error *error)
{
    static const struct source source = {.name = "wang2025",
                                         .title = "Every figure of Wang et al. 2025",
                                         .place = "place",
                                         .wanted = "wang2025"};
    return build_figures(&source, store, choice, table, error);
}

static enum status build_patent(struct store *store, const struct result_choice *choice,
                                struct table *table, struct error *error)
{
    static const struct source source = {
        .name = "patent",
        .title = "Every figure of the patent on mutually exclusive operators",
        .place = "paragraph",
        .wanted = "patent"};
    return build_figures(&source, store, choice, table, error);
}

static enum status build_tflite(struct store *store, const struct result_choice *choice,
                                struct table *table, struct error *error)
{
    static const struct source source = {.name = "tflite",
                                         .title = "Every figure of Pisarchyk and Lee 2020 found",
                                         .place = "place",
                                         .wanted = "tflite"};
    return build_figures(&source, store, choice, table, error);
}

static enum status build_minimalloc(struct store *store, const struct result_choice *choice,
                                    struct table *table, struct error *error)
{
    static const struct source source = {
        .name = "minimalloc",
        .title = "Every figure of MiniMalloc's slides and OmniMalloc's plots",
        .place = "place",
        .wanted = "minimalloc"};
    return build_figures(&source, store, choice, table, error);
}

static enum status build_xu2019(struct store *store, const struct result_choice *choice,
                                struct table *table, struct error *error)
{
    static const struct source source = {.name = "xu2019",
                                         .title = "Every figure of Xu 2019, chapter 6",
                                         .place = "place",
                                         .wanted = "xu2019"};
    return build_figures(&source, store, choice, table, error);
}

static enum status build_nnvm(struct store *store, const struct result_choice *choice,
                              struct table *table, struct error *error)
{
    static const struct source source = {
        .name = "nnvm",
        .title = "What the NNVM note says of its steps, on small graphs",
        .place = "section",
        .printed = "by the note",
        .wanted = "nnvm"};
    return build_figures(&source, store, choice, table, error);
}

static enum status build_orders(struct store *store, const struct result_choice *choice,
                                struct table *table, struct error *error)
{
    static const struct source source = {.name = "orders-published",
                                         .title =
                                             "Loads that papers on the order of operators print",
                                         .place = "source",
                                         .wanted = "orders"};
    return build_figures(&source, store, choice, table, error);
}

const struct table_recipe table_wang2025 = {
    .name = "wang2025",
    .title = "every figure of Wang et al. 2025: published beside measured",
    .build = build_wang2025,
};
const struct table_recipe table_tflite = {
    .name = "tflite",
    .title = "what was found of Pisarchyk and Lee 2020: published beside measured",
    .build = build_tflite,
};
const struct table_recipe table_minimalloc_figures = {
    .name = "minimalloc-figures",
    .title = "MiniMalloc's slides, OmniMalloc's plots: published beside measured",
    .build = build_minimalloc,
};
const struct table_recipe table_patent = {
    .name = "patent",
    .title = "every figure of the patent: published beside measured",
    .build = build_patent,
};
const struct table_recipe table_xu2019 = {
    .name = "xu2019",
    .title = "every figure of Xu 2019, chapter 6: published beside measured",
    .build = build_xu2019,
};
const struct table_recipe table_nnvm = {
    .name = "nnvm",
    .title = "what the NNVM note says of its steps, beside what was measured",
    .build = build_nnvm,
};
const struct table_recipe table_ge = {
    .name = "ge",
    .title = "every figure of the GE article: published beside measured",
    .build = build_ge,
};
const struct table_recipe table_orders_published = {
    .name = "orders-published",
    .title = "what papers on the order of operators print: published beside measured",
    .build = build_orders,
};
