#include "plots/script/recipe.h"

uint32_t plot_recipe_shown(const struct plot_request *request, uint32_t available, uint32_t usual)
{
    uint32_t wanted = request->choice && request->choice->top ? request->choice->top : usual;
    return wanted < available ? wanted : available;
}

enum status plot_recipe_fail_empty(const struct plot_recipe *recipe, struct error *error)
{
    return error_set(error, STATUS_NO, "no results for this plot, expected %s", recipe->data);
}
