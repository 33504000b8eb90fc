#include "solvers/tiles/tiles.h"

#include <assert.h>
#include <stdlib.h>

#include "core/binary_search.h"
#include "core/compare.h"
#include "core/memory.h"

bool tiles_can(const struct problem *problem)
{
    return problem->segments == problem->buffers && !problem->clocks && !problem->any_alignment &&
           !problem->any_fixed && !problem->any_window_lower &&
           problem->line_end == PROBLEM_NO_LINE_END;
}

static void link_tile(struct tiles *tiles, uint32_t index)
{
    struct tile *tile = &tiles->tile[index];
    assert(!tile->is_left);
    assert(tile->border[TILES_BEGINNING] < tile->border[TILES_ENDING]);
    for (int side = 0; side < 2; side++) {
        uint32_t *latest = &tiles->latest[side][tile->border[side]];
        tile->next[side] = *latest;
        tile->back[side] = TILES_NONE;
        if (*latest != TILES_NONE)
            tiles->tile[*latest].back[side] = index;
        *latest = index;
    }
    tile->is_left = true;
    tiles->left++;
}

static void unlink_tile(struct tiles *tiles, uint32_t index)
{
    struct tile *tile = &tiles->tile[index];
    assert(tile->is_left && tiles->left > 0);
    for (int side = 0; side < 2; side++) {
        uint32_t next = tile->next[side], back = tile->back[side];
        assert(back != TILES_NONE || tiles->latest[side][tile->border[side]] == index);
        if (next != TILES_NONE)
            tiles->tile[next].back[side] = back;
        if (back != TILES_NONE)
            tiles->tile[back].next[side] = next;
        else
            tiles->latest[side][tile->border[side]] = next;
    }
    tile->is_left = false;
    tiles->left--;
}

/* Takes the bytes of a filler, or gives them back. */
static void take_filler(struct tiles *tiles, const struct tile *tile, bool gives)
{
    assert(tile->is_filler && !tile->is_left);
    for (uint32_t i = tile->border[TILES_BEGINNING]; i < tile->border[TILES_ENDING]; i++) {
        assert(gives || tiles->free_bytes[i] >= tile->size);
        tiles->free_bytes[i] += gives ? tile->size : 0 - tile->size;
    }
}

bool tiles_have_room(const struct tiles *tiles, const struct filler *filler)
{
    uint32_t border = filler->border[TILES_BEGINNING];
    while (border < filler->border[TILES_ENDING] && tiles->free_bytes[border] >= filler->size)
        border++;
    return border == filler->border[TILES_ENDING];
}

static enum status list_borders(struct tiles *tiles, struct error *error)
{
    const struct problem *problem = tiles->problem;
    size_t ends = 2 * (size_t)problem->buffers;
    TRY(scratch_take(&tiles->memory, &tiles->step, ends, sizeof *tiles->step, error));
    for (uint32_t b = 0; b < problem->buffers; b++) {
        tiles->step[2 * (size_t)b] = problem->lower[b];
        tiles->step[2 * (size_t)b + 1] = problem->upper[b];
    }
    qsort(tiles->step, ends, sizeof *tiles->step, compare_number_items_32);
    for (size_t i = 0; i < ends; i++)
        if (!tiles->borders || tiles->step[tiles->borders - 1] != tiles->step[i])
            tiles->step[tiles->borders++] = tiles->step[i];
    return STATUS_OK;
}

static uint32_t find_border(const struct tiles *tiles, uint32_t step)
{
    uint32_t border = BINARY_SEARCH(at, 0, tiles->borders, tiles->step[at] >= step);
    assert(border < tiles->borders && tiles->step[border] == step);
    return border;
}

/* What is free where the load is less than its most. */
static void count_free(struct tiles *tiles)
{
    uint64_t load = 0, most = 0, *bytes = tiles->free_bytes;
    for (uint32_t t = 0; t < tiles->count; t++) {
        bytes[tiles->tile[t].border[TILES_BEGINNING]] += tiles->tile[t].size;
        bytes[tiles->tile[t].border[TILES_ENDING]] -= tiles->tile[t].size;
    }
    for (uint32_t i = 0; i < tiles->borders; i++) {
        load += bytes[i];
        bytes[i] = load;
        most = load > most ? load : most;
    }
    assert(!load);
    for (uint32_t i = 0; i + 1 < tiles->borders; i++)
        bytes[i] = most - bytes[i];
}

enum status tiles_create(struct tiles *tiles, const struct problem *problem, struct error *error)
{
    uint32_t buffers = problem->buffers;
    assert(tiles_can(problem) && !tiles->count);
    tiles->problem = problem;
    TRY(list_borders(tiles, error));
    for (int side = 0; side < 2; side++) {
        TRY(scratch_take(&tiles->memory, &tiles->latest[side], tiles->borders, sizeof(uint32_t),
                         error));
        for (uint32_t i = 0; i < tiles->borders; i++)
            tiles->latest[side][i] = TILES_NONE;
    }
    TRY(memory_reserve(&tiles->tile, &tiles->tile_room, buffers, sizeof *tiles->tile, error));
    for (; tiles->count < buffers; tiles->count++) {
        uint32_t b = tiles->count;
        tiles->tile[b] = (struct tile){.size = problem->size[b],
                                       .border = {find_border(tiles, problem->upper[b]),
                                                  find_border(tiles, problem->lower[b])}};
        link_tile(tiles, b);
    }
    TRY(scratch_take(&tiles->memory, &tiles->free_bytes, tiles->borders, sizeof(uint64_t), error));
    count_free(tiles);
    return STATUS_OK;
}

void tiles_free(struct tiles *tiles)
{
    memory_free_all(tiles->tile, tiles->part);
    scratch_free(&tiles->memory);
    *tiles = (struct tiles){0};
}

enum status tiles_join(struct tiles *tiles, const struct tile_pair *pair, struct error *error)
{
    uint32_t parts = pair->endings + pair->beginnings;
    assert(pair->endings > 0 && pair->beginnings > 0);
    TRY(memory_reserve(&tiles->tile, &tiles->tile_room, (size_t)tiles->count + 3,
                       sizeof *tiles->tile, error));
    TRY(memory_reserve(&tiles->part, &tiles->part_room, tiles->parts + parts, sizeof *tiles->part,
                       error));
    struct tile made = {.endings = pair->endings,
                        .beginnings = pair->beginnings,
                        .first = tiles->parts,
                        .doubt = pair->doubt};
    for (uint32_t i = 0; i < parts; i++) {
        uint32_t part = pair->part[i];
        if (part == TILES_NONE) {
            const struct filler *filler = &pair->filler[i >= pair->endings];
            part = tiles->count++;
            tiles->tile[part] = (struct tile){.size = filler->size,
                                              .border = {filler->border[0], filler->border[1]},
                                              .is_filler = true};
        }
        tiles->part[tiles->parts++] = part;
        made.size += i < pair->endings ? tiles->tile[part].size : 0;
        if (!i)
            made.border[TILES_BEGINNING] = tiles->tile[part].border[TILES_BEGINNING];
        else if (i == pair->endings)
            made.border[TILES_ENDING] = tiles->tile[part].border[TILES_ENDING];
    }
    tiles->tile[tiles->count++] = made;
    tiles_put_together(tiles, tiles->count - 1);
    return STATUS_OK;
}

void tiles_split(struct tiles *tiles, uint32_t index)
{
    const struct tile *tile = &tiles->tile[index];
    assert(tile->endings && tile->is_left);
    unlink_tile(tiles, index);
    for (uint32_t i = 0; i < tile->endings + tile->beginnings; i++) {
        uint32_t part = tiles->part[tile->first + i];
        if (tiles->tile[part].is_filler)
            take_filler(tiles, &tiles->tile[part], true);
        else
            link_tile(tiles, part);
    }
}

void tiles_put_together(struct tiles *tiles, uint32_t index)
{
    const struct tile *tile = &tiles->tile[index];
    assert(tile->endings && !tile->is_left);
    for (uint32_t i = 0; i < tile->endings + tile->beginnings; i++) {
        uint32_t part = tiles->part[tile->first + i];
        if (tiles->tile[part].is_filler)
            take_filler(tiles, &tiles->tile[part], false);
        else
            unlink_tile(tiles, part);
    }
    link_tile(tiles, index);
}

void tiles_drop_last(struct tiles *tiles)
{
    assert(tiles->count > tiles->problem->buffers);
    tiles_split(tiles, tiles->count - 1);
    tiles->parts = tiles->tile[--tiles->count].first;
    while (tiles->tile[tiles->count - 1].is_filler)
        tiles->count--;
}

enum status tiles_copy_left(const struct tiles *tiles, uint32_t *listed, struct problem **copied,
                            struct error *error)
{
    SCOPED(problem_release) struct problem *problem = NULL;
    uint32_t count = 0;
    TRY(problem_create(&problem, "tiles", error));
    for (uint32_t i = 0; i < tiles->count; i++) {
        const struct tile *tile = &tiles->tile[i];
        if (!tile->is_left)
            continue;
        const struct problem_buffer buffer = {.name = "",
                                              .size = tile->size,
                                              .alignment = 1,
                                              .fixed_offset = PROBLEM_FREE,
                                              .hint = -1};
        const struct problem_segment segment = {.lower = tiles->step[tile->border[TILES_BEGINNING]],
                                                .upper = tiles->step[tile->border[TILES_ENDING]],
                                                .window_upper = tile->size};
        TRY(problem_add_buffer(problem, &buffer, error));
        TRY(problem_add_segment(problem, segment, error));
        listed[count++] = i;
    }
    assert(count == tiles->left);
    TRY(problem_finish(problem, error));
    HAND_OVER(problem, copied);
}

void tiles_lay_out(const struct tiles *tiles, uint32_t index, uint64_t at, uint64_t *offset)
{
    const struct tile *tile = &tiles->tile[index];
    uint64_t end = at, middle = at; /* where arm C of a pinwheel ends, on which B and M lie */
    uint32_t last = TILES_NONE;     /* where the part before begins */
    if (index < tiles->problem->buffers)
        offset[index] = at;
    for (uint32_t i = 0; i < tile->endings + tile->beginnings; i++) {
        uint32_t part = tiles->part[tile->first + i];
        uint32_t begins = tiles->tile[part].border[TILES_BEGINNING];
        if (i == tile->endings)
            end = at;
        else if (i > tile->endings && begins != last && middle == at)
            middle = end;
        else if (i > tile->endings && begins != last)
            end = middle;
        last = begins;
        tiles_lay_out(tiles, part, end, offset);
        end += tiles->tile[part].size;
        assert(end <= at + tile->size);
    }
    assert(!tile->endings || middle > at || end == at + tile->size); /* both sides fill the tile */
}
