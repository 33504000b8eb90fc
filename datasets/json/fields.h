#ifndef MEMPLAN_DATASETS_JSON_FIELDS_H
#define MEMPLAN_DATASETS_JSON_FIELDS_H

#include "datasets/json/document.h"

/* Typed access to the fields of an object of a document. Every function fails with
   STATUS_BAD_INPUT, the line, what was found and what was expected. Texts are borrowed from the
   document. */

/* The integers from least to most. */
struct json_range {
    int64_t least, most;
};

static inline struct json_range json_at_least(int64_t least)
{
    return (struct json_range){least, INT64_MAX};
}

static inline struct json_range json_between(int64_t least, int64_t most)
{
    return (struct json_range){least, most};
}

/* What a value is, for messages: "an object", "a number with a fraction or an exponent", ... */
const char *json_fields_kind(const struct json_value *value);

/* Checks that a value is an object and that all its keys are among the blank-separated known ones;
   `what` is its name in messages. */
enum status json_fields_check(const struct json_reader *reader, const struct json_value *value,
                              const char *what, const char *known);

/* The value of a field, NULL where the object has none of that name. */
const struct json_value *json_fields_get(const struct json_reader *reader,
                                         const struct json_value *object, const char *key);

/* The text of a field; "" where it has none. */
const char *json_fields_word(const struct json_reader *reader, const struct json_value *object,
                             const char *key);

/* A field that must be there. */
enum status json_fields_text(const struct json_reader *reader, const struct json_value *object,
                             const char *key, const char **text);
enum status json_fields_array(const struct json_reader *reader, const struct json_value *object,
                              const char *key, const struct json_value **array);
enum status json_fields_integer(const struct json_reader *reader, const struct json_value *object,
                                const char *key, struct json_range range, int64_t *number);

enum status json_fields_unsigned(const struct json_reader *reader, const struct json_value *object,
                                 const char *key, int64_t most, uint64_t *number);
enum status json_fields_name(const struct json_reader *reader, const struct json_value *object,
                             const char **name); /* its "name", which is not empty */

/* The same for a field that may be missing. If it is, *text and *array become NULL, and *number
   keeps its value. */
enum status json_fields_optional_text(const struct json_reader *reader,
                                      const struct json_value *object, const char *key,
                                      const char **text);
enum status json_fields_optional_array(const struct json_reader *reader,
                                       const struct json_value *object, const char *key,
                                       const struct json_value **array);
enum status json_fields_optional_integer(const struct json_reader *reader,
                                         const struct json_value *object, const char *key,
                                         struct json_range range, int64_t *number);
enum status json_fields_optional_unsigned(const struct json_reader *reader,
                                          const struct json_value *object, const char *key,
                                          int64_t least, uint64_t *number);

/* Two optional fields: a copy of the "note", or NULL; the "device", or 0. */
enum status json_fields_note(const struct json_reader *reader, const struct json_value *object,
                             char **note);
enum status json_fields_device(const struct json_reader *reader, const struct json_value *object,
                               uint8_t *device);

/* Any number from 0 to most. */
enum status json_fields_optional_number(const struct json_reader *reader,
                                        const struct json_value *object, const char *key,
                                        double most, double *number);

/* Check that the value itself is a text, or an integer within the range; `what` is its name in
   messages. */
enum status json_fields_value_text(const struct json_reader *reader, const struct json_value *value,
                                   const char *what, const char **text);
enum status json_fields_value_integer(const struct json_reader *reader,
                                      const struct json_value *value, const char *what,
                                      struct json_range range, int64_t *number);

#endif
