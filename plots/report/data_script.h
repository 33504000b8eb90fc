#ifndef MEMPLAN_PLOTS_REPORT_DATA_SCRIPT_H
#define MEMPLAN_PLOTS_REPORT_DATA_SCRIPT_H

#include "core/names.h"
#include "core/text.h"

/* Data for the page's scripts: JSON inside a script file, since a page that was opened from a file
   may load scripts, but may not fetch. It is compressed by gzip and written as base64, which is a
   quarter of its length. */

/* A whole number as JSON: as a string where a double would not hold it. */
void data_script_add_number(struct text *json, uint64_t number);

/* Add a column, "NAME": VALUES, with a field of each struct of an array: `first` is the field in
   the first struct, and the structs are `bytes` bytes apart. Most texts occur often, so each text
   is stored once, and every row has its index: {"names": [...], "codes": [...]}. Where no text
   occurs twice there are no codes. */
void data_script_add_numbers(struct text *json, const char *name, const uint64_t *first,
                             uint32_t rows, size_t bytes);
enum status data_script_add_texts(struct text *json, const char *name, const char *const *first,
                                  uint32_t rows, size_t bytes, struct error *error);

/* Adds "NAME": "VALUE", escaped. */
void data_script_add_named(struct text *json, const char *name, const char *value);

/* Writes FOLDER/data/NAME.js, which hands the JSON to the page under that name; the
   folder is made if missing. */
enum status data_script_write(const char *folder, const char *name, const struct text *json,
                              struct error *error);

#endif
