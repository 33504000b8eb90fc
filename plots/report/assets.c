#include "plots/report/assets.h"

#include <string.h>

#include "core/embedded.h"
#include "core/folder.h"

extern const struct embedded_file report_assets[];
extern const unsigned report_assets_count;

/* The page's scripts; each uses only those before it. */
static const char *const scripts[] = {
    "base",    "text",         "theme",       "grid",        "tables",  "choices",   "results",
    "ranking", "layout_model", "layout_draw", "layout_pane", "layouts", "timelines", "start"};

static enum status write_asset(const char *folder, const struct embedded_file *file,
                               struct error *error)
{
    struct text path = {0};
    struct text content = {.bytes = (char *)file->bytes, .length = file->length};
    text_append(&path, "%s/%s", folder, file->name);
    enum status status = text_check(&path, error);
    if (!status)
        status = text_write_file(path.bytes, &content, error);
    text_free(&path);
    return status;
}

enum status assets_write(const char *folder, struct error *error)
{
    struct text path = {0};
    text_append(&path, "%s/page", folder);
    enum status status = text_check(&path, error);
    if (!status)
        status = folder_create(path.bytes, error);
    for (unsigned i = 0; i < report_assets_count && !status; i++)
        status = write_asset(folder, &report_assets[i], error);
    text_free(&path);
    return status;
}

void assets_append_style(struct text *page)
{
    text_append(page, "<link rel=\"stylesheet\" href=\"page/page.css\" />\n");
}

void assets_append_scripts(struct text *page)
{
    for (size_t i = 0; i < sizeof scripts / sizeof *scripts; i++)
        text_append(page, "<script src=\"page/%s.js\" defer=\"defer\"></script>\n", scripts[i]);
}
