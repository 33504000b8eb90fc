#include "plots/report/data.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "core/memory.h"
#include "plots/report/data_script.h"
#include "results/store/failure.h"
#include "results/store/order_rows.h"
#include "results/store/rectangles.h"
#include "results/table/escape.h"

const char *rows_outcome(const struct result_row *row)
{
    if (query_worth(row) != RESULT_INVALID)
        return row->status;
    return strcmp(row->verdict, RESULT_VALID) == 0 ? RESULT_DAMAGED : "refused";
}

/* What the page shows of a row: the texts, then the numbers, of which one that is not known is
   UINT64_MAX. */
enum { TEXTS = 11, NUMBERS = 8 };
struct shown_row {
    const char *text[TEXTS];
    uint64_t number[NUMBERS];
};
static const char *const names[TEXTS + NUMBERS] = {
    "instance",       "policy", "planner", "options", "run",         "outcome",     "reason",
    "reconstruction", "order",  "path",    "repeat",  "peak_bytes",  "bound_bytes", "naive_bytes",
    "buffers",        "nodes",  "wall_ns", "jobs",    "jobs_without"};

static uint64_t if_known(bool known, uint64_t number)
{
    return known ? number : UINT64_MAX;
}

/* Finds what the command that repeats a row has behind its planner, in *repeats, where most rows
   have the same: *found is its index. */
static enum status find_repeat(const struct result_row *row, const struct run_list *runs,
                               struct names *repeats, uint32_t *found, struct error *error)
{
    SCOPED(text_free) struct text options = {0};
    failure_repeat_options(row, runs_command(runs, row->run), &options);
    TRY(text_check(&options, error));
    *found = names_find(repeats, options.length ? options.bytes : "");
    if (*found != NAMES_NONE)
        return STATUS_OK;
    *found = repeats->count;
    return names_add(repeats, options.length ? options.bytes : "", error);
}

enum status rows_write(const char *folder, const struct result_set *set,
                       const struct run_list *runs, const bool *kept, struct error *error)
{
    SCOPED(text_free) struct text json = {0};
    SCOPED(names_free) struct names repeats = {0};
    SCOPED(memory_release) struct shown_row *shown = NULL;
    SCOPED(memory_release) uint32_t *repeat = NULL;
    TRY(memory_create_all(set->count, error, &shown, &repeat));
    for (uint32_t i = 0; i < set->count; i++)
        TRY(find_repeat(&set->row[i], runs, &repeats, &repeat[i], error));
    for (uint32_t i = 0; i < set->count; i++) {
        const struct result_row *row = &set->row[i];
        const struct result_spread *spread = &set->spread[i];
        shown[i] = (struct shown_row){
            {row->instance, row->policy, row->planner, row->options, row->run, rows_outcome(row),
             failure_reason(row), row->reconstruction ? "yes" : "no",
             order_rows_is_stored(row) ? RESULT_STORED : row->order_name, row->path,
             names_get(&repeats, repeat[i])},
            {if_known(query_worth(row) == RESULT_NUMBER, row->peak_bytes),
             if_known(set->bound_bytes[i], set->bound_bytes[i]),
             if_known(row->naive_bytes, row->naive_bytes), if_known(row->buffers, row->buffers),
             if_known(row->nodes, row->nodes), if_known(row->wall_ns, row->wall_ns), spread->rows,
             spread->rows - spread->valid}};
    }
    text_append(&json, "{");
    for (unsigned i = 0; i < TEXTS; i++) {
        TRY(data_script_add_texts(&json, names[i], &shown->text[i], set->count, sizeof *shown,
                                  error));
        text_append(&json, ",\n");
    }
    for (unsigned i = 0; i < NUMBERS; i++) {
        text_append(&json, "\"%s\": [", names[TEXTS + i]);
        for (uint32_t k = 0; k < set->count; k++) {
            text_append_bytes(&json, ",", k != 0);
            if (shown[k].number[i] != UINT64_MAX)
                data_script_add_number(&json, shown[k].number[i]);
            else
                text_append_bytes(&json, "null", 4);
        }
        text_append(&json, "],\n");
    }
    text_append(&json, "\"kept\": [");
    for (uint32_t i = 0; i < set->count; i++)
        text_append(&json, "%s%d", i ? "," : "", kept[i]);
    text_append(&json, "],\n\"count\": %u}\n", set->count);
    return data_script_write(folder, "rows", &json, error);
}

/* The names, lifetimes and sizes of a plan's rectangles. Plans of one problem share them and differ
   in offsets only, so that they are written once. */
struct shape {
    size_t start, length; /* of its JSON, in the file's shapes */
};

/* The file that is made for one instance. */
struct layout_file {
    struct text shapes, layouts;
    struct shape *shape; /* [shapes] */
    uint32_t shape_count;
    size_t shape_capacity;
};

/* Finds a shape in the file or adds it; *index is its number. */
static enum status find_shape(struct layout_file *file, const struct rectangle_set *rectangles,
                              uint32_t *index, struct error *error)
{
    const struct result_rectangle *first = rectangles->rectangle;
    const struct {
        const char *name;
        const uint64_t *first;
    } numbers[] = {{"lower", &first->lower}, {"upper", &first->upper}, {"size", &first->size}};
    SCOPED(text_free) struct text json = {0};
    text_append(&json, "{");
    TRY(data_script_add_texts(&json, "label", &first->label, rectangles->count, sizeof *first,
                              error));
    for (int i = 0; i < 3; i++) {
        text_append(&json, ",\n");
        data_script_add_numbers(&json, numbers[i].name, numbers[i].first, rectangles->count,
                                sizeof *first);
    }
    text_append(&json, ",\n\"group\": [");
    for (uint32_t i = 0; i < rectangles->count; i++)
        text_append(&json, "%s%" PRId64, i ? "," : "",
                    first[i].group == RESULT_TIMELESS ? -1 : (int64_t)first[i].group);
    text_append(&json, "],\n\"block\": [");
    for (uint32_t i = 0; i < rectangles->count; i++)
        text_append(&json, "%s%d", i ? "," : "", first[i].block != 0);
    text_append(&json, "]}");
    TRY(text_check(&json, error));

    for (*index = 0; *index < file->shape_count; ++*index) {
        const struct shape *shape = &file->shape[*index];
        if (shape->length == json.length &&
            memcmp(file->shapes.bytes + shape->start, json.bytes, json.length) == 0)
            return STATUS_OK;
    }
    TRY(memory_reserve(&file->shape, &file->shape_capacity, file->shape_count + (size_t)1,
                       sizeof *file->shape, error));
    text_append(&file->shapes, file->shape_count ? ",\n" : "");
    file->shape[file->shape_count++] = (struct shape){file->shapes.length, json.length};
    text_append_bytes(&file->shapes, json.bytes, json.length);
    return text_check(&file->shapes, error);
}

static enum status add_row(struct store *store, const struct result_set *set, uint32_t index,
                           struct layout_file *file, bool *kept, struct error *error)
{
    SCOPED(rectangles_free) struct rectangle_set rectangles = {0};
    struct text *json = &file->layouts;
    const struct result_row *row = &set->row[index];
    const char *const texts[][2] = {{"policy", row->policy},   {"planner", row->planner},
                                    {"options", row->options}, {"run", row->run},
                                    {"status", row->status},   {"fault", row->fault}};
    const struct {
        const char *name;
        uint64_t bytes;
    } bytes[] = {{"peak_bytes", row->peak_bytes},
                 {"load_bytes", row->load_bytes},
                 {"bound_bytes", set->bound_bytes[index]}};
    uint32_t shape;
    TRY(rectangles_read(store, set->id[index], &rectangles, error));
    *kept = rectangles.count != 0;
    if (!*kept)
        return STATUS_OK;
    TRY(find_shape(file, &rectangles, &shape, error));
    text_append(json, "%s{\"shape\": %u, ", json->length ? ",\n" : "", shape);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        data_script_add_named(json, texts[i][0], texts[i][1]);
        text_append(json, ", ");
    }
    for (size_t i = 0; i < sizeof bytes / sizeof *bytes; i++) {
        text_append(json, "\"%s\": ", bytes[i].name);
        data_script_add_number(json, bytes[i].bytes);
        text_append(json, ", ");
    }
    data_script_add_numbers(json, "offset", &rectangles.rectangle->offset, rectangles.count,
                            sizeof *rectangles.rectangle);
    text_append(json, "}");
    return STATUS_OK;
}

/* Writes all rows of the instance that begins at *index, which moves behind them. */
static void end_file(struct layout_file *file)
{
    text_free(&file->shapes);
    text_free(&file->layouts);
    memory_free(file->shape);
}

enum status layouts_write(struct store *store, const char *folder, const struct result_set *set,
                          bool *kept, uint32_t *instances, struct error *error)
{
    SCOPED(text_free) struct text index = {0};
    *instances = 0;
    text_append(&index, "{\"instances\": [");
    for (uint32_t i = 0; i < set->count;) {
        SCOPED(end_file) struct layout_file file = {.shape = NULL};
        SCOPED(text_free) struct text json = {0};
        const char *instance = set->row[i].instance;
        char name[32];
        for (; i < set->count && strcmp(set->row[i].instance, instance) == 0; i++)
            if (kept[i])
                TRY(add_row(store, set, i, &file, &kept[i], error));
        if (!file.shape_count)
            continue;
        snprintf(name, sizeof name, "layout-%u", *instances);
        text_append(&index, (*instances)++ ? ", " : "");
        escape_json(&index, instance);
        text_append(&json, "{\"instance\": ");
        escape_json(&json, instance);
        text_append(&json, ",\n\"shapes\": [");
        text_append_bytes(&json, file.shapes.bytes, file.shapes.length);
        text_append(&json, "],\n\"layouts\": [");
        text_append_bytes(&json, file.layouts.bytes, file.layouts.length);
        text_append(&json, "]}\n");
        TRY(text_check(&file.shapes, error));
        TRY(text_check(&file.layouts, error));
        TRY(data_script_write(folder, name, &json, error));
    }
    text_append(&index, "]}\n");
    return data_script_write(folder, "layouts", &index, error);
}

enum status timelines_write_data(const char *folder, const struct timelines_set *set,
                                 struct error *error)
{
    SCOPED(text_free) struct text index = {0};
    text_append(&index, "[");
    for (uint32_t i = 0; i < set->count; i++) {
        const struct timelines_chart *chart = &set->timeline[i];
        const struct timelines_event *first = chart->event;
        const char *const *texts[] = {&first->lane, &first->label, &first->kind};
        static const char *const columns[] = {"lane", "label", "kind"};
        SCOPED(text_free) struct text json = {0};
        char name[32];
        snprintf(name, sizeof name, "timeline-%u", i);
        text_append(&json, "{");
        for (int k = 0; k < 3; k++) {
            TRY(data_script_add_texts(&json, columns[k], texts[k], chart->events, sizeof *first,
                                      error));
            text_append(&json, ",\n");
        }
        data_script_add_numbers(&json, "begin_ns", &first->begin_ns, chart->events, sizeof *first);
        text_append(&json, ",\n");
        data_script_add_numbers(&json, "end_ns", &first->end_ns, chart->events, sizeof *first);
        text_append(&json, "}\n");
        TRY(data_script_write(folder, name, &json, error));

        text_append(&index, i ? ",\n{" : "{");
        data_script_add_named(&index, "instance", chart->instance);
        text_append(&index, ", ");
        data_script_add_named(&index, "variant", chart->variant);
        text_append(&index, ", ");
        data_script_add_named(&index, "run", chart->run);
        text_append(&index, "}");
    }
    text_append(&index, "]\n");
    return data_script_write(folder, "timelines", &index, error);
}
