/* What a program of tests/oracles/ has to define: the answer to one case. */
#ifndef MEMPLAN_TESTS_ORACLES_CLAIMS_H
#define MEMPLAN_TESTS_ORACLES_CLAIMS_H

#include <stdio.h>

#include "core/error.h"

/* claims_answer: writes what the program claims of the case in text, of length bytes, into out as
   one JSON object without line ends. text is a JSON object too; it is not kept. An error is written
   as the answer {"error": "..."} by the caller. */
enum status claims_answer(const char *text, size_t length, FILE *out, struct error *error);

#endif
