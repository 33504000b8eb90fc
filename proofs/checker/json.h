#ifndef MEMPLAN_PROOFS_CHECKER_JSON_H
#define MEMPLAN_PROOFS_CHECKER_JSON_H

#include "proofs/checker/fault.h"

enum json_kind { JSON_OBJECT, JSON_ARRAY, JSON_STRING, JSON_OTHER };

/* A value of a JSON text: its bytes are text[begin] to before text[end], of a string without its
   quotes and with its escapes as they stand. Values come in the order of the text; those inside a
   value follow it, up to before `after`. In an object each key is a string before its value. */
struct json_value {
    enum json_kind kind;
    uint32_t after;
    size_t begin, end;
};

struct json {
    char *text;
    size_t length;
    struct json_value *value; /* [values], the whole text first */
    size_t values, room;
};

/* Reads a file that holds one JSON value. Fails at more than 16 values inside each other. */
bool check_json_read(const char *path, struct json *json, struct fault *fault);
void check_json_free(struct json *json);

/* The value of the key in an object, or 0 where it has no such key. O(keys). */
uint32_t check_json_find(const struct json *json, uint32_t object, const char *key);
/* Whether a string is this text. */
bool check_json_is(const struct json *json, uint32_t string, const char *text);
/* Notes the line of the value in the fault, for what is said about it. */
void check_json_place(const struct json *json, uint32_t value, struct fault *fault);
bool check_json_number(const struct json *json, uint32_t value, int64_t *number,
                       struct fault *fault);

#endif
