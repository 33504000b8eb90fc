#include "harness/files/hardware_json.h"

#include <string.h>

#include "datasets/json/fields.h"

enum { MOST_CONTENTION = 1000 };

struct reader {
    const struct json_document *document;
    struct hardware *hardware;
    struct error *error;
};

static enum status read_name(struct reader *reader)
{
    const struct json_value *root = reader->document->root;
    const char *name, *note;
    TRY(json_fields_text(reader->document, root, "name", &name, reader->error));
    TRY(json_fields_optional_text(reader->document, root, "note", &note, reader->error));
    if (!*name || strlen(name) >= HARDWARE_NAME_BYTES)
        return json_document_fail(reader->document, json_fields_get(reader->document, root, "name"),
                                  reader->error, "found a name of %zu bytes, expected 1 to %d",
                                  strlen(name), HARDWARE_NAME_BYTES - 1);
    memcpy(reader->hardware->name, name, strlen(name) + 1);
    return STATUS_OK;
}

static enum status read_cost(struct reader *reader, const char *key, uint64_t *cost)
{
    int64_t number = 0;
    TRY(json_fields_optional_integer(reader->document, reader->document->root, key, 0, INT64_MAX,
                                     &number, reader->error));
    *cost = (uint64_t)number;
    return STATUS_OK;
}

static enum status read_costs(struct reader *reader)
{
    struct hardware *hardware = reader->hardware;
    int64_t bytes_per_second;
    double contention = 0;
    TRY(json_fields_integer(reader->document, reader->document->root, "dma_bytes_per_second", 1,
                            INT64_MAX, &bytes_per_second, reader->error));
    hardware->dma_bytes_per_second = (uint64_t)bytes_per_second;
    TRY(read_cost(reader, "dma_start_ns", &hardware->dma_start_ns));
    TRY(read_cost(reader, "dma_start_instruction_ns", &hardware->dma_start_instruction_ns));
    TRY(read_cost(reader, "dma_wait_instruction_ns", &hardware->dma_wait_instruction_ns));
    TRY(read_cost(reader, "on_chip_bytes", &hardware->on_chip_bytes));
    TRY(json_fields_optional_number(reader->document, reader->document->root, "contention", 0,
                                    MOST_CONTENTION, &contention, reader->error));
    hardware->contention = (uint64_t)(contention * HARDWARE_PARTS + 0.5);
    return STATUS_OK;
}

static enum status read_rates(struct reader *reader)
{
    const struct json_value *rates =
        json_fields_get(reader->document, reader->document->root, "operations_per_second");
    if (rates && !json_tree_is(rates, JSON_OBJECT))
        return json_document_fail(reader->document, rates, reader->error,
                                  "found %s as operations_per_second, expected an object",
                                  json_fields_kind(rates));
    for (const struct json_value *value = json_tree_first(rates); value;
         value = json_tree_next(rates, value)) {
        int64_t rate;
        TRY(json_fields_value_integer(reader->document, value, "operations per second", 1,
                                      INT64_MAX, &rate, reader->error));
        TRY(hardware_add_rate(reader->hardware, json_tree_key(&reader->document->tree, value),
                              (uint64_t)rate, reader->error));
    }
    return STATUS_OK;
}

static enum status read_profile(struct reader *reader)
{
    const struct json_value *root = reader->document->root;
    TRY(json_document_expect_format(reader->document, HARDWARE_JSON_FORMAT, reader->error));
    TRY(json_fields_check(reader->document, root, "a hardware profile",
                          "format name note dma_bytes_per_second dma_start_ns "
                          "dma_start_instruction_ns dma_wait_instruction_ns contention "
                          "operations_per_second on_chip_bytes",
                          reader->error));
    TRY(read_name(reader));
    TRY(read_costs(reader));
    return read_rates(reader);
}

enum status hardware_json_read(const struct text *text, const char *file, struct hardware *hardware,
                               struct error *error)
{
    struct json_document *document;
    TRY(json_document_read(text, file, &document, error));
    struct reader reader = {document, hardware, error};
    enum status status = read_profile(&reader);
    json_document_free(document);
    return status;
}
