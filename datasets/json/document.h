#ifndef MEMPLAN_DATASETS_JSON_DOCUMENT_H
#define MEMPLAN_DATASETS_JSON_DOCUMENT_H

#include "core/error.h"
#include "core/list.h"
#include "core/text.h"
#include "datasets/json/tree.h"

/* A value that was put off and is read for a while. */
struct json_part {
    struct json_value *value;
    size_t capacity, text_used; /* text_used: of the tree, before it was read */
};

/* A JSON file that was read, with the line of each value for messages. */
struct json_document {
    struct json_tree tree;
    const struct json_value *root; /* an array or an object */
    char *file;                    /* for messages only */
    const struct text *text;       /* borrowed; NULL where nothing is put off */
    LIST_OF(struct json_part) part;
    struct json_part unused;      /* the memory of one that was closed */
    size_t bytes_read, forgotten; /* of parts, in all; and for json_forget */
};

/* What a reader of documents does not need at once, or not at all. */
struct json_spare {
    const char *const *skipped; /* keys that are left out with their values; NULL behind the last */
    const char *const *put_off; /* keys of arrays and objects; the arrays and objects that these
                                   hold stay in the text. NULL behind the last */
};

/* Reads a text as json_parse does. The caller frees the document with json_document_free. */
enum status json_document_read(const struct text *text, const char *file,
                               struct json_document **document, struct error *error);
/* The same with what can be spared. The text must stay until the document is freed. */
enum status json_document_read_sparing(const struct text *text, const char *file,
                                       const struct json_spare *spare,
                                       struct json_document **document, struct error *error);
/* An empty one, which the caller builds and frees, also after an error. */
enum status json_document_create(const char *file, struct json_document **document,
                                 struct error *error);
void json_document_free(struct json_document *document); /* NULL is fine */
SCOPED_POINTER(struct json_document, json_document_release, json_document_free);

/* Reads a value that was put off, for any other gives the value itself. What was opened last is
   closed first, and is freed with the document at the latest. Texts of the document move when
   another part is opened; values do not. O(bytes of the value). */
enum status json_document_open_part(struct json_document *document, const struct json_value *value,
                                    const struct json_value **part, struct error *error);
void json_document_close_part(struct json_document *document);

/* The value behind *part in an array; the first one where *part is NULL, and NULL behind the last.
   It is opened as a part, and the one before it is closed. Of an array that was put off no more
   than one value is in memory; `at`, zero at first, is where to go on. */
enum status json_document_next_part(struct json_document *document, const struct json_value *array,
                                    struct json_value *at, const struct json_value **part,
                                    struct error *error);

/* What the functions that read a document pass on to each other: the document, and the error to
   fill. */
struct json_reader {
    const struct json_document *document;
    struct error *error;
};

/* Fills the reader's error with a printf-style text and the place of value, which may be NULL;
   returns STATUS_BAD_INPUT. */
enum status json_document_fail(const struct json_reader *reader, const struct json_value *value,
                               const char *format, ...) __attribute__((format(printf, 3, 4)));

/* If a call failed with STATUS_BAD_INPUT, adds the position of the value to its error; returns the
   status. */
enum status json_document_place(const struct json_reader *reader, const struct json_value *value,
                                enum status status);

/* What the top level's "format" says, e.g. "memplan-graph/1"; NULL if it is missing or no text. */
const char *json_document_format(const struct json_document *document);

/* Fails unless the top level is an object whose "format" is this one. */
enum status json_document_expect_format(const struct json_reader *reader, const char *format);

#endif
