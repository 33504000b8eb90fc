/* Everything that the sources in results/published/ print stands in a table, in a row that says
   what became of it. */
#include <string.h>

#include "core/embedded.h"
#include "core/text.h"
#include "made_up.h"
#include "results/tables/tables.h"
#include "results/views/figures.h"
#include "support/testing.h"

extern const struct embedded_file published_files[];
extern const unsigned published_files_count;

enum { MOST_TABLES = 64 };

struct shown {
    struct table table[MOST_TABLES];
    unsigned count;
};

static bool row_shows(const struct table *table, uint32_t row, const char *printed)
{
    for (uint32_t c = 0; c < table->headings.count; c++)
        if (strcmp(table_raw(table, row, c), printed) == 0)
            return true;
    return false;
}

/* Made-up results contradict what kind of figure some are said to be, so that a difference may be
   unexplained here; tests/cli/reproduce_sources.sh asks for verdicts where they are measured. */
static bool row_has_verdict(const struct table *table, uint32_t row)
{
    for (uint32_t c = 0; c < table->headings.count; c++)
        for (enum figure_verdict v = 0; v <= FIGURE_UNEXPLAINED; v++)
            if (strcmp(names_get(&table->headings, c), "verdict") == 0 &&
                strcmp(table_raw(table, row, c), figures_verdict_name(v)) == 0)
                return true;
    return false;
}

/* A row that shows all of these keys. */
struct wanted {
    char (*key)[MADE_UP_FIELD];
    unsigned keys;
    bool judged;
};

static bool is_wanted(const struct table *table, uint32_t row, const struct wanted *wanted)
{
    for (unsigned k = 0; k < wanted->keys; k++)
        if (!row_shows(table, row, wanted->key[k]))
            return false;
    return !wanted->judged || row_has_verdict(table, row);
}

static bool is_shown(const struct shown *shown, const struct wanted *wanted, const char *printed)
{
    for (unsigned t = 0; t < shown->count; t++) {
        const struct table *table = &shown->table[t];
        for (uint32_t row = 0; row < table_rows(table); row++)
            if (is_wanted(table, row, wanted) && row_shows(table, row, printed))
                return true;
    }
    return false;
}

/* How sources are laid out, told by their first heading. */
static const struct layout {
    const char *heading;
    unsigned keys, figures; /* columns; the figures are behind the keys */
    bool is_ours;           /* counted here, so that there is nothing to be held against */
} layouts[] = {
    {"place", 2, 1, false}, /* results/views/figures.h */
    {"part", 2, 1, true},
};

static const struct layout *find_layout(const char *heading)
{
    for (unsigned i = 0; i < sizeof layouts / sizeof *layouts; i++)
        if (strcmp(layouts[i].heading, heading) == 0)
            return &layouts[i];
    printf("\n    no layout begins with %s\n", heading);
    CU_FAIL_FATAL("unknown layout");
    return NULL;
}

/* Blanks are not printed. */
static unsigned check_source(const struct shown *shown, const struct embedded_file *file)
{
    struct text text = {.bytes = (char *)file->bytes, .length = file->length};
    struct text_line line = {0};
    char field[MADE_UP_FIELDS][MADE_UP_FIELD];
    const struct layout *layout = NULL;
    unsigned rows = 0;
    while (text_next_line(&text, &line)) {
        if (!line.length || *line.start == '#')
            continue;
        unsigned count = made_up_split(&line, field);
        if (!rows++) {
            layout = find_layout(field[0]);
            continue;
        }
        const struct wanted wanted = {field, layout->keys, !layout->is_ours};
        for (unsigned i = layout->keys; i < count && i < layout->keys + layout->figures; i++) {
            bool found = !*field[i] || is_shown(shown, &wanted, field[i]);
            if (!found)
                printf("\n    %s, %s: %s is in no table\n", field[0], field[1], field[i]);
            CU_ASSERT(found);
        }
    }
    return rows;
}

static void every_cell_is_shown(void)
{
    struct shown shown = {.count = tables_count()};
    made_up_fill(the_store);
    CU_ASSERT_FATAL(shown.count <= MOST_TABLES);
    for (unsigned i = 0; i < shown.count; i++)
        if (tables_at(i)->subject != TABLE_OF_INSTANCE)
            CU_ASSERT_EQUAL_FATAL(
                table_recipe_make(tables_at(i), the_store, NULL, &shown.table[i], &the_error),
                STATUS_OK);
    CU_ASSERT(published_files_count > 5);
    for (unsigned i = 0; i < published_files_count; i++)
        CU_ASSERT(check_source(&shown, &published_files[i]) > 2);
    /* What is not printed, or for another network, is not found. */
    static char keys[2][2][MADE_UP_FIELD] = {{"Table 6.4", "Resnet18: top5 before"},
                                             {"Table 6.4", "Vgg16: top5 before"}};
    const struct wanted resnet = {keys[0], 2, true}, vgg = {keys[1], 2, true};
    CU_ASSERT_TRUE(is_shown(&shown, &resnet, "87.46"));
    CU_ASSERT_FALSE(is_shown(&shown, &resnet, "87.45"));
    CU_ASSERT_FALSE(is_shown(&shown, &vgg, "87.46"));
    for (unsigned i = 0; i < shown.count; i++)
        table_free(&shown.table[i]);
}

static const struct test_case cases[] = {
    {"every printed figure is shown with a verdict", every_cell_is_shown},
};
MADE_UP_MAIN("results/published_cells", cases)
