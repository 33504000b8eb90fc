#include "datasets/json/fields.h"

#include <inttypes.h>
#include <string.h>

const char *json_fields_kind(const json_t *value)
{
    if (!value)
        return "nothing";
    switch (json_typeof(value)) {
    case JSON_OBJECT:
        return "an object";
    case JSON_ARRAY:
        return "an array";
    case JSON_STRING:
        return "a text";
    case JSON_INTEGER:
        return "an integer";
    case JSON_REAL:
        return "a number with a fraction";
    case JSON_NULL:
        return "null";
    default:
        return json_is_true(value) ? "true" : "false";
    }
}

static bool is_known(const char *known, const char *key)
{
    size_t length = strlen(key);
    for (const char *word = known; *word; word += strspn(word, " ")) {
        size_t word_length = strcspn(word, " ");
        if (word_length == length && memcmp(word, key, length) == 0)
            return true;
        word += word_length;
    }
    return false;
}

enum status json_fields_check(const struct json_document *document, const json_t *value,
                              const json_t *holder, const char *what, const char *known,
                              struct error *error)
{
    if (!json_is_object(value))
        return json_document_fail(document, json_document_nearest(document, value, holder), error,
                                  "found %s, expected %s as an object with the keys %s",
                                  json_fields_kind(value), what, known);
    json_t *object = (json_t *)value;
    for (void *i = json_object_iter(object); i; i = json_object_iter_next(object, i)) {
        const char *key = json_object_iter_key(i);
        const json_t *place = json_document_nearest(document, json_object_iter_value(i), value);
        if (!is_known(known, key))
            return json_document_fail(document, place, error,
                                      "found unknown key \"%s\" in %s, expected %s", key, what,
                                      known);
    }
    return STATUS_OK;
}

enum status json_fields_value_text(const struct json_document *document, const json_t *holder,
                                   const json_t *value, const char *what, const char **text,
                                   struct error *error)
{
    if (!json_is_string(value))
        return json_document_fail(document, json_document_nearest(document, value, holder), error,
                                  "found %s as %s, expected a text", json_fields_kind(value), what);
    *text = json_string_value(value);
    return STATUS_OK;
}

enum status json_fields_value_integer(const struct json_document *document, const json_t *holder,
                                      const json_t *value, const char *what, int64_t least,
                                      int64_t most, int64_t *number, struct error *error)
{
    const json_t *place = json_document_nearest(document, value, holder);
    if (!json_is_integer(value))
        return json_document_fail(document, place, error,
                                  "found %s as %s, expected an integer of at least %" PRId64,
                                  json_fields_kind(value), what, least);
    int64_t found = json_integer_value(value);
    if (found < least || found > most)
        return json_document_fail(document, place, error,
                                  "found %" PRId64 " as %s, expected %" PRId64 " to %" PRId64,
                                  found, what, least, most);
    *number = found;
    return STATUS_OK;
}

static enum status find_field(const struct json_document *document, const json_t *object,
                              const char *key, const char *kind, const json_t **field,
                              struct error *error)
{
    *field = json_object_get(object, key);
    if (*field)
        return STATUS_OK;
    return json_document_fail(document, object, error, "found no \"%s\", expected %s", key, kind);
}

enum status json_fields_text(const struct json_document *document, const json_t *object,
                             const char *key, const char **text, struct error *error)
{
    const json_t *field;
    TRY(find_field(document, object, key, "a text", &field, error));
    return json_fields_optional_text(document, object, key, text, error);
}

enum status json_fields_array(const struct json_document *document, const json_t *object,
                              const char *key, const json_t **array, struct error *error)
{
    const json_t *field;
    TRY(find_field(document, object, key, "an array", &field, error));
    return json_fields_optional_array(document, object, key, array, error);
}

enum status json_fields_integer(const struct json_document *document, const json_t *object,
                                const char *key, int64_t least, int64_t most, int64_t *number,
                                struct error *error)
{
    const json_t *field;
    TRY(find_field(document, object, key, "an integer", &field, error));
    return json_fields_optional_integer(document, object, key, least, most, number, error);
}

enum status json_fields_optional_text(const struct json_document *document, const json_t *object,
                                      const char *key, const char **text, struct error *error)
{
    const json_t *field = json_object_get(object, key);
    *text = NULL;
    return field ? json_fields_value_text(document, object, field, key, text, error) : STATUS_OK;
}

enum status json_fields_optional_array(const struct json_document *document, const json_t *object,
                                       const char *key, const json_t **array, struct error *error)
{
    *array = json_object_get(object, key);
    if (!*array || json_is_array(*array))
        return STATUS_OK;
    return json_document_fail(document, json_document_nearest(document, *array, object), error,
                              "found %s as %s, expected an array", json_fields_kind(*array), key);
}

enum status json_fields_optional_integer(const struct json_document *document, const json_t *object,
                                         const char *key, int64_t least, int64_t most,
                                         int64_t *number, struct error *error)
{
    const json_t *field = json_object_get(object, key);
    if (!field)
        return STATUS_OK;
    return json_fields_value_integer(document, object, field, key, least, most, number, error);
}

enum status json_fields_optional_number(const struct json_document *document, const json_t *object,
                                        const char *key, double least, double most, double *number,
                                        struct error *error)
{
    const json_t *field = json_object_get(object, key);
    if (!field)
        return STATUS_OK;
    const json_t *place = json_document_nearest(document, field, object);
    if (!json_is_number(field))
        return json_document_fail(document, place, error,
                                  "found %s as %s, expected a number from %g to %g",
                                  json_fields_kind(field), key, least, most);
    double found = json_number_value(field);
    if (!(found >= least && found <= most))
        return json_document_fail(document, place, error,
                                  "found %s %g, expected a number from %g to %g", key, found, least,
                                  most);
    *number = found;
    return STATUS_OK;
}
