#include "plots/render.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "core/subprocess.h"

static const char *find_format(const char *path)
{
    static const char *const formats[] = {"svg", "pdf", "png"};
    const char *dot = strrchr(path, '.');
    for (unsigned i = 0; dot && i < sizeof formats / sizeof *formats; i++)
        if (strcmp(dot + 1, formats[i]) == 0)
            return formats[i];
    return NULL;
}

static enum status judge_end(const struct subprocess_result *result, int picture,
                             struct error *error)
{
    if (result->start_errno)
        return error_set(error, STATUS_INTERNAL,
                         "cannot run gnuplot: install gnuplot-nox, or put gnuplot in PATH");
    if (!result->signal && !result->exit_code && lseek(picture, 0, SEEK_END) > 0)
        return STATUS_OK;
    return error_set(error, STATUS_INTERNAL, "gnuplot failed: %s",
                     *result->complaint ? result->complaint : "it wrote nothing");
}

/* gnuplot reads the script from its standard input and writes to a descriptor, so that no name of a
   file passes through its language. By the name "-" it would read blocks in braces as if somebody
   typed them, and fail. */
static enum status draw(const char *script, const char *format, int picture, struct error *error)
{
    char setting[32];
    char *const words[] = {"gnuplot", "-d", "-e", setting, "/dev/stdin", NULL};
    const struct subprocess_task task = {.words = words,
                                         .input = script,
                                         .output = picture,
                                         .errors = SUBPROCESS_KEPT,
                                         .deadline_ns = UINT64_MAX};
    struct subprocess_result result;
    snprintf(setting, sizeof setting, "format='%s'", format);
    TRY(subprocess_run(&task, &result, error));
    return judge_end(&result, picture, error);
}

static enum status draw_into(const char *script, const char *beside, const char *path,
                             const char *format, struct error *error)
{
    int picture = open(beside, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (picture < 0)
        return error_set_at(error, STATUS_BAD_INPUT, path, 0, "cannot create: %s", strerror(errno));
    enum status status = draw(script, format, picture, error);
    close(picture);
    return status;
}

enum status plot_render(const char *script, const char *path, struct error *error)
{
    const char *format = find_format(path);
    struct text beside = {0};
    enum status status;
    if (!format)
        return error_set_at(error, STATUS_USAGE, path, 0,
                            "no picture format, expected a name ending in .svg, .pdf or .png");
    text_append(&beside, "%s.%ld.part", path, (long)getpid());
    TRY_OR_DONE(status, text_check(&beside, error));
    status = draw_into(script, beside.bytes, path, format, error);
    if (!status && rename(beside.bytes, path) != 0)
        status =
            error_set_at(error, STATUS_BAD_INPUT, path, 0, "cannot create: %s", strerror(errno));
    if (status)
        unlink(beside.bytes);
done:
    text_free(&beside);
    return status;
}
