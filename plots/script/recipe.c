#include "plots/script/recipe.h"

#include <stdarg.h>
#include <stdio.h>

#include "plots/script/script.h"

enum status plot_recipe_draw(const struct plot_recipe *recipe, const struct plot_request *request,
                             struct text *script, struct error *error)
{
    struct plot_drawing drawing = {
        .recipe = recipe, .request = request, .script = script, .error = error};
    struct result_filter filter = recipe->filter;
    enum status status = STATUS_OK;
    filter.choice = request->choice;
    if (recipe->source == TABLE_OF_MEASURES)
        status =
            measures_read(request->store, request->choice, recipe->topic, &drawing.measures, error);
    else if (recipe->source == TABLE_OF_CONTEST)
        status = contest_open(request->store, request->choice, &drawing.contest, error);
    else if (recipe->source != TABLE_OF_ITS_OWN)
        status = query_newest(request->store, &filter, &drawing.contest.set, error);
    if (!status)
        status = recipe->draw(&drawing);
    measures_free(&drawing.measures);
    contest_free(&drawing.contest);
    return status;
}

void plot_begin(struct plot_drawing *drawing, unsigned width, unsigned height, const char *subtitle,
                ...)
{
    char text[1024];
    va_list arguments;
    va_start(arguments, subtitle);
    vsnprintf(text, sizeof text, subtitle, arguments);
    va_end(arguments);
    script_begin(drawing->script, &(struct script_head){drawing->recipe->name, width, height,
                                                        drawing->recipe->title, text});
}

void plot_name_planners(struct plot_drawing *drawing, uint32_t shown)
{
    script_begin_array(drawing->script, "planner", shown);
    for (uint32_t i = 0; i < shown; i++)
        script_set_element(drawing->script, "planner", i, contest_name(&drawing->contest, i));
}

uint32_t plot_shown(const struct plot_drawing *drawing, uint32_t available, uint32_t usual)
{
    const struct result_choice *choice = drawing->request->choice;
    uint32_t wanted = choice && choice->top ? choice->top : usual;
    return wanted < available ? wanted : available;
}

enum status plot_fail_empty(const struct plot_drawing *drawing)
{
    return error_set(drawing->error, STATUS_NO, "no results for this plot, expected %s",
                     drawing->recipe->data);
}
