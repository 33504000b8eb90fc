#include "cli/versus/files.h"

#include <stdio.h>
#include <string.h>

#include "cli/output/picture.h"
#include "cli/versus/answer.h"
#include "core/file.h"
#include "results/tables/tables.h"

/* Writes the tables whole, and the figures in which mine stands out; `drawn` gets the names of
   those. Some need another planner with a plan that counts. */
static enum status write_tables_and_figures(const struct versus *versus, const char *folder,
                                            struct text *drawn, struct error *error)
{
    static const char *const tables[] = {"versus", "versus-instances", "leaderboard"};
    static const char *const formats[] = {"csv", "md", "tex"};
    static const char *const plots[] = {"scatter", "profile", "quality", "gaps"};
    struct result_choice choice = versus->chosen.choice;
    const struct plot_request request = {.store = versus->store, .choice = &choice};
    TRY(file_create_folder(folder, error));
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
        for (size_t k = 0; k < sizeof formats / sizeof *formats; k++) {
            SCOPED(text_free) struct text path = {0}, text = {0};
            text_append(&path, "%s/%s.%s", folder, tables[i], formats[k]);
            TRY(text_check(&path, error));
            TRY(versus_append_table(versus, tables[i], NULL, 0, formats[k], &text, error));
            TRY(text_write_file(path.bytes, &text, error));
        }
    for (size_t i = 0; i < sizeof plots / sizeof *plots; i++) {
        SCOPED(text_free) struct text path = {0};
        text_append(&path, "%s/%s.svg", folder, plots[i]);
        TRY(text_check(&path, error));
        remove(path.bytes);
        enum status status = picture_draw(plots[i], &request, path.bytes, error);
        if (status && (status != STATUS_NO || versus->duels.count))
            return status;
        text_append(drawn, "%s%s", drawn->length && !status ? ", " : "", status ? "" : plots[i]);
    }
    return STATUS_OK;
}

/* Draws the plan of mine where it is worst, beside the plan of one that is lowest there. Nothing
   where no layout was stored. */
static enum status draw_worst(const struct versus *versus, const char *folder, bool *drawn,
                              struct error *error)
{
    SCOPED(table_free) struct table table = {0};
    TRY(tables_build("versus-instances", versus->store, &versus->chosen.choice, &table, error));
    *drawn = table_rows(&table) > 0;
    uint32_t worst = *drawn ? table_rows(&table) - 1 : 0;
    if (!*drawn)
        return STATUS_OK;
    const char *names[] = {table_raw(&table, worst, 0), table_raw(&table, worst, 1)};
    const char *const owners[] = {versus->mine, table_raw(&table, worst, 5)};
    static const char *const files[] = {"worst-mine", "worst-least"};
    for (int side = 0; side < 2 && *drawn; side++) {
        SCOPED(names_free) struct names instance = {0}, policy = {0}, planner = {0};
        SCOPED(text_free) struct text path = {0}, name = {0};
        struct error why = ERROR_NONE;
        bool suffixed = versus->by_orders && strcmp(owners[side], RESULT_STORED) != 0;
        text_append(&path, "%s/%s.svg", folder, files[side]);
        text_append(&name, "%.*s%s%s", (int)strcspn(names[0], " "), names[0], suffixed ? "@" : "",
                    suffixed ? owners[side] : "");
        TRY(text_check(&path, error));
        TRY(text_check(&name, error));
        TRY(names_add(&instance, name.bytes, error));
        TRY(names_add(&policy, names[1], error));
        TRY(names_add(&planner, owners[side], error));
        const struct result_choice choice = {.instances = &instance,
                                             .policies = &policy,
                                             .planners = versus->by_orders ? NULL : &planner};
        const struct plot_request request = {.store = versus->store, .choice = &choice};
        enum status status = picture_draw("layout", &request, path.bytes, &why);
        *drawn = status == STATUS_OK;
        if (status && status != STATUS_NO) {
            *error = why;
            return status;
        }
    }
    return STATUS_OK;
}

enum status versus_write_files(const struct versus *versus, const char *folder, struct text *told,
                               struct error *error)
{
    SCOPED(text_free) struct text plots = {0};
    bool drawn;
    TRY(write_tables_and_figures(versus, folder, &plots, error));
    TRY(draw_worst(versus, folder, &drawn, error));
    text_append(told,
                "%s/ has all rows of versus, versus-instances and leaderboard (.csv, .md, .tex), "
                "and the figures %s (.svg)%s",
                folder, plots.bytes ? plots.bytes : "",
                drawn ? ", and the layouts of the worst row" : "");
    return text_check(told, error);
}
