#include "plots/script/graph_map.h"

#include <string.h>

#include "plots/picture.h"
#include "plots/render.h"
#include "support/must.h"
#include "support/testing.h"

/* Two operators, of which the second is in a frame. */
static void write_map(struct text *script)
{
    struct graph_map_node nodes[] = {{"first", "t 'a' \"b\"", 0, 0}, {"second", "", 1, 2}};
    struct graph_map_edge edges[] = {{0, 1, GRAPH_MAP_DASHED}};
    struct graph_map_frame frames[] = {{"If", -0.5, 1.5, 1, 2, 0}};
    const struct graph_map map = {.name = "map",
                                  .title = "A graph",
                                  .subtitle = "two operators",
                                  .node = nodes,
                                  .edge = edges,
                                  .frame = frames,
                                  .nodes = 2,
                                  .edges = 1,
                                  .frames = 1,
                                  .columns = 2,
                                  .rows = 3};
    graph_map_write(&map, script);
}

static void test_data(void)
{
    SCOPED(text_free) struct text script = {0};
    write_map(&script);
    picture_expect(&script, "columns = 2.000\nrows = 3\n");
    picture_expect(&script, "-0.200 0 \"first\" \"t 'a' 'b'\"\n0.800 2 \"second\" \"\"\n");
    picture_expect(&script, "-0.200 0.300 0.800 1.700 3\n");
    picture_expect(&script, "-0.500 1.500 0.550 2.450 0 \"If\"\n");
}

static void test_drawn(void)
{
    static const char path[] = "test_graph_map.svg";
    struct text script = {0}, drawn = {0};
    if (!picture_can_be_drawn())
        return;
    write_map(&script);
    must(plot_render(script.bytes, path, &error));
    CU_ASSERT(picture_file_is_well_formed(path));
    must(text_read_file(path, &drawn, &error));
    CU_ASSERT_PTR_NOT_NULL(strstr(drawn.bytes, "second"));
    remove(path);
    text_free(&drawn);
    text_free(&script);
}

static const struct test_case cases[] = {
    {"data", test_data},
    {"drawn", test_drawn},
};

TESTING_MAIN("plots/graph_map", cases)
