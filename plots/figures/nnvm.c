/* The plot nnvm: what NNVM's runtime allocates on networks under several settings, by the load. */

#include <string.h>

#include "plots/script/recipe.h"
#include "plots/script/script.h"
#include "results/store/measures.h"
#include "results/store/reconstructions.h"

static const char *const variants[] = {"nnvm; in place", "nnvm?auto_search=1; in place",
                                       "nnvm?match_range=1; in place", "nnvm?colours=2; in place"};
enum { VARIANTS = sizeof variants / sizeof *variants };

static bool find_ratio(const struct measure_set *set, const char *instance, const char *variant,
                       double *ratio)
{
    int64_t peak, load;
    if (!measures_find(set, instance, variant, "peak_bytes", &peak) ||
        !measures_find(set, instance, variant, "load_bytes", &load) || load < 1)
        return false;
    *ratio = (double)peak / (double)load;
    return true;
}

/* What there is to draw. */
struct networks {
    struct measure_set set;
    struct names reconstructions;
};

static void add_name(const struct networks *networks, const char *instance, struct text *script)
{
    struct text name = {0};
    text_append(&name, "%s%s", instance,
                reconstructions_label(&networks->reconstructions, instance));
    script_add_field(script, name.failed ? instance : name.bytes);
    text_free(&name);
}

static void add_network(const struct networks *networks, const char *instance, struct text *script)
{
    const struct measure_set *set = &networks->set;
    double ratio;
    add_name(networks, instance, script);
    for (unsigned i = 0; i < VARIANTS; i++)
        if (find_ratio(set, instance, variants[i], &ratio))
            text_append(script, " %.6f", ratio);
        else
            text_append(script, " NaN");
    text_append(script, "\n");
}

static unsigned add_data(const struct networks *networks, struct text *script)
{
    const struct measure_set *set = &networks->set;
    unsigned count = 0;
    script_begin_data(script, "data");
    for (uint32_t i = 0; i < set->count; i++)
        if (!i || strcmp(set->measure[i].instance, set->measure[i - 1].instance) != 0) {
            add_network(networks, set->measure[i].instance, script);
            count++;
        }
    script_end_data(script);
    return count;
}

static enum status build(const struct plot_recipe *recipe, const struct plot_request *request,
                         struct text *script, struct error *error)
{
    struct networks networks = {0};
    enum status status;
    TRY_OR_DONE(status,
                measures_read(request->store, request->choice, "nnvm", &networks.set, error));
    if (!networks.set.count) {
        status = error_set(error, STATUS_NO, "no results for this plot, expected %s", recipe->data);
        goto done;
    }
    TRY_OR_DONE(status, reconstructions_read(request->store, &networks.reconstructions, error));
    const struct script_head head = {recipe->name, 900, 760, recipe->title,
                                     "bytes of all storage ids / load, with operators in place"};
    script_begin(script, &head);
    text_append(script, "count = %u\n", add_data(&networks, script));
    script_add_template(script, "nnvm");
done:
    measures_free(&networks.set);
    names_free(&networks.reconstructions);
    return status;
}

const struct plot_recipe plot_nnvm = {
    .name = "nnvm",
    .title = "Storage ids of NNVM on networks",
    .data = "those of memplan reproduce nnvm",
    .build = build,
};
