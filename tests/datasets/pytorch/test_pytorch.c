#include "datasets/pytorch/pytorch.h"

#include "datasets/memplan_json/graph.h"
#include "datasets/reading.h"
#include "support/fail_each.h"
#include "support/must.h"

/* Programs that the fuzz target starts from. etrecord.bin is pytorch/executorch's (BSD-3-Clause);
   no other file of torch.export under a free licence was found, so the rest is made by hand. */

static const struct model_options none = {0};

static struct text load(const char *name)
{
    char path[512];
    struct text text;
    struct error failed;
    snprintf(path, sizeof path, CORPUS "/pytorch/%s", name);
    CU_ASSERT_EQUAL_FATAL(text_read_file(path, &text, &failed), STATUS_OK);
    return text;
}

/* Reads an archive, or the JSON by itself. */
static enum status read_text(const struct text *text, const char *model,
                             const struct model_options *options, struct graph **graph,
                             struct error *failed)
{
    SCOPED(json_document_release) struct json_document *document = NULL;
    if (!text->length || text->bytes[0] != '{')
        return pytorch_read_archive(text, "test.file", model, options, graph, failed);
    TRY(json_document_read_sparing(text, "test.file", &pytorch_spare, &document, failed));
    return pytorch_read_program(document, options, graph, failed);
}

static void check_graph(const char *name, const char *model, const struct model_options *options,
                        const char *words)
{
    SCOPED(text_free) struct text text = load(name);
    SCOPED(text_free) struct text written = {0};
    SCOPED(graph_release) struct graph *graph = NULL;
    must(read_text(&text, model, options, &graph, &error));
    must(graph_json_write(graph, &written, &error));
    reading_check_result("pytorch_read", words, written.bytes);
}

static void test_graphs(void)
{
    check_graph("states.json", NULL, &none, "states, views and operators that write in place");
    check_graph("control.json", NULL, &none, "subgraphs");
    check_graph("etrecord.bin", NULL, &none, "a record of ExecuTorch");
    check_graph("stored.pt2", "other", &none, "subgraphs");
    check_graph("stored.pt2", NULL, &none, "states, views and operators that write in place");
    check_graph("deflated.pt2", NULL, &none, "states, views and operators that write in place");
}

/* What the user gives an input counts for all sizes that follow from it. */
static void test_symbols(void)
{
    static const char *const bound[] = {"x=10,8"}, *const wrong[] = {"x=10,9"},
                             *const other[] = {"z=1"}, *const short_shape[] = {"x=10"};
    const struct model_options ten = {.bind = bound, .binds = 1};
    check_graph("symbols.json", NULL, &none, "sizes of the example");
    check_graph("symbols.json", NULL, &ten, "sizes of a bound input");
    static const struct {
        const char *const *bind;
        const char *words;
    } refused[] = {{wrong, "found 9 as a dimension of 'x' in --bind, expected 8"},
                   {other, "no input 'z' to bind, expected one of: x"},
                   {short_shape, "found 1 dimensions of 'x' in --bind, expected the 2"}};
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        SCOPED(text_free) struct text text = load("symbols.json");
        SCOPED(graph_release) struct graph *graph = NULL;
        const struct model_options options = {.bind = refused[i].bind, .binds = 1};
        struct error failed = ERROR_NONE;
        CU_ASSERT_EQUAL(read_text(&text, NULL, &options, &graph, &failed), STATUS_USAGE);
        CU_ASSERT(strstr(failed.text, refused[i].words) != NULL);
    }
}

static bool is_refused(const struct text *text, const char *words)
{
    SCOPED(graph_release) struct graph *graph = NULL;
    struct error failed = ERROR_NONE;
    enum status status = read_text(text, NULL, &none, &graph, &failed);
    bool said = status == STATUS_BAD_INPUT && strcmp(failed.file, "test.file") == 0;
    if (status && !said)
        printf("\n    %d %s:%u: %s\n", status, failed.file, failed.line, failed.text);
    CU_ASSERT(status == STATUS_OK || said);
    return said && strstr(failed.text, words);
}

/* A program in which one text is replaced by another. */
static void check_changed(const char *name, const char *from, const char *to, const char *words)
{
    SCOPED(text_free) struct text text = load(name);
    SCOPED(text_free) struct text changed = {0};
    const char *at = strstr(text.bytes, from);
    CU_ASSERT_PTR_NOT_NULL_FATAL(at);
    text_append_bytes(&changed, text.bytes, (size_t)(at - text.bytes));
    text_append(&changed, "%s%s", to, at + strlen(from));
    bool refused = is_refused(&changed, words);
    if (!refused)
        printf("\n    '%s' instead of '%s' is not refused with '%s'\n", to, from, words);
    CU_ASSERT(refused);
}

static void test_refused(void)
{
    SCOPED(text_free) struct text script = load("torchscript.pt2");
    SCOPED(text_free) struct text bomb = load("bomb.pt2");
    CU_ASSERT(is_refused(&script, "found no program of torch.export in the archive"));
    CU_ASSERT(is_refused(&bomb, "found a deflated member of more than 32 MiB"));
    check_changed("states.json", "\"major\":8", "\"major\":9", "found version 9 of the schema");
    check_changed("states.json", "\"dtype\":7", "\"dtype\":99", "found no known number as the");
    check_changed("states.json", "\"layout\":7", "\"layout\":2", "found a sparse tensor 'w'");
    check_changed("states.json", "{\"as_int\":8}", "{\"as_int\":-8}", "as a size, expected");
    check_changed("states.json", "{\"as_int\":8}", "{\"as_int\":9223372036854775807}",
                  "found more than 2^63 - 1 bytes");
    check_changed("states.json", "\"inputs\":[{\"as_tensor\":{\"name\":\"w\"}},", "\"inputs\":[",
                  "found another number of inputs than the signature lists");
    check_changed("states.json", "\"arg\":{\"as_tensor\":{\"name\":\"x\"}}",
                  "\"arg\":{\"as_tensor\":{\"name\":\"s\"}}", "found a use of 's' before");
    check_changed("symbols.json", "\"max_val\":512", "\"max_val\":null",
                  "which is known only at run time");
    check_changed("control.json", "higher_order.cond", "higher_order.flex_attention",
                  "found a subgraph in 'torch.ops.higher_order.flex_attention'");
    check_changed("control.json", "aten.neg.default", "aten.neg_.default",
                  "found an operator that writes into 'a', which lies outside");
}

/* Every start of an archive, and every byte of it changed, is read or refused. */
static void test_damage(void)
{
    static const char *const names[] = {"deflated.pt2", "stored.pt2"};
    for (int n = 0; n < 2; n++) {
        SCOPED(text_free) struct text text = load(names[n]);
        size_t step = n ? 37 : 1;
        for (size_t at = 0; at < text.length; at += step) {
            struct text copy = {.bytes = malloc(at + 1), .length = at};
            memcpy(copy.bytes, text.bytes, at);
            is_refused(&copy, "");
            free(copy.bytes);
            for (unsigned mask = 1; mask < 256; mask = mask * 5 + 2) {
                text.bytes[at] = (char)(text.bytes[at] ^ (int)mask);
                is_refused(&text, "");
                text.bytes[at] = (char)(text.bytes[at] ^ (int)mask);
            }
        }
    }
}

static enum status read_any(const void *text, struct error *failed)
{
    SCOPED(graph_release) struct graph *graph = NULL;
    return read_text(text, NULL, &none, &graph, failed);
}

static void test_allocations(void)
{
    SCOPED(text_free) struct text states = load("deflated.pt2");
    SCOPED(text_free) struct text control = load("control.json");
    fail_each(read_any, &states);
    fail_each(read_any, &control);
}

static const struct test_case cases[] = {
    {"programs become graphs", test_graphs},
    {"sizes that depend on symbols", test_symbols},
    {"what is refused", test_refused},
    {"damaged archives are read or refused", test_damage},
    {"every allocation may fail", test_allocations},
};
TESTING_MAIN("datasets/pytorch", cases)
