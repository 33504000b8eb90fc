#ifndef MEMPLAN_DATASETS_JSON_DOCUMENT_H
#define MEMPLAN_DATASETS_JSON_DOCUMENT_H

#include <jansson.h>

#include "core/error.h"
#include "core/text.h"
#include "datasets/json/memory.h"

/* A JSON text that was read, and the line on which each of its values stands, so that readers can
   say file:line also for what is wrong with a value and not with its syntax. */
struct json_document {
    json_t *root; /* in memory */
    struct json_memory memory;
    char *file;               /* for messages only */
    struct json_place *place; /* [places] by address of the value */
    size_t places, place_capacity;
};

/* The whole text is one object or array; objects with a key twice are refused. Fails with
   STATUS_BAD_INPUT and the line. O(n log n). */
enum status json_document_read(const struct text *text, const char *file,
                               struct json_document **document, struct error *error);
void json_document_free(struct json_document *document); /* NULL is fine */

/* Line of a value of this document; 0 for true, false, null and NULL, which jansson shares. */
unsigned json_document_line(const struct json_document *document, const json_t *value);

/* value where its line is known, else the object or array that holds it. */
const json_t *json_document_nearest(const struct json_document *document, const json_t *value,
                                    const json_t *holder);

/* Fills error with a printf-style text and the place of value; returns STATUS_BAD_INPUT. */
enum status json_document_fail(const struct json_document *document, const json_t *value,
                               struct error *error, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Adds the place of value to the error of a call that failed with STATUS_BAD_INPUT and returns
   status as it is. */
enum status json_document_place(const struct json_document *document, const json_t *value,
                                enum status status, struct error *error);

/* What the top level's "format" says, e.g. "memplan-graph/1"; NULL if it is missing or no text. */
const char *json_document_format(const struct json_document *document);

/* Fails unless the top level is an object whose "format" is this one. */
enum status json_document_expect_format(const struct json_document *document, const char *format,
                                        struct error *error);

#endif
