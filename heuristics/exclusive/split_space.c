#include "heuristics/exclusive/split_space.h"

#include <assert.h>
#include <stdlib.h>

#include "core/checked.h"
#include "core/compare.h"
#include "core/memory.h"

void split_space_free(struct split_space *space)
{
    memory_free_all(space->cell, space->next, space->free, space->piece);
}

/* Lists the parts of the cells that are outside of the taken intervals, which are sorted by begin
   and may overlap. */
static enum status list_free(struct split_space *space, const struct split_request *request,
                             struct error *error)
{
    const struct interval *taken = request->taken;
    uint32_t next = 0;
    uint64_t taken_to = 0, stop;
    space->frees = 0;
    for (uint32_t i = 0; i < space->cells; i++) {
        struct split_cell cell = space->cell[i];
        for (uint64_t at = cell.begin; at < cell.end; at = stop) {
            for (; next < request->count && taken[next].begin <= at; next++)
                taken_to = taken[next].end > taken_to ? taken[next].end : taken_to;
            bool cut = next < request->count && taken[next].begin < cell.end;
            uint64_t begin = at > taken_to ? at : taken_to;
            stop = cut ? taken[next].begin : cell.end;
            if (begin >= stop)
                continue;
            TRY(memory_reserve(&space->free, &space->free_capacity, (size_t)space->frees + 1,
                               sizeof *space->free, error));
            space->free[space->frees++] = (struct split_cell){begin, stop, cell.users};
        }
    }
    return STATUS_OK;
}

static enum status add_piece(struct split_space *space, uint64_t offset, uint64_t bytes,
                             struct error *error)
{
    TRY(memory_reserve(&space->piece, &space->piece_capacity, (size_t)space->pieces + 1,
                       sizeof *space->piece, error));
    space->piece[space->pieces++] = (struct extent){offset, bytes};
    return STATUS_OK;
}

static enum status take_free(struct split_space *space, bool shared, uint64_t alignment,
                             uint64_t *missing, struct error *error)
{
    for (uint32_t i = 0; i < space->frees && *missing; i++) {
        const struct split_cell *range = &space->free[i];
        uint64_t offset;
        if ((range->users > 1) != shared || !checked_align(range->begin, alignment, &offset) ||
            offset >= range->end)
            continue;
        uint64_t bytes = range->end - offset < *missing ? range->end - offset : *missing;
        TRY(add_piece(space, offset, bytes, error));
        *missing -= bytes;
    }
    return STATUS_OK;
}

COMPARE_MEMBERS(compare_pieces, struct extent, offset)

enum status split_space_find(struct split_space *space, const struct split_request *request,
                             struct error *error)
{
    uint64_t missing = request->size, alignment = request->alignment, offset, end;
    struct extent *piece;
    space->pieces = 0;
    TRY(list_free(space, request, error));
    TRY(take_free(space, false, alignment, &missing, error));
    TRY(take_free(space, true, alignment, &missing, error));

    /* The bytes that are missing are new memory at the end, which is aligned unless it continues a
       piece. */
    if (missing) {
        for (uint32_t i = 0; i < space->pieces; i++)
            if (space->piece[i].offset + space->piece[i].bytes == space->end)
                alignment = 1;
        if (!checked_align(space->end, alignment, &offset) || !checked_add(offset, missing, &end))
            return error_set(error, STATUS_BAD_INPUT, "no place below 2^64 bytes");
        TRY(add_piece(space, offset, missing, error));
    }

    /* Pieces that touch are joined. */
    uint32_t kept = 0;
    piece = space->piece;
    qsort(piece, space->pieces, sizeof *piece, compare_pieces);
    for (uint32_t i = 0; i < space->pieces; i++)
        if (kept && piece[kept - 1].offset + piece[kept - 1].bytes == piece[i].offset)
            piece[kept - 1].bytes += piece[i].bytes;
        else
            piece[kept++] = piece[i];
    space->pieces = kept;
    return STATUS_OK;
}

enum status split_space_set(struct split_space *space, uint64_t offset, uint64_t bytes,
                            struct error *error)
{
    space->pieces = 0;
    return add_piece(space, offset, bytes, error);
}

/* Appends a cell to the next list of cells, which has *count cells so far; it must begin where the
   last one ends, and is joined with it where both have as many users. */
static enum status add_cell(struct split_space *space, uint32_t *count, struct split_cell cell,
                            struct error *error)
{
    if (cell.begin >= cell.end)
        return STATUS_OK;
    assert(!*count || space->next[*count - 1].end == cell.begin);
    if (*count && space->next[*count - 1].users == cell.users) {
        space->next[*count - 1].end = cell.end;
        return STATUS_OK;
    }
    TRY(memory_reserve(&space->next, &space->next_capacity, (size_t)*count + 1, sizeof *space->next,
                       error));
    space->next[(*count)++] = cell;
    return STATUS_OK;
}

/* Cuts a cell where pieces begin and end, and counts one user more inside the pieces. *piece is the
   first piece that ends behind the cells cut so far. */
static enum status cut_cell(struct split_space *space, struct split_cell cell, uint32_t *piece,
                            uint32_t *count, struct error *error)
{
    uint8_t more = cell.users < 2 ? (uint8_t)(cell.users + 1) : 2;
    assert(*piece >= space->pieces ||
           space->piece[*piece].offset + space->piece[*piece].bytes > cell.begin);
    for (uint64_t at = cell.begin; at < cell.end;) {
        const struct extent *used = *piece < space->pieces ? &space->piece[*piece] : NULL;
        uint64_t begin = used && used->offset < cell.end ? used->offset : cell.end;
        TRY(add_cell(space, count, (struct split_cell){at, begin, cell.users}, error));
        at = at > begin ? at : begin;
        if (!used || at >= cell.end)
            break;
        bool inside = used->offset + used->bytes <= cell.end;
        uint64_t end = inside ? used->offset + used->bytes : cell.end;
        TRY(add_cell(space, count, (struct split_cell){at, end, more}, error));
        at = end;
        *piece += inside;
    }
    return STATUS_OK;
}

enum status split_space_use(struct split_space *space, struct error *error)
{
    uint32_t count = 0, piece = 0;
    uint64_t end = space->end;
    for (uint32_t i = 0; i < space->pieces; i++)
        if (space->piece[i].offset + space->piece[i].bytes > end)
            end = space->piece[i].offset + space->piece[i].bytes;
    if (end > space->end) {
        TRY(memory_reserve(&space->cell, &space->cell_capacity, (size_t)space->cells + 1,
                           sizeof *space->cell, error));
        space->cell[space->cells++] = (struct split_cell){space->end, end, 0};
        space->end = end;
    }
    assert(!space->cells || space->cell[space->cells - 1].end == space->end);
    for (uint32_t i = 0; i < space->cells; i++)
        TRY(cut_cell(space, space->cell[i], &piece, &count, error));
    assert(piece == space->pieces);
    struct split_cell *cell = space->cell;
    size_t capacity = space->cell_capacity;
    space->cell = space->next;
    space->cell_capacity = space->next_capacity;
    space->cells = count;
    space->next = cell;
    space->next_capacity = capacity;
    return STATUS_OK;
}
