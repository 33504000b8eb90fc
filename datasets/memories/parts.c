#define _GNU_SOURCE /* for memmem */

#include "datasets/memories/parts.h"

#include <math.h>
#include <string.h>

#include "core/checked.h"
#include "core/memory.h"

static const char dsa_mark[] = "schema_version";

bool memory_file_is_likely(const struct text *text)
{
    return text->length && (memmem(text->bytes, text->length, MEMORIES_JSON_FORMAT,
                                   sizeof MEMORIES_JSON_FORMAT - 1) ||
                            memmem(text->bytes, text->length, dsa_mark, sizeof dsa_mark - 1));
}

/* Programs of torch.export have such a number too. */
static bool is_dsa(const struct json_document *document)
{
    return !json_document_format(document) &&
           json_tree_find(&document->tree, document->root, dsa_mark) &&
           !json_tree_find(&document->tree, document->root, "graph_module");
}

bool memory_file_is(const struct json_document *document)
{
    const char *format = json_document_format(document);
    return (format && strcmp(format, MEMORIES_JSON_FORMAT) == 0) || is_dsa(document);
}

void memory_file_clear(struct memory_file *file)
{
    memory_problem_free(file->problem);
    memory_free_all(file->dsa.profile, file->dsa.buffer_id, file->dsa.memory_id);
    *file = (struct memory_file){0};
}

enum status memory_parts_cost(const struct memory_reader *reader, const struct json_value *value,
                              const char *what, uint64_t *cost)
{
    if (json_tree_is(value, JSON_INTEGER) && !value->negative &&
        checked_multiply(value->integer, MEMORY_COST_PARTS, cost))
        return STATUS_OK;
    if (json_tree_is(value, JSON_REAL)) {
        double parts = value->real * MEMORY_COST_PARTS, whole = nearbyint(parts);
        if (parts >= 0 && whole < 0x1p52 && fabs(parts - whole) <= 1e-9 * (1 + whole)) {
            *cost = (uint64_t)whole;
            return STATUS_OK;
        }
    }
    return json_document_fail(
        &reader->json, value,
        "found %s as %s, expected a number from 0 to 10^16 with at most three "
        "digits behind the point",
        json_tree_number(value) < 0 ? "a negative number" : json_fields_kind(value), what);
}

/* The item of the list that is at fault, or what is nearest to it. */
static const struct json_value *find_item(const struct memory_reader *reader,
                                          struct memory_fault fault)
{
    const struct json_value *list = reader->list[fault.list];
    if (fault.list == MEMORY_LIST_RESERVED) {
        uint32_t left = fault.index;
        JSON_EACH(memory, reader->list[MEMORY_LIST_MEMORIES]) {
            const struct json_tree *tree = &reader->json.document->tree;
            const struct json_value *ranges = json_tree_find(tree, memory, "reserved");
            if (!ranges)
                ranges = json_tree_find(tree, memory, "reserved_ranges");
            if (left < json_tree_count(ranges))
                return json_tree_at(ranges, left);
            left -= (uint32_t)json_tree_count(ranges);
        }
    }
    const struct json_value *item = json_tree_at(list, fault.index);
    return item ? item : list ? list : reader->json.document->root;
}

/* Finishes the problem; an error gets the line of the item that is wrong. */
static enum status finish_problem(const struct memory_reader *reader)
{
    struct memory_fault fault = {MEMORY_LIST_WHOLE, 0};
    enum status status = memory_problem_finish(reader->file->problem, &fault, reader->json.error);
    return json_document_place(&reader->json, find_item(reader, fault), status);
}

enum status memory_file_read(const struct json_document *document, struct memory_file *file,
                             struct error *error)
{
    struct memory_reader reader = {.json = {document, error}, .file = file};
    TRY(is_dsa(document) ? memory_parts_read_dsa(&reader) : memory_parts_read_memories(&reader));
    return finish_problem(&reader);
}

enum status memory_file_read_hardware(const struct json_document *document, struct problem *plain,
                                      const uint64_t *read_bytes, const uint64_t *write_bytes,
                                      struct memory_file *file, struct error *error)
{
    struct memory_reader reader = {.json = {document, error}, .file = file};
    TRY(memory_parts_read_list(&reader, document->root, plain));
    struct memory_problem *problem = file->problem;
    for (uint32_t b = 0; read_bytes && b < plain->buffers; b++) {
        problem->read_bytes[b] = read_bytes[b];
        problem->write_bytes[b] = write_bytes[b];
    }
    return finish_problem(&reader);
}
