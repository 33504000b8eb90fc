#include "plots/figures/plots.h"

#include <string.h>

#include "plots/figures/builders.h"

static const struct bars_detail fusion_detect = {"luna/fusion_detect", "FusionDetect"};
static const struct bars_detail denoise = {"luna/denoise", "Denoise"};

static const struct layout_detail figure1 = {
    3,
    {{"paper/figure1", "flat", "sequential", "sequential"},
     {"paper/figure1", "flat", "large_first", "large_first"},
     {"paper/figure1", "flat", "short_first", "short_first"}}};
static const struct layout_detail figure2 = {
    2,
    {{"paper/figure1", "flat", "large_first", "flat"},
     {"paper/figure1", "recursive", "large_first", "recursive"}}};
static const struct layout_detail figure6a = {1,
                                              {{"luna/fusion_detect", "flat", "large_first", ""}}};
static const struct layout_detail figure6b = {
    1, {{"luna/fusion_detect", "recursive", "large_first", ""}}};
static const struct layout_detail requested = {1, {{NULL, NULL, NULL, ""}}};

static const struct plot_recipe recipes[] = {
    {"bars-fusion-detect", "FusionDetect: peak before and after control-flow optimisation",
     "luna/fusion_detect, policies flat and recursive, three strategies (Wang et al. 2025, Figure "
     "5a)",
     plot_build_bars, &fusion_detect},
    {"bars-denoise", "Denoise: peak before and after control-flow optimisation",
     "luna/denoise, policies flat and recursive, three strategies (Wang et al. 2025, Figure 5b)",
     plot_build_bars, &denoise},
    {"figure1", "Memory layouts of three strategies",
     "paper/figure1, policy flat: sequential, large_first, short_first (Wang et al. 2025, Figure "
     "1)",
     plot_build_layout, &figure1},
    {"figure2", "Memory layout before and after control-flow optimisation",
     "paper/figure1, large_first, policies flat and recursive (Wang et al. 2025, Figure 2)",
     plot_build_layout, &figure2},
    {"figure6a", "FusionDetect before control-flow optimisation",
     "luna/fusion_detect, large_first, policy flat (Wang et al. 2025, Figure 6a)",
     plot_build_layout, &figure6a},
    {"figure6b", "FusionDetect after control-flow optimisation",
     "luna/fusion_detect, large_first, policy recursive (Wang et al. 2025, Figure 6b)",
     plot_build_layout, &figure6b},
    {"layout", "Memory layout", "the newest plan for an instance, a policy and a planner",
     plot_build_layout, &requested},
    {"anytime", "The best plan and the proved bound over time",
     "results of planners that tell how they searched, as exact does", plot_build_anytime, NULL},
    {"dma-front", "Fronts of time against on-chip bytes", "those of memplan reproduce dma-front",
     plot_build_front, NULL},
    {"gaps", "Gap to the best known lower bound", "the results of any bench run", plot_build_gaps,
     NULL},
    {"policies", "The least peak under each of seven policies",
     "instances with branches or loops under several policies: bench --suite control_flow",
     plot_build_policies, NULL},
    {"peaks", "Peak relative to the load", "the results of any bench run", plot_build_peaks, NULL},
};

unsigned plots_count(void)
{
    return sizeof recipes / sizeof *recipes;
}

const struct plot_recipe *plots_at(unsigned index)
{
    return &recipes[index];
}

const struct plot_recipe *plots_find(const char *name)
{
    for (unsigned i = 0; i < plots_count(); i++)
        if (strcmp(recipes[i].name, name) == 0)
            return &recipes[i];
    return NULL;
}

enum status plot_script(const char *name, const struct plot_request *request, struct text *script,
                        struct error *error)
{
    const struct plot_recipe *recipe = plots_find(name);
    if (!recipe)
        return error_set(error, STATUS_USAGE, "no plot '%s', expected one of memplan list plots",
                         name);
    TRY(recipe->build(recipe, request, script, error));
    return text_check(script, error);
}
