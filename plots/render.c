#include "plots/render.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* gnuplot reads the script from one file and writes to two: no pipe can fill up, and no name of a
   file passes through gnuplot's language. */
struct drawing {
    FILE *script, *complaints;
    int picture; /* descriptor */
};

enum { EXIT_NO_GNUPLOT = 127 };

static const char *find_format(const char *path)
{
    static const char *const formats[] = {"svg", "pdf", "png"};
    const char *dot = strrchr(path, '.');
    for (unsigned i = 0; dot && i < sizeof formats / sizeof *formats; i++)
        if (strcmp(dot + 1, formats[i]) == 0)
            return formats[i];
    return NULL;
}

/* In the child: only calls that are safe after fork in a program with threads. By the name "-"
   gnuplot would read blocks in braces as if somebody typed them, and fail. */
static void run_gnuplot(const struct drawing *drawing, char *setting)
{
    char *const arguments[] = {"gnuplot", "-d", "-e", setting, "/dev/stdin", NULL};
    if (dup2(fileno(drawing->script), STDIN_FILENO) < 0 ||
        dup2(drawing->picture, STDOUT_FILENO) < 0 ||
        dup2(fileno(drawing->complaints), STDERR_FILENO) < 0)
        _exit(EXIT_NO_GNUPLOT);
    execvp(arguments[0], arguments);
    _exit(EXIT_NO_GNUPLOT);
}

static enum status wait_for(pid_t child, int *result, struct error *error)
{
    while (waitpid(child, result, 0) < 0)
        if (errno != EINTR)
            return error_set(error, STATUS_INTERNAL, "cannot wait for gnuplot: %s",
                             strerror(errno));
    return STATUS_OK;
}

/* What gnuplot wrote on its standard error, on one line and cut to fit. */
static void read_complaints(FILE *complaints, char *text, size_t text_bytes)
{
    rewind(complaints);
    size_t length = fread(text, 1, text_bytes - 1, complaints);
    text[length] = '\0';
    for (size_t i = 0; i < length; i++)
        if ((unsigned char)text[i] < ' ')
            text[i] = ' ';
}

static enum status judge_result(const struct drawing *drawing, int result, struct error *error)
{
    char complaints[800];
    if (WIFEXITED(result) && WEXITSTATUS(result) == 0 && lseek(drawing->picture, 0, SEEK_END) > 0)
        return STATUS_OK;
    if (WIFEXITED(result) && WEXITSTATUS(result) == EXIT_NO_GNUPLOT)
        return error_set(error, STATUS_INTERNAL,
                         "cannot run gnuplot: install gnuplot-nox, or put gnuplot in PATH");
    read_complaints(drawing->complaints, complaints, sizeof complaints);
    return error_set(error, STATUS_INTERNAL, "gnuplot failed: %s",
                     *complaints ? complaints : "it wrote nothing");
}

static enum status draw(const struct drawing *drawing, const char *format, struct error *error)
{
    char setting[32];
    int result;
    snprintf(setting, sizeof setting, "format='%s'", format);
    pid_t child = fork();
    if (child < 0)
        return error_set(error, STATUS_INTERNAL, "cannot start gnuplot: %s", strerror(errno));
    if (child == 0)
        run_gnuplot(drawing, setting);
    TRY(wait_for(child, &result, error));
    return judge_result(drawing, result, error);
}

static enum status open_script(const char *script, struct drawing *drawing, struct error *error)
{
    drawing->script = tmpfile();
    drawing->complaints = tmpfile();
    if (!drawing->script || !drawing->complaints || fputs(script, drawing->script) == EOF ||
        fflush(drawing->script) == EOF)
        return error_set(error, STATUS_INTERNAL, "cannot keep a plot script: %s", strerror(errno));
    rewind(drawing->script);
    return STATUS_OK;
}

static void close_drawing(struct drawing *drawing)
{
    if (drawing->script)
        fclose(drawing->script);
    if (drawing->complaints)
        fclose(drawing->complaints);
    if (drawing->picture >= 0)
        close(drawing->picture);
}

static enum status draw_into(const char *script, const char *beside, const char *path,
                             const char *format, struct error *error)
{
    struct drawing drawing = {.picture = -1};
    enum status status;
    drawing.picture = open(beside, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (drawing.picture < 0) {
        status =
            error_set_at(error, STATUS_BAD_INPUT, path, 0, "cannot create: %s", strerror(errno));
        goto done;
    }
    TRY_OR_DONE(status, open_script(script, &drawing, error));
    status = draw(&drawing, format, error);
done:
    close_drawing(&drawing);
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

bool plot_can_render(void)
{
    char setting[] = "exit";
    struct drawing drawing = {.picture = open("/dev/null", O_RDWR | O_CLOEXEC)};
    struct error ignored;
    int result = -1;
    bool can = drawing.picture >= 0 && !open_script("", &drawing, &ignored);
    pid_t child = can ? fork() : -1;
    if (child == 0)
        run_gnuplot(&drawing, setting);
    can = child > 0 && !wait_for(child, &result, &ignored) && WIFEXITED(result) &&
          WEXITSTATUS(result) == 0;
    close_drawing(&drawing);
    return can;
}
