#ifndef MEMPLAN_TESTS_FAIL_EACH_H
#define MEMPLAN_TESTS_FAIL_EACH_H

#include "core/error.h"

/* Each piece of work makes everything it needs and frees it, however it ends. */
typedef enum status fail_each_work(const void *input, struct error *error);

/* Lets the first allocation fail, then the second and so on until none is left to fail; asserts
   that the error comes out each time and that nothing is left. The work allocates something. */
void fail_each(fail_each_work *run, const void *input);

#endif
