#ifndef MEMPLAN_DATASETS_JSON_TREE_H
#define MEMPLAN_DATASETS_JSON_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/names.h"

/* JSON in memory: one array of values in the order in which they are written, so that what an array
   or an object holds follows it. Made by datasets/json/build.h or datasets/json/parse.h. */

enum json_kind {
    JSON_NULL,
    JSON_FALSE,
    JSON_TRUE,
    JSON_INTEGER, /* from -2^63 to 2^64 - 1, exact */
    JSON_REAL,    /* any number with a fraction or an exponent */
    JSON_TEXT,
    JSON_ARRAY,
    JSON_OBJECT,
};

struct json_value {
    union {
        uint64_t integer; /* two's complement of a negative integer */
        double real;
        size_t text; /* where its text begins in the texts of the tree; put off: in the file's */
        struct {     /* of an array or object */
            uint32_t count; /* number of values directly in it */
            /* Number of values in it, itself included; while it is open, 1 + index of the array or
               object around it, or 0. */
            uint32_t values;
        };
    };
    uint32_t line;         /* line on which it begins, from 1; 0 if it was not read from a text */
    uint32_t key : 27;     /* 1 + index in the keys of the tree; 0 outside of objects */
    uint32_t kind : 3;     /* enum json_kind */
    uint32_t put_off : 1;  /* null in the place of an array or object, which stays in the text until
                              json_document_open_part */
    uint32_t negative : 1; /* integer */
};

enum { JSON_MOST_KEYS = (1 << 27) - 1 }; /* different ones in a tree */

/* Zero-initialise it. */
struct json_tree {
    struct json_value *value; /* [values], the first is the root */
    char *text;               /* [text_used] texts, each ends in a zero */
    struct names keys;        /* each once */
    size_t values, value_capacity, text_used, text_capacity;
    /* How many of the first keys are those of values that are left out, and, behind these, of
       arrays and objects whose arrays and objects are put off. */
    uint32_t skipped_keys, put_off_keys;
    /* [owners] for each key, the object with it that was closed last, by the number of objects
       closed before it, itself included; 0: none */
    uint32_t *owner, objects;
    size_t owners, owner_capacity;
    uint32_t open; /* 1 + index of the innermost array or object that is not closed; 0: none */
    uint32_t next_key, next_line; /* for the value that is added next */
    bool failed;                  /* something could not be added, and everything later is lost */
};

void json_tree_free(struct json_tree *tree); /* leaves an empty one */

/* All of these accept NULL as a value and find nothing in it. Pointers to values become invalid
   when the tree grows. */
const struct json_value *json_tree_root(const struct json_tree *tree);
bool json_tree_is(const struct json_value *value, enum json_kind kind);
size_t json_tree_count(const struct json_value *array); /* 0 unless it is one */

/* The values in an array or object, one after the other; NULL at the end. */
const struct json_value *json_tree_first(const struct json_value *holder);
const struct json_value *json_tree_next(const struct json_value *holder,
                                        const struct json_value *value);

/* Goes over the values in an array or object, which may be NULL. */
#define JSON_EACH(value, holder)                                                                   \
    for (const struct json_value *value = json_tree_first(holder); value;                          \
         value = json_tree_next(holder, value))

/* The value at a position less than the count, or NULL. O(index) */
const struct json_value *json_tree_at(const struct json_value *array, size_t index);

/* The value of an object with this key, or NULL. O(values of the object) */
const struct json_value *json_tree_find(const struct json_tree *tree,
                                        const struct json_value *object, const char *key);

/* Borrowed from the tree; NULL where the value is no text, or has no key. */
const char *json_tree_text(const struct json_tree *tree, const struct json_value *value);
const char *json_tree_key(const struct json_tree *tree, const struct json_value *value);

/* The number of an integer or a real, as near as a double can be; 0 for other values. */
double json_tree_number(const struct json_value *value);

#endif
