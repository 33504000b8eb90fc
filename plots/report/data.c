#include "plots/report/data.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "core/memory.h"
#include "plots/report/data_script.h"
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
enum { TEXTS = 8, NUMBERS = 8 };
struct shown_row {
    const char *text[TEXTS];
    uint64_t number[NUMBERS];
};
static const char *const names[TEXTS + NUMBERS] = {
    "instance", "policy",         "planner",    "options",     "run",         "outcome",
    "reason",   "reconstruction", "peak_bytes", "bound_bytes", "naive_bytes", "buffers",
    "nodes",    "wall_ns",        "jobs",       "jobs_without"};

static uint64_t if_known(bool known, uint64_t number)
{
    return known ? number : UINT64_MAX;
}

static struct shown_row show_row(const struct result_set *set, uint32_t i)
{
    const struct result_row *row = &set->row[i];
    const struct result_spread *spread = &set->spread[i];
    return (struct shown_row){
        {row->instance, row->policy, row->planner, row->options, row->run, rows_outcome(row),
         *row->fault ? row->fault : row->stop_reason, row->reconstruction ? "yes" : "no"},
        {if_known(query_worth(row) == RESULT_NUMBER, row->peak_bytes),
         if_known(set->bound_bytes[i], set->bound_bytes[i]),
         if_known(row->naive_bytes, row->naive_bytes), if_known(row->buffers, row->buffers),
         if_known(row->nodes, row->nodes), if_known(row->wall_ns, row->wall_ns), spread->rows,
         spread->rows - spread->valid}};
}

enum status rows_write(const char *folder, const struct result_set *set, const bool *kept,
                       struct error *error)
{
    struct text json = {0};
    struct shown_row *shown;
    enum status status;
    TRY(memory_create(&shown, set->count, sizeof *shown, error));
    for (uint32_t i = 0; i < set->count; i++)
        shown[i] = show_row(set, i);
    text_append(&json, "{");
    for (unsigned i = 0; i < TEXTS; i++) {
        TRY_OR_DONE(status, data_script_add_texts(&json, names[i], &shown->text[i], set->count,
                                                  sizeof *shown, error));
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
    status = data_script_write(folder, "rows", &json, error);
done:
    memory_free(shown);
    text_free(&json);
    return status;
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

struct layouts_writer {
    struct store *store;
    const char *folder;
    const struct result_set *set;
    struct text index; /* names of the instances as JSON */
    uint32_t instances;
};

/* Appends names, lifetimes, sizes, groups and blocks. */
static enum status append_shape(struct text *json, const struct rectangle_set *rectangles,
                                struct error *error)
{
    const struct result_rectangle *first = rectangles->rectangle;
    const struct {
        const char *name;
        const uint64_t *first;
    } numbers[] = {{"lower", &first->lower}, {"upper", &first->upper}, {"size", &first->size}};
    text_append(json, "{");
    TRY(data_script_add_texts(json, "label", &first->label, rectangles->count, sizeof *first,
                              error));
    for (int i = 0; i < 3; i++) {
        text_append(json, ",\n");
        data_script_add_numbers(json, numbers[i].name, numbers[i].first, rectangles->count,
                                sizeof *first);
    }
    text_append(json, ",\n\"group\": [");
    for (uint32_t i = 0; i < rectangles->count; i++)
        text_append(json, "%s%" PRId64, i ? "," : "",
                    first[i].group == RESULT_TIMELESS ? -1 : (int64_t)first[i].group);
    text_append(json, "],\n\"block\": [");
    for (uint32_t i = 0; i < rectangles->count; i++)
        text_append(json, "%s%d", i ? "," : "", first[i].block != 0);
    text_append(json, "]}");
    return text_check(json, error);
}

/* Finds a shape in the file or adds it; *index is its number. */
static enum status find_shape(struct layout_file *file, const struct rectangle_set *rectangles,
                              uint32_t *index, struct error *error)
{
    struct text json = {0};
    enum status status;
    TRY_OR_DONE(status, append_shape(&json, rectangles, error));
    for (*index = 0; *index < file->shape_count; ++*index) {
        const struct shape *shape = &file->shape[*index];
        if (shape->length == json.length &&
            memcmp(file->shapes.bytes + shape->start, json.bytes, json.length) == 0)
            goto done;
    }
    TRY_OR_DONE(status, memory_reserve(&file->shape, &file->shape_capacity,
                                       file->shape_count + (size_t)1, sizeof *file->shape, error));
    text_append(&file->shapes, file->shape_count ? ",\n" : "");
    file->shape[file->shape_count++] = (struct shape){file->shapes.length, json.length};
    text_append_bytes(&file->shapes, json.bytes, json.length);
    status = text_check(&file->shapes, error);
done:
    text_free(&json);
    return status;
}

static void append_layout(struct text *json, const struct result_set *set, uint32_t index,
                          const struct rectangle_set *rectangles)
{
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
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        data_script_add_named(json, texts[i][0], texts[i][1]);
        text_append(json, ", ");
    }
    for (size_t i = 0; i < sizeof bytes / sizeof *bytes; i++) {
        text_append(json, "\"%s\": ", bytes[i].name);
        data_script_add_number(json, bytes[i].bytes);
        text_append(json, ", ");
    }
    data_script_add_numbers(json, "offset", &rectangles->rectangle->offset, rectangles->count,
                            sizeof *rectangles->rectangle);
    text_append(json, "}");
}

static enum status add_row(const struct layouts_writer *writer, struct layout_file *file,
                           uint32_t index, bool *kept, struct error *error)
{
    struct rectangle_set rectangles = {0};
    uint32_t shape;
    enum status status;
    TRY_OR_DONE(status, rectangles_read(writer->store, writer->set->id[index], &rectangles, error));
    *kept = rectangles.count != 0;
    if (!*kept)
        goto done;
    TRY_OR_DONE(status, find_shape(file, &rectangles, &shape, error));
    text_append(&file->layouts, "%s{\"shape\": %u, ", file->layouts.length ? ",\n" : "", shape);
    append_layout(&file->layouts, writer->set, index, &rectangles);
done:
    rectangles_free(&rectangles);
    return status;
}

static enum status write_file(struct layouts_writer *writer, const struct layout_file *file,
                              const char *instance, struct error *error)
{
    struct text json = {0};
    char name[32];
    snprintf(name, sizeof name, "layout-%u", writer->instances);
    text_append(&writer->index, writer->instances++ ? ", " : "");
    escape_json(&writer->index, instance);
    text_append(&json, "{\"instance\": ");
    escape_json(&json, instance);
    text_append(&json, ",\n\"shapes\": [");
    text_append_bytes(&json, file->shapes.bytes, file->shapes.length);
    text_append(&json, "],\n\"layouts\": [");
    text_append_bytes(&json, file->layouts.bytes, file->layouts.length);
    text_append(&json, "]}\n");
    enum status status = text_check(&file->shapes, error);
    if (!status)
        status = text_check(&file->layouts, error);
    if (!status)
        status = data_script_write(writer->folder, name, &json, error);
    text_free(&json);
    return status;
}

/* Writes all rows of the instance that begins at *index, which moves behind them. */
static enum status write_instance(struct layouts_writer *writer, uint32_t *index, bool *kept,
                                  struct error *error)
{
    struct layout_file file = {.shape = NULL};
    const struct result_row *row = writer->set->row;
    const char *instance = row[*index].instance;
    enum status status = STATUS_OK;
    for (; !status && *index < writer->set->count && strcmp(row[*index].instance, instance) == 0;
         ++*index)
        if (kept[*index])
            status = add_row(writer, &file, *index, &kept[*index], error);
    if (!status && file.shape_count)
        status = write_file(writer, &file, instance, error);
    text_free(&file.shapes);
    text_free(&file.layouts);
    memory_free(file.shape);
    return status;
}

enum status layouts_write(struct store *store, const char *folder, const struct result_set *set,
                          bool *kept, uint32_t *instances, struct error *error)
{
    struct layouts_writer writer = {.store = store, .folder = folder, .set = set};
    struct text json = {0};
    enum status status = STATUS_OK;
    for (uint32_t i = 0; i < set->count && !status;)
        status = write_instance(&writer, &i, kept, error);
    text_append(&json, "{\"instances\": [");
    text_append_bytes(&json, writer.index.bytes ? writer.index.bytes : "", writer.index.length);
    text_append(&json, "]}\n");
    if (!status)
        status = text_check(&writer.index, error);
    if (!status)
        status = data_script_write(folder, "layouts", &json, error);
    *instances = writer.instances;
    text_free(&writer.index);
    text_free(&json);
    return status;
}

static enum status write_chart(const char *folder, const struct timelines_chart *chart,
                               uint32_t number, struct error *error)
{
    const struct timelines_event *first = chart->event;
    const struct {
        const char *name, *const *first;
    } texts[] = {{"lane", &first->lane}, {"label", &first->label}, {"kind", &first->kind}};
    struct text json = {0};
    enum status status;
    char name[32];
    snprintf(name, sizeof name, "timeline-%u", number);
    text_append(&json, "{");
    for (int i = 0; i < 3; i++) {
        TRY_OR_DONE(status, data_script_add_texts(&json, texts[i].name, texts[i].first,
                                                  chart->events, sizeof *first, error));
        text_append(&json, ",\n");
    }
    data_script_add_numbers(&json, "begin_ns", &first->begin_ns, chart->events, sizeof *first);
    text_append(&json, ",\n");
    data_script_add_numbers(&json, "end_ns", &first->end_ns, chart->events, sizeof *first);
    text_append(&json, "}\n");
    status = data_script_write(folder, name, &json, error);
done:
    text_free(&json);
    return status;
}

enum status timelines_write_data(const char *folder, const struct timelines_set *set,
                                 struct error *error)
{
    for (uint32_t i = 0; i < set->count; i++)
        TRY(write_chart(folder, &set->timeline[i], i, error));
    struct text json = {0};
    text_append(&json, "[");
    for (uint32_t i = 0; i < set->count; i++) {
        text_append(&json, i ? ",\n{" : "{");
        data_script_add_named(&json, "instance", set->timeline[i].instance);
        text_append(&json, ", ");
        data_script_add_named(&json, "variant", set->timeline[i].variant);
        text_append(&json, ", ");
        data_script_add_named(&json, "run", set->timeline[i].run);
        text_append(&json, "}");
    }
    text_append(&json, "]\n");
    enum status status = data_script_write(folder, "timelines", &json, error);
    text_free(&json);
    return status;
}
