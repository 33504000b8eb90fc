/* The plot nnvm: the bytes that NNVM's runtime allocates for networks under several settings, in
   relation to the load. */

#include <string.h>

#include "plots/script/recipe.h"
#include "plots/script/script.h"
#include "results/store/measures.h"
#include "results/store/reconstructions.h"

static const char *const variants[] = {"nnvm; in place", "nnvm?auto_search=1; in place",
                                       "nnvm?match_range=1; in place", "nnvm?colours=2; in place"};
enum { VARIANTS = sizeof variants / sizeof *variants };

enum status plot_draw_nnvm(struct plot_drawing *drawing)
{
    const struct measure_set *set = &drawing->measures;
    struct text *script = drawing->script;
    SCOPED(names_free) struct names reconstructions = {0};
    unsigned count = 0;
    if (!set->count)
        return plot_fail_empty(drawing);
    TRY(reconstructions_read(drawing->request->store, &reconstructions, drawing->error));
    plot_begin(drawing, 900, 760, "bytes of all storage ids / load, with operators in place");
    script_begin_data(script, "data");
    for (uint32_t i = 0; i < set->count; i++) {
        const char *instance = set->measure[i].instance;
        if (i && strcmp(instance, set->measure[i - 1].instance) == 0)
            continue;
        struct text name = {0};
        text_append(&name, "%s%s", instance, reconstructions_label(&reconstructions, instance));
        script_add_field(script, name.failed ? instance : name.bytes);
        text_free(&name);
        for (unsigned k = 0; k < VARIANTS; k++) {
            int64_t peak, load;
            if (measures_find(set, instance, variants[k], "peak_bytes", &peak) &&
                measures_find(set, instance, variants[k], "load_bytes", &load) && load > 0)
                text_append(script, " %.6f", (double)peak / (double)load);
            else
                text_append(script, " NaN");
        }
        text_append(script, "\n");
        count++;
    }
    script_end_data(script);
    text_append(script, "count = %u\n", count);
    script_add_template(script, "nnvm");
    return STATUS_OK;
}
