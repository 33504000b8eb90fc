#include "results/store/failure.h"

#include <assert.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "core/process/shell.h"
#include "results/store/options.h"
#include "results/store/query.h"

static const char *const names[FAILURE_KINDS] = {"refused", "damaged", "crash",  RESULT_ERROR,
                                                 "memout",  "gave_up", "timeout"};

unsigned failure_kind(const struct result_row *row)
{
    enum result_worth worth = query_worth(row);
    if (worth == RESULT_NUMBER)
        return FAILURE_KINDS;
    if (worth == RESULT_INVALID)
        return strcmp(row->verdict, RESULT_VALID) == 0 ? FAILURE_DAMAGED : FAILURE_REFUSED;
    unsigned kind = FAILURE_FIRST_STATUS;
    while (kind < FAILURE_KINDS && strcmp(row->status, names[kind]) != 0)
        kind++;
    return kind;
}

const char *failure_name(unsigned kind)
{
    assert(kind < FAILURE_KINDS);
    return names[kind];
}

const char *failure_reason(const struct result_row *row)
{
    return *row->fault ? row->fault : row->stop_reason;
}

/* The end of a word that shell_append_word wrote. */
static const char *find_word_end(const char *word)
{
    for (bool quoted = false; *word && (quoted || *word != ' '); word++) {
        quoted ^= *word == '\'';
        word += *word == '\\' && word[1];
    }
    return word;
}

/* Appends those options of a command that bring planners or orders along, with their values. */
static void append_brought(const char *command, struct text *line)
{
    static const char *const options[] = {"--plugin", "--external", "--external-order"};
    for (const char *word = command, *end; *word; word = end + (*end == ' ')) {
        end = find_word_end(word);
        size_t length = strcspn(word, "= ");
        bool brings = false;
        for (size_t i = 0; i < sizeof options / sizeof *options; i++)
            brings |= length == strlen(options[i]) && memcmp(word, options[i], length) == 0;
        if (!brings)
            continue;
        if (word[length] == ' ')
            end = find_word_end(end + 1);
        text_append(line, " ");
        text_append_bytes(line, word, (size_t)(end - word));
    }
}

/* Appends an option with the value that it has in a list of options or settings, if it is there. */
static void append_listed(struct text *line, const char *option, const char *list, const char *name)
{
    SCOPED(text_free) struct text copy = {0};
    const char *value;
    size_t length;
    if (!options_find(list, name, &value, &length))
        return;
    text_append_bytes(&copy, value, length);
    text_append(line, " --%s ", option);
    shell_append_word(line, length && !copy.failed ? copy.bytes : "");
}

/* Appends the limit of a job, which its settings have in ns and the command line in seconds. */
static void append_time_limit(const struct result_row *row, struct text *line)
{
    const char *value;
    size_t length;
    if (options_find(row->settings, "time_limit_ns", &value, &length))
        text_append(line, " --time-limit %g", strtod(value, NULL) / 1e9);
}

static bool is_ordered(const struct result_row *row)
{
    return *row->order_name && strcmp(row->order_name, RESULT_STORED) != 0;
}

void failure_repeat_options(const struct result_row *row, const char *command, struct text *line)
{
    static const char *const listed[][2] = {{"capacity", OPTIONS_CAPACITY},
                                            {"alignment", OPTIONS_ALIGNMENT},
                                            {"inplace", OPTIONS_INPLACE},
                                            {"disable-inplace", OPTIONS_DISABLE_INPLACE}};
    bool is_built_in = !*row->origin || strcmp(row->origin, RESULT_BUILT_IN) == 0;
    if (is_ordered(row)) {
        text_append(line, " --order ");
        shell_append_word(line, row->order_name);
    }
    for (size_t i = 0; i < sizeof listed / sizeof *listed; i++)
        append_listed(line, listed[i][0], row->options, listed[i][1]);
    append_listed(line, "memory-limit", row->settings, "memory_limit_bytes");
    append_listed(line, "threads", row->settings, "threads");
    append_time_limit(row, line);
    if (row->seed > 1)
        text_append(line, " --seed %" PRIu64, row->seed);
    if (!is_built_in || is_ordered(row))
        append_brought(command, line);
}

void failure_repeat(const struct result_row *row, const char *command, struct text *line)
{
    const char *path = *row->path ? row->path : row->instance;
    size_t length = strlen(path), mark = is_ordered(row) ? strlen(row->order_name) + 1 : 0;
    SCOPED(text_free) struct text stored = {0};
    text_append_bytes(&stored, path, length > mark ? length - mark : length);
    text_append(line, "memplan plan ");
    shell_append_word(line, stored.length && !stored.failed ? stored.bytes : "");
    if (*row->policy && strcmp(row->policy, RESULT_PROBLEM) != 0)
        text_append(line, " --policy %s", row->policy);
    text_append(line, " --planner ");
    shell_append_word(line, row->planner);
    failure_repeat_options(row, command, line);
}
