#include "harness/cluster/program.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "core/clock.h"

static const uint64_t most_wait_ns = UINT64_C(60000000000);

static void close_file(FILE **file)
{
    if (*file)
        fclose(*file);
}

enum status program_run(char *const *words, int errors, struct text *printed,
                        struct subprocess_result *result, struct error *error)
{
    SCOPED(close_file) FILE *file = tmpfile();
    char bytes[4096];
    size_t length;
    if (!file)
        return error_set(error, STATUS_LIMIT, "cannot create a temporary file: %s",
                         strerror(errno));
    const struct subprocess_task task = {.words = words,
                                         .output = fileno(file),
                                         .errors = errors,
                                         .deadline_ns = clock_deadline_ns(most_wait_ns)};
    TRY(subprocess_run(&task, result, error));
    if (result->start_errno)
        return error_set(error, STATUS_LIMIT, "cannot run %s: %s", words[0],
                         strerror(result->start_errno));
    if (result->out_of_time)
        return error_set(error, STATUS_LIMIT, "%s does not end", words[0]);
    if (result->signal)
        return error_set(error, STATUS_LIMIT, "%s: killed by signal %d", words[0], result->signal);
    rewind(file);
    while ((length = fread(bytes, 1, sizeof bytes, file)) > 0)
        text_append_bytes(printed, bytes, length);
    return text_check(printed, error);
}
