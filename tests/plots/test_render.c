#include "plots/render.h"

#include <dirent.h>
#include <stdlib.h>
#include <unistd.h>

#include "plots/picture.h"
#include "support/must.h"

static const char script[] = "if (format eq 'svg') set terminal svg\n"
                             "if (format eq 'pdf') set terminal pdfcairo\n"
                             "if (format eq 'png') set terminal pngcairo\n"
                             "do for [i = 1:1] {\n"
                             "  plot x\n"
                             "}\n";

static char folder[64];

static void make_folder(void)
{
    snprintf(folder, sizeof folder, "/tmp/memplan-plot-XXXXXX");
    CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(folder));
}

static unsigned count_files(void)
{
    unsigned count = 0;
    DIR *open = opendir(folder);
    CU_ASSERT_PTR_NOT_NULL_FATAL(open);
    while (readdir(open))
        count++;
    closedir(open);
    return count - 2;
}

static void render(const char *name, const char *first_bytes)
{
    char path[96];
    SCOPED(text_free) struct text text = {0};
    snprintf(path, sizeof path, "%s/%s", folder, name);
    must(plot_render(script, path, &error));
    must(text_read_file(path, &text, &error));
    CU_ASSERT(text.bytes && strncmp(text.bytes, first_bytes, strlen(first_bytes)) == 0);
    unlink(path);
}

static void the_extension_chooses_the_format(void)
{
    if (!picture_can_be_drawn())
        return;
    make_folder();
    render("a.svg", "<?xml");
    render("it's a \"name\".svg", "<?xml");
    render("a.pdf", "%PDF");
    render("a.png", "\x89PNG");
    CU_ASSERT_EQUAL(count_files(), 0);
    rmdir(folder);
}

static void other_extensions_are_refused(void)
{
    CU_ASSERT_EQUAL(plot_render(script, "/tmp/x.jpeg", &error), STATUS_USAGE);
    CU_ASSERT_EQUAL(plot_render(script, "svg", &error), STATUS_USAGE);
    CU_ASSERT_EQUAL(plot_render(script, "/nowhere/x.svg", &error), STATUS_BAD_INPUT);
}

static void a_failure_leaves_what_was_there(void)
{
    char path[96];
    struct text text = {0};
    if (!picture_can_be_drawn())
        return;
    make_folder();
    snprintf(path, sizeof path, "%s/a.svg", folder);
    text_append(&text, "before");
    must(text_write_file(path, &text, &error));
    text_free(&text);
    CU_ASSERT_EQUAL(plot_render("plot nonsense(1\n", path, &error), STATUS_INTERNAL);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "gnuplot failed"));
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "line 1"));
    must(text_read_file(path, &text, &error));
    CU_ASSERT_STRING_EQUAL(text.bytes, "before");
    text_free(&text);
    CU_ASSERT_EQUAL(count_files(), 1);
    unlink(path);
    rmdir(folder);
}

static void a_full_disk_is_told(void)
{
    char path[96];
    if (!picture_can_be_drawn() || access("/dev/full", W_OK) != 0)
        return;
    make_folder();
    snprintf(path, sizeof path, "%s/a.svg", folder);
    CU_ASSERT_EQUAL_FATAL(symlink("/dev/full", path), 0);
    CU_ASSERT_EQUAL(plot_render(script, path, &error), STATUS_BAD_INPUT);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "cannot write: No space left on device"));
    unlink(path);
    rmdir(folder);
}

static void without_gnuplot_it_says_so(void)
{
    char *path = strdup(getenv("PATH") ? getenv("PATH") : "");
    CU_ASSERT_PTR_NOT_NULL_FATAL(path);
    make_folder();
    setenv("PATH", folder, 1);
    CU_ASSERT_FALSE(picture_can_be_drawn());
    CU_ASSERT_EQUAL(plot_render(script, "/tmp/memplan-none.svg", &error), STATUS_USAGE);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "install gnuplot-nox"));
    setenv("PATH", path, 1);
    free(path);
    CU_ASSERT_EQUAL(access("/tmp/memplan-none.svg", F_OK), -1);
    rmdir(folder);
}

static const struct test_case cases[] = {
    {"the extension chooses the format", the_extension_chooses_the_format},
    {"other extensions are refused", other_extensions_are_refused},
    {"a failure leaves what was there", a_failure_leaves_what_was_there},
    {"a full disk is told", a_full_disk_is_told},
    {"without gnuplot it says so", without_gnuplot_it_says_so},
};
TESTING_MAIN("plots/plot", cases)
