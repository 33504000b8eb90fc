#include "cli/output/picture.h"

#include "core/file.h"
#include "harness/rows/record.h"
#include "plots/render.h"
#include "plots/script/script.h"

bool picture_has_name(const char *path)
{
    return file_name_has_extension(path, ".svg") || file_name_has_extension(path, ".pdf") ||
           file_name_has_extension(path, ".png");
}

static enum status write_data(const struct text *script, const char *path, struct error *error)
{
    SCOPED(text_free) struct text data = {0};
    script_copy_data(script, &data);
    return text_write_file(path, &data, error);
}

enum status picture_draw(const char *plot, const struct plot_request *request, const char *path,
                         struct error *error)
{
    SCOPED(text_free) struct text script = {0};
    TRY(plot_script(plot, request, &script, error));
    if (file_name_has_extension(path, ".gp"))
        return text_write_file(path, &script, error);
    return file_name_has_extension(path, ".dat") ? write_data(&script, path, error)
                                                 : plot_render(script.bytes, path, error);
}

enum status picture_draw_layout(const struct job *job, const struct outcome *outcome,
                                const char *path, struct error *error)
{
    struct record_context record;
    SCOPED(store_release) struct store *store = NULL;
    record_context_fill(&record, "plan");
    record.most_rectangles = UINT32_MAX;
    TRY(store_open(":memory:", STORE_WRITE, &store, error));
    TRY(record_write(store, &record, job, outcome, error));
    const struct plot_request request = {.store = store};
    return picture_draw("layout", &request, path, error);
}
