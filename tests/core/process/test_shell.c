#include "core/process/shell.h"

#include <stdio.h>
#include <string.h>

#include "support/testing.h"

/* What a shell makes of each word, printed by it; plain words have no quotes. */
static void a_shell_reads_the_same_word(void)
{
    static const char *const words[] = {"plain",      "",          "two words",   "it's",
                                        "''",         "\"$HOME\"", "a\nb\\",      "*?[a]~",
                                        "$(ls) `ls`", "-n",        "#x;y|z&<>()", "~"};
    SCOPED(text_free) struct text plain = {0};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        SCOPED(text_free) struct text command = {0};
        char printed[64] = "";
        text_append(&command, "printf '%%s.' ");
        shell_append_word(&command, words[i]);
        FILE *shell = popen(command.bytes, "r");
        CU_ASSERT_PTR_NOT_NULL_FATAL(shell);
        size_t length = fread(printed, 1, sizeof printed - 1, shell);
        CU_ASSERT_EQUAL(pclose(shell), 0);
        CU_ASSERT_EQUAL(length, strlen(words[i]) + 1);
        CU_ASSERT_EQUAL(strncmp(printed, words[i], strlen(words[i])), 0);
    }
    shell_append_word(&plain, "--suite=a,b:1%2/../x_y.csv");
    CU_ASSERT_STRING_EQUAL(plain.bytes, "--suite=a,b:1%2/../x_y.csv");
}

static const struct test_case cases[] = {
    {"a shell reads the same word", a_shell_reads_the_same_word}};

TESTING_MAIN("core/process/shell", cases)
