#include "made_up.h"
#include "support/must.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "results/store/columns.h"
#include "results/views/figures.h"
#include "results/views/luna.h"

struct store *the_store;
char the_path[64];
struct error the_error;

void made_up_begin(void)
{
    the_error = ERROR_NONE;
    the_store = made_up_open(the_path);
}

void made_up_end(void)
{
    made_up_remove(the_store, the_path);
}

struct store *made_up_open(char path[64])
{
    struct store *store;
    strcpy(path, "/tmp/memplan-made-up-XXXXXX");
    int file = mkstemp(path);
    CU_ASSERT_FATAL(file >= 0);
    close(file);
    must(store_open(path, STORE_WRITE, &store, &error));
    return store;
}

void made_up_remove(struct store *store, const char *path)
{
    static const char *const endings[] = {"", "-wal", "-shm"};
    char file[80];
    store_close(store);
    for (int i = 0; i < 3; i++) {
        snprintf(file, sizeof file, "%s%s", path, endings[i]);
        unlink(file);
    }
}

void made_up_open_again(enum store_mode mode)
{
    store_close(the_store);
    CU_ASSERT_EQUAL_FATAL(store_open(the_path, mode, &the_store, &the_error), STATUS_OK);
}

struct result_row made_up_row(const char *instance, const char *policy, const char *planner,
                              uint64_t peak_bytes)
{
    return (struct result_row){
        .run = "made-up",
        .instance = instance,
        .digest = instance,
        .policy = policy,
        .planner = planner,
        .options = "",
        .status = "feasible",
        .verdict = "valid",
        .execution = "intact",
        .stop_reason = "",
        .buffers = 7,
        .peak_bytes = peak_bytes,
        .wall_ns = 12345,
        .wall_samples = "12000 12345 13000",
        .host = "host",
        .build = "build 1",
        .started = "2026-01-02T03:04:05Z",
        .counters = "",
        .curve = "",
        .fault = "",
        .addresses = "",
        .settings = "",
        .order_name = "",
        .path = "",
        .origin = "",
    };
}

void made_up_write(struct store *store, struct result_row row)
{
    must(store_write(store, &row, NULL, 0, &error));
}

void made_up_measure(struct store *store, struct measure measure)
{
    const char **const texts[] = {&measure.run,     &measure.instance, &measure.digest,
                                  &measure.topic,   &measure.variant,  &measure.name,
                                  &measure.started, &measure.host,     &measure.build};
    static const char *const usual[] = {
        "made-up", "x", "digest", "topic", "", "", "2026-01-02T03:04:05Z", "host", "build 1"};
    for (int i = 0; i < 9; i++)
        *texts[i] = *texts[i] ? *texts[i] : usual[i];
    must(measures_write(store, &measure, 1, &error));
}

void made_up_run_sql(const char *path, const char *sql)
{
    sqlite3 *database;
    CU_ASSERT_EQUAL_FATAL(sqlite3_open(path, &database), SQLITE_OK);
    CU_ASSERT_EQUAL_FATAL(sqlite3_exec(database, sql, NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(database);
}

int64_t made_up_ask(const char *path, const char *sql)
{
    sqlite3 *database;
    sqlite3_stmt *statement;
    CU_ASSERT_EQUAL_FATAL(sqlite3_open(path, &database), SQLITE_OK);
    CU_ASSERT_EQUAL_FATAL(sqlite3_prepare_v2(database, sql, -1, &statement, NULL), SQLITE_OK);
    CU_ASSERT_EQUAL_FATAL(sqlite3_step(statement), SQLITE_ROW);
    int64_t answer = sqlite3_column_int64(statement, 0);
    sqlite3_finalize(statement);
    sqlite3_close(database);
    return answer;
}

unsigned made_up_split(const struct text_line *line, char field[MADE_UP_FIELDS][MADE_UP_FIELD])
{
    const char *at = line->start, *end = line->start + line->length;
    unsigned fields = 0;
    for (;; fields++) {
        const char *comma = memchr(at, ',', (size_t)(end - at));
        size_t length = (size_t)((comma ? comma : end) - at);
        CU_ASSERT_FATAL(length < MADE_UP_FIELD && fields < MADE_UP_FIELDS);
        memcpy(field[fields], at, length);
        field[fields][length] = '\0';
        if (!comma)
            return fields + 1;
        at = comma + 1;
    }
}

static void set_field(struct result_row *row, const char *name, const char *value)
{
    const struct column *column = columns_of_results.column;
    while (column < columns_of_results.column + columns_of_results.columns &&
           strcmp(column->name, name) != 0)
        column++;
    CU_ASSERT_FATAL(column < columns_of_results.column + columns_of_results.columns);
    const char *text = strcmp(value, "-") == 0 ? "" : value;
    uint64_t number = strtoull(value, NULL, 10);
    bool is_text = column->kind == COLUMN_TEXT;
    memcpy((char *)row + column->offset, is_text ? (const void *)&text : &number, sizeof number);
}

/* Rectangles whose labels are in the text, which is cut up. */
static uint32_t read_rectangles(char *text, struct result_rectangle *rectangle)
{
    uint32_t count = 0;
    for (char *save, *word = strtok_r(text, " ", &save); word; word = strtok_r(NULL, " ", &save)) {
        struct result_rectangle *read = &rectangle[count++];
        unsigned long long number[5];
        char *colon = strchr(word, ':');
        CU_ASSERT_PTR_NOT_NULL_FATAL(colon);
        CU_ASSERT_EQUAL_FATAL(sscanf(colon, ":%llu:%llu:%llu:%llu:%llu:%d", &number[0], &number[1],
                                     &number[2], &number[3], &number[4], &read->block),
                              6);
        *colon = '\0';
        read->label = word;
        read->lower = number[0];
        read->upper = number[1];
        read->offset = number[2];
        read->size = number[3];
        read->group = number[4];
    }
    return count;
}

static void write_result(struct store *store, char heading[][MADE_UP_FIELD],
                         char field[][MADE_UP_FIELD], unsigned fields)
{
    struct result_rectangle rectangle[16];
    uint32_t rectangles = 0;
    struct result_row row = made_up_row(field[0], field[1], field[2], 0);
    for (unsigned i = 3; i < fields; i++)
        if (strcmp(heading[i + 1], "rectangles") == 0)
            rectangles = read_rectangles(field[i], rectangle);
        else if (*field[i])
            set_field(&row, heading[i + 1], field[i]);
    must(store_write(store, &row, rectangle, rectangles, &error));
}

void made_up_load(struct store *store, const char *name, struct text *text)
{
    static char heading[MADE_UP_FIELDS][MADE_UP_FIELD], field[MADE_UP_FIELDS][MADE_UP_FIELD];
    char path[256];
    struct text_line line = {0};
    bool inside = false;
    snprintf(path, sizeof path, "%s/%s.csv", MADE_UP_CASES, name);
    must(text_read_file(path, text, &error));
    while (text_next_line(text, &line)) {
        if (!line.length || *line.start == '#') {
            inside &= line.length > 0;
            continue;
        }
        unsigned fields = made_up_split(&line, inside ? field : heading);
        if (inside && strcmp(heading[0], "result") == 0)
            write_result(store, heading, field, fields);
        if (inside && strcmp(heading[0], "measure") == 0)
            made_up_measure(store, (struct measure){.topic = field[0],
                                                    .instance = field[1],
                                                    .variant = field[2],
                                                    .name = field[3],
                                                    .value = strtoll(field[4], NULL, 10)});
        inside = true;
    }
}

void made_up_compare(const char *name, const struct text *found)
{
    char path[256];
    SCOPED(text_free) struct text wanted = {0};
    snprintf(path, sizeof path, "%s/%s", MADE_UP_CASES, name);
    if (getenv("MEMPLAN_UPDATE"))
        must(text_write_file(path, found, &error));
    must(text_read_file(path, &wanted, &error));
    size_t same = 0;
    while (same < found->length && same < wanted.length && found->bytes[same] == wanted.bytes[same])
        same++;
    bool equal = same == found->length && same == wanted.length;
    if (!equal)
        fprintf(stderr, "\n%s differs from byte %zu on: %.200s\n", path, same, found->bytes + same);
    CU_ASSERT_TRUE(equal);
}

static void write_luna_table(struct store *store, const char *table, const char *policy)
{
    struct luna_figure figure;
    for (unsigned i = 0; luna_next(&i, table, &figure);) {
        struct result_row row =
            made_up_row(luna_instance(figure.model.text), policy, figure.how.text,
                        strtoull(figure.printed.text, NULL, 10));
        row.peak_bytes -= row.peak_bytes == 98340 ? 36 : 0;
        row.load_bytes = 24000;
        made_up_write(store, row);
    }
}

/* Enough tensors that most are too small for a label, two branches in the middle, each at the least
   place that is free. */
static void write_fusion_detect(struct store *store, const char *policy, uint64_t peak_bytes,
                                bool block)
{
    enum { TENSORS = 160 };
    static struct result_rectangle placed[TENSORS];
    static char labels[TENSORS][32];
    struct result_row row = made_up_row("luna/fusion_detect", policy, "large_first", peak_bytes);
    uint32_t count = 0;
    if (block)
        placed[count++] = (struct result_rectangle){"if", 40, 130, 0, peak_bytes - 28800, 0, 1};
    for (uint32_t i = 0; count < TENSORS; i++) {
        snprintf(labels[count], sizeof labels[count], "conv_%u:0", i);
        struct result_rectangle tensor = {.label = labels[count],
                                          .lower = i,
                                          .upper = i + 2 + i % 3,
                                          .size = 28800u * (1 + i * 7 % 5),
                                          .group = i < 40 || i >= 130 ? 0
                                                   : i < 80           ? 1
                                                                      : 2};
        for (uint32_t k = 0; k < count; k++)
            if (!placed[k].block && placed[k].lower < tensor.upper &&
                tensor.lower < placed[k].upper && placed[k].offset < tensor.offset + tensor.size &&
                tensor.offset < placed[k].offset + placed[k].size) {
                tensor.offset = placed[k].offset + placed[k].size;
                k = UINT32_MAX;
            }
        placed[count++] = tensor;
        row.peak_bytes = tensor.offset + tensor.size > row.peak_bytes ? tensor.offset + tensor.size
                                                                      : row.peak_bytes;
    }
    row.reconstruction = 1;
    row.load_bytes = 460800;
    row.buffers = TENSORS;
    CU_ASSERT_EQUAL_FATAL(store_write(store, &row, placed, count, &the_error), STATUS_OK);
}

/* All measures that a source's figures are held against: each figure differs. */
static void write_figures(struct store *store, const char *source)
{
    struct figure figure;
    for (unsigned row = 0; figures_next(source, &row, &figure);)
        if (*figure.measure.text)
            made_up_measure(store, (struct measure){.instance = figure.instance.text,
                                                    .topic = source,
                                                    .variant = figure.variant.text,
                                                    .name = figure.measure.text,
                                                    .value = 12345678});
}

void made_up_fill(struct store *store)
{
    static const char *const sources[] = {"nnvm",       "wang2025", "ge",
                                          "patent",     "tflite",   "orders-published",
                                          "minimalloc", "xu2019",   "dsa"};
    struct text text = {0};
    for (size_t i = 0; i < sizeof sources / sizeof *sources; i++)
        write_figures(store, sources[i]);
    made_up_load(store, "everything", &text);
    text_free(&text);
    write_luna_table(store, LUNA_TABLE_1, "flat");
    write_luna_table(store, LUNA_TABLE_2, "recursive");
    write_fusion_detect(store, "flat", 489600, false);
    write_fusion_detect(store, "recursive", 460800, true);
}
