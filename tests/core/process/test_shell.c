#include "core/process/shell.h"

#include <stdio.h>
#include <string.h>

#include "support/testing.h"

/* What a shell makes of the word, printed by it. */
static void expect_word(const char *word)
{
    struct text command = {0};
    char printed[64] = "";
    text_append(&command, "printf '%%s.' ");
    shell_append_word(&command, word);
    FILE *shell = popen(command.bytes, "r");
    CU_ASSERT_PTR_NOT_NULL_FATAL(shell);
    size_t length = fread(printed, 1, sizeof printed - 1, shell);
    CU_ASSERT_EQUAL(pclose(shell), 0);
    CU_ASSERT_EQUAL(length, strlen(word) + 1);
    CU_ASSERT_EQUAL(strncmp(printed, word, strlen(word)), 0);
    text_free(&command);
}

static void a_shell_reads_the_same_word(void)
{
    static const char *const words[] = {"plain",      "",          "two words",   "it's",
                                        "''",         "\"$HOME\"", "a\nb\\",      "*?[a]~",
                                        "$(ls) `ls`", "-n",        "#x;y|z&<>()", "~"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        expect_word(words[i]);
}

static void plain_words_have_no_quotes(void)
{
    struct text text = {0};
    shell_append_word(&text, "--suite=a,b:1%2/../x_y.csv");
    CU_ASSERT_STRING_EQUAL(text.bytes, "--suite=a,b:1%2/../x_y.csv");
    text_free(&text);
}

static const struct test_case cases[] = {
    {"a shell reads the same word", a_shell_reads_the_same_word},
    {"plain words have no quotes", plain_words_have_no_quotes},
};

TESTING_MAIN("core/process/shell", cases)
