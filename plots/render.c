#include "plots/render.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "core/file.h"
#include "core/process/subprocess.h"

static const char *find_format(const char *path)
{
    static const char *const formats[] = {"svg", "pdf", "png"};
    const char *dot = strrchr(path, '.');
    for (unsigned i = 0; dot && i < sizeof formats / sizeof *formats; i++)
        if (strcmp(dot + 1, formats[i]) == 0)
            return formats[i];
    return NULL;
}

/* Runs gnuplot, which reads the script from its standard input and writes to a descriptor, so that
   no file name has to be quoted in its language. Given the name "-" instead, gnuplot would read
   blocks in braces as if they were typed, and fail. The descriptor is that of a temporary file,
   since gnuplot does not notice where a disk is full. */
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
    struct stat found;
    snprintf(setting, sizeof setting, "format='%s'", format);
    TRY(subprocess_run(&task, &result, error));
    if (result.start_errno)
        return error_set(
            error, STATUS_USAGE,
            "no gnuplot in PATH, which draws .svg, .pdf and .png: install gnuplot-nox, "
            "or write the script, -o FILE.gp, or the data, -o FILE.dat");
    bool empty = fstat(picture, &found) == 0 && found.st_size == 0;
    if (!result.signal && !result.exit_code && !empty)
        return STATUS_OK;
    return error_set(error, STATUS_INTERNAL, "gnuplot failed: %s",
                     *result.complaint ? result.complaint
                                       : "it wrote nothing into its temporary file");
}

static enum status copy(FILE *from, struct file_replace *to, struct error *error)
{
    char block[1 << 16];
    size_t bytes;
    rewind(from);
    while ((bytes = fread(block, 1, sizeof block, from)) > 0)
        TRY(file_replace_write(to, block, bytes, error));
    return STATUS_OK;
}

enum status plot_render(const char *script, const char *path, struct error *error)
{
    const char *format = find_format(path);
    struct file_replace picture;
    if (!format)
        return error_set_at(error, STATUS_USAGE, path, 0,
                            "no picture format, expected a name ending in .svg, .pdf or .png");
    enum status status = file_replace_open(&picture, path, error);
    FILE *drawn = status ? NULL : tmpfile();
    if (!status && !drawn)
        status = error_set(error, STATUS_INTERNAL, "cannot create a temporary file: %s",
                           strerror(errno));
    if (!status)
        status = draw(script, format, fileno(drawn), error);
    if (!status)
        status = copy(drawn, &picture, error);
    if (drawn)
        fclose(drawn);
    return file_replace_close(&picture, status, error);
}
