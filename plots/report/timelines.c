#include "plots/report/timelines.h"

#include <stdio.h>

#include "plots/report/data_script.h"

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
