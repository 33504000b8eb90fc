#include "plots/report/report.h"

#include <dirent.h>
#include <stdlib.h>
#include <unistd.h>

#include "made_up.h"
#include "plots/figures/plots.h"
#include "plots/picture.h"
#include "support/must.h"

static char folder[64];

static void make_folder(void)
{
    snprintf(folder, sizeof folder, "/tmp/memplan-report-XXXXXX");
    CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(folder));
}

static void remove_files(const char *path)
{
    DIR *open = opendir(path);
    if (!open)
        return;
    for (struct dirent *entry; (entry = readdir(open));)
        unlinkat(dirfd(open), entry->d_name, 0);
    closedir(open);
    CU_ASSERT_EQUAL(rmdir(path), 0);
}

static void remove_folder(void)
{
    static const char *const inside[] = {"/page", "/data", ""};
    char path[80];
    for (int i = 0; i < 3; i++) {
        snprintf(path, sizeof path, "%s%s", folder, inside[i]);
        remove_files(path);
    }
}

static void read_page(struct text *page)
{
    char path[96];
    snprintf(path, sizeof path, "%s/index.html", folder);
    must(text_read_file(path, page, &error));
    CU_ASSERT(picture_is_well_formed(page->bytes));
}

/* Every link of the page leads to a file beside it or to a place in it. */
static void check_links(const struct text *page, const char *attribute)
{
    char name[128], path[256];
    for (const char *at = page->bytes; (at = strstr(at, attribute));) {
        at += strlen(attribute);
        snprintf(name, sizeof name, "%.*s", (int)strcspn(at, "\""), at);
        snprintf(path, sizeof path, "%s/%s", folder, name);
        name[strcspn(name, "?")] = '\0';
        if (*name == '#') {
            snprintf(path, sizeof path, "id=\"%s\"", name + 1);
            CU_ASSERT_PTR_NOT_NULL(strstr(page->bytes, path));
        } else {
            CU_ASSERT_EQUAL(access(path, R_OK), 0);
        }
    }
}

static void all_results_make_a_page(void)
{
    unsigned failed;
    struct text page = {0};
    if (!picture_can_be_drawn())
        return;
    made_up_fill(the_store);
    make_folder();
    must(plots_write_index(the_store, folder, &(struct report_request){.title = "All"}, &failed,
                           &the_error));
    CU_ASSERT_EQUAL(failed, 0);
    read_page(&page);
    check_links(&page, "href=\"");
    check_links(&page, "src=\"");
    CU_ASSERT_PTR_NOT_NULL(strstr(page.bytes, "<dd>build 1</dd>"));
    CU_ASSERT_PTR_NOT_NULL(strstr(page.bytes, "<dd>2026-01-02T03:04:05Z</dd>"));
    CU_ASSERT_PTR_NULL(strstr(page.bytes, "no results for this"));
    text_free(&page);
    remove_folder();
}

static void what_is_missing_is_listed(void)
{
    unsigned failed;
    struct text page = {0};
    make_folder();
    must(plots_write_index(the_store, folder, &(struct report_request){.title = "None"}, &failed,
                           &the_error));
    read_page(&page);
    CU_ASSERT_PTR_NOT_NULL(strstr(page.bytes, "Left out"));
    CU_ASSERT_PTR_NOT_NULL(strstr(page.bytes, "<code>luna-memory</code>"));
    CU_ASSERT_PTR_NOT_NULL(strstr(page.bytes, "<code>peaks</code>"));
    text_free(&page);
    remove_folder();
}

static void hostile_texts_are_escaped(void)
{
    struct report *report;
    struct text page = {0};
    make_folder();
    must(report_create(folder, "</title><script>", &report, &error));
    must(report_add_section(report, "<h1>", "a & b", &error));
    must(report_add_absent(report, "<x>", "\"y\"", &error));
    CU_ASSERT_EQUAL(report_add_figure(report, "../up", "t", "", &error), STATUS_USAGE);
    must(report_finish(report, &error));
    read_page(&page);
    CU_ASSERT_PTR_NULL(strstr(page.bytes, "<script>"));
    CU_ASSERT_PTR_NOT_NULL(strstr(page.bytes, "&lt;h1&gt;"));
    text_free(&page);
    report_free(report);
    remove_folder();
}

static void a_figure_that_fails_is_explained(void)
{
    struct report *report;
    struct text page = {0};
    make_folder();
    must(report_create(folder, "Title", &report, &error));
    must(report_add_figure(report, "bad", "Bad", "nonsense\n", &error));
    CU_ASSERT_EQUAL(report_figures_failed(report), 1);
    must(report_finish(report, &error));
    read_page(&page);
    check_links(&page, "href=\"");
    CU_ASSERT_PTR_NOT_NULL(strstr(page.bytes, "Not drawn: "));
    CU_ASSERT_PTR_NULL(strstr(page.bytes, "<img"));
    text_free(&page);
    report_free(report);
    remove_folder();
}

static void a_folder_must_be_one(void)
{
    struct report *report;
    CU_ASSERT_EQUAL(report_create("/dev/null", "Title", &report, &error), STATUS_BAD_INPUT);
    CU_ASSERT_PTR_NULL(report);
    CU_ASSERT_EQUAL(report_create("/nowhere/at/all", "Title", &report, &error), STATUS_BAD_INPUT);
    CU_ASSERT_PTR_NULL(report);
}

static const struct test_case cases[] = {
    {"all results make a page", all_results_make_a_page},
    {"what is missing is listed", what_is_missing_is_listed},
    {"hostile texts are escaped", hostile_texts_are_escaped},
    {"a figure that fails is explained", a_figure_that_fails_is_explained},
    {"a folder must be one", a_folder_must_be_one},
};
MADE_UP_MAIN("plots/report", cases)
