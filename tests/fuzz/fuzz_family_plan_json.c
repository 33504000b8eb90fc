#include "datasets/csv/problem.h"
#include "datasets/memplan_json/problem.h"
#include "fuzzing.h"
#include "harness/family/family_file.h"

/* The family whose plans are read, made once. */
static const struct instance *make_family(void)
{
    static const char csv[] = "id,lower,upper,size n=1..9\na,0,2,8*n\nb,1,3,n + 4\nc,2,4,8\n";
    static char name[] = "family";
    static struct instance instance = {.name = name};
    if (!instance.problem) {
        struct error error;
        SCOPED(text_free)
        struct text text = fuzzing_text((const uint8_t *)csv, sizeof csv - 1);
        fuzzing_require(problem_csv_read(&text, "family", NULL, &instance.problem, &error) ==
                        STATUS_OK);
        fuzzing_require(problem_json_digest(instance.problem, instance.digest, &error) ==
                        STATUS_OK);
    }
    return &instance;
}

/* A file is refused, or says of each buffer what lies below it, which can then be checked. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct instance *family = make_family();
    SCOPED(text_free) struct text text = fuzzing_text(data, size);
    SCOPED(family_file_free) struct below_read read = {NULL, NULL};
    struct error error = ERROR_NONE;
    struct verdict verdict;
    enum status status = family_file_read_text(family, &text, "input", &read, &error);
    if (status) {
        fuzzing_check_refusal(status, &error);
        return 0;
    }
    const struct below_lists lists = {read.first, read.below};
    fuzzing_require(verify_orientation(family->problem, &lists, &verdict, &error) == STATUS_OK);
    return 0;
}
