#ifndef MEMPLAN_DATASETS_JSON_PARSE_H
#define MEMPLAN_DATASETS_JSON_PARSE_H

#include "core/text.h"
#include "datasets/json/tree.h"

enum { JSON_PARSE_MOST_DEPTH = 2048 }; /* arrays and objects inside each other */

/* Adds to the tree what a text holds: one array or object, in UTF-8, in which no object has a key
   twice and no text has "\u0000". Every value gets the line on which it begins. If an array or
   object of the tree is open, the new one goes into it, with the key if it is an object. Fails with
   STATUS_BAD_INPUT, file, line, what was found and what was expected; the tree is then good for
   json_tree_free only. What the tree skips or puts off is checked as all else is, but for keys that
   come twice. O(n). */
enum status json_parse(const struct text *text, const char *file, const char *key,
                       struct json_tree *tree, struct error *error);

/* The same for an array or object that was put off: it becomes the only values of a tree whose
   texts and keys are there already. `at`, which is the value at first, moves to where it ends in
   the text. For is_next `at` is an array that was put off, and only the next value in it is read:
   none behind the last. */
enum status json_parse_put_off(const struct text *text, const char *file, bool is_next,
                               struct json_value *at, struct json_tree *tree, struct error *error);

/* Lets go of a text that is a file where a MiB of it or more was read since *from, which moves to
   `at` then. */
void json_forget(const struct text *text, size_t *from, size_t at);

#endif
