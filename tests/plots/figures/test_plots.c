#include "plots/figures/plots.h"

#include <stdlib.h>
#include <unistd.h>

#include "core/memory.h"
#include "made_up.h"
#include "plots/picture.h"
#include "plots/render.h"
#include "support/must.h"

static void check_drawing(const struct text *script)
{
    char folder[] = "/tmp/memplan-plots-XXXXXX", path[64];
    CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/plot.svg", folder);
    error = ERROR_NONE;
    must(plot_render(script->bytes, path, &error));
    CU_ASSERT_STRING_EQUAL(error.text, "");
    CU_ASSERT(picture_file_is_well_formed(path));
    unlink(path);
    rmdir(folder);
}

static void draw(const struct plot_request *request, const char *name, const char *words)
{
    SCOPED(text_free) struct text script = {0};
    must(plot_script(name, request, &script, &error));
    CU_ASSERT_PTR_NOT_NULL(strstr(script.bytes, words));
    check_drawing(&script);
}

static void every_plot_is_drawn(void)
{
    if (!picture_can_be_drawn())
        return;
    struct plot_request request = {.store = the_store};
    made_up_fill(the_store);
    for (unsigned i = 0; i < plots_count(); i++) {
        CU_ASSERT_PTR_EQUAL(plots_find(plots_at(i)->name), plots_at(i));
        draw(&request, plots_at(i)->name, plots_at(i)->title);
    }
    draw(&request, "bars-denoise", "98304 99840 98340");
    draw(&request, "figure6b", "luna/fusion_detect (a reconstruction), policy recursive");
    draw(&request, "gaps", "\"tflm_greedy\" \"1 of 4 *\"");
    draw(&request, "peaks", "\"timeout\"");
    draw(&request, "dma-front", "0.875 1.25");
    draw(&request, "memories", "1 1 1\n");
    draw(&request, "anytime", "0.0007 1024 1280");
    draw(&request, "orders-steps", "0 100\n1 300\n2 0\n\n\n0 100\n1 100\n2 0\n");
    draw(&request, "orders-profile", "1 1\nend0 1\nend1 1\nend2 1\n");
    draw(&request, "orders-times", "2e-06\n");
}

static void bars_of_what_was_measured(void)
{
    if (!picture_can_be_drawn())
        return;
    struct plot_request request = {.store = the_store};
    made_up_write(the_store, made_up_row("luna/denoise", "flat", "large_first", 99840));
    draw(&request, "bars-denoise", "99840 NaN");
}

static void a_layout_can_be_chosen(void)
{
    struct names instances = {0}, policies = {0}, planners = {0};
    struct result_choice choice = {.instances = &instances, .policies = &policies};
    const struct plot_request request = {.store = the_store, .choice = &choice};
    struct text script = {0};
    made_up_fill(the_store);
    must(names_add(&instances, "paper/figure1", &the_error));
    must(names_add(&policies, "recursive", &the_error));
    must(names_add(&planners, "exact", &the_error));
    must(plot_script("layout", &request, &script, &the_error));
    CU_ASSERT_PTR_NOT_NULL(strstr(script.bytes, "paper/figure1, policy recursive"));
    text_free(&script);
    choice.planners = &planners;
    CU_ASSERT_EQUAL(plot_script("layout", &request, &script, &the_error), STATUS_NO);
    CU_ASSERT_PTR_NOT_NULL(strstr(the_error.text, "whose places were kept"));
    text_free(&script);
    names_free(&instances);
    names_free(&policies);
    names_free(&planners);
}

/* Two planners in a panel, one of which has no plan; a curve that is none; more than fit. */
static void curves_of_several_planners(void)
{
    char path[64], name[16];
    if (!picture_can_be_drawn())
        return;
    struct store *store = made_up_open(path);
    struct names instances = {0};
    struct result_choice choice = {.instances = &instances};
    const struct plot_request request = {.store = store, .choice = &choice};
    struct result_row row = made_up_row("x", "flat", "a", 8);
    row.curve = "0:8: 20:8:16 40:12:12";
    made_up_write(store, row);
    must(names_add(&instances, "x", &error));
    row.planner = "b";
    row.curve = "10:10:";
    made_up_write(store, row);
    row.planner = "c";
    row.curve = "soon";
    made_up_write(store, row);
    draw(&request, "anytime", "last[1] = 2\nhead[1] = 'x, flat (bytes)'");
    for (unsigned i = 0; i < 30; i++) {
        snprintf(name, sizeof name, "more %u", i);
        row.instance = row.digest = name;
        row.curve = "10:10:";
        made_up_write(store, row);
    }
    choice.instances = NULL;
    names_free(&instances);
    draw(&request, "anytime", "19 shorter ones are left out");
    made_up_remove(store, path);
}

/* a is at the bound everywhere, b twice above it, c once without a plan. */
static struct store *open_contest(char path[64])
{
    struct store *store = made_up_open(path);
    static const char *const instances[] = {"x", "y", "z"};
    for (unsigned i = 0; i < 3; i++) {
        struct result_row row = made_up_row(instances[i], "flat", "a", 100);
        row.load_bytes = 100;
        row.buffers = i ? 10 * i * i : 2;
        row.wall_ns = row.buffers * 1000;
        made_up_write(store, row);
        row.planner = "b";
        row.peak_bytes = i ? 150 : 100;
        made_up_write(store, row);
        row.planner = "c";
        row.peak_bytes = 120;
        if (i == 2) {
            row.status = "timeout";
            row.verdict = row.execution = "";
        }
        made_up_write(store, row);
    }
    return store;
}

static void planners_against_each_other(void)
{
    char path[64];
    if (!picture_can_be_drawn())
        return;
    struct store *store = open_contest(path);
    struct result_choice choice = {.top = 2};
    struct plot_request request = {.store = store};
    draw(&request, "profile", "1 1\nend0 1\nend1 1\nend2 1\n");
    draw(&request, "profile", "1.2 0.666667\nend0 0.666667\nend1 1\n");
    draw(&request, "cactus", "1 2e-06\n2 1e-05\n3 4e-05\n");
    draw(&request, "scatter", "a is lower on 2 rows, c on 0, both alike on 0");
    draw(&request, "wins", "1 0 100\n");
    draw(&request, "ranks", "mean ranks over 2 instances");
    draw(&request, "scaling", "a: n^1.00");
    draw(&request, "quality", "\"a\"");
    request.choice = &choice;
    request.is_dark = true;
    draw(&request, "profile", "shown = 2");
    draw(&request, "wins", "theme = 'dark'");
    made_up_remove(store, path);
}

static void a_figure_of_two_planners(void)
{
    char path[64];
    struct store *store = open_contest(path);
    struct names subject = {0};
    struct result_choice choice = {.subject = &subject};
    const struct plot_request request = {.store = store, .choice = &choice};
    struct text script = {0};
    must(names_add(&subject, "b", &error));
    CU_ASSERT_EQUAL(plot_script("scatter", &request, &script, &error), STATUS_USAGE);
    must(names_add(&subject, "a", &error));
    must(plot_script("scatter", &request, &script, &error));
    CU_ASSERT_PTR_NOT_NULL(strstr(script.bytes, "b is lower on 0 rows, a on 2, both alike on 1"));
    text_free(&script);
    names_free(&subject);
    made_up_remove(store, path);
}

static void invalid_plans_are_not_drawn(void)
{
    struct plot_request request = {.store = the_store};
    SCOPED(text_free) struct text script = {0};
    const struct result_rectangle rectangle = {"a", 0, 1, 0, 8, 0, 0};
    struct result_row row = made_up_row("x", "flat", "a", 8);
    row.verdict = "overlap";
    row.load_bytes = 8;
    must(store_write(the_store, &row, &rectangle, 1, &the_error));
    CU_ASSERT_EQUAL(plot_script("layout", &request, &script, &the_error), STATUS_NO);
    CU_ASSERT_EQUAL(plot_script("gaps", &request, &script, &the_error), STATUS_NO);
}

static void hostile_names_are_only_names(void)
{
    if (!picture_can_be_drawn())
        return;
    struct plot_request request = {.store = the_store};
    const char *name = "'\n\"`touch /tmp/memplan-hostile`\nEOD\n@x \\ $data # <&> \xff %s";
    const struct result_rectangle rectangle = {name, 0, 1, 0, 8, 0, 0};
    struct result_row row = made_up_row(name, name, name, 8);
    row.load_bytes = 8;
    row.curve = "5:8:8";
    must(store_write(the_store, &row, &rectangle, 1, &the_error));
    draw(&request, "layout", "");
    draw(&request, "gaps", "");
    draw(&request, "peaks", "");
    draw(&request, "anytime", "");
    CU_ASSERT_EQUAL(access("/tmp/memplan-hostile", F_OK), -1);
}

static void without_results_there_is_no_plot(void)
{
    struct plot_request request = {.store = the_store};
    SCOPED(text_free) struct text script = {0};
    for (unsigned i = 0; i < plots_count(); i++)
        CU_ASSERT_EQUAL(plot_script(plots_at(i)->name, &request, &script, &the_error), STATUS_NO);
    CU_ASSERT_EQUAL(plot_script("nothing", &request, &script, &the_error), STATUS_USAGE);
}

static void no_memory_leaks_nothing(void)
{
    struct plot_request request = {.store = the_store};
    made_up_fill(the_store);
    uint64_t before = memory_live_blocks();
    for (unsigned i = 0; i < plots_count(); i++)
        for (uint64_t allowed = 0, done = 0; !done; allowed += 1 + allowed / 16) {
            struct text script = {0};
            memory_fail_after(allowed);
            done = plot_script(plots_at(i)->name, &request, &script, &error) == STATUS_OK;
            memory_fail_after(UINT64_MAX);
            CU_ASSERT_FATAL(done || error.status == STATUS_INTERNAL);
            text_free(&script);
            CU_ASSERT_EQUAL(memory_live_blocks(), before);
        }
}

static const struct test_case cases[] = {
    {"every plot is drawn", every_plot_is_drawn},
    {"bars where a policy was not measured", bars_of_what_was_measured},
    {"a layout can be chosen", a_layout_can_be_chosen},
    {"planners against each other", planners_against_each_other},
    {"a figure of two planners", a_figure_of_two_planners},
    {"curves of several planners", curves_of_several_planners},
    {"invalid plans are not drawn", invalid_plans_are_not_drawn},
    {"hostile names are only names", hostile_names_are_only_names},
    {"without results there is no plot", without_results_there_is_no_plot},
    {"no memory leaks nothing", no_memory_leaks_nothing},
};
MADE_UP_MAIN("plots/plots", cases)
