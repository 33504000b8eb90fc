#include "datasets/json/supply.h"

#include <assert.h>
#include <string.h>

#include "core/memory.h"

/* The head in front of each block holds its length and aligns the block. */
union head {
    size_t bytes;
    long double alignment;
};

/* yajl keeps two parts of the text: the latest string that has escapes, and what is cut off at the
   end. Each has a buffer of 2 KiB that doubles until the part fits, so that all the sizes that it
   ever had add up to less than four times the part. Besides them there is a byte for each level,
   grown in steps of 128 bytes, and a few small blocks. */
enum status supply_create(struct supply *supply, size_t text_length, struct error *error)
{
    enum { SMALL_BLOCKS = 64 * 1024 };
    *supply = (struct supply){0};
    return memory_reserve(&supply->bytes, &supply->capacity, 4 * text_length + SMALL_BLOCKS, 1,
                          error);
}

void supply_free(struct supply *supply)
{
    memory_free(supply->bytes);
    *supply = (struct supply){0};
}

static void *hand_out(void *context, size_t bytes)
{
    struct supply *supply = context;
    size_t heads = 1 + (bytes + sizeof(union head) - 1) / sizeof(union head);
    assert(heads * sizeof(union head) <= supply->capacity - supply->used);
    union head *head = (union head *)(supply->bytes + supply->used);
    supply->last = supply->used;
    supply->used += heads * sizeof *head;
    head->bytes = bytes;
    return head + 1;
}

/* Grows a block: the block that was handed out last grows in place. */
static void *hand_out_longer(void *context, void *block, size_t bytes)
{
    struct supply *supply = context;
    if (!block)
        return hand_out(supply, bytes);
    const union head *head = (const union head *)block - 1;
    size_t held = head->bytes < bytes ? head->bytes : bytes;
    if ((const unsigned char *)head == supply->bytes + supply->last)
        supply->used = supply->last;
    void *longer = hand_out(supply, bytes);
    return longer == block ? block : memcpy(longer, block, held);
}

static void take_back(void *context, void *block)
{
    (void)context;
    (void)block;
}

yajl_alloc_funcs supply_functions(struct supply *supply)
{
    return (yajl_alloc_funcs){hand_out, hand_out_longer, take_back, supply};
}
