/* The main of each claims_NAME: reads a case from each line of standard input and answers it with a
   line on standard output, so that an oracle asks thousands of cases of one process. */
#include "oracles/claims.h"

#include <stdlib.h>

static void write_escaped(const char *text, FILE *out)
{
    for (; *text; text++) {
        if (*text == '"' || *text == '\\')
            fputc('\\', out);
        fputc((unsigned char)*text < ' ' ? ' ' : *text, out);
    }
}

int main(void)
{
    char *line = NULL;
    size_t room = 0;
    ssize_t length;
    while ((length = getline(&line, &room, stdin)) > 0) {
        struct error error;
        char *answer = NULL;
        size_t bytes = 0;
        FILE *out = open_memstream(&answer, &bytes);
        if (!out)
            return EXIT_FAILURE;
        enum status status = claims_answer(line, (size_t)length, out, &error);
        fclose(out);
        if (status) {
            fputs("{\"error\": \"", stdout);
            write_escaped(error.text, stdout);
            fputs("\"}", stdout);
        } else
            fputs(answer, stdout);
        fputc('\n', stdout);
        fflush(stdout);
        free(answer);
    }
    free(line);
    return EXIT_SUCCESS;
}
