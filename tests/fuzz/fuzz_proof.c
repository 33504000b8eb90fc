#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "fuzzing.h"
#include "proofs/checker/checker.h"

static void write_file(const char *path, const uint8_t *bytes, size_t length)
{
    FILE *file = fopen(path, "wb");
    fuzzing_require(file && fwrite(bytes, 1, length, file) == length && fclose(file) == 0);
}

/* A problem and a log, with a byte 0 between them: memplan-check says something of any two
   files. */
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    static char folder[] = "/tmp/memplan-fuzz.XXXXXX", problem[64], csv[64], log[64];
    const uint8_t *cut = memchr(bytes, 0, length);
    size_t first = cut ? (size_t)(cut - bytes) : length;
    struct check_answer answer;
    if (!*problem) {
        fuzzing_require(mkdtemp(folder) != NULL);
        snprintf(problem, sizeof problem, "%s/problem.json", folder);
        snprintf(csv, sizeof csv, "%s/problem.csv", folder);
        snprintf(log, sizeof log, "%s/log", folder);
    }
    bool is_json = first && *bytes == '{';
    write_file(is_json ? problem : csv, bytes, first);
    write_file(log, bytes + first + !!cut, length - first - !!cut);
    const char *path = is_json ? problem : csv;
    fuzzing_require(check_files(path, log, NULL, &answer) || check_fault.kind != FAULT_NONE);
    check_files(path, log, path, &answer);
    return 0;
}
