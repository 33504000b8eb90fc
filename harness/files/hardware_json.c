#include "harness/files/hardware_json.h"

#include <string.h>

#include "datasets/json/fields.h"

enum { MOST_CONTENTION = 1000 };

enum status hardware_json_read(const struct text *text, const char *file, struct hardware *hardware,
                               struct error *error)
{
    const struct {
        const char *key;
        uint64_t *cost;
    } costs[] = {{"dma_start_ns", &hardware->dma_start_ns},
                 {"dma_start_instruction_ns", &hardware->dma_start_instruction_ns},
                 {"dma_wait_instruction_ns", &hardware->dma_wait_instruction_ns},
                 {"on_chip_bytes", &hardware->on_chip_bytes}};
    SCOPED(json_document_release) struct json_document *document = NULL;
    TRY(json_document_read(text, file, &document, error));
    const struct json_reader json = {document, error};
    const struct json_value *root = document->root;
    const char *name, *note;
    int64_t number;
    double contention = 0;
    TRY(json_document_expect_format(&json, HARDWARE_JSON_FORMAT));
    TRY(json_fields_check(&json, root, "a hardware profile",
                          "format name note dma_bytes_per_second dma_start_ns "
                          "dma_start_instruction_ns dma_wait_instruction_ns contention "
                          "operations_per_second on_chip_bytes memories"));
    TRY(json_fields_text(&json, root, "name", &name));
    TRY(json_fields_optional_text(&json, root, "note", &note));
    if (!*name || strlen(name) >= HARDWARE_NAME_BYTES)
        return json_document_fail(&json, json_fields_get(&json, root, "name"),
                                  "found a name of %zu bytes, expected 1 to %d", strlen(name),
                                  HARDWARE_NAME_BYTES - 1);
    memcpy(hardware->name, name, strlen(name) + 1);
    TRY(json_fields_integer(&json, root, "dma_bytes_per_second", json_at_least(1), &number));
    hardware->dma_bytes_per_second = (uint64_t)number;
    for (size_t i = 0; i < sizeof costs / sizeof *costs; i++) {
        number = 0;
        TRY(json_fields_optional_integer(&json, root, costs[i].key, json_at_least(0), &number));
        *costs[i].cost = (uint64_t)number;
    }
    TRY(json_fields_optional_number(&json, root, "contention", MOST_CONTENTION, &contention));
    hardware->contention = (uint64_t)(contention * HARDWARE_PARTS + 0.5);
    const struct json_value *rates = json_fields_get(&json, root, "operations_per_second");
    if (rates && !json_tree_is(rates, JSON_OBJECT))
        return json_document_fail(&json, rates,
                                  "found %s as operations_per_second, expected an object",
                                  json_fields_kind(rates));
    for (const struct json_value *value = json_tree_first(rates); value;
         value = json_tree_next(rates, value)) {
        TRY(json_fields_value_integer(&json, value, "operations per second", json_at_least(1),
                                      &number));
        TRY(hardware_add_rate(hardware, json_tree_key(&document->tree, value), (uint64_t)number,
                              error));
    }
    return STATUS_OK;
}
