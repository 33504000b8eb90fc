#ifndef MEMPLAN_CLI_OUTPUT_JSON_H
#define MEMPLAN_CLI_OUTPUT_JSON_H

#include "core/error.h"
#include "datasets/json/build.h"

/* The facts that a command found, as a tree that is printed as JSON or line by line. */

/* Opens the outermost object and adds its format, "memplan-info/1" if name is "info". Members are
   added like those of any other; it is closed like any other, or by printing it. */
void json_open_facts(struct json_tree *facts, const char *name);

/* Prints the tree on standard output and closes what is open. STATUS_BAD_INPUT where a name in it
   is not UTF-8. */
enum status json_print(struct json_tree *facts, struct error *error);

/* Prints the tree as a line for each text and number of the outermost object, without its format.
   Null is printed as "-", other values are left out. */
enum status json_print_lines(struct json_tree *facts, struct error *error);

/* The value of a field that is known to be there: an integer, a real or a text. */
long long json_get_integer(const struct json_tree *facts, const struct json_value *object,
                           const char *key);
double json_get_real(const struct json_tree *facts, const struct json_value *object,
                     const char *key);
const char *json_get_text(const struct json_tree *facts, const struct json_value *object,
                          const char *key);

#endif
