#include "plots/script/graph_map.h"

#include <inttypes.h>
#include <math.h>

#include "plots/script/script.h"
#include "results/table/escape.h"

/* Sizes in pixels; templates/graph.gp uses the same. */
enum { LEAST_WIDTH = 440, LEAST_COLUMN = 170, LETTER = 7, ROW_HEIGHT = 46, AROUND = 92 };
/* A box in columns and rows: half its width and height, and how far it is left of the middle of its
   column, so that there is room for the detail. */
static const double half_width = 0.22, half_height = 0.3, shift = 0.2;

static double get_middle(const struct graph_map_node *node)
{
    return node->column - shift;
}

void graph_map_write(const struct graph_map *map, struct text *script)
{
    /* A column is so wide that the details fit beside the boxes, the whole that the
       subtitle does. */
    double column = LEAST_COLUMN;
    for (uint32_t i = 0; i < map->nodes; i++)
        column = fmax(column, (double)(LETTER * escape_width(map->node[i].detail)) /
                                  (0.5 + shift - half_width));
    double width = fmax(map->columns * column, (double)(LETTER * escape_width(map->subtitle)));
    script_begin(script,
                 &(struct script_head){map->name, (unsigned)fmax(width, LEAST_WIDTH),
                                       AROUND + map->rows * ROW_HEIGHT, map->title, map->subtitle});
    text_append(script,
                "columns = %.3f\nrows = %" PRIu32 "\nhalf_width = %.3f\nhalf_height = %.3f\n",
                map->columns, map->rows, half_width, half_height);
    script_begin_data(script, "nodes");
    for (uint32_t i = 0; i < map->nodes; i++) {
        const struct graph_map_node *node = &map->node[i];
        text_append(script, "%.3f %" PRIu32 " ", get_middle(node), node->row);
        script_add_field(script, node->label);
        text_append(script, " ");
        script_add_field(script, node->detail);
        text_append(script, "\n");
    }
    script_end_data(script);
    /* Adds an edge from the lower side of one box to the upper side of another. */
    script_begin_data(script, "edges");
    for (uint32_t i = 0; i < map->edges; i++) {
        const struct graph_map_node *from = &map->node[map->edge[i].from];
        const struct graph_map_node *to = &map->node[map->edge[i].to];
        text_append(script, "%.3f %.3f %.3f %.3f %d\n", get_middle(from), from->row + half_height,
                    get_middle(to), to->row - half_height, map->edge[i].style + 1);
    }
    script_end_data(script);
    script_begin_data(script, "frames");
    for (uint32_t i = 0; i < map->frames; i++) {
        const struct graph_map_frame *frame = &map->frame[i];
        text_append(script, "%.3f %.3f %.3f %.3f %" PRIu32 " ", frame->left, frame->right,
                    frame->top - 0.45, frame->bottom + 0.45, frame->depth % 2);
        script_add_field(script, frame->label);
        text_append(script, "\n");
    }
    script_end_data(script);
    script_add_template(script, "graph");
}
