#include "results/tables/reproduced/own_form.h"

#include <string.h>

#include "core/memory.h"
#include "results/views/figures.h"

/* The lines of a row: as printed; what was measured; what follows from other printed figures. */
enum own_line { LINE_PRINTED, LINE_HERE, LINE_ARITHMETIC, LINES };
static const char *const lines[LINES] = {"printed", "here", "arithmetic"};

/* The figures of one place, with the numbers of their rows and columns. */
struct own_figures {
    struct own_figure {
        struct figure figure;
        uint32_t row, column;
        enum own_line line; /* of what it was held against; LINE_PRINTED for nothing */
        enum figure_verdict verdict;
        int64_t measured;
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

static enum status read_figures(const struct own_form *form, const struct measure_set *set,
                                struct own_figures *figures, struct error *error)
{
    struct own_figure item = {.measured = 0};
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
        bool is_computed = strcmp(item.figure.instance.text, FIGURES_PRINTED) == 0;
        item.line = !*item.figure.measure.text ? LINE_PRINTED
                    : is_computed              ? LINE_ARITHMETIC
                                               : LINE_HERE;
        item.verdict = figures_judge(&item.figure, set, &item.measured);
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

/* How often each verdict was given to `all` figures: "agrees", or "agrees: 2; differs: 1". */
static void append_verdicts(const unsigned count[FIGURE_OUTCOMES], unsigned all, struct text *text)
{
    for (unsigned v = 0; v < FIGURE_OUTCOMES; v++)
        if (count[v] && count[v] == all)
            text_append(text, "%s", figures_verdict_name(v));
        else if (count[v])
            text_append(text, "%s%s: %u", text->length ? "; " : "", figures_verdict_name(v),
                        count[v]);
}

/* A figure as printed or as measured, with its unit where the column has none. */
static struct cell get_cell(const struct own_figure *item, enum own_line line, bool with_unit)
{
    const char *unit = item->figure.unit.text;
    bool shows = with_unit && *unit && strcmp(unit, FIGURES_SET) != 0;
    const struct cell cell = line == LINE_PRINTED ? cell_words("%.80s", item->figure.printed.text)
                                                  : figures_cell(&item->figure, item->measured);
    if (!shows)
        return cell;
    return line == LINE_PRINTED ? cell_words("%s %.20s", cell.words, unit)
                                : cell_words("%.*f %.20s", (int)cell.decimals, cell.real, unit);
}

static const struct own_figure *find_item(const struct own_figures *figures, uint32_t row,
                                          uint32_t column)
{
    for (uint32_t i = 0; i < figures->count; i++)
        if (figures->item[i].row == row && figures->item[i].column == column)
            return &figures->item[i];
    return NULL;
}

/* Adds one of the lines of a row, unless it has no figures: those as printed, or what stands below
   them, with the verdicts of what it was held against. */
static void add_line(const struct own_figures *figures, uint32_t row, enum own_line line,
                     struct table *table)
{
    SCOPED(text_free) struct text verdicts = {0};
    unsigned count[FIGURE_OUTCOMES] = {0}, all = 0;
    for (uint32_t i = 0; i < figures->count; i++)
        if (figures->item[i].row == row && figures->item[i].line == line) {
            count[figures->item[i].verdict]++;
            all++;
        }
    if (line != LINE_PRINTED && !all)
        return;
    table_add(table, cell_text(names_get(&figures->rows, row)), cell_text(lines[line]));
    for (uint32_t c = 0; c < figures->columns.count; c++) {
        const struct own_figure *item = find_item(figures, row, c);
        bool is_here = item && item->line == line && item->verdict != FIGURE_NOT_MEASURED;
        table_add(table, item && (line == LINE_PRINTED || is_here)
                             ? get_cell(item, line, !*find_unit(figures, c))
                             : cell_missing());
    }
    append_verdicts(count, all, &verdicts);
    table->failed |= verdicts.failed;
    table_add(table, cell_any_text(verdicts.length ? verdicts.bytes : ""));
}

enum status own_form_make(const struct own_form *form, const struct measure_set *set,
                          struct table *table, struct error *error)
{
    SCOPED(clear) struct own_figures figures = {0};
    TRY(read_figures(form, set, &figures, error));
    table_set_title(table, form->caption);
    table_add_column(table, form->heading, "", TABLE_LEFT);
    table_add_column(table, "what", "", TABLE_LEFT);
    for (uint32_t c = 0; c < figures.columns.count; c++)
        table_add_column(table, names_get(&figures.columns, c), find_unit(&figures, c),
                         TABLE_RIGHT);
    table_add_column(table, "verdict", "", TABLE_LEFT);
    for (uint32_t row = 0; row < figures.rows.count; row++)
        for (enum own_line line = 0; line < LINES; line++)
            add_line(&figures, row, line, table);
    return table_check(table, error);
}
