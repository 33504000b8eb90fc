#ifndef MEMPLAN_DATASETS_JSON_BUILD_H
#define MEMPLAN_DATASETS_JSON_BUILD_H

#include "core/error.h"
#include "datasets/json/tree.h"

/* Builds a tree, value by value, in the order in which the values are written. A value goes into
   the array or object that was opened last. In an object `key` is the key of the value, which no
   other value there may have; outside of objects it is NULL. Keys and texts are copied. What fails
   is kept in tree->failed, and later calls do nothing, so callers check once. Each call takes O(1)
   amortised. */

void json_build_open(struct json_tree *tree, const char *key, enum json_kind kind);
void json_build_close(struct json_tree *tree);
void json_build_null(struct json_tree *tree, const char *key);
void json_build_put_off(struct json_tree *tree, size_t at); /* begins there in its file's text */
void json_build_boolean(struct json_tree *tree, const char *key, bool boolean);
void json_build_count(struct json_tree *tree, const char *key, uint64_t count);
void json_build_integer(struct json_tree *tree, const char *key, int64_t integer);
void json_build_real(struct json_tree *tree, const char *key, double real); /* finite */
void json_build_text(struct json_tree *tree, const char *key, const char *text);

/* The same for text given by its length, which needs no zero at the end and must contain none.
   json_build_key_bytes gives the key of the value that is added next. */
void json_build_key_bytes(struct json_tree *tree, const char *bytes, size_t length);
void json_build_text_bytes(struct json_tree *tree, const char *key, const char *bytes,
                           size_t length);

/* STATUS_INTERNAL where something could not be added for lack of memory. */
enum status json_build_check(const struct json_tree *tree, struct error *error);

#endif
