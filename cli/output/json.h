#ifndef MEMPLAN_CLI_OUTPUT_JSON_H
#define MEMPLAN_CLI_OUTPUT_JSON_H

#include <jansson.h>

#include "core/error.h"

/* Prints the value on standard output and releases it. STATUS_INTERNAL where it is NULL. */
enum status json_print(json_t *value, struct error *error);

/* Prints a line for each text and number of the object; those that are null as "-", other values
   not at all. */
void json_print_facts(json_t *facts);

#endif
