#include "cli/dma/dma_output.h"

#include "cli/dma/figures.h"
#include "core/file_name.h"
#include "core/text.h"
#include "dma/program/paths.h"
#include "harness/layout/transfer_trace.h"
#include "plots/render.h"

static bool is_script(const char *path)
{
    return file_name_has_extension(path, ".gp");
}

static bool is_trace(const char *path)
{
    return file_name_has_extension(path, ".trace.json");
}

enum status dma_output_check(const char *path, struct error *error)
{
    if (!path || is_script(path) || is_trace(path) || file_name_has_extension(path, ".svg") ||
        file_name_has_extension(path, ".pdf") || file_name_has_extension(path, ".png"))
        return STATUS_OK;
    return error_set(error, STATUS_USAGE,
                     "output '%s', expected .trace.json, .svg, .pdf, .png or .gp", path);
}

static enum status write_trace(const struct transfer_run *run, struct text *text,
                               struct error *error)
{
    struct transfer_path path = {0};
    struct transfer_timeline timeline = {0};
    enum status status = transfer_paths_likeliest(run->regions, &path, error);
    if (!status)
        status = transfer_timeline_fill(run->program, run->costs, path.chosen, &timeline, error);
    if (!status)
        status = transfer_trace_write(run->regions->graph, &timeline, text, error);
    transfer_timeline_clear(&timeline);
    transfer_path_clear(&path);
    return status;
}

enum status dma_output_write(const struct instance *instance, const struct transfer_run *run,
                             const char *path, struct error *error)
{
    struct text text = {0};
    enum status status = is_trace(path)
                             ? write_trace(run, &text, error)
                             : dma_figures_gantt(instance->name, "gantt", run, 1, &text, error);
    if (!status)
        status = is_trace(path) || is_script(path) ? text_write_file(path, &text, error)
                                                   : plot_render(text.bytes, path, error);
    text_free(&text);
    return status;
}
