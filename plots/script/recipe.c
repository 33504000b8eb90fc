#include "plots/script/recipe.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

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
    size_t used = strlen(text);
    if (drawing->shown < drawing->available)
        snprintf(text + used, sizeof text - used, "; %u of %u shown", drawing->shown,
                 drawing->available);
    script_begin(drawing->script, &(struct script_head){drawing->recipe->name, width, height,
                                                        drawing->recipe->title, text});
    text_append(drawing->script, "mine = %u\n", drawing->mine);
}

void plot_name_planners(struct plot_drawing *drawing, uint32_t shown)
{
    script_begin_array(drawing->script, "planner", shown);
    for (uint32_t i = 0; i < shown; i++)
        script_set_element(drawing->script, "planner", i, contest_name(&drawing->contest, i));
}

uint32_t plot_shown(struct plot_drawing *drawing, uint32_t available, uint32_t usual)
{
    const struct result_choice *choice = drawing->request->choice;
    uint32_t wanted = choice && choice->top ? choice->top : usual;
    wanted = drawing->most && drawing->most < wanted ? drawing->most : wanted;
    drawing->available = available;
    return drawing->shown = wanted < available ? wanted : available;
}

uint32_t plot_shown_lines(struct plot_drawing *drawing, const struct plot_lines *lines,
                          uint32_t available, uint32_t usual)
{
    const struct result_choice *choice = drawing->request->choice;
    uint32_t shown = plot_shown(drawing, available, usual), mine = 0;
    char *item = lines->item;
    if (!shown || !choice || !choice->mine)
        return shown;
    while (mine < available &&
           strcmp(lines->name(lines->context, &item[mine * lines->bytes]), choice->mine) != 0)
        mine++;
    if (mine == available)
        return shown;
    if (mine >= shown) {
        memcpy(&item[(shown - 1) * lines->bytes], &item[mine * lines->bytes], lines->bytes);
        mine = shown - 1;
    }
    drawing->mine = mine + 1;
    return shown;
}

static const char *get_planner_name(const void *planners, const void *item)
{
    const struct standing *standing = item;
    return names_get(planners, standing->planner);
}

uint32_t plot_shown_planners(struct plot_drawing *drawing, uint32_t available, uint32_t usual)
{
    const struct plot_lines lines = {drawing->contest.standings.standing,
                                     sizeof *drawing->contest.standings.standing, get_planner_name,
                                     &drawing->contest.grid.planners};
    return plot_shown_lines(drawing, &lines, available, usual);
}

enum status plot_fail_empty(const struct plot_drawing *drawing)
{
    return error_set(drawing->error, STATUS_NO, "no results for this plot, expected %s",
                     drawing->recipe->data);
}
