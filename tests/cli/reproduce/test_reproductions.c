/* Every name in the rows of cli/reproduce/reproductions.def exists: a wrong one would be noticed
   only when that reproduction, which may take minutes, is run. */
#include <stdio.h>
#include <string.h>

#include "cli/arguments/select.h"
#include "cli/reproduce/reproduction.h"
#include "core/embedded.h"
#include "core/memory.h"
#include "datasets/suite.h"
#include "plots/figures/plots.h"
#include "results/tables/tables.h"
#include "results/views/figures.h"
#include "support/must.h"
#include "support/testing.h"

extern const struct embedded_file source_pages[];
extern const unsigned source_pages_count;

static void test_suites(void)
{
    for (uint32_t i = 0; i < reproduction_count(); i++)
        if (reproduction_at(i)->suite)
            CU_ASSERT_PTR_NOT_NULL(suite_find(reproduction_at(i)->suite));
}

/* A reproduction without a suite only concludes from others; they stand before it. */
static void test_what_others_build_on(void)
{
    for (uint32_t i = 0; i < reproduction_count(); i++) {
        const struct reproduction *row = reproduction_at(i);
        CU_ASSERT(row->suite || (row->builds_on && row->conclude));
        for (const char *const *name = row->builds_on; name && *name; name++) {
            uint32_t k = 0;
            while (k < i && strcmp(reproduction_at(k)->name, *name) != 0)
                k++;
            CU_ASSERT(k < i);
        }
    }
}

static void test_tables_and_plots(void)
{
    for (uint32_t i = 0; i < reproduction_count(); i++) {
        const struct reproduction *row = reproduction_at(i);
        for (const char *const *name = row->tables; name && *name; name++)
            CU_ASSERT_PTR_NOT_NULL(tables_find(*name));
        for (const char *const *name = row->plots; name && *name; name++)
            CU_ASSERT_PTR_NOT_NULL(plots_find(*name));
    }
}

/* How often the pages say that this is to be shown. */
static unsigned count_shown(const char *name)
{
    char mark[120];
    unsigned count = 0;
    snprintf(mark, sizeof mark, "<!-- show %s -->", name);
    for (unsigned i = 0; i < source_pages_count; i++)
        for (const char *at = source_pages[i].bytes; (at = strstr(at, mark)); at++)
            count++;
    return count;
}

/* Every table and figure that belongs to a source is on its page, once; the verdicts, which are a
   source's first table, stand at its end without being asked for. */
static void test_pages(void)
{
    for (uint32_t i = 0; i < reproduction_count(); i++) {
        const struct reproduction *row = reproduction_at(i);
        const char *const *const lists[] = {row->tables, row->plots, row->figures};
        CU_ASSERT(!row->page ||
                  embedded_find(source_pages, source_pages_count, "", row->page, ".html"));
        CU_ASSERT(!row->source || row->page);
        CU_ASSERT_EQUAL(row->figures != NULL, row->illustrate != NULL);
        for (unsigned k = 0; k < 3; k++)
            for (const char *const *name = lists[k] + (k == 0 && row->source); lists[k] && *name;
                 name++)
                CU_ASSERT_EQUAL(count_shown(*name), !row->is_apart);
    }
}

static void test_sources(void)
{
    struct figure figure;
    for (uint32_t i = 0; i < reproduction_count(); i++) {
        unsigned row = 0;
        if (reproduction_at(i)->source)
            CU_ASSERT_TRUE(figures_next(reproduction_at(i)->source, &row, &figure));
    }
}

static void test_planners_and_policies(void)
{
    SCOPED(registry_clear) struct registry registry = {0};
    for (uint32_t i = 0; i < reproduction_count(); i++) {
        const struct reproduction *row = reproduction_at(i);
        SCOPED(planner_list_clear) struct planner_list planners = {0};
        SCOPED(memory_release) const struct policy **policies = NULL;
        uint32_t count;
        must(select_planners(&registry, row->planners, &planners, &error));
        must(select_policies(row->policies, &policies, &count, &error));
    }
}

static void test_names(void)
{
    CU_ASSERT_TRUE(reproduction_count() > 0);
    for (uint32_t i = 0; i < reproduction_count(); i++)
        for (uint32_t k = 0; k < i; k++)
            CU_ASSERT_STRING_NOT_EQUAL(reproduction_at(i)->name, reproduction_at(k)->name);
}

static const struct test_case cases[] = {
    {"every suite exists", test_suites},
    {"what others build on stands before them", test_what_others_build_on},
    {"every table and plot exists", test_tables_and_plots},
    {"every source has figures", test_sources},
    {"every table and figure is on one page", test_pages},
    {"every planner and policy exists", test_planners_and_policies},
    {"no name stands twice", test_names},
};

TESTING_MAIN("cli/reproductions", cases)
