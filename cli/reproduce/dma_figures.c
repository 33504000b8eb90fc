#include "cli/reproduce/dma_figures.h"

#include "cli/dma/figures.h"
#include "datasets/instance.h"
#include "harness/files/hardware_file.h"

/* Figures 3 and 4 of Wang et al. show a graph without and with branches. */
static const struct figure {
    const char *name, *title, *instance;
    bool regions;
} figures[] = {
    {"luna-dma-figure3", "Transfers inserted without branches (Wang et al., Figure 3)",
     "luna/face_align", false},
    {"luna-dma-figure4", "Transfers inserted in each region (Wang et al., Figure 4)",
     "luna/fusion_detect", false},
    {"luna-dma-regions", "Transfer regions", "luna/fusion_detect", true},
};

static enum status draw(const struct figure *figure, const struct instance *instance,
                        const struct hardware *hardware, struct text *script, struct error *error)
{
    static const char *const modes[] = {"sync", "pingpong"};
    struct transfer_run run[2] = {{0}};
    enum status status = STATUS_OK;
    for (int i = 0; i < 2 && !status; i++) {
        const struct transfer_mode *mode;
        status = transfer_modes_find(modes[i], &mode, error);
        if (!status)
            status = transfer_run_fill(
                instance->graph, &(struct transfer_setting){hardware, mode, 2}, &run[i], error);
    }
    if (!status)
        status = figure->regions
                     ? dma_figures_regions(instance->name, figure->name, run, script, error)
                     : dma_figures_gantt(instance->name, figure->name, run, 2, script, error);
    transfer_run_clear(&run[0]);
    transfer_run_clear(&run[1]);
    return status;
}

static enum status add_figure(const struct figure *figure, const struct hardware *hardware,
                              struct report *report, struct error *error)
{
    struct instance *instance;
    struct text script = {0};
    TRY(instance_load(figure->instance, NULL, &instance, error));
    enum status status = draw(figure, instance, hardware, &script, error);
    if (!status)
        status = report_add_figure(report, figure->name, figure->title, script.bytes, error);
    text_free(&script);
    instance_free(instance);
    return status;
}

enum status dma_figures_add(struct report *report, struct error *error)
{
    struct hardware hardware = {0};
    enum status status = hardware_file_load("luna", &hardware, error);
    for (size_t i = 0; i < sizeof figures / sizeof *figures && !status; i++)
        status = add_figure(&figures[i], &hardware, report, error);
    hardware_clear(&hardware);
    return status;
}
