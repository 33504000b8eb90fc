#include "plots/report/timelines.h"

#include <stdbool.h>
#include <stdio.h>

#include "plots/report/data_script.h"
#include "results/table/escape.h"

enum event_text { EVENT_LANE, EVENT_LABEL, EVENT_KIND, EVENT_TEXTS };
static const char *const text_names[EVENT_TEXTS] = {"lane", "label", "kind"};

static enum status append_texts(struct text *json, const struct timelines_chart *chart,
                                enum event_text text, struct error *error)
{
    struct data_script_texts texts = {.names = {0}};
    enum status status = STATUS_OK;
    for (uint32_t i = 0; i < chart->events && !status; i++) {
        const struct timelines_event *event = &chart->event[i];
        const char *const values[EVENT_TEXTS] = {event->lane, event->label, event->kind};
        status = data_script_add_text(&texts, values[text], error);
    }
    text_append(json, "\"%s\": ", text_names[text]);
    data_script_append_texts(json, &texts);
    text_append(json, ",\n");
    data_script_free_texts(&texts);
    return status;
}

static void append_times(struct text *json, const struct timelines_chart *chart, const char *name,
                         bool is_end)
{
    text_append(json, "\"%s\": [", name);
    for (uint32_t i = 0; i < chart->events; i++) {
        text_append_bytes(json, ",", i != 0);
        data_script_add_number(json, is_end ? chart->event[i].end_ns : chart->event[i].begin_ns);
    }
    text_append(json, is_end ? "]" : "],\n");
}

static enum status write_chart(const char *folder, const struct timelines_chart *chart,
                               uint32_t number, struct error *error)
{
    struct text json = {0};
    enum status status = STATUS_OK;
    char name[32];
    snprintf(name, sizeof name, "timeline-%u", number);
    text_append(&json, "{");
    for (enum event_text k = 0; k < EVENT_TEXTS && !status; k++)
        status = append_texts(&json, chart, k, error);
    append_times(&json, chart, "begin_ns", false);
    append_times(&json, chart, "end_ns", true);
    text_append(&json, "}\n");
    if (!status)
        status = data_script_write(folder, name, &json, error);
    text_free(&json);
    return status;
}

static void append_named(struct text *json, const char *name, const char *value, const char *after)
{
    text_append(json, "\"%s\": ", name);
    escape_json(json, value);
    text_append(json, "%s", after);
}

static enum status write_list(const char *folder, const struct timelines_set *set,
                              struct error *error)
{
    struct text json = {0};
    text_append(&json, "[");
    for (uint32_t i = 0; i < set->count; i++) {
        text_append(&json, i ? ",\n{" : "{");
        append_named(&json, "instance", set->timeline[i].instance, ", ");
        append_named(&json, "variant", set->timeline[i].variant, ", ");
        append_named(&json, "run", set->timeline[i].run, "}");
    }
    text_append(&json, "]\n");
    enum status status = data_script_write(folder, "timelines", &json, error);
    text_free(&json);
    return status;
}

enum status timelines_write_data(const char *folder, const struct timelines_set *set,
                                 struct error *error)
{
    for (uint32_t i = 0; i < set->count; i++)
        TRY(write_chart(folder, &set->timeline[i], i, error));
    return write_list(folder, set, error);
}
