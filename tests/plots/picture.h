#ifndef MEMPLAN_TESTS_PLOTS_PICTURE_H
#define MEMPLAN_TESTS_PLOTS_PICTURE_H

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "core/process/subprocess.h"
#include "core/text.h"
#include "support/testing.h"

/* Says once per test that it cannot draw. */
static inline bool picture_can_be_drawn(void)
{
    char *const words[] = {"gnuplot", "-d", "-e", "exit", NULL};
    const struct subprocess_task task = {.words = words,
                                         .output = SUBPROCESS_NOTHING,
                                         .errors = SUBPROCESS_NOTHING,
                                         .deadline_ns = UINT64_MAX};
    struct subprocess_result result;
    struct error error;
    bool can = !subprocess_run(&task, &result, &error) && !result.start_errno && !result.signal &&
               !result.exit_code;
    if (!can)
        fprintf(stderr, "skipped: gnuplot cannot be run here\n");
    return can;
}

/* Every tag that begins ends, in the right order: enough of XML for what gnuplot and we write. */
static inline bool picture_is_well_formed(const char *xml)
{
    enum { DEEPEST = 64 };
    const char *open[DEEPEST];
    size_t length[DEEPEST];
    int depth = 0;
    while ((xml = strchr(xml, '<'))) {
        const char *end = strncmp(xml, "<!--", 4) == 0 ? strstr(xml, "-->") : strchr(xml, '>');
        bool closing = xml[1] == '/';
        const char *name = xml + 1 + closing;
        size_t name_length = strcspn(name, " \t\n/>");
        if (!end)
            return false;
        xml = end;
        if (*name == '!' || *name == '?' || end[-1] == '/')
            continue;
        if (!closing && depth == DEEPEST)
            return false;
        if (!closing) {
            open[depth] = name;
            length[depth++] = name_length;
        } else if (!depth-- || length[depth] != name_length ||
                   strncmp(open[depth], name, name_length) != 0) {
            return false;
        }
    }
    return depth == 0;
}

static inline bool picture_file_is_well_formed(const char *path)
{
    SCOPED(text_free) struct text text = {0};
    struct error error = ERROR_NONE;
    bool good = !text_read_file(path, &text, &error) && text.length > 100 &&
                picture_is_well_formed(text.bytes);
    return good;
}

/* The script has these words. */
static inline void picture_expect(const struct text *script, const char *part)
{
    CU_ASSERT_PTR_NOT_NULL_FATAL(script->bytes);
    if (!strstr(script->bytes, part))
        printf("\nno %s in %s\n", part, script->bytes);
    CU_ASSERT_PTR_NOT_NULL(strstr(script->bytes, part));
}

#endif
