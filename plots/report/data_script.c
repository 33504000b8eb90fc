#include "plots/report/data_script.h"

#include <string.h>

#include "core/file.h"
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
    for (uint32_t i = 0; i < rows; i++) {
        const char *value = *(const char *const *)((const char *)first + i * bytes);
        uint32_t code = names_find(&names, value);
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
    text_append(json, "], \"codes\": [");
    text_append_bytes(json, codes.bytes ? codes.bytes : "", codes.length);
    text_append(json, "]}");
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
    SCOPED(text_free) struct text script = {0}, path = {0};
    TRY(text_check(json, error));
    text_append(&path, "%s/data", folder);
    TRY(text_check(&path, error));
    TRY(file_create_folder(path.bytes, error));
    text_append(&path, "/%s.js", name);
    text_append(&script, "memplan.add('%s', '", name);
    /* Appends JSON as a JavaScript string between single quotes. */
    const char *at = json->bytes, *end = json->bytes + json->length;
    while (at < end) {
        size_t plain = 0;
        while (at + plain < end && !strchr("\\'\n\r", at[plain]))
            plain++;
        text_append_bytes(&script, at, plain);
        at += plain;
        if (at < end && (*at == '\\' || *at == '\'')) {
            text_append_bytes(&script, "\\", 1);
            text_append_bytes(&script, at, 1);
        }
        at += at < end;
    }
    text_append(&script, "');\n");
    TRY(text_check(&path, error));
    TRY(text_check(&script, error));
    return text_write_file(path.bytes, &script, error);
}
