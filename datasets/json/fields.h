#ifndef MEMPLAN_DATASETS_JSON_FIELDS_H
#define MEMPLAN_DATASETS_JSON_FIELDS_H

#include "datasets/json/document.h"

/* Typed access to the fields of an object of a document. Every function fails with
   STATUS_BAD_INPUT, the line, what was found and what was expected. Texts are borrowed from the
   document. */

/* What a value is, for messages: "an object", "a number with a fraction", ... */
const char *json_fields_kind(const struct json_value *value);

/* value is an object and all of its keys are among the blank-separated known ones. what names it in
   messages. */
enum status json_fields_check(const struct json_document *document, const struct json_value *value,
                              const char *what, const char *known, struct error *error);

/* NULL where there is none. */
const struct json_value *json_fields_get(const struct json_document *document,
                                         const struct json_value *object, const char *key);

/* A field that must be there. */
enum status json_fields_text(const struct json_document *document, const struct json_value *object,
                             const char *key, const char **text, struct error *error);
enum status json_fields_array(const struct json_document *document, const struct json_value *object,
                              const char *key, const struct json_value **array,
                              struct error *error);
/* An integer from least to most. */
enum status json_fields_integer(const struct json_document *document,
                                const struct json_value *object, const char *key, int64_t least,
                                int64_t most, int64_t *number, struct error *error);

/* The same for a field that may be missing: *text and *array are NULL then, *number untouched. */
enum status json_fields_optional_text(const struct json_document *document,
                                      const struct json_value *object, const char *key,
                                      const char **text, struct error *error);
enum status json_fields_optional_array(const struct json_document *document,
                                       const struct json_value *object, const char *key,
                                       const struct json_value **array, struct error *error);
enum status json_fields_optional_integer(const struct json_document *document,
                                         const struct json_value *object, const char *key,
                                         int64_t least, int64_t most, int64_t *number,
                                         struct error *error);

/* Any number from least to most. */
enum status json_fields_optional_number(const struct json_document *document,
                                        const struct json_value *object, const char *key,
                                        double least, double most, double *number,
                                        struct error *error);

/* The value itself is a text, or an integer from least to most; what names it in messages. */
enum status json_fields_value_text(const struct json_document *document,
                                   const struct json_value *value, const char *what,
                                   const char **text, struct error *error);
enum status json_fields_value_integer(const struct json_document *document,
                                      const struct json_value *value, const char *what,
                                      int64_t least, int64_t most, int64_t *number,
                                      struct error *error);

#endif
