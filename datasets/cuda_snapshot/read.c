#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/binary_search.h"
#include "core/compare.h"
#include "core/list.h"
#include "core/sort.h"
#include "datasets/cuda_snapshot/cuda_snapshot.h"
#include "datasets/json/fields.h"

enum { ALIGNMENT = 512 }; /* of all addresses that the allocator gives */
static const uint64_t most_bytes = (uint64_t)1 << 48;

/* An allocation or its end, in the order of the recording. */
struct event {
    uint64_t address, bytes : 63;
    bool is_free : 1;
};

/* Addresses that the allocator reserved. */
struct range {
    uint64_t begin, end, base; /* base: where it begins in the arena */
};

struct block {
    uint64_t address, bytes : 63;
    bool was_before : 1;           /* the recording began */
    uint32_t lower, upper, number; /* number: of the event that tells of it first */
};

struct snapshot {
    struct json_document *document;
    struct json_reader json; /* of the document */
    LIST_OF(struct event) event;
    LIST_OF(struct range) range; /* ascending and disjoint once they are joined */
    LIST_OF(struct block) block;
};

static void free_snapshot(struct snapshot *snapshot)
{
    memory_free_all(snapshot->event.item, snapshot->range.item, snapshot->block.item);
}

bool cuda_snapshot_is(const struct json_document *document)
{
    return json_tree_find(&document->tree, document->root, "device_traces") &&
           json_tree_find(&document->tree, document->root, "segments");
}

/* An address and its bytes, which end before 2^63. */
static enum status read_place(const struct snapshot *snapshot, const struct json_value *object,
                              const char *address_key, const char *bytes_key, uint64_t *address,
                              uint64_t *bytes)
{
    TRY(json_fields_unsigned(&snapshot->json, object, address_key, INT64_MAX / 2, address));
    return json_fields_unsigned(&snapshot->json, object, bytes_key, (int64_t)most_bytes, bytes);
}

static enum status add_range(struct snapshot *snapshot, const struct json_value *object,
                             const char *address_key, const char *bytes_key)
{
    uint64_t address, bytes;
    TRY(read_place(snapshot, object, address_key, bytes_key, &address, &bytes));
    TRY_ADD(snapshot->range, snapshot->json.error,
            (struct range){.begin = address, .end = address + bytes});
    return STATUS_OK;
}

static enum status add_event(struct snapshot *snapshot, const struct json_value *entry,
                             bool is_free)
{
    uint64_t address, bytes;
    TRY(read_place(snapshot, entry, "addr", "size", &address, &bytes));
    TRY_ADD(snapshot->event, snapshot->json.error,
            (struct event){address, bytes & INT64_MAX, is_free});
    return STATUS_OK;
}

static enum status add_block(struct snapshot *snapshot, const struct block *block)
{
    if (block->bytes)
        TRY_ADD(snapshot->block, snapshot->json.error, *block);
    return STATUS_OK;
}

static enum status read_trace(struct snapshot *snapshot, const struct json_value *trace)
{
    const struct json_value *entry = NULL;
    struct json_value at;
    while (true) {
        const char *action;
        TRY(json_document_next_part(snapshot->document, trace, &at, &entry, snapshot->json.error));
        if (!entry)
            return STATUS_OK;
        TRY(json_fields_text(&snapshot->json, entry, "action", &action));
        if (strcmp(action, "alloc") == 0)
            TRY(add_event(snapshot, entry, false));
        else if (strcmp(action, "free_completed") == 0)
            TRY(add_event(snapshot, entry, true));
        else if (strcmp(action, "segment_alloc") == 0 || strcmp(action, "segment_map") == 0)
            TRY(add_range(snapshot, entry, "addr", "size"));
    }
}

/* Finds the blocks that the events of an address tell of: events[first, end) in the order of the
   recording. What is freed first was there before; what is not freed stays. */
static enum status add_blocks_at(struct snapshot *snapshot, const uint32_t *number, uint32_t first,
                                 uint32_t end)
{
    struct block block = {.bytes = 0};
    bool is_live = false;
    for (uint32_t i = first; i < end; i++) {
        const struct event *event = &snapshot->event.item[number[i]];
        if (!event->is_free && is_live)
            return json_document_fail(&snapshot->json, NULL,
                                      "found address %llu allocated again while it is live, "
                                      "expected it to be freed before",
                                      (unsigned long long)event->address);
        if (event->is_free && !is_live && i > first)
            return json_document_fail(&snapshot->json, NULL,
                                      "found address %llu freed twice, expected an allocation "
                                      "between",
                                      (unsigned long long)event->address);
        if (!is_live)
            block = (struct block){
                event->address, event->bytes, event->is_free, event->is_free ? 0 : number[i], 0,
                number[i]};
        is_live = !event->is_free;
        block.upper = is_live ? snapshot->event.count : number[i];
        if (!is_live && block.upper > block.lower)
            TRY(add_block(snapshot, &block));
    }
    return is_live ? add_block(snapshot, &block) : STATUS_OK;
}

static enum status add_recorded(struct snapshot *snapshot)
{
    SCOPED(memory_release) uint64_t *key = NULL;
    SCOPED(memory_release) uint32_t *number = NULL;
    struct error *error = snapshot->json.error;
    uint32_t first = 0;
    TRY(memory_create_all(snapshot->event.count, error, &key, &number));
    for (uint32_t e = 0; e < snapshot->event.count; e++) {
        key[e] = snapshot->event.item[e].address;
        number[e] = e;
    }
    TRY(sort_items(key, number, snapshot->event.count, error));
    for (uint32_t end = 1; end <= snapshot->event.count; end++)
        if (end == snapshot->event.count || key[end] != key[first]) {
            TRY(add_blocks_at(snapshot, number, first, end));
            first = end;
        }
    return STATUS_OK;
}

COMPARE_MEMBERS(compare_ranges, struct range, begin, end)
COMPARE_MEMBERS(compare_addresses, struct block, address, lower)
COMPARE_MEMBERS(compare_blocks, struct block, number, address)

/* Blocks of the segment that are in use and that no event tells of live throughout. Recorded blocks
   are sorted by their addresses. */
static enum status add_unrecorded(struct snapshot *snapshot, const struct json_value *segment,
                                  uint32_t recorded)
{
    const struct json_value *blocks;
    uint64_t address, bytes;
    TRY(json_fields_unsigned(&snapshot->json, segment, "address", INT64_MAX / 2, &address));
    TRY(json_fields_array(&snapshot->json, segment, "blocks", &blocks));
    JSON_EACH(put_off, blocks) {
        const char *state;
        const struct json_value *block;
        TRY(json_document_open_part(snapshot->document, put_off, &block, snapshot->json.error));
        TRY(json_fields_text(&snapshot->json, block, "state", &state));
        TRY(json_fields_unsigned(&snapshot->json, block, "size", (int64_t)most_bytes, &bytes));
        if (!bytes)
            return json_document_fail(&snapshot->json, block,
                                      "found a block of 0 bytes, expected at least 1");
        uint64_t here = address;
        address += bytes;
        uint32_t found = BINARY_SEARCH(at, 0, recorded, snapshot->block.item[at].address >= here);
        bool is_recorded = false;
        for (; found < recorded && snapshot->block.item[found].address == here; found++)
            is_recorded |= snapshot->block.item[found].upper == snapshot->event.count;
        if (strcmp(state, "inactive") != 0 && !is_recorded) {
            if (json_fields_get(&snapshot->json, block, "requested_size"))
                TRY(json_fields_unsigned(&snapshot->json, block, "requested_size",
                                         (int64_t)most_bytes, &bytes));
            TRY(add_block(snapshot, &(struct block){here, bytes & INT64_MAX, true, 0,
                                                    snapshot->event.count, 0}));
        }
        json_document_close_part(snapshot->document);
    }
    return STATUS_OK;
}

/* Joins ranges that overlap, which are segments reserved once more at addresses given back before,
   and lays them side by side. */
static void join_ranges(struct snapshot *snapshot, uint64_t *arena_bytes)
{
    uint32_t joined = 0;
    *arena_bytes = 0;
    if (snapshot->range.count)
        qsort(snapshot->range.item, snapshot->range.count, sizeof *snapshot->range.item,
              compare_ranges);
    for (uint32_t r = 0; r < snapshot->range.count; r++) {
        struct range *last = joined ? &snapshot->range.item[joined - 1] : NULL;
        if (last && snapshot->range.item[r].begin < last->end) {
            if (snapshot->range.item[r].end > last->end)
                last->end = snapshot->range.item[r].end;
        } else {
            snapshot->range.item[joined++] = snapshot->range.item[r];
        }
    }
    snapshot->range.count = joined;
    for (uint32_t r = 0; r < joined; r++) {
        snapshot->range.item[r].base = *arena_bytes;
        *arena_bytes += snapshot->range.item[r].end - snapshot->range.item[r].begin;
    }
}

static enum status add_buffers(struct snapshot *snapshot, struct carried *carried)
{
    const struct range *range = snapshot->range.item;
    qsort(snapshot->block.item, snapshot->block.count, sizeof *snapshot->block.item,
          compare_blocks);
    for (uint32_t b = 0; b < snapshot->block.count; b++) {
        const struct block *block = &snapshot->block.item[b];
        uint32_t r = BINARY_SEARCH(at, 0, snapshot->range.count, range[at].end > block->address);
        char name[64];
        if (r == snapshot->range.count || range[r].begin > block->address ||
            block->bytes > range[r].end - block->address)
            return json_document_fail(&snapshot->json, NULL,
                                      "found a block of %llu bytes at address %llu, expected one "
                                      "inside a segment",
                                      (unsigned long long)block->bytes,
                                      (unsigned long long)block->address);
        snprintf(name, sizeof name, "%u %s", b, block->was_before ? "before" : "alloc");
        const struct carried_buffer buffer = {name, block->bytes,
                                              range[r].base + block->address - range[r].begin};
        TRY(carried_add(carried, &buffer, snapshot->json.error));
        TRY(carried_add_segment(carried, block->lower, block->upper, snapshot->json.error));
    }
    return STATUS_OK;
}

/* The device that is meant. */
static enum status find_device(struct snapshot *snapshot, const struct carried_choice *choice,
                               const struct json_value **trace, uint64_t *device)
{
    const struct json_value *traces;
    uint64_t number = 0, most = 0;
    *trace = NULL;
    TRY(json_fields_array(&snapshot->json, snapshot->json.document->root, "device_traces",
                          &traces));
    JSON_EACH(candidate, traces) {
        uint64_t count = 0;
        const struct json_value *event = NULL;
        struct json_value at;
        do { /* the events of the only trace need no count */
            TRY(json_document_next_part(snapshot->document, candidate, &at, &event,
                                        snapshot->json.error));
            count += event != NULL;
        } while (event && json_tree_count(traces) > 1);
        if (count > most && (choice->memory == CARRIED_ANY || choice->memory == number)) {
            *trace = candidate;
            *device = number;
            most = count;
        }
        number++;
    }
    if (*trace)
        return STATUS_OK;
    return json_document_fail(&snapshot->json, traces,
                              "found no recorded events%s, expected some "
                              "(torch.cuda.memory._record_memory_history)",
                              choice->memory == CARRIED_ANY ? "" : " of that device");
}

static enum status read_device(struct snapshot *snapshot, const struct carried_choice *choice,
                               uint64_t *arena_bytes)
{
    const struct json_reader *json = &snapshot->json;
    const struct json_value *trace, *segments;
    uint64_t device = 0, of;
    TRY(find_device(snapshot, choice, &trace, &device));
    TRY(json_fields_array(json, json->document->root, "segments", &segments));
    TRY(read_trace(snapshot, trace));
    if (!snapshot->event.count)
        return json_document_fail(json, trace, "found no allocation, expected at least one");
    TRY(add_recorded(snapshot));
    if (snapshot->block.count)
        qsort(snapshot->block.item, snapshot->block.count, sizeof *snapshot->block.item,
              compare_addresses);
    uint32_t recorded = snapshot->block.count;
    JSON_EACH(put_off, segments) {
        const struct json_value *segment;
        TRY(json_document_open_part(snapshot->document, put_off, &segment, json->error));
        TRY(json_fields_unsigned(json, segment, "device", INT64_MAX, &of));
        if (of == device) {
            TRY(add_range(snapshot, segment, "address", "total_size"));
            TRY(add_unrecorded(snapshot, segment, recorded));
        }
        json_document_close_part(snapshot->document);
    }
    join_ranges(snapshot, arena_bytes);
    return STATUS_OK;
}

enum status cuda_snapshot_read(struct json_document *document, const struct carried_choice *choice,
                               struct carried *carried, struct error *error)
{
    SCOPED(free_snapshot)
    struct snapshot snapshot = {.document = document, .json = {document, error}};
    uint64_t arena_bytes = 0;
    *carried = (struct carried){.problem = NULL};
    TRY(read_device(&snapshot, choice, &arena_bytes));
    if (!snapshot.block.count)
        return json_document_fail(&snapshot.json, document->root,
                                  "found no block of any bytes, expected at least one");
    memory_free(snapshot.event.item);
    snapshot.event.item = NULL;
    TRY(carried_create(carried, document->file, error));
    TRY(add_buffers(&snapshot, carried));
    carried->arena_bytes = arena_bytes;
    return carried_finish(carried, ALIGNMENT, error);
}
