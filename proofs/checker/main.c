/* memplan-check: checks that no plan of a problem fits a capacity, and that a plan is optimal, by a
   log of the format memplan-proof/1; see docs/proofs.md. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "proofs/checker/checker.h"

static const char USAGE[] =
    "Usage: memplan-check PROBLEM LOG [PLAN]\n"
    "\n"
    "Checks a log that says of a problem (.json or .csv) that no plan fits a capacity; with a\n"
    "plan (.json or .csv), also that it is valid and that none has a lower peak.\n"
    "Exit code 0: accepted, 1: refused, 2: usage, 3: a file cannot be read, 5: no memory.\n";

int main(int arguments, char **argument)
{
    struct check_answer answer;
    bool help = arguments == 2 && strcmp(argument[1], "--help") == 0;
    if (arguments < 3 || arguments > 4 || argument[1][0] == '-') {
        fputs(USAGE, help ? stdout : stderr);
        return help ? 0 : 2;
    }
    if (!check_files(argument[1], argument[2], argument[3], &answer)) {
        char line[32] = "";
        if (check_fault.line)
            snprintf(line, sizeof line, ":%" PRIu64, check_fault.line);
        fprintf(stderr, "%s%s: %s\n", check_fault.file, line, check_fault.text);
        if (check_fault.kind == FAULT_REFUSED)
            puts("refused");
        return (int)check_fault.kind;
    }
    if (argument[3])
        printf("optimal %" PRId64 "\n", answer.peak);
    printf("refuted %" PRId64 "\nlines   %" PRIu64 "\nclauses %" PRIu64 "\n", answer.capacity,
           answer.lines, answer.clauses);
    return 0;
}
