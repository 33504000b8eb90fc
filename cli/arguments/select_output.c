#include <sys/stat.h>

#include "cli/arguments/select.h"

/* Folders, pipes and terminals hold nothing that writing would destroy. */
static bool is_same_file(const char *left, const char *right)
{
    struct stat one, other;
    return stat(left, &one) == 0 && S_ISREG(one.st_mode) && stat(right, &other) == 0 &&
           one.st_dev == other.st_dev && one.st_ino == other.st_ino;
}

static enum status check_pair(const char *input, const char *output, struct error *error)
{
    if (!input || input == output || !is_same_file(input, output))
        return STATUS_OK;
    return error_set(error, STATUS_USAGE, "output '%s' is the file '%s' that is read", output,
                     input);
}

enum status select_output(const struct arguments *arguments, const char *output,
                          struct error *error)
{
    if (!output)
        return STATUS_OK;
    for (uint32_t i = 0; i < arguments->operands; i++)
        TRY(check_pair(arguments->operand[i], output, error));
    TRY(check_pair(arguments->weights, output, error));
    TRY(check_pair(arguments->hardware, output, error));
    return check_pair(arguments->database, output, error);
}
