/* The plots bars-fusion-detect and bars-denoise: peaks of three strategies before and after
   control-flow optimisation, beside the published ones. */

#include <inttypes.h>

#include "plots/script/recipe.h"
#include "plots/script/script.h"
#include "results/store/reconstructions.h"
#include "results/views/luna.h"
#include "results/views/roles.h"

static const char *const tables[] = {LUNA_TABLE_1, LUNA_TABLE_2};

enum { TABLES = sizeof tables / sizeof *tables };

/* A model of Wang et al. 2025, Figure 5. */
struct bars_detail {
    const char *model;
};

/* Peaks in bytes; 0 where unknown, since no peak is 0. */
struct bars {
    uint64_t measured[ROLES_STRATEGIES][TABLES], published[ROLES_STRATEGIES][TABLES];
    uint64_t most;
    unsigned known;
    bool reconstruction;
};

static void find_bar(const char *model, struct picker *picker, struct bars *bars, unsigned strategy,
                     unsigned table)
{
    const struct luna_pair pair =
        luna_pair_find(picker, tables[table], model, roles_strategy(strategy));
    bars->measured[strategy][table] = pair.measured_bytes;
    bars->published[strategy][table] = pair.published_bytes;
    bars->known += pair.measured;
    bars->most = pair.measured_bytes > bars->most ? pair.measured_bytes : bars->most;
    bars->most = pair.published_bytes > bars->most ? pair.published_bytes : bars->most;
}

static void add_value(struct text *script, uint64_t bytes)
{
    if (bytes)
        text_append(script, " %" PRIu64, bytes);
    else
        text_append(script, " NaN");
}

static void add_data(struct text *script, const struct bars *bars)
{
    script_begin_data(script, "data");
    for (unsigned i = 0; i < ROLES_STRATEGIES; i++) {
        script_add_field(script, roles_strategy(i));
        add_value(script, bars->measured[i][0]);
        add_value(script, bars->measured[i][1]);
        add_value(script, bars->published[i][0]);
        add_value(script, bars->published[i][1]);
        text_append(script, "\n");
    }
    script_end_data(script);
}

static void add_script(const struct plot_recipe *recipe, const struct bars *bars,
                       struct text *script)
{
    const struct bars_detail *detail = recipe->detail;
    const char *instance = luna_instance(detail->model);
    struct text subtitle = {0};
    uint64_t factor;
    text_append(&subtitle, "instance %s%s, bytes above the bars", instance,
                bars->reconstruction ? RECONSTRUCTIONS_LABEL : "");
    struct script_head head = {recipe->name, 800, 460, recipe->title,
                               subtitle.failed ? "" : subtitle.bytes};
    script_begin(script, &head);
    text_append(script, "unit = '%s'\n", script_unit(bars->most, &factor));
    text_append(script, "factor = %" PRIu64 ".0\ncount = %d\ntop = %" PRIu64 ".0\n", factor,
                ROLES_STRATEGIES, bars->most);
    add_data(script, bars);
    script_add_template(script, "bars");
    text_free(&subtitle);
}

static enum status build(const struct plot_recipe *recipe, const struct plot_request *request,
                         struct text *script, struct error *error)
{
    const struct bars_detail *detail = recipe->detail;
    struct result_set set = {0};
    struct bars bars = {0};
    TRY(query_newest(request->store,
                     &(struct result_filter){.choice = request->choice,
                                             .instance = luna_instance(detail->model)},
                     &set, error));
    struct picker picker = {.set = &set};
    for (unsigned i = 0; i < ROLES_STRATEGIES; i++)
        for (unsigned k = 0; k < TABLES; k++)
            find_bar(detail->model, &picker, &bars, i, k);
    bars.reconstruction = set.count && set.row[0].reconstruction;
    query_free(&set);
    if (!bars.known)
        return error_set(error, STATUS_NO, "no results for this plot, expected %s", recipe->data);
    add_script(recipe, &bars, script);
    return STATUS_OK;
}

static const struct bars_detail fusion_detect = {"FusionDetect"};
const struct plot_recipe plot_bars_fusion_detect = {
    .name = "bars-fusion-detect",
    .title = "FusionDetect: peak before and after control-flow optimisation",
    .data = "luna/fusion_detect, policies flat and recursive, three strategies (Wang et al. 2025, "
            "Figure "
            "5a)",
    .build = build,
    .detail = &fusion_detect,
};

static const struct bars_detail denoise = {"Denoise"};
const struct plot_recipe plot_bars_denoise = {
    .name = "bars-denoise",
    .title = "Denoise: peak before and after control-flow optimisation",
    .data =
        "luna/denoise, policies flat and recursive, three strategies (Wang et al. 2025, Figure 5b)",
    .build = build,
    .detail = &denoise,
};
