#include "results/tables/reproduced/own_form.h"

#include <string.h>

#include "core/memory.h"
#include "core/names.h"
#include "results/views/figures.h"

/* The figures of one place, with the numbers of their rows and columns. */
struct own_figures {
    struct own_figure {
        struct figure figure;
        uint32_t row, column;
    } * item; /* [count] */
    uint32_t count;
    size_t capacity;
    struct names rows, columns;
};

static void clear(struct own_figures *figures)
{
    memory_free(figures->item);
    names_free(&figures->rows);
    names_free(&figures->columns);
}

/* Whether a place such as "1.1; 7" is or names this one. */
static bool is_at(const char *places, const char *place)
{
    size_t length = strlen(place);
    for (const char *at = places; (at = strstr(at, place)); at++)
        if ((at == places || at[-1] == ' ') && (!at[length] || at[length] == ';'))
            return true;
    return false;
}

/* Finds the number of a name, which is added where it is new. */
static enum status number_name(struct names *names, const char *name, uint32_t *number,
                               struct error *error)
{
    *number = names_find(names, name);
    if (*number != NAMES_NONE)
        return STATUS_OK;
    *number = names->count;
    return names_add(names, name, error);
}

static enum status read_figures(const struct own_form *form, struct own_figures *figures,
                                struct error *error)
{
    struct own_figure item;
    for (unsigned at = 0; figures_next(form->source, &at, &item.figure);) {
        char *colon = NULL, name[sizeof item.figure.figure.text];
        strcpy(name, item.figure.figure.text);
        for (char *next = name; (next = strstr(next, ": ")); next++)
            colon = next;
        if (!colon || !is_at(item.figure.place.text, form->place))
            continue;
        *colon = '\0';
        TRY(number_name(&figures->rows, name, &item.row, error));
        TRY(number_name(&figures->columns, colon + 2, &item.column, error));
        TRY(memory_reserve(&figures->item, &figures->capacity, (size_t)figures->count + 1,
                           sizeof item, error));
        figures->item[figures->count++] = item;
    }
    if (!figures->count)
        return error_set(error, STATUS_INTERNAL, "no figure of '%s' stands in '%s'", form->source,
                         form->place);
    return STATUS_OK;
}

/* The unit of a column's figures, "" where they have several. */
static const char *find_unit(const struct own_figures *figures, uint32_t column)
{
    const char *unit = NULL;
    for (uint32_t i = 0; i < figures->count; i++)
        if (figures->item[i].column == column) {
            if (unit && strcmp(unit, figures->item[i].figure.unit.text) != 0)
                return "";
            unit = figures->item[i].figure.unit.text;
        }
    return strcmp(unit, FIGURES_SET) == 0 ? "" : unit;
}

/* How often each verdict was given: "agrees", or "agrees: 2; differs: 1". */
static void append_verdicts(const unsigned count[FIGURE_OUTCOMES], unsigned all, struct text *text)
{
    for (unsigned v = 0; v < FIGURE_OUTCOMES; v++)
        if (count[v] == all)
            text_append(text, "%s", figures_verdict_name(v));
        else if (count[v])
            text_append(text, "%s%s: %u", text->length ? "; " : "", figures_verdict_name(v),
                        count[v]);
}

/* Adds a figure as printed, with its unit where the column has none. */
static void add_printed(struct table *table, const struct figure *figure, bool with_unit)
{
    bool shows = with_unit && strcmp(figure->unit.text, FIGURES_SET) != 0;
    table_add(table,
              cell_words("%.80s%s%.20s", figure->printed.text,
                         shows && *figure->unit.text ? " " : "", shows ? figure->unit.text : ""));
}

/* Adds a row as printed, and one of what was measured if there is anything. */
static void add_row(const struct own_figures *figures, const struct measure_set *set, uint32_t row,
                    struct table *table)
{
    SCOPED(text_free) struct text verdicts = {0};
    unsigned count[FIGURE_OUTCOMES] = {0}, all = 0, measures = 0;
    for (uint32_t i = 0; i < figures->count; i++) {
        const struct own_figure *item = &figures->item[i];
        int64_t measured;
        if (item->row == row) {
            count[figures_judge(&item->figure, set, &measured)]++;
            all++;
            measures += *item->figure.measure.text != '\0';
        }
    }
    append_verdicts(count, all, &verdicts);
    for (int here = 0; here <= (measures > 0); here++) {
        table_add(table, cell_text(names_get(&figures->rows, row)),
                  cell_text(here ? "here" : "printed"));
        for (uint32_t c = 0; c < figures->columns.count; c++) {
            const struct figure *figure = NULL;
            int64_t measured;
            for (uint32_t i = 0; i < figures->count; i++)
                if (figures->item[i].row == row && figures->item[i].column == c)
                    figure = &figures->item[i].figure;
            if (!figure)
                table_add(table, cell_missing());
            else if (!here)
                add_printed(table, figure, !*find_unit(figures, c));
            else if (!*figure->measure.text ||
                     figures_judge(figure, set, &measured) == FIGURE_NOT_MEASURED)
                table_add(table, cell_missing());
            else
                table_add(table, figures_cell(figure, measured));
        }
        table_add(table, here ? cell_missing() : cell_any_text(verdicts.bytes));
    }
}

enum status own_form_make(const struct own_form *form, const struct measure_set *set,
                          struct table *table, struct error *error)
{
    SCOPED(clear) struct own_figures figures = {0};
    TRY(read_figures(form, &figures, error));
    table_set_title(table, form->caption);
    table_add_column(table, form->heading, "", TABLE_LEFT);
    table_add_column(table, "what", "", TABLE_LEFT);
    for (uint32_t c = 0; c < figures.columns.count; c++)
        table_add_column(table, names_get(&figures.columns, c), find_unit(&figures, c),
                         TABLE_RIGHT);
    table_add_column(table, "verdict", "", TABLE_LEFT);
    for (uint32_t row = 0; row < figures.rows.count; row++)
        add_row(&figures, set, row, table);
    return table_check(table, error);
}
