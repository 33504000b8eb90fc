#ifndef MEMPLAN_CLI_OUTPUT_JSON_H
#define MEMPLAN_CLI_OUTPUT_JSON_H

#include "core/error.h"
#include "datasets/json/build.h"

/* Facts that a command found out, as a tree that is printed as JSON or line by line. */

/* Opens the outermost object, which tells its format: "memplan-info/1" where name is "info".
   Members are added and it is closed as any other. */
void json_open_facts(struct json_tree *facts, const char *name);

/* Prints all of it on standard output. STATUS_INTERNAL where something could not be added to it or
   is no UTF-8. */
enum status json_print(const struct json_tree *facts, struct error *error);

/* Prints a line for each text and number of the outermost object but its format; those that are
   null as "-", other values not at all. */
enum status json_print_lines(const struct json_tree *facts, struct error *error);

/* What stands in a field of an object: an integer, a real or a text that is there. */
long long json_get_integer(const struct json_tree *facts, const struct json_value *object,
                           const char *key);
double json_get_real(const struct json_tree *facts, const struct json_value *object,
                     const char *key);
const char *json_get_text(const struct json_tree *facts, const struct json_value *object,
                          const char *key);

#endif
