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

/* Peaks in bytes; 0 where unknown, since no peak is 0. */
struct bars {
    uint64_t measured[ROLES_STRATEGIES][TABLES], published[ROLES_STRATEGIES][TABLES];
    uint64_t most;
    unsigned known;
};

enum status plot_draw_bars(struct plot_drawing *drawing)
{
    const char *model = drawing->recipe->model;
    const struct result_set *set = &drawing->contest.set;
    struct text *script = drawing->script;
    struct picker picker = {.set = set};
    struct bars bars = {0};
    uint64_t factor;
    for (unsigned i = 0; i < ROLES_STRATEGIES; i++)
        for (unsigned k = 0; k < TABLES; k++) {
            const struct luna_pair pair =
                luna_pair_find(&picker, tables[k], model, roles_strategy(i));
            bars.measured[i][k] = pair.measured_bytes;
            bars.published[i][k] = pair.published_bytes;
            bars.known += pair.measured;
            bars.most = pair.measured_bytes > bars.most ? pair.measured_bytes : bars.most;
            bars.most = pair.published_bytes > bars.most ? pair.published_bytes : bars.most;
        }
    if (!bars.known)
        return plot_fail_empty(drawing);
    bool reconstruction = set->count && set->row[0].reconstruction;
    plot_begin(drawing, 800, 460, "instance %s%s, bytes above the bars", luna_instance(model),
               reconstruction ? RECONSTRUCTIONS_LABEL : "");
    text_append(script, "unit = '%s'\n", script_unit(bars.most, &factor));
    text_append(script, "factor = %" PRIu64 ".0\ncount = %d\ntop = %" PRIu64 ".0\n", factor,
                ROLES_STRATEGIES, bars.most);
    script_begin_data(script, "data");
    for (unsigned i = 0; i < ROLES_STRATEGIES; i++) {
        script_add_field(script, roles_strategy(i));
        const uint64_t bytes[] = {bars.measured[i][0], bars.measured[i][1], bars.published[i][0],
                                  bars.published[i][1]};
        for (int k = 0; k < 4; k++)
            if (bytes[k])
                text_append(script, " %" PRIu64, bytes[k]);
            else
                text_append(script, " NaN");
        text_append(script, "\n");
    }
    script_end_data(script);
    script_add_template(script, "bars");
    return STATUS_OK;
}
