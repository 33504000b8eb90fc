#include "results/tables/tables.h"

#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "made_up.h"
#include "results/store/measures.h"
#include "support/testing.h"

/* The raw text of the cell in the row that starts with these texts, "" where there is none. */
static const char *look_up(const struct table *table, const char *first, const char *second,
                           const char *heading, unsigned skip)
{
    for (uint32_t row = 0; row < table_rows(table); row++) {
        if (strcmp(table_raw(table, row, 0), first) != 0 ||
            (second && strcmp(table_raw(table, row, 1), second) != 0))
            continue;
        for (uint32_t i = 0; i < table_columns(table); i++)
            if (strcmp(names_get(&table->headings, i), heading) == 0 && !skip--)
                return table_raw(table, row, i);
    }
    return "";
}

static bool has_note(const struct table *table, const char *words)
{
    for (uint32_t i = 0; i < table->notes.count; i++)
        if (strstr(names_get(&table->notes, i), words))
            return true;
    return false;
}

static void build(const char *name, struct store *store, struct table *table)
{
    struct error error = ERROR_NONE;
    CU_ASSERT_EQUAL_FATAL(tables_build(name, store, NULL, table, &error), STATUS_OK);
    CU_ASSERT_EQUAL(table_check(table, &error), STATUS_OK);
}

static void luna_memory(void)
{
    char path[64];
    struct store *store = made_up_open(path);
    struct table table = {0};
    made_up_fill(store);
    build("luna-memory", store, &table);
    CU_ASSERT_EQUAL(table_rows(&table), 20);
    CU_ASSERT_STRING_EQUAL(look_up(&table, "FaceDetect", "naive", "published", 0), "934000");
    CU_ASSERT_STRING_EQUAL(look_up(&table, "FaceDetect", "naive", "measured", 0), "934000");
    CU_ASSERT_STRING_EQUAL(look_up(&table, "Denoise", "sequential", "difference", 0), "0");
    CU_ASSERT_STRING_EQUAL(look_up(&table, "FusionDetect", "naive", "load", 0), "460800");
    CU_ASSERT(has_note(&table, "reconstructions"));
    CU_ASSERT_FALSE(has_note(&table, "not measured"));
    table_free(&table);
    made_up_remove(store, path);
}

static void luna_control_flow(void)
{
    char path[64];
    struct store *store = made_up_open(path);
    struct table table = {0};
    made_up_fill(store);
    build("luna-control-flow", store, &table);
    CU_ASSERT_EQUAL(table_rows(&table), 9);
    CU_ASSERT_STRING_EQUAL(look_up(&table, "Denoise", "large_first", "published", 0), "98340");
    CU_ASSERT_STRING_EQUAL(look_up(&table, "Denoise", "large_first", "measured", 0), "98304");
    CU_ASSERT_STRING_EQUAL(look_up(&table, "Denoise", "large_first", "difference", 0), "-36");
    CU_ASSERT_STRING_EQUAL(look_up(&table, "FusionDetect", "sequential", "measured saving", 0),
                           "28800");
    CU_ASSERT_STRING_EQUAL(look_up(&table, "FusionDetect", "large_first", "published saving", 1),
                           "5.88");
    CU_ASSERT(has_note(&table, "99 840 - 1 536 = 98 304"));
    CU_ASSERT(has_note(&table, "differ from the published ones: 1"));
    table_free(&table);
    made_up_remove(store, path);
}

/* Without the plan before there is no saving, and none is made up. */
static void luna_control_flow_without_flat(void)
{
    char path[64];
    struct store *store = made_up_open(path);
    struct table table = {0};
    made_up_write(store, made_up_row("luna/denoise", "recursive", "large_first", 98304));
    build("luna-control-flow", store, &table);
    CU_ASSERT_STRING_EQUAL(look_up(&table, "Denoise", "large_first", "measured", 0), "98304");
    CU_ASSERT_STRING_EQUAL(look_up(&table, "Denoise", "large_first", "measured saving", 0), "");
    CU_ASSERT_STRING_EQUAL(look_up(&table, "Denoise", "large_first", "measured saving", 1), "");
    table_free(&table);
    made_up_remove(store, path);
}

static void dma_front(void)
{
    char path[64];
    struct store *store = made_up_open(path);
    struct table table = {0};
    struct measure measures[] = {
        {"made-up", "unbounded", "0", "dma-front", "sync", "total_ns", 5, "h", "b", "s"},
        {"made-up", "unbounded", "0", "dma-front", "sync", "on_chip_bytes", 7, "h", "b", "s"}};
    struct error error = ERROR_NONE;
    made_up_fill(store);
    CU_ASSERT_EQUAL(measures_write(store, measures, 2, &error), STATUS_OK);
    build("dma-front", store, &table);
    CU_ASSERT_STRING_EQUAL(look_up(&table, "unbounded", "sync", "on chip", 0), "7");
    CU_ASSERT_STRING_EQUAL(look_up(&table, "unbounded", "sync", "above the bound", 0), "");
    CU_ASSERT_STRING_NOT_EQUAL(look_up(&table, "zoo/alexnet", "sync", "above the bound", 0), "");
    table_free(&table);
    made_up_remove(store, path);
}

static void luna_dma(void)
{
    char path[64];
    struct store *store = made_up_open(path);
    struct table table = {0};
    made_up_fill(store);
    build("luna-dma", store, &table);
    CU_ASSERT_EQUAL(table_rows(&table), 5);
    CU_ASSERT_STRING_EQUAL(look_up(&table, "BodyDetect", "1712.770", "ping-pong", 0), "1702.147");
    CU_ASSERT_STRING_EQUAL(look_up(&table, "BodyDetect", "1712.770", "saving", 0), "0.62");
    CU_ASSERT_STRING_EQUAL(look_up(&table, "BodyDetect", "1712.770", "ring of 3", 0), "");
    CU_ASSERT_STRING_EQUAL(look_up(&table, "FaceAlign", "2411.414", "sync", 0), "2411.415");
    CU_ASSERT(has_note(&table, "does not give to the microsecond: 1."));
    CU_ASSERT(has_note(&table, "1 712.77 ms is printed twice"));
    table_free(&table);
    made_up_remove(store, path);
}

static void dma_orders(void)
{
    char path[64];
    struct store *store = made_up_open(path);
    struct table table = {0};
    made_up_fill(store);
    build("dma-orders", store, &table);
    CU_ASSERT_EQUAL_FATAL(table_rows(&table), 3);
    CU_ASSERT_STRING_EQUAL(table_raw(&table, 0, 1), "fifo");
    CU_ASSERT_STRING_EQUAL(table_raw(&table, 0, 5), "");
    CU_ASSERT_STRING_EQUAL(table_raw(&table, 1, 2), "pingpong");
    CU_ASSERT_STRING_EQUAL(table_raw(&table, 1, 5), "yes");
    CU_ASSERT_STRING_EQUAL(table_raw(&table, 2, 4), "2.000");
    CU_ASSERT_STRING_EQUAL(table_raw(&table, 2, 5), "yes");
    table_free(&table);
    made_up_remove(store, path);
}

static void worked(void)
{
    char path[64];
    struct store *store = made_up_open(path);
    struct table table = {0};
    made_up_fill(store);
    build("worked", store, &table);
    CU_ASSERT_STRING_EQUAL(look_up(&table, "patent/figure4", "problem", "published with reuse", 0),
                           "46 MB");
    CU_ASSERT_STRING_EQUAL(look_up(&table, "patent/figure4", "problem", "glpk", 0), "45000000");
    CU_ASSERT_STRING_EQUAL(look_up(&table, "patent/figure4", "problem", "glpk status", 0),
                           "optimal");
    CU_ASSERT_STRING_EQUAL(look_up(&table, "ge/cnn_block", "", "published without reuse", 0),
                           "7.35 MB");
    CU_ASSERT_STRING_EQUAL(look_up(&table, "ge/cnn_block", "", "naive", 0), "");
    CU_ASSERT(has_note(&table, "Pool to overwrite its own input"));
    CU_ASSERT(has_note(&table, "not measured"));
    table_free(&table);
    made_up_remove(store, path);
}

static void summary(void)
{
    char path[64];
    struct store *store = made_up_open(path);
    struct table table = {0};
    made_up_fill(store);
    build("summary", store, &table);
    CU_ASSERT_STRING_EQUAL(look_up(&table, "zoo/inception_v3", "flat", "peak", 0), "1750000");
    CU_ASSERT_STRING_EQUAL(look_up(&table, "zoo/inception_v3", "flat", "gap", 0), "0.00");
    CU_ASSERT_STRING_EQUAL(look_up(&table, "zoo/inception_v3", "flat", "time", 0), "0.0123");
    CU_ASSERT(has_note(&table, "invalid"));
    table_free(&table);
    made_up_remove(store, path);
}

static void gaps(void)
{
    char path[64];
    struct store *store = made_up_open(path);
    struct table table = {0};
    made_up_fill(store);
    build("gaps", store, &table);
    CU_ASSERT_STRING_EQUAL(look_up(&table, "zoo/alexnet", "flat", "naive", 0), "2000.00");
    CU_ASSERT_STRING_EQUAL(look_up(&table, "zoo/inception_v3", "flat", "glpk", 0), "timeout");
    CU_ASSERT_STRING_EQUAL(look_up(&table, "zoo/mobilenet_v2", "flat", "usmp_hill_climb", 0),
                           "invalid");
    CU_ASSERT_STRING_EQUAL(look_up(&table, "zoo/mobilenet_v2", "flat", "bound", 0), "1500000");
    CU_ASSERT_STRING_EQUAL(look_up(&table, "patent/figure4", "problem", "descent", 0), "");
    CU_ASSERT_EQUAL(table.foot_rows, 3);
    uint32_t means = table_rows(&table) - 2;
    CU_ASSERT_STRING_EQUAL(table_raw(&table, means, 3), "1.0000");
    CU_ASSERT_STRING_EQUAL(table_raw(&table, means, 7), "17.3182");
    CU_ASSERT_STRING_EQUAL(table_raw(&table, means + 1, 6), "1.3534");
    CU_ASSERT_STRING_EQUAL(table_raw(&table, means + 1, 7), "");
    table_free(&table);
    made_up_remove(store, path);
}

static void common_rows_are_counted(void)
{
    char path[64];
    struct store *store = made_up_open(path);
    struct table table = {0};
    const char *const instances[] = {"x", "y", "z"};
    for (int i = 0; i < 3; i++) {
        struct result_row row = made_up_row(instances[i], "flat", "a", 12);
        row.load_bytes = 10;
        made_up_write(store, row);
        row = made_up_row(instances[i], "flat", "b", 11);
        row.load_bytes = 10;
        if (i < 2)
            made_up_write(store, row);
    }
    build("gaps", store, &table);
    CU_ASSERT(has_note(&table, "Common rows are the 2 of 3 where each of 2 planners "));
    table_free(&table);
    made_up_remove(store, path);
}

static void write_failure(struct store *store, const char *instance, const char *status,
                          const char *reason)
{
    struct result_row row = made_up_row(instance, "flat", "p", 0);
    row.status = status;
    row.verdict = row.execution = "";
    row.stop_reason = reason;
    made_up_write(store, row);
}

/* Two reasons that differ in a number and a name are one line; a refused plan comes first. */
static void failures_are_grouped_by_reason(void)
{
    char path[64];
    struct store *store = made_up_open(path);
    struct table table = {0};
    struct result_row row = made_up_row("d", "flat", "q", 5);
    row.verdict = "overlap";
    row.fault = "'a' and 'b' overlap";
    write_failure(store, "a", "timeout", "time limit");
    write_failure(store, "b", "crash", "signal 11 in 'x'");
    write_failure(store, "c", "crash", "signal 6 in 'yz' on path 2: If: else");
    write_failure(store, "e", "crash", "signal");
    write_failure(store, "f", "infeasible", "over the capacity");
    made_up_write(store, row);
    made_up_write(store, made_up_row("g", "flat", "q", 5));
    build("failures", store, &table);
    CU_ASSERT_EQUAL_FATAL(table_rows(&table), 4);
    CU_ASSERT_STRING_EQUAL(table_raw(&table, 0, 0), "refused");
    CU_ASSERT_STRING_EQUAL(table_raw(&table, 0, 3), "'a' and 'b' overlap");
    CU_ASSERT_STRING_EQUAL(table_raw(&table, 1, 0), "crash");
    CU_ASSERT_STRING_EQUAL(table_raw(&table, 1, 2), "2");
    CU_ASSERT_STRING_EQUAL(table_raw(&table, 1, 3), "signal 11 in 'x'");
    CU_ASSERT_STRING_EQUAL(table_raw(&table, 1, 4), "b");
    CU_ASSERT_STRING_EQUAL(table_raw(&table, 2, 4), "e");
    CU_ASSERT_STRING_EQUAL(table_raw(&table, 3, 0), "timeout");
    CU_ASSERT(has_note(&table, "5 of 7 jobs"));
    table_free(&table);
    made_up_remove(store, path);
}

static void the_best_of_a_row_is_marked(void)
{
    char path[64];
    struct store *store = made_up_open(path);
    struct table table = {0};
    struct result_row row = made_up_row("x", "flat", "a", 12);
    row.load_bytes = 10;
    made_up_write(store, row);
    made_up_write(store, made_up_row("x", "flat", "b", 11));
    made_up_write(store, made_up_row("x", "flat", "c", 11));
    row = made_up_row("x", "flat", "d", 10);
    row.execution = "damaged";
    made_up_write(store, row);
    build("gaps", store, &table);
    CU_ASSERT_FALSE(table_cell_at(&table, 0, 3)->marked);
    CU_ASSERT(table_cell_at(&table, 0, 4)->marked);
    CU_ASSERT(table_cell_at(&table, 0, 5)->marked);
    CU_ASSERT_FALSE(table_cell_at(&table, 0, 6)->marked);
    CU_ASSERT_STRING_EQUAL(table_raw(&table, 0, 6), "invalid");
    table_free(&table);
    made_up_remove(store, path);
}

static void write_ge(struct store *store, const char *variant, const char *name, int64_t value)
{
    struct error error = ERROR_NONE;
    struct measure measure = {"r", "i", "0", "ge", variant, name, value, "h", "b", "s"};
    CU_ASSERT_EQUAL_FATAL(measures_write(store, &measure, 1, &error), STATUS_OK);
}

/* An instance of two tensors, the second of which was placed first. */
static void ge_examples(void)
{
    char path[64];
    struct store *store = made_up_open(path);
    struct table table = {0};
    static const struct {
        const char *variant, *name;
        int64_t value;
    } measures[] = {{"lifetimes", "b bytes", 7},       {"lifetimes", "b start", 1},
                    {"lifetimes", "b end", 2},         {"lifetimes", "a bytes", 5},
                    {"lifetimes", "a start", 2},       {"lifetimes", "a end", 2},
                    {"lifetimes", "colours", 2},       {"naive", "step 1 bytes", 7},
                    {"naive", "step 2 bytes", 12},     {"naive", "a address", 4103},
                    {"exact", "peak_bytes", 11},       {"ge_pool_published", "peak_bytes", 6},
                    {"ge_pool_published", "pools", 1}, {"exact", "sound", 1},
                    {"weights", "parameters", 3}};
    for (unsigned i = 0; i < sizeof measures / sizeof *measures; i++)
        write_ge(store, measures[i].variant, measures[i].name, measures[i].value);
    build("ge-steps", store, &table);
    CU_ASSERT_EQUAL(table_rows(&table), 2);
    CU_ASSERT_STRING_EQUAL(table_raw(&table, 0, 2), "b");
    CU_ASSERT_STRING_EQUAL(table_raw(&table, 1, 2), "a");
    CU_ASSERT_STRING_EQUAL(look_up(&table, "i", "2", "allocated", 0), "12");
    CU_ASSERT_STRING_EQUAL(look_up(&table, "i", "2", "naive", 0), "4103");
    table_free(&table);
    table = (struct table){0};
    build("ge-pools", store, &table);
    CU_ASSERT_EQUAL(table_rows(&table), 2);
    CU_ASSERT_STRING_EQUAL(look_up(&table, "i", "exact", "verify, execute", 0), "valid");
    CU_ASSERT_STRING_EQUAL(look_up(&table, "i", "ge_pool_published", "verify, execute", 0),
                           "refused");
    CU_ASSERT_STRING_EQUAL(look_up(&table, "i", "ge_pool_published", "least", 0), "11");
    table_free(&table);
    table = (struct table){0};
    build("ge-models", store, &table);
    CU_ASSERT_EQUAL(table_rows(&table), 0); /* one that is solved is an example */
    table_free(&table);
    made_up_remove(store, path);
}

/* Every figure has a row and a verdict. */
static void figures(void)
{
    char path[64];
    struct store *store = made_up_open(path);
    struct table table = {0};
    made_up_fill(store);
    build("ge", store, &table);
    CU_ASSERT_STRING_EQUAL(look_up(&table, "1.2", "peak before", "printed", 0), "15");
    CU_ASSERT_STRING_EQUAL(look_up(&table, "1.2", "peak before", "measured", 0), "12");
    CU_ASSERT_NSTRING_EQUAL(look_up(&table, "1.2", "peak before", "verdict", 0), "differs: ", 9);
    CU_ASSERT_STRING_EQUAL(look_up(&table, "3.1", "T1: start", "verdict", 0), "differs");
    CU_ASSERT_NSTRING_EQUAL(look_up(&table, "7", "savings to", "verdict", 0),
                            "not reproducible: ", 18);
    CU_ASSERT(has_note(&table, "that are not reproducible: 6"));
    CU_ASSERT_FALSE(has_note(&table, "not measured"));
    table_free(&table);
    made_up_remove(store, path);
}

static void storage_ids(void)
{
    char path[64];
    struct store *store = made_up_open(path);
    struct table table = {0};
    made_up_fill(store);
    build("nnvm-steps", store, &table);
    CU_ASSERT_EQUAL(table_rows(&table), 2);
    CU_ASSERT_STRING_EQUAL(look_up(&table, "nnvm/made-up", "0", "gets", 0), "a new block");
    CU_ASSERT_STRING_EQUAL(look_up(&table, "nnvm/made-up", "2", "gets", 0),
                           "a free block grows from 8 bytes");
    CU_ASSERT_STRING_EQUAL(look_up(&table, "nnvm/made-up", "2", "in its place", 0), "c");
    CU_ASSERT_STRING_EQUAL(look_up(&table, "nnvm/made-up", "2", "nnvm; in place", 0), "0");
    CU_ASSERT_STRING_EQUAL(look_up(&table, "nnvm/made-up", "2", "nnvm", 0), "");
    table_free(&table);
    table = (struct table){0};
    build("nnvm-zoo", store, &table);
    CU_ASSERT_EQUAL(table_rows(&table), 4);
    CU_ASSERT_STRING_EQUAL(look_up(&table, "nnvm/made-up", "16", "runtime", 0), "16");
    table_free(&table);
    made_up_remove(store, path);
}

/* Without a store, and whole numbers all of them. */
static void reliability(void)
{
    struct table table = {0};
    build("reliability", NULL, &table);
    CU_ASSERT(strtoull(look_up(&table, "kill", "kills", "number", 0), NULL, 10) >= 500);
    CU_ASSERT(strtoull(look_up(&table, "differential", "problems", "number", 0), NULL, 10) >=
              10000);
    CU_ASSERT(strtoull(look_up(&table, "kill", "kills", "runs", 0), NULL, 10) >= 1);
    table_free(&table);
}

static void without_results_there_is_no_table(void)
{
    char path[64];
    struct store *store = made_up_open(path);
    struct error error = ERROR_NONE;
    for (unsigned i = 0; i < tables_count(); i++) {
        struct table table = {0};
        CU_ASSERT_EQUAL(table_recipe_make(tables_at(i), store, NULL, &table, &error),
                        tables_at(i)->source == TABLE_OF_ITS_OWN ? STATUS_OK : STATUS_NO);
        CU_ASSERT_PTR_EQUAL(tables_find(tables_at(i)->name), tables_at(i));
        table_free(&table);
    }
    struct table table = {0};
    CU_ASSERT_EQUAL(tables_build("nothing", store, NULL, &table, &error), STATUS_USAGE);
    made_up_remove(store, path);
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
        struct table table = {0};
        struct text text = {0};
        struct error error = ERROR_NONE;
        if (tables_at(i)->subject == TABLE_OF_INSTANCE)
            continue;
        build(tables_at(i)->name, store, &table);
        CU_ASSERT_EQUAL(table_write(&table, "text", &text, &error), STATUS_OK);
        CU_ASSERT_TRUE(fits(&text));
        text_free(&text);
        table_free(&table);
    }
    made_up_remove(store, path);
}

static void no_memory_leaks_nothing(void)
{
    char path[64];
    struct store *store = made_up_open(path);
    struct names subject = {0};
    struct error ignored;
    made_up_fill(store);
    CU_ASSERT_EQUAL_FATAL(names_add(&subject, "luna/denoise", &ignored), STATUS_OK);
    uint64_t before = memory_live_blocks();
    for (unsigned i = 0; i < tables_count(); i++) {
        const struct result_choice choice = {
            .subject = tables_at(i)->subject == TABLE_OF_INSTANCE ? &subject : NULL};
        for (uint64_t allowed = 0, done = 0; !done; allowed += 1 + allowed / 16) {
            struct error error = ERROR_NONE;
            struct table table = {0};
            memory_fail_after(allowed);
            done = table_recipe_make(tables_at(i), store, &choice, &table, &error) == STATUS_OK;
            memory_fail_after(UINT64_MAX);
            CU_ASSERT_FATAL(done || error.status == STATUS_INTERNAL);
            table_free(&table);
            CU_ASSERT_EQUAL(memory_live_blocks(), before);
        }
    }
    names_free(&subject);
    made_up_remove(store, path);
}

/* Only A is among what is known, and its plan is as good. */
static void best_known(void)
{
    char path[64];
    struct store *store = made_up_open(path);
    struct table table = {0};
    made_up_fill(store);
    build("best-known", store, &table);
    CU_ASSERT_EQUAL_FATAL(table_rows(&table), 1);
    CU_ASSERT_STRING_EQUAL(table_raw(&table, 0, 0), "A.1048576");
    for (uint32_t column = 3; column <= 5; column++)
        CU_ASSERT_STRING_EQUAL(table_raw(&table, 0, column), "1048576");
    CU_ASSERT_STRING_EQUAL(table_raw(&table, 0, 6), "glpk");
    CU_ASSERT_STRING_EQUAL(table_raw(&table, 0, 7), "0.00");
    CU_ASSERT_FALSE(table_cell_at(&table, 0, 7)->marked);
    table_free(&table);
    made_up_remove(store, path);
}

static void streams(void)
{
    static const char of[] = "zoo/made_up?streams=2";
    char path[64];
    struct store *store = made_up_open(path);
    struct table table = {0};
    made_up_fill(store);
    build("streams", store, &table);
    CU_ASSERT_EQUAL(table_rows(&table), 2);
    CU_ASSERT_STRING_EQUAL(look_up(&table, of, NULL, "one", 0), "600");
    CU_ASSERT_STRING_EQUAL(look_up(&table, of, NULL, "streams", 0), "1000");
    CU_ASSERT_STRING_EQUAL(look_up(&table, of, NULL, "serialised", 0), "0.60*");
    CU_ASSERT_STRING_EQUAL(look_up(&table, of, NULL, "launch_order", 0), "(0.55)");
    CU_ASSERT_STRING_EQUAL(look_up(&table, of, NULL, "waves", 0), "");
    CU_ASSERT_STRING_EQUAL(look_up(&table, "geometric mean", NULL, "serialised", 0), "0.60");
    CU_ASSERT_STRING_EQUAL(look_up(&table, "geometric mean", NULL, "launch_order", 0), "");
    table_free(&table);
    build("streams-time", store, &table);
    CU_ASSERT_STRING_EQUAL(look_up(&table, of, NULL, "speed-up", 0), "2.00");
    CU_ASSERT_STRING_EQUAL(look_up(&table, of, NULL, "serialised", 0), "1.50*");
    table_free(&table);
    made_up_remove(store, path);
}

static void policies(void)
{
    static const char of[] = "generate:control_flow";
    char path[64];
    struct store *store = made_up_open(path);
    struct table table = {0};
    made_up_fill(store);
    build("policies", store, &table);
    CU_ASSERT_STRING_EQUAL(look_up(&table, of, "flat", "load", 0), "1150");
    CU_ASSERT_STRING_EQUAL(look_up(&table, of, "flat", "large_first", 0), "1300");
    CU_ASSERT_STRING_EQUAL(look_up(&table, of, "flat", "short_first", 0), "");
    CU_ASSERT_STRING_EQUAL(look_up(&table, of, "flat", "optimum", 0), "1200");
    CU_ASSERT_STRING_EQUAL(look_up(&table, of, "flat", "over select", 0), "20.00");
    CU_ASSERT_STRING_EQUAL(look_up(&table, of, "hoist", "over path", 0), "4.55");
    CU_ASSERT_STRING_EQUAL(look_up(&table, of, "path", "addresses", 0), "static");
    CU_ASSERT_STRING_EQUAL(look_up(&table, of, "select", "over path", 0), "-9.09");
    CU_ASSERT_STRING_EQUAL(look_up(&table, of, "recursive", "optimum", 0), "1250 to 1300");
    CU_ASSERT_STRING_EQUAL(look_up(&table, of, "recursive", "remark", 0), "loses to flat by 100");
    CU_ASSERT_STRING_EQUAL(look_up(&table, of, "flat", "safe", 0), "yes");
    CU_ASSERT_STRING_EQUAL(look_up(&table, of, "max", "large_first", 0), "(1000)");
    CU_ASSERT_STRING_EQUAL(look_up(&table, of, "max", "optimum", 0), "(900)");
    CU_ASSERT_STRING_EQUAL(look_up(&table, of, "max", "over select", 0), "");
    CU_ASSERT_STRING_EQUAL(look_up(&table, of, "max", "safe", 0),
                           "'r' was overwritten by 's' on the path with branch 'then' of 'if'");
    CU_ASSERT_STRING_EQUAL(look_up(&table, "geometric mean of 1", "hoist", "over select", 0),
                           "15.00");
    CU_ASSERT_STRING_EQUAL(look_up(&table, "zoo/resnet50", "flat", "load", 0), "");
    CU_ASSERT(has_note(&table, "recursive loses to flat on 1 of"));
    table_free(&table);
    made_up_remove(store, path);
}

static void optimality(void)
{
    char path[64];
    struct store *store = made_up_open(path);
    struct table table = {0};
    struct result_row large = made_up_row("x", "problem", "exact", 10);
    made_up_fill(store);
    large.buffers = 501;
    made_up_write(store, large);
    build("optimality", store, &table);
    CU_ASSERT_STRING_EQUAL(look_up(&table, "zoo/resnet50", "flat", "optimum", 0), "1250000");
    CU_ASSERT_STRING_EQUAL(look_up(&table, "zoo/resnet50", "flat", "glpk", 0), "optimal");
    CU_ASSERT_STRING_EQUAL(look_up(&table, "zoo/resnet50", "flat", "glpk time", 0), "0.012");
    CU_ASSERT_STRING_EQUAL(look_up(&table, "zoo/resnet50", "flat", "exact", 0), "");
    CU_ASSERT_STRING_EQUAL(look_up(&table, "zoo/resnet50", "flat", "worst gap", 0), "2000.00");
    CU_ASSERT_STRING_EQUAL(look_up(&table, "zoo/inception_v3", "flat", "glpk", 0), "timeout");
    CU_ASSERT_STRING_EQUAL(look_up(&table, "generate:control_flow", "recursive", "optimum", 0),
                           "1250 to 1300");
    CU_ASSERT_STRING_EQUAL(look_up(&table, "x", "problem", "buffers", 0), "");
    table_free(&table);
    made_up_remove(store, path);
}

static void minimalloc(void)
{
    char path[64];
    struct store *store = made_up_open(path);
    struct table table = {0};
    made_up_fill(store);
    build("minimalloc", store, &table);
    CU_ASSERT_EQUAL(table_rows(&table), 1);
    CU_ASSERT_STRING_EQUAL(table_raw(&table, 0, 0), "A.1048576");
    CU_ASSERT_STRING_EQUAL(look_up(&table, "A.1048576", "7", "nodes", 0), "415");
    CU_ASSERT_STRING_EQUAL(look_up(&table, "A.1048576", "7", "time", 0), "2.500");
    CU_ASSERT_STRING_EQUAL(look_up(&table, "A.1048576", "7", "published time", 0), "4910");
    table_free(&table);
    made_up_remove(store, path);
}

static const struct test_case cases[] = {
    {"luna-memory", luna_memory},
    {"luna-control-flow", luna_control_flow},
    {"luna-control-flow without flat", luna_control_flow_without_flat},
    {"dma-front", dma_front},
    {"dma-orders", dma_orders},
    {"luna-dma", luna_dma},
    {"worked", worked},
    {"summary", summary},
    {"gaps", gaps},
    {"best known", best_known},
    {"policies", policies},
    {"streams", streams},
    {"optimality", optimality},
    {"minimalloc", minimalloc},
    {"common rows are counted", common_rows_are_counted},
    {"failures are grouped by reason", failures_are_grouped_by_reason},
    {"the best of a row is marked", the_best_of_a_row_is_marked},
    {"every figure has a verdict", figures},
    {"the examples of the GE article", ge_examples},
    {"storage ids of NNVM", storage_ids},
    {"reliability", reliability},
    {"without results there is no table", without_results_there_is_no_table},
    {"text fits a page", text_fits_a_page},
    {"no memory leaks nothing", no_memory_leaks_nothing},
};
TESTING_MAIN("results/tables", cases)
