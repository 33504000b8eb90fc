#ifndef MEMPLAN_HARNESS_LAYOUT_REPORT_WRITE_H
#define MEMPLAN_HARNESS_LAYOUT_REPORT_WRITE_H

#include "core/text.h"
#include "harness/layout/report.h"

/* Append the report as a table in columns, or as a JSON array of objects with sizes and addresses
   in bytes. A row in several extents has an address like "0x0+5;0x8+3" in the table, and in the
   object a key "extents" as in plan files. Reusers beyond those that are named are only counted,
   like "+3"; the table names as many as fit lines of `width` letters, but at least one. */
enum status layout_report_write(const struct layout_report *report, size_t width, struct text *text,
                                struct error *error);
enum status layout_report_write_json(const struct layout_report *report, struct text *text,
                                     struct error *error);

#endif
