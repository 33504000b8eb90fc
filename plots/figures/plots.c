#include "plots/figures/plots.h"

#include <assert.h>
#include <string.h>

static const struct plot_recipe *const recipes[] = {
#define PLOT(name) &plot_##name,
#include "plots/figures/plots.def"
#undef PLOT
};

unsigned plots_count(void)
{
    return sizeof recipes / sizeof *recipes;
}

const struct plot_recipe *plots_at(unsigned index)
{
    assert(index < plots_count());
    return recipes[index];
}

const struct plot_recipe *plots_find(const char *name)
{
    for (unsigned i = 0; i < plots_count(); i++)
        if (strcmp(recipes[i]->name, name) == 0)
            return recipes[i];
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
