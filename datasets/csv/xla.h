#ifndef MEMPLAN_DATASETS_CSV_XLA_H
#define MEMPLAN_DATASETS_CSV_XLA_H

#include "core/text.h"
#include "datasets/csv/problem.h"

/* What XLA's memory-space assignment dumps (xla/service/memory_space_assignment), see
   docs/formats.md. The header says which of two files it is:

       bufferinfo   buffer_id,buffer_name,alt_mem_benefit,size,definition_time,use_times,use_names
                    [,is_scoped]: a buffer is live from its definition to its last use
       allocinfo    buffer_id,size,offset,start_time,end_time: what got a place, as fixed offsets

   Buffers are named by their id; the n-th buffer with the same id is named "id:n". */
enum status xla_csv_read(const struct text *text, const char *file,
                         const struct problem_csv_options *options, struct problem **problem,
                         struct error *error);

/* Appends a plan that was found in the form allocinfo: a row for each live segment of each buffer,
   with the bytes that it uses there; its id is the number of the buffer. STATUS_BAD_INPUT for a
   plan that splits buffers. */
enum status xla_csv_write_plan(const struct problem *problem, const struct plan *plan,
                               struct text *text, struct error *error);

#endif
