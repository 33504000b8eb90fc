#include "results/tables/tables.h"
#include "support/must.h"

#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "made_up.h"

/* Appends a table as Markdown, or the error of one that cannot be made. */
static void append_table(const char *name, const struct result_choice *choice, struct text *text)
{
    SCOPED(table_free) struct table table = {0};
    enum status status = tables_build(name, the_store, choice, &table, &error);
    text_append(text, "\n# %s\n\n", name);
    if (status)
        text_append(text, "error %d: %s\n", (int)status, error.text);
    else
        must(table_write(&table, "md", text, &error));
}

/* Appends the table that a line "NAME,SUBJECT ..." asks for. */
static void append_asked(const struct text_line *line, struct text *text)
{
    char field[MADE_UP_FIELDS][MADE_UP_FIELD];
    SCOPED(names_free) struct names subject = {0};
    CU_ASSERT_EQUAL_FATAL(made_up_split(line, field), 2);
    text_append(text, "%s%s", *field[1] ? "\nAbout " : "", field[1]);
    for (char *save, *word = strtok_r(field[1], " ", &save); word;
         word = strtok_r(NULL, " ", &save))
        CU_ASSERT_EQUAL_FATAL(names_add(&subject, word, &the_error), STATUS_OK);
    append_table(field[0], &(struct result_choice){.subject = subject.count ? &subject : NULL},
                 text);
}

/* The tables that the block "table" of a case names are as tests/results/cases/NAME.md says. */
static void check_case(const char *name)
{
    struct text rows = {0}, text = {0};
    struct text_line line = {0};
    char golden[64];
    bool asked = false;
    made_up_begin();
    made_up_load(the_store, name, &rows);
    while (text_next_line(&rows, &line)) {
        if (asked)
            append_asked(&line, &text);
        asked |= strncmp(line.start, "table,", 6) == 0;
    }
    snprintf(golden, sizeof golden, "%s.md", name);
    made_up_compare(golden, &text);
    text_free(&rows);
    text_free(&text);
    made_up_end();
}

static void cases_of_their_own(void)
{
    static const char *const names[] = {"field",     "equal", "growth", "failures",
                                        "unbounded", "ge",    "large",  "shapes"};
    made_up_end();
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        check_case(names[i]);
    made_up_begin();
}

/* The first rows of those that are long. */
static void every_table(void)
{
    SCOPED(text_free) struct text text = {0};
    made_up_fill(the_store);
    for (unsigned i = 0; i < tables_count(); i++)
        if (tables_at(i)->source != TABLE_OF_ITS_OWN && !tables_at(i)->shown &&
            tables_at(i)->subject != TABLE_OF_INSTANCE)
            append_table(tables_at(i)->name, &(struct result_choice){.top = 40}, &text);
    made_up_compare("everything.md", &text);
}

/* Without a store, and whole numbers all of them. */
static void reliability(void)
{
    static const struct {
        const char *part, *counted;
        uint64_t least;
    } sums[] = {{"kill", "kills", 500}, {"differential", "problems", 10000}};
    SCOPED(table_free) struct table table = {0};
    CU_ASSERT_EQUAL_FATAL(tables_build("reliability", NULL, NULL, &table, &the_error), STATUS_OK);
    for (int i = 0; i < 2; i++) {
        uint32_t row = 0;
        while (row < table_rows(&table) &&
               (strcmp(table_raw(&table, row, 0), sums[i].part) != 0 ||
                strcmp(table_raw(&table, row, 1), sums[i].counted) != 0))
            row++;
        CU_ASSERT_FATAL(row < table_rows(&table));
        CU_ASSERT(strtoull(table_raw(&table, row, 2), NULL, 10) >= sums[i].least);
        CU_ASSERT(strtoull(table_raw(&table, row, 3), NULL, 10) >= 1);
    }
}

static void without_results_there_is_no_table(void)
{
    for (unsigned i = 0; i < tables_count(); i++) {
        SCOPED(table_free) struct table table = {0};
        CU_ASSERT_EQUAL(table_recipe_make(tables_at(i), the_store, NULL, &table, &the_error),
                        tables_at(i)->source == TABLE_OF_ITS_OWN ? STATUS_OK : STATUS_NO);
        CU_ASSERT_PTR_EQUAL(tables_find(tables_at(i)->name), tables_at(i));
    }
    struct table table = {0};
    CU_ASSERT_EQUAL(tables_build("nothing", the_store, NULL, &table, &the_error), STATUS_USAGE);
}

static bool fits(const struct text *text)
{
    struct text_line line = {0};
    size_t width = 0;
    while (text_next_line(text, &line)) {
        size_t letters = 0;
        for (size_t i = 0; i < line.length; i++)
            letters += ((unsigned char)line.start[i] & 0xc0) != 0x80;
        width = letters > width ? letters : width;
    }
    return width <= 120;
}

/* Of a database with so many planners that the tables of columns are wide. */
static void text_fits_a_page(void)
{
    char path[64], planner[32];
    struct store *store = made_up_open(path);
    made_up_fill(store);
    for (unsigned i = 0; i < 40; i++) {
        snprintf(planner, sizeof planner, "planner_with_a_name_%u", i);
        made_up_write(store, made_up_row("zoo/resnet50", "flat", planner, 1250000 + i));
    }
    for (unsigned i = 0; i < tables_count(); i++) {
        SCOPED(table_free) struct table table = {0};
        SCOPED(text_free) struct text text = {0};
        if (tables_at(i)->subject == TABLE_OF_INSTANCE)
            continue;
        must(tables_build(tables_at(i)->name, store, NULL, &table, &error));
        must(table_write(&table, "text", &text, &error));
        CU_ASSERT_TRUE(fits(&text));
    }
    made_up_remove(store, path);
}

static void no_memory_leaks_nothing(void)
{
    SCOPED(names_free) struct names subject = {0};
    struct error ignored;
    made_up_fill(the_store);
    CU_ASSERT_EQUAL_FATAL(names_add(&subject, "luna/denoise", &ignored), STATUS_OK);
    uint64_t before = memory_live_blocks();
    for (unsigned i = 0; i < tables_count(); i += TESTING_COUNT(1, 4)) {
        const struct result_choice choice = {
            .subject = tables_at(i)->subject == TABLE_OF_INSTANCE ? &subject : NULL};
        for (uint64_t allowed = 0, done = 0; !done; allowed += 1 + allowed / TESTING_COUNT(16, 2)) {
            struct table table = {0};
            memory_fail_after(allowed);
            done = table_recipe_make(tables_at(i), the_store, &choice, &table, &error) == STATUS_OK;
            memory_fail_after(UINT64_MAX);
            CU_ASSERT_FATAL(done || error.status == STATUS_INTERNAL);
            table_free(&table);
            CU_ASSERT_EQUAL(memory_live_blocks(), before);
        }
    }
}

static const struct test_case cases[] = {
    {"every table", every_table},
    {"cases of their own", cases_of_their_own},
    {"reliability", reliability},
    {"without results there is no table", without_results_there_is_no_table},
    {"text fits a page", text_fits_a_page},
    {"no memory leaks nothing", no_memory_leaks_nothing},
};
MADE_UP_MAIN("results/tables", cases)
