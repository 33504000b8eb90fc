#ifndef MEMPLAN_PROOFS_CHECKER_JSON_H
#define MEMPLAN_PROOFS_CHECKER_JSON_H

#include "proofs/checker/fault.h"

/* A JSON text and a place in it, from which its values are read one after the other. What is not
   asked for is passed over, and only its brackets and quotes are looked at. */
struct json {
    char *text;  /* ends in a 0 */
    size_t at;   /* also the place of what was refused */
    bool opened; /* the place is right behind an opening bracket */
    struct fault *fault;
};

/* Notes where the values of these keys stand in the object at the place, 0 where there is none, and
   goes behind the object. A fault where one of them is there twice. */
bool check_json_object(struct json *json, int keys, const char *const *key, size_t *at);

/* Goes behind this bracket, quote or colon. */
bool check_json_take(struct json *json, char wanted, const char *expected);

/* Goes to the next item of an array or object that ends in this bracket: *more says whether there
   is one, and where there is none the place is behind the bracket. */
bool check_json_next(struct json *json, char closing, bool *more);

/* A text, with its escapes as they stand there; a number. */
bool check_json_text(struct json *json, char **text, size_t *length);
bool check_json_number(struct json *json, int64_t *number);
/* The first byte of the next value. */
char check_json_first(struct json *json);

/* Says in the fault what is found at a place and what was expected. */
bool check_json_refuse(struct json *json, size_t at, const char *expected);

#endif
