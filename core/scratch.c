#include "core/scratch.h"

#include <stdint.h>
#include <string.h>

/* Stands before the bytes of each piece, and aligns them. */
union head {
    struct scratch_piece *before;
    long double alignment;
};

struct scratch_piece {
    union head head;
};

enum status scratch_take(struct scratch *scratch, void *block, size_t count, size_t item_bytes,
                         struct error *error)
{
    size_t bytes;
    struct scratch_piece *piece;
    if (__builtin_mul_overflow(count, item_bytes, &bytes) || bytes > SIZE_MAX - sizeof *piece)
        return error_no_memory(error);
    TRY(memory_create(&piece, 1, sizeof *piece + bytes, error));
    piece->head.before = scratch->latest;
    scratch->latest = piece;
    void *taken = piece + 1;
    memcpy(block, &taken, sizeof taken);
    return STATUS_OK;
}

enum status scratch_take_arrays(struct scratch *scratch, const struct memory_array *array,
                                size_t count, struct error *error)
{
    for (; array->block; array++)
        TRY(scratch_take(scratch, array->block, count, array->item_bytes, error));
    return STATUS_OK;
}

void scratch_free(struct scratch *scratch)
{
    while (scratch->latest) {
        struct scratch_piece *piece = scratch->latest;
        scratch->latest = piece->head.before;
        memory_free(piece);
    }
}
