#include "harness/files/hardware_json.h"

#include <string.h>

#include "datasets/json/fields.h"

enum { MOST_CONTENTION = 1000 };

struct reader {
    struct json_reader json;
    struct hardware *hardware;
};

static enum status read_name(struct reader *reader)
{
    const struct json_value *root = reader->json.document->root;
    const char *name, *note;
    TRY(json_fields_text(&reader->json, root, "name", &name));
    TRY(json_fields_optional_text(&reader->json, root, "note", &note));
    if (!*name || strlen(name) >= HARDWARE_NAME_BYTES)
        return json_document_fail(&reader->json, json_fields_get(&reader->json, root, "name"),
                                  "found a name of %zu bytes, expected 1 to %d", strlen(name),
                                  HARDWARE_NAME_BYTES - 1);
    memcpy(reader->hardware->name, name, strlen(name) + 1);
    return STATUS_OK;
}

static enum status read_cost(struct reader *reader, const char *key, uint64_t *cost)
{
    int64_t number = 0;
    TRY(json_fields_optional_integer(&reader->json, reader->json.document->root, key,
                                     json_at_least(0), &number));
    *cost = (uint64_t)number;
    return STATUS_OK;
}

static enum status read_costs(struct reader *reader)
{
    struct hardware *hardware = reader->hardware;
    int64_t bytes_per_second;
    double contention = 0;
    TRY(json_fields_integer(&reader->json, reader->json.document->root, "dma_bytes_per_second",
                            json_at_least(1), &bytes_per_second));
    hardware->dma_bytes_per_second = (uint64_t)bytes_per_second;
    TRY(read_cost(reader, "dma_start_ns", &hardware->dma_start_ns));
    TRY(read_cost(reader, "dma_start_instruction_ns", &hardware->dma_start_instruction_ns));
    TRY(read_cost(reader, "dma_wait_instruction_ns", &hardware->dma_wait_instruction_ns));
    TRY(read_cost(reader, "on_chip_bytes", &hardware->on_chip_bytes));
    TRY(json_fields_optional_number(&reader->json, reader->json.document->root, "contention",
                                    MOST_CONTENTION, &contention));
    hardware->contention = (uint64_t)(contention * HARDWARE_PARTS + 0.5);
    return STATUS_OK;
}

enum status hardware_json_read(const struct text *text, const char *file, struct hardware *hardware,
                               struct error *error)
{
    SCOPED(json_document_release) struct json_document *document = NULL;
    TRY(json_document_read(text, file, &document, error));
    struct reader reader = {{document, error}, hardware};
    const struct json_value *root = reader.json.document->root;
    TRY(json_document_expect_format(&reader.json, HARDWARE_JSON_FORMAT));
    TRY(json_fields_check(&reader.json, root, "a hardware profile",
                          "format name note dma_bytes_per_second dma_start_ns "
                          "dma_start_instruction_ns dma_wait_instruction_ns contention "
                          "operations_per_second on_chip_bytes"));
    TRY(read_name(&reader));
    TRY(read_costs(&reader));
    const struct json_value *rates =
        json_fields_get(&reader.json, reader.json.document->root, "operations_per_second");
    if (rates && !json_tree_is(rates, JSON_OBJECT))
        return json_document_fail(&reader.json, rates,
                                  "found %s as operations_per_second, expected an object",
                                  json_fields_kind(rates));
    for (const struct json_value *value = json_tree_first(rates); value;
         value = json_tree_next(rates, value)) {
        int64_t rate;
        TRY(json_fields_value_integer(&reader.json, value, "operations per second",
                                      json_at_least(1), &rate));
        TRY(hardware_add_rate(reader.hardware, json_tree_key(&reader.json.document->tree, value),
                              (uint64_t)rate, reader.json.error));
    }
    return STATUS_OK;
}
