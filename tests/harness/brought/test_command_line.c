#include <stdio.h>
#include <string.h>

#include "core/memory.h"
#include "harness/brought/command_line.h"
#include "support/must.h"
#include "support/testing.h"

static const struct command_value values[] = {{"in", "/a b/in.csv"}, {"seed", "7"}, {"quote", "'"}};

static enum status split(const char *command, char ***words, struct error *reported)
{
    return command_line_split(command, values, sizeof values / sizeof *values, words, reported);
}

/* Words are written with a | between them. */
static void test_words(void)
{
    static const char *const rows[][2] = {
        {"run", "run"},
        {"  run\t-a  b\n", "run|-a|b"},
        {"run 'a  b' \"c 'd\" e' 'f", "run|a  b|c 'd|e f"},
        {"run '' \"\"", "run||"},
        {"run a\\ b \\' \"\\\"\" '\\' \\\\", "run|a b|'|\"|\\|\\"},
        {"run \\", "run|\\"},
        {"run {in} --seed={seed}{seed} '{in}'", "run|/a b/in.csv|--seed=77|/a b/in.csv"},
        {"run {quote} x", "run|'|x"},
        {"run {} {1} {In} {in} { in } {in", "run|{}|{1}|{In}|/a b/in.csv|{|in|}|{in"},
        {"run \\{in}", "run|{in}"}};
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        SCOPED(memory_release) char **words = NULL;
        char found[256] = "";
        must(split(rows[k][0], &words, &error));
        for (size_t i = 0; words[i]; i++)
            snprintf(found + strlen(found), sizeof found - strlen(found), "%s%s", i ? "|" : "",
                     words[i]);
        if (strcmp(found, rows[k][1]) != 0)
            printf("\n    %s: %s, expected %s", rows[k][0], found, rows[k][1]);
        CU_ASSERT_STRING_EQUAL(found, rows[k][1]);
    }
}

static void test_faults(void)
{
    static const struct {
        const char *command, *text;
    } cases[] = {
        {"", "found no word in the command, expected a program"},
        {" \t", "found no word in the command, expected a program"},
        {"run 'a", "found an open ' in the command, expected another"},
        {"run \"a'", "found an open \" in the command, expected another"},
        {"run {out}", "found '{out}' in the command, expected one of {in}, {seed}, {quote}"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char **words;
        CU_ASSERT_EQUAL(split(cases[i].command, &words, &error), STATUS_USAGE);
        CU_ASSERT_STRING_EQUAL(error.text, cases[i].text);
    }
}

static void test_no_memory(void)
{
    uint64_t live = memory_live_blocks();
    for (uint64_t n = 0; n < 2; n++) {
        char **words;
        memory_fail_after(n);
        CU_ASSERT_EQUAL(split("run {in}", &words, &error), STATUS_INTERNAL);
        memory_fail_after(UINT64_MAX);
        CU_ASSERT_EQUAL(memory_live_blocks(), live);
    }
}

static const struct test_case cases[] = {
    {"words", test_words},

    {"faults", test_faults},
    {"no memory", test_no_memory},
};

TESTING_MAIN("harness/command_line", cases)
