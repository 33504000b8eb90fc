#ifndef MEMPLAN_TESTS_MADE_PROBLEM_H
#define MEMPLAN_TESTS_MADE_PROBLEM_H

#include "planning/problem/problem.h"

/* Problems by hand; anything that fails ends the test case. */

/* A buffer that is live during [lower, upper), where that is not empty, and free to be moved. The
   names are "a" to "z" by position, and then again. */
struct made_buffer {
    uint32_t lower, upper;
    uint64_t size;
};

/* A whole problem of rows. */
struct problem *made_problem(const struct made_buffer *rows, uint32_t count);

/* So many equal buffers of 3 bytes, all live at one step. */
struct problem *made_problem_pile(uint32_t buffers);

/* The same in steps. */
struct problem *made_problem_start(void);
void made_problem_add(struct problem *problem, struct made_buffer buffer);
/* What is like no row: a buffer that is not live yet, and a segment of the last one. */
void made_problem_buffer(struct problem *problem, const char *name, uint64_t size,
                         uint64_t alignment, uint64_t fixed_offset);
void made_problem_segment(struct problem *problem, struct problem_segment segment);
void made_problem_finish(struct problem *problem);

#endif
