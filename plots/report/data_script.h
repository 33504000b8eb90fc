#ifndef MEMPLAN_PLOTS_REPORT_DATA_SCRIPT_H
#define MEMPLAN_PLOTS_REPORT_DATA_SCRIPT_H

#include "core/names.h"
#include "core/text.h"

/* Data for the page's scripts: JSON inside a script file, since a page that was opened from a file
   may load scripts, but may not fetch. */

/* A whole number as JSON: as a string where a double would not hold it. */
void data_script_add_number(struct text *json, uint64_t number);

/* A column of texts, most of which occur often. Each text is stored once, and every row has its
   index. Appended as {"names": [...], "codes": [...]}. Zero-initialise it. */
struct data_script_texts {
    struct names names;
    struct text codes;
};
enum status data_script_add_text(struct data_script_texts *texts, const char *value,
                                 struct error *error);
void data_script_append_texts(struct text *json, const struct data_script_texts *texts);
void data_script_free_texts(struct data_script_texts *texts);

/* Writes FOLDER/data/NAME.js, which hands the JSON to the page under that name; the
   folder is made if missing. */
enum status data_script_write(const char *folder, const char *name, const struct text *json,
                              struct error *error);

#endif
