#include "datasets/json/fields.h"

#include <inttypes.h>
#include <string.h>

#include "core/memory.h"

const char *json_fields_kind(const struct json_value *value)
{
    static const char *const kinds[] = {[JSON_NULL] = "null",
                                        [JSON_FALSE] = "false",
                                        [JSON_TRUE] = "true",
                                        [JSON_INTEGER] = "an integer",
                                        [JSON_REAL] = "a number with a fraction or an exponent",
                                        [JSON_TEXT] = "a text",
                                        [JSON_ARRAY] = "an array",
                                        [JSON_OBJECT] = "an object"};
    return value ? kinds[value->kind] : "nothing";
}

const struct json_value *json_fields_get(const struct json_reader *reader,
                                         const struct json_value *object, const char *key)
{
    return json_tree_find(&reader->document->tree, object, key);
}

const char *json_fields_word(const struct json_reader *reader, const struct json_value *object,
                             const char *key)
{
    const char *text =
        json_tree_text(&reader->document->tree, json_fields_get(reader, object, key));
    return text ? text : "";
}

enum status json_fields_check(const struct json_reader *reader, const struct json_value *value,
                              const char *what, const char *known)
{
    if (!json_tree_is(value, JSON_OBJECT))
        return json_document_fail(reader, value,
                                  "found %s, expected %s as an object with the keys %s",
                                  json_fields_kind(value), what, known);
    JSON_EACH(field, value) {
        const char *key = json_tree_key(&reader->document->tree, field), *word = known;
        size_t length = strlen(key);
        while (*word && (strcspn(word, " ") != length || memcmp(word, key, length) != 0)) {
            word += strcspn(word, " ");
            word += strspn(word, " ");
        }
        if (!*word)
            return json_document_fail(reader, field, "found unknown key \"%s\" in %s, expected %s",
                                      key, what, known);
    }
    return STATUS_OK;
}

enum status json_fields_value_text(const struct json_reader *reader, const struct json_value *value,
                                   const char *what, const char **text)
{
    *text = json_tree_text(&reader->document->tree, value);
    if (*text)
        return STATUS_OK;
    return json_document_fail(reader, value, "found %s as %s, expected a text",
                              json_fields_kind(value), what);
}

enum status json_fields_value_integer(const struct json_reader *reader,
                                      const struct json_value *value, const char *what,
                                      struct json_range range, int64_t *number)
{
    if (!json_tree_is(value, JSON_INTEGER))
        return json_document_fail(reader, value,
                                  "found %s as %s, expected an integer of at least %" PRId64,
                                  json_fields_kind(value), what, range.least);
    int64_t found = (int64_t)value->integer;
    bool fits = value->negative || value->integer <= INT64_MAX;
    if (!fits || found < range.least || found > range.most)
        return json_document_fail(
            reader, value, "found %s%" PRIu64 " as %s, expected %" PRId64 " to %" PRId64,
            value->negative ? "-" : "", value->negative ? 0 - value->integer : value->integer, what,
            range.least, range.most);
    *number = found;
    return STATUS_OK;
}

static enum status find_field(const struct json_reader *reader, const struct json_value *object,
                              const char *key, const char *kind, const struct json_value **field)
{
    *field = json_fields_get(reader, object, key);
    if (*field)
        return STATUS_OK;
    return json_document_fail(reader, object, "found no \"%s\", expected %s", key, kind);
}

enum status json_fields_text(const struct json_reader *reader, const struct json_value *object,
                             const char *key, const char **text)
{
    const struct json_value *field;
    TRY(find_field(reader, object, key, "a text", &field));
    return json_fields_value_text(reader, field, key, text);
}

enum status json_fields_array(const struct json_reader *reader, const struct json_value *object,
                              const char *key, const struct json_value **array)
{
    const struct json_value *field;
    TRY(find_field(reader, object, key, "an array", &field));
    return json_fields_optional_array(reader, object, key, array);
}

enum status json_fields_integer(const struct json_reader *reader, const struct json_value *object,
                                const char *key, struct json_range range, int64_t *number)
{
    const struct json_value *field;
    TRY(find_field(reader, object, key, "an integer", &field));
    return json_fields_value_integer(reader, field, key, range, number);
}

enum status json_fields_unsigned(const struct json_reader *reader, const struct json_value *object,
                                 const char *key, int64_t most, uint64_t *number)
{
    int64_t found = 0;
    TRY(json_fields_integer(reader, object, key, json_between(0, most), &found));
    *number = (uint64_t)found;
    return STATUS_OK;
}

enum status json_fields_name(const struct json_reader *reader, const struct json_value *object,
                             const char **name)
{
    TRY(json_fields_text(reader, object, "name", name));
    if (**name)
        return STATUS_OK;
    return json_document_fail(reader, json_fields_get(reader, object, "name"),
                              "found an empty name, expected at least one character");
}

enum status json_fields_optional_text(const struct json_reader *reader,
                                      const struct json_value *object, const char *key,
                                      const char **text)
{
    const struct json_value *field = json_fields_get(reader, object, key);
    *text = NULL;
    return field ? json_fields_value_text(reader, field, key, text) : STATUS_OK;
}

enum status json_fields_optional_array(const struct json_reader *reader,
                                       const struct json_value *object, const char *key,
                                       const struct json_value **array)
{
    *array = json_fields_get(reader, object, key);
    if (!*array || json_tree_is(*array, JSON_ARRAY))
        return STATUS_OK;
    return json_document_fail(reader, *array, "found %s as %s, expected an array",
                              json_fields_kind(*array), key);
}

enum status json_fields_optional_integer(const struct json_reader *reader,
                                         const struct json_value *object, const char *key,
                                         struct json_range range, int64_t *number)
{
    const struct json_value *field = json_fields_get(reader, object, key);
    if (!field)
        return STATUS_OK;
    return json_fields_value_integer(reader, field, key, range, number);
}

enum status json_fields_optional_unsigned(const struct json_reader *reader,
                                          const struct json_value *object, const char *key,
                                          int64_t least, uint64_t *number)
{
    int64_t found = -1;
    TRY(json_fields_optional_integer(reader, object, key, json_at_least(least), &found));
    *number = found < 0 ? *number : (uint64_t)found;
    return STATUS_OK;
}

enum status json_fields_note(const struct json_reader *reader, const struct json_value *object,
                             char **note)
{
    const char *text;
    TRY(json_fields_optional_text(reader, object, "note", &text));
    *note = text ? memory_copy_text(text) : NULL;
    return text && !*note ? error_no_memory(reader->error) : STATUS_OK;
}

enum status json_fields_device(const struct json_reader *reader, const struct json_value *object,
                               uint8_t *device)
{
    int64_t number = 0;
    TRY(json_fields_optional_integer(reader, object, "device", json_between(0, UINT8_MAX),
                                     &number));
    *device = (uint8_t)number;
    return STATUS_OK;
}

enum status json_fields_optional_number(const struct json_reader *reader,
                                        const struct json_value *object, const char *key,
                                        double most, double *number)
{
    const struct json_value *field = json_fields_get(reader, object, key);
    if (!field)
        return STATUS_OK;
    if (!json_tree_is(field, JSON_INTEGER) && !json_tree_is(field, JSON_REAL))
        return json_document_fail(reader, field, "found %s as %s, expected a number from 0 to %g",
                                  json_fields_kind(field), key, most);
    double found = json_tree_number(field);
    if (!(found >= 0 && found <= most))
        return json_document_fail(reader, field, "found %s %g, expected a number from 0 to %g", key,
                                  found, most);
    *number = found;
    return STATUS_OK;
}
