#ifndef MEMPLAN_HARNESS_LAYOUT_REPORT_WRITE_H
#define MEMPLAN_HARNESS_LAYOUT_REPORT_WRITE_H

#include "core/text.h"
#include "harness/layout/report.h"

/* Appends a table in columns, or an array of objects with sizes and addresses in bytes. Of a row in
   several extents the table has "0x0+5;0x8+3" as its address, the object the key extents as plan
   files have it. More reusers than are named are counted, "+3". */
enum status layout_report_write(const struct layout_report *report, struct text *text,
                                struct error *error);
enum status layout_report_write_json(const struct layout_report *report, struct text *text,
                                     struct error *error);

#endif
