#include "cli/output/layout_output.h"

#include <stdio.h>
#include <string.h>

#include "core/text.h"
#include "harness/layout/report.h"
#include "harness/layout/report_write.h"

static enum status add_to_facts(const struct text *text, json_t *facts, struct error *error)
{
    json_t *layout = json_loadb(text->bytes, text->length, 0, NULL);
    if (!layout || json_object_set_new(facts, "layout", layout))
        return error_set(error, STATUS_INTERNAL,
                         "cannot make JSON: no memory, or text is no UTF-8");
    return STATUS_OK;
}

static enum status write_report(const struct arguments *arguments,
                                const struct layout_report *report, json_t *facts,
                                struct text *text, struct error *error)
{
    bool standard = strcmp(arguments->layout_report, "-") == 0;
    TRY(facts ? layout_report_write_json(report, text, error)
              : layout_report_write(report, text, error));
    if (!standard)
        return text_write_file(arguments->layout_report, text, error);
    if (facts)
        return add_to_facts(text, facts, error);
    printf("\n%s", text->bytes);
    return STATUS_OK;
}

enum status layout_output(const struct arguments *arguments, const struct job *job,
                          const struct outcome *outcome, json_t *facts, struct error *error)
{
    struct layout_report report;
    struct text text = {0};
    enum status status = layout_report_create(job, outcome, &report, error);
    if (!status)
        status = write_report(arguments, &report, facts, &text, error);
    layout_report_free(&report);
    text_free(&text);
    if (status && facts)
        json_decref(facts);
    return status;
}
