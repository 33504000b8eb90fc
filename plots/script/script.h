#ifndef MEMPLAN_PLOTS_SCRIPT_SCRIPT_H
#define MEMPLAN_PLOTS_SCRIPT_SCRIPT_H

#include "core/text.h"

/* Parts of a gnuplot script: settings, then data, then a template from plots/script/templates/. */

/* Size in pixels (of a screen; PDF takes 96 to the inch) and what stands above the picture. */
struct script_head {
    const char *name; /* of the plot, for the comment on how to run the script */
    unsigned width, height;
    const char *title, *subtitle;
};

/* Appends the settings that all plots share. */
void script_begin(struct text *script, const struct script_head *head);

/* Appends name = 'value', and "value" as a field of data: neither can leave its quotes. */
void script_set_text(struct text *script, const char *name, const char *value);
void script_add_field(struct text *script, const char *value);

/* Appends an array of `count` elements, and name[index + 1] = 'value'. */
void script_begin_array(struct text *script, const char *name, uint32_t count);
void script_set_element(struct text *script, const char *name, uint32_t index, const char *value);

/* Begin and end the datablock $name, whose lines the caller appends between them. */
void script_begin_data(struct text *script, const char *name);
void script_end_data(struct text *script);
/* script_add_lines appends lines that were collected in another text, and marks the script as
   failed if that text failed. script_add_real appends a number (NaN where it is not known) and the
   character `behind`. */
void script_add_lines(struct text *script, const struct text *lines);
void script_add_real(struct text *script, bool known, double number, char behind);

/* Appends "INDEX NAME" as a line of data. */
void script_add_name(struct text *script, uint32_t index, const char *name);

/* Appends a whole datablock from lines that were collected, and marks the script as failed if
   `lines` failed. */
void script_add_data(struct text *script, const char *name, const struct text *lines);

/* Appends the datablocks of a script, each below a comment with its name, for other programs. */
void script_copy_data(const struct text *script, struct text *data);

/* Appends the template NAME.gp. */
void script_add_template(struct text *script, const char *name);

/* A unit for sizes up to most_bytes: "bytes", "KiB", "MiB", "GiB", or "MB" for whole millions;
 *factor is its bytes. */
const char *script_unit(uint64_t most_bytes, uint64_t *factor);

/* Appends a number in groups of three digits. */
void script_add_grouped(struct text *text, uint64_t number);

#endif
