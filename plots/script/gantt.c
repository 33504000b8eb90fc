#include "plots/script/gantt.h"

#include <inttypes.h>

#include "plots/script/script.h"
#include "results/table/escape.h"

/* Sizes in pixels; the templates use the same. */
enum {
    WIDTH = 1000,
    PANEL_HEIGHT = 150,
    AROUND = 170,
    MAP_HEIGHT = 420,
    NAMES_HEIGHT = 64,
    LETTER = 7
};
/* Bars of a panel in which it still can be seen where transfers start and waits end. */
enum { MOST_MARKED = 150 };
/* The width in pixels of a name that is turned upright. */
enum { NAME_WIDTH = 13 };

void gantt_write(const struct gantt_head *head, const struct gantt_panel *panel, unsigned panels,
                 struct text *script)
{
    uint64_t total_ns = 1, bars = 0;
    for (unsigned i = 0; i < panels; i++)
        total_ns = panel[i].total_ns > total_ns ? panel[i].total_ns : total_ns;
    script_begin(script, &(struct script_head){head->name, WIDTH, AROUND + panels * PANEL_HEIGHT,
                                               head->title, head->subtitle});
    for (unsigned i = 0; i < panels; i++)
        bars += panel[i].bars;
    text_append(script, "marks = %d\n", bars <= panels * MOST_MARKED);
    text_append(script, "panels = %u\ntotal = %.6f\narray heading[%u]\n", panels,
                (double)total_ns / 1e6, panels);
    for (unsigned i = 0; i < panels; i++)
        text_append(script, "heading[%u] = '%s: %.3f ms'\n", i + 1, panel[i].heading,
                    (double)panel[i].total_ns / 1e6);
    script_begin_data(script, "data");
    for (unsigned i = 0; i < panels; i++) {
        text_append(script, "%s", i ? "\n\n" : "");
        for (uint32_t b = 0; b < panel[i].bars; b++) {
            const struct gantt_bar *bar = &panel[i].bar[b];
            double width = 0.85 * WIDTH * (double)(bar->end_ns - bar->begin_ns) / (double)total_ns;
            bool fits = (double)(LETTER * escape_width(bar->label)) < width;
            text_append(script, "%.6f %.6f %d ", (double)bar->begin_ns / 1e6,
                        (double)bar->end_ns / 1e6, (int)bar->kind);
            script_add_field(script, fits && bar->kind != GANTT_WAIT ? bar->label : "");
            text_append(script, "\n");
        }
    }
    script_end_data(script);
    script_add_template(script, "gantt");
}

void region_map_write(const struct gantt_head *head, const struct region_map *map,
                      struct text *script)
{
    uint64_t factor, most = 1;
    for (uint32_t b = 0; b < map->bars; b++)
        most = map->bar[b].bytes > most ? map->bar[b].bytes : most;
    bool named = map->bars <= WIDTH * 9 / 10 / NAME_WIDTH;
    unsigned height = named ? MAP_HEIGHT : MAP_HEIGHT - NAMES_HEIGHT;
    script_begin(script,
                 &(struct script_head){head->name, WIDTH, height, head->title, head->subtitle});
    text_append(script, "named = %d\n", named);
    text_append(script, "unit = '%s'\n", script_unit(most, &factor));
    text_append(script, "factor = %" PRIu64 ".0\ncount = %" PRIu32 "\nmost = %" PRIu64 ".0\n",
                factor, map->bars, most);
    script_begin_data(script, "bars");
    for (uint32_t b = 0; b < map->bars; b++) {
        const struct region_map_bar *bar = &map->bar[b];
        text_append(script, "%" PRIu32 " %" PRIu64 " %u ", b, bar->bytes, bar->buffer);
        script_add_field(script, named ? bar->label : "");
        text_append(script, "\n");
    }
    script_end_data(script);
    script_begin_data(script, "regions");
    for (uint32_t r = 0; r < map->regions; r++) {
        const struct region_map_region *region = &map->region[r];
        text_append(script, "%.1f %.1f %" PRIu32 " %" PRIu32 " ", region->first_bar - 0.5,
                    region->first_bar + region->bars - 0.5, region->depth, r % 2);
        script_add_field(script, region->label);
        text_append(script, "\n");
    }
    script_end_data(script);
    script_add_template(script, "regions");
}
