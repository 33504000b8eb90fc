#include "plots/report/data_script.h"

#include <nettle/base64.h>

#include "core/file.h"
#include "core/gzip.h"
#include "core/memory.h"
#include "results/table/escape.h"

/* The greatest number up to which doubles hold every integer. */
static const uint64_t largest_exact = UINT64_C(1) << 53;

void data_script_add_number(struct text *json, uint64_t number)
{
    char digits[24];
    size_t at = sizeof digits;
    bool quoted = number > largest_exact;
    if (quoted)
        digits[--at] = '"';
    do {
        digits[--at] = (char)('0' + number % 10);
        number /= 10;
    } while (number);
    if (quoted)
        digits[--at] = '"';
    text_append_bytes(json, digits + at, sizeof digits - at);
}

void data_script_add_numbers(struct text *json, const char *name, const uint64_t *first,
                             uint32_t rows, size_t bytes)
{
    text_append(json, "\"%s\": [", name);
    for (uint32_t i = 0; i < rows; i++) {
        text_append_bytes(json, ",", i != 0);
        data_script_add_number(json, *(const uint64_t *)((const char *)first + i * bytes));
    }
    text_append(json, "]");
}

enum status data_script_add_texts(struct text *json, const char *name, const char *const *first,
                                  uint32_t rows, size_t bytes, struct error *error)
{
    SCOPED(names_free) struct names names = {0};
    SCOPED(text_free) struct text codes = {0};
    bool are_same = false;
    for (uint32_t i = 0; i < rows; i++) {
        const char *value = *(const char *const *)((const char *)first + i * bytes);
        uint32_t code = names_find(&names, value);
        are_same |= code != NAMES_NONE;
        if (code == NAMES_NONE) {
            TRY(names_add(&names, value, error));
            code = names.count - 1;
        }
        text_append_bytes(&codes, ",", i != 0);
        data_script_add_number(&codes, code);
    }
    TRY(text_check(&codes, error));
    text_append(json, "\"%s\": {\"names\": [", name);
    for (uint32_t i = 0; i < names.count; i++) {
        text_append(json, i ? ", " : "");
        escape_json(json, names_get(&names, i));
    }
    text_append(json, "]");
    if (are_same)
        text_append(json, ", \"codes\": [%s]", codes.bytes);
    text_append(json, "}");
    return STATUS_OK;
}

void data_script_add_named(struct text *json, const char *name, const char *value)
{
    text_append(json, "\"%s\": ", name);
    escape_json(json, value);
}

enum status data_script_write(const char *folder, const char *name, const struct text *json,
                              struct error *error)
{
    SCOPED(text_free) struct text script = {0}, path = {0}, packed = {0};
    SCOPED(memory_release) char *letters = NULL;
    TRY(text_check(json, error));
    TRY(gzip_pack(json, &packed, error));
    size_t length = BASE64_ENCODE_RAW_LENGTH(packed.length);
    TRY(memory_create(&letters, length, 1, error));
    base64_encode_raw(letters, packed.length, (const uint8_t *)packed.bytes);
    text_append(&path, "%s/data", folder);
    TRY(text_check(&path, error));
    TRY(file_create_folder(path.bytes, error));
    text_append(&path, "/%s.js", name);
    text_append(&script, "memplan.add('%s', '", name);
    text_append_bytes(&script, letters, length);
    text_append(&script, "');\n");
    TRY(text_check(&path, error));
    TRY(text_check(&script, error));
    return text_write_file(path.bytes, &script, error);
}
