#include "datasets/memplan_json/plan.h"

#include <inttypes.h>

#include "core/memory.h"
#include "datasets/json/text.h"
#include "planning/memories/address.h"

enum status plan_document_create(const struct plan_document_texts *texts,
                                 struct plan_document **created, struct error *error)
{
    struct plan_document *document;
    TRY(memory_create(&document, 1, sizeof *document, error));
    document->instance = memory_copy_text(texts->instance ? texts->instance : "");
    document->digest = memory_copy_text(texts->digest ? texts->digest : "");
    document->policy = memory_copy_text(texts->policy ? texts->policy : "");
    document->planner = memory_copy_text(texts->planner ? texts->planner : "");
    document->options = memory_copy_text(texts->options ? texts->options : "");
    *created = document;
    if (document->instance && document->digest && document->policy && document->planner &&
        document->options)
        return STATUS_OK;
    plan_document_free(document);
    *created = NULL;
    return error_no_memory(error);
}

void plan_document_free(struct plan_document *document)
{
    if (!document)
        return;
    memory_free_all(document->instance, document->digest, document->policy, document->planner,
                    document->options, document->buffer, document->extent, document->storage,
                    document->memory_peak);
    names_free(&document->memory_names);
    names_free(&document->buffer_names);
    names_free(&document->tensor_names);
    memory_free(document);
}

enum status plan_document_add_buffer(struct plan_document *document, const char *name,
                                     struct plan_document_buffer buffer, struct error *error)
{
    TRY(memory_reserve(&document->buffer, &document->buffer_capacity, (size_t)document->buffers + 1,
                       sizeof *document->buffer, error));
    TRY(names_add(&document->buffer_names, name, error));
    buffer.first = document->tensor_names.count;
    buffer.first_extent = document->extents;
    buffer.tensors = buffer.extents = 0;
    document->buffer[document->buffers++] = buffer;
    return STATUS_OK;
}

enum status plan_document_add_tensor(struct plan_document *document, const char *name,
                                     struct error *error)
{
    TRY(names_add(&document->tensor_names, name, error));
    document->buffer[document->buffers - 1].tensors++;
    return STATUS_OK;
}

enum status plan_document_add_extent(struct plan_document *document, uint64_t offset_bytes,
                                     uint64_t size_bytes, struct error *error)
{
    TRY(memory_reserve(&document->extent, &document->extent_capacity, (size_t)document->extents + 1,
                       sizeof *document->extent, error));
    document->extent[document->extents++] = (struct extent){offset_bytes, size_bytes};
    document->buffer[document->buffers - 1].extents++;
    return STATUS_OK;
}

enum status plan_document_find_storages(struct plan_document *document, struct error *error)
{
    document->storages = 0;
    for (uint32_t b = 0; b < document->buffers; b++) {
        uint32_t id = document->buffer[b].storage_id;
        if (id != STORAGE_IDS_NONE && id >= document->storages)
            document->storages = id + 1;
    }
    TRY(memory_create(&document->storage, document->storages, sizeof *document->storage, error));
    for (uint32_t b = 0; b < document->buffers; b++) {
        const struct plan_document_buffer *buffer = &document->buffer[b];
        if (buffer->storage_id == STORAGE_IDS_NONE)
            continue;
        struct plan_document_storage *storage = &document->storage[buffer->storage_id];
        uint64_t end = buffer->offset_bytes + buffer->size_bytes;
        uint64_t before = storage->size_bytes ? storage->offset_bytes + storage->size_bytes : 0;
        if (!storage->size_bytes || buffer->offset_bytes < storage->offset_bytes)
            storage->offset_bytes = buffer->offset_bytes;
        storage->size_bytes = (end > before ? end : before) - storage->offset_bytes;
        storage->device = buffer->device;
    }
    return STATUS_OK;
}

static void write_text_field(struct text *text, const char *key, const char *value)
{
    text_append(text, "  \"%s\"", key);
    json_text_after(text, ": ", value);
    text_append(text, ",\n");
}

static void write_buffer(const struct plan_document *document, uint32_t b, struct text *text)
{
    const struct plan_document_buffer *buffer = &document->buffer[b];
    bool has_memory = document->memory_names.count > 0;
    json_text_after(text, "    {\"name\": ", names_get(&document->buffer_names, b));
    text_append(text, ", \"size\": %" PRIu64 ", \"lower\": %u, \"upper\": %u", buffer->size_bytes,
                buffer->lower, buffer->upper);
    if (has_memory)
        json_text_after(
            text, ", \"memory\": ",
            names_get(&document->memory_names, memory_of_address(buffer->offset_bytes)));
    text_append(text, ", \"offset\": %" PRIu64,
                has_memory ? memory_offset_of_address(buffer->offset_bytes) : buffer->offset_bytes);
    if (buffer->alignment_bytes > 1)
        text_append(text, ", \"alignment\": %" PRIu64, buffer->alignment_bytes);
    for (uint32_t i = 0; i < buffer->extents; i++) {
        const struct extent *extent = &document->extent[buffer->first_extent + i];
        text_append(text, "%s[%" PRIu64 ", %" PRIu64 "]", i ? ", " : ", \"extents\": [",
                    extent->offset, extent->bytes);
    }
    text_append(text, buffer->extents ? "]" : "");
    if (buffer->storage_id != STORAGE_IDS_NONE)
        text_append(text, ", \"storage_id\": %u", buffer->storage_id);
    if (buffer->device)
        text_append(text, ", \"device\": %u", buffer->device);
    text_append(text, ", \"tensors\": [");
    for (uint32_t i = 0; i < buffer->tensors; i++)
        json_text_after(text, i ? ", " : "", names_get(&document->tensor_names, buffer->first + i));
    text_append(text, "]}");
}

static enum status check_numbers(const struct plan_document *document, struct error *error)
{
    const uint64_t numbers[] = {document->seed,
                                document->measures.peak_bytes,
                                document->measures.naive_bytes,
                                document->measures.lower_bound_bytes,
                                document->measures.nodes,
                                document->wall_ns};
    uint64_t most = 0;
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        most = numbers[i] > most ? numbers[i] : most;
    for (uint32_t b = 0; b < document->buffers; b++) {
        const struct plan_document_buffer *buffer = &document->buffer[b];
        most = buffer->size_bytes > most ? buffer->size_bytes : most;
        most = buffer->offset_bytes > most ? buffer->offset_bytes : most;
    }
    for (uint32_t i = 0; i < document->extents; i++) {
        most = document->extent[i].offset > most ? document->extent[i].offset : most;
        most = document->extent[i].bytes > most ? document->extent[i].bytes : most;
    }
    if (most <= INT64_MAX)
        return STATUS_OK;
    return error_set(error, STATUS_BAD_INPUT,
                     "the plan holds the number %" PRIu64 ", expected at most %" PRId64 " in JSON",
                     most, INT64_MAX);
}

enum status plan_json_write(const struct plan_document *document, struct text *text,
                            struct error *error)
{
    size_t start = text->length;
    const char *before = "  \"storages\": [\n";
    TRY(check_numbers(document, error));
    text_append(text, "{\n");
    write_text_field(text, "format", PLAN_JSON_FORMAT);
    write_text_field(text, "instance", document->instance);
    write_text_field(text, "digest", document->digest);
    write_text_field(text, "policy", document->policy);
    write_text_field(text, "planner", document->planner);
    write_text_field(text, "options", document->options);
    text_append(text, "  \"seed\": %" PRIu64 ",\n", document->seed);
    write_text_field(text, "status", plan_status_name(document->status));
    text_append(text, "  \"peak\": %" PRIu64 ",\n", document->measures.peak_bytes);
    text_append(text, "  \"lower_bound\": %" PRIu64 ",\n", document->measures.lower_bound_bytes);
    text_append(text, "  \"naive\": %" PRIu64 ",\n", document->measures.naive_bytes);
    text_append(text, "  \"nodes\": %" PRIu64 ",\n", document->measures.nodes);
    text_append(text, "  \"wall_ns\": %" PRIu64 ",\n", document->wall_ns);
    for (uint32_t m = 0; m < document->memory_names.count; m++) {
        json_text_after(text, m ? ",\n    {\"name\": " : "  \"memories\": [\n    {\"name\": ",
                        names_get(&document->memory_names, m));
        text_append(text, ", \"peak\": %" PRIu64 "}%s", document->memory_peak[m],
                    m + 1 < document->memory_names.count ? "" : "\n  ],\n");
    }
    for (uint32_t s = 0; s < document->storages; s++) {
        const struct plan_document_storage *storage = &document->storage[s];
        if (!storage->size_bytes)
            continue;
        text_append(text, "%s    {\"id\": %u, \"offset\": %" PRIu64 ", \"bytes\": %" PRIu64, before,
                    s, storage->offset_bytes, storage->size_bytes);
        if (storage->device)
            text_append(text, ", \"device\": %u", storage->device);
        text_append(text, "}");
        before = ",\n";
    }
    text_append(text, "%s  \"buffers\": [", document->storages ? "\n  ],\n" : "");
    for (uint32_t b = 0; b < document->buffers; b++) {
        text_append(text, b ? ",\n" : "\n");
        write_buffer(document, b, text);
    }
    text_append(text, "\n  ]\n}\n");
    return json_text_check(text, start, "the plan of", document->instance, error);
}
