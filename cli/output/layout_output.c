#include "cli/output/layout_output.h"

#include <stdio.h>
#include <string.h>

#include "core/text.h"
#include "datasets/json/parse.h"
#include "harness/layout/report.h"
#include "harness/layout/report_write.h"

static enum status write_report(const struct arguments *arguments,
                                const struct layout_report *report, struct json_tree *facts,
                                struct text *text, struct error *error)
{
    bool standard = strcmp(arguments->layout_report, "-") == 0;
    TRY(facts ? layout_report_write_json(report, text, error)
              : layout_report_write(report, text, error));
    if (!standard)
        return text_write_file(arguments->layout_report, text, error);
    if (facts)
        return json_parse(text, "layout", "layout", facts, error);
    printf("\n%s", text->bytes);
    return STATUS_OK;
}

enum status layout_output(const struct arguments *arguments, const struct job *job,
                          const struct outcome *outcome, struct json_tree *facts,
                          struct error *error)
{
    struct layout_report report;
    struct text text = {0};
    enum status status = layout_report_create(job, outcome, &report, error);
    if (!status)
        status = write_report(arguments, &report, facts, &text, error);
    layout_report_free(&report);
    text_free(&text);
    return status;
}
