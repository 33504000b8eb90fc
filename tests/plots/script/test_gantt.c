#include "plots/script/gantt.h"

#include "plots/picture.h"
#include "plots/render.h"
#include "support/must.h"

static const struct gantt_head head = {"gantt", "Transfers", "a chip"};

static void write_gantt(struct text *script)
{
    struct gantt_bar sync[] = {{"conv", 0, 4000000, GANTT_TRANSFER},
                               {"conv", 0, 4000000, GANTT_WAIT},
                               {"conv 'a' \"b\"", 4000000, 9000000, GANTT_COMPUTE}};
    struct gantt_bar pingpong[] = {{"conv", 0, 4000000, GANTT_OTHER_TRANSFER},
                                   {"thin", 4000000, 4000001, GANTT_COMPUTE}};
    const struct gantt_panel panels[] = {{"sync", sync, 3, 9000000},
                                         {"pingpong", pingpong, 2, 4000001}};
    gantt_write(&head, panels, 2, script);
}

static void write_map(struct text *script)
{
    const struct region_map_bar bars[] = {{"conv", 409600, 0}, {"dense", 1000, 1}, {"inner", 5, 0}};
    const struct region_map_region regions[] = {{"", 0, 2, 0}, {"then", 2, 1, 1}};
    const struct region_map map = {bars, 3, regions, 2};
    region_map_write(&head, &map, script);
}

static void test_gantt(void)
{
    SCOPED(text_free) struct text script = {0};
    write_gantt(&script);
    picture_expect(&script, "panels = 2\ntotal = 9.000000\n");
    picture_expect(&script, "heading[2] = 'pingpong: 4.000 ms'\n");
    picture_expect(&script, "0.000000 4.000000 2 \"conv\"\n");
    /* What has no room has no label, and a wait has none. */
    picture_expect(&script, "4.000000 4.000001 0 \"\"\n");
    picture_expect(&script, "0.000000 4.000000 1 \"\"\n");
    picture_expect(&script, "\"conv 'a' 'b'\"\n");
}

static void test_map(void)
{
    SCOPED(text_free) struct text script = {0};
    write_map(&script);
    picture_expect(&script, "unit = 'KiB'\n");
    picture_expect(&script, "0 409600 0 \"conv\"\n1 1000 1 \"dense\"\n");
    picture_expect(&script, "-0.5 1.5 0 0 \"\"\n1.5 2.5 1 1 \"then\"\n");
}

static void draw(void (*write)(struct text *script))
{
    static const char path[] = "test_gantt.svg";
    struct text script = {0}, drawn = {0};
    write(&script);
    must(plot_render(script.bytes, path, &error));
    CU_ASSERT(picture_file_is_well_formed(path));
    must(text_read_file(path, &drawn, &error));
    CU_ASSERT_PTR_NOT_NULL(strstr(drawn.bytes, "conv"));
    remove(path);
    text_free(&script);
    text_free(&drawn);
}

static void test_pictures(void)
{
    if (!picture_can_be_drawn())
        return;
    draw(write_gantt);
    draw(write_map);
}

static const struct test_case cases[] = {
    {"Gantt chart", test_gantt},
    {"map of regions", test_map},
    {"both as pictures", test_pictures},
};

TESTING_MAIN("plots/gantt", cases)
