#include "datasets/openvino/openvino.h"

#include "datasets/memplan_json/graph.h"
#include "datasets/reading.h"
#include "support/fail_each.h"
#include "support/must.h"

/* Networks that the fuzz target starts from: loop and dynamic_reshape of
   openvinotoolkit/npu_compiler, summator of openvinotoolkit/model_server, ti_negative_stride of
   plaidml/openvino (all Apache-2.0, unchanged); if is made by hand. */

static const struct model_options none = {0};

static struct text load(const char *name)
{
    char path[512];
    struct text text;
    struct error failed;
    snprintf(path, sizeof path, CORPUS "/openvino/%s.xml", name);
    CU_ASSERT_EQUAL_FATAL(text_read_file(path, &text, &failed), STATUS_OK);
    return text;
}

static void check_graph(const char *name, const struct model_options *options, const char *words)
{
    SCOPED(text_free) struct text text = load(name);
    SCOPED(text_free) struct text written = {0};
    SCOPED(graph_release) struct graph *graph = NULL;
    CU_ASSERT(openvino_is_network(&text));
    must(openvino_read(&text, "some/test.xml", options, &graph, &error));
    must(graph_json_write(graph, &written, &error));
    reading_check_result("openvino_read", words, written.bytes);
}

static void test_graphs(void)
{
    static const struct model_options assumed = {.assume_dimension = 3};
    check_graph("summator", &none, "state");
    check_graph("if", &none, "branches, views, constants");
    check_graph("loop", &none, "a loop with slices and a carried value");
    check_graph("ti_negative_stride", &none, "an iterator over an LSTM cell");
    check_graph("dynamic_reshape", &assumed, "dimensions that are assumed");
}

static void test_binds(void)
{
    static const struct {
        const char *bind, *words; /* NULL: it fits */
    } binds[] = {{"x=4,8", NULL},
                 {"x=4,9", "found 9 as dimension 1 of 'x' in --bind, expected 8"},
                 {"x=4", "found 1 dimensions of 'x' in --bind, expected the 2"},
                 {"y=4", "no input 'y' to bind, expected one of: c, x"}};
    for (size_t i = 0; i < sizeof binds / sizeof *binds; i++) {
        SCOPED(text_free) struct text text = load("if");
        SCOPED(graph_release) struct graph *graph = NULL;
        const struct model_options options = {.bind = &binds[i].bind, .binds = 1};
        struct error failed = ERROR_NONE;
        enum status status = openvino_read(&text, "test.file", &options, &graph, &failed);
        CU_ASSERT_EQUAL(status, binds[i].words ? STATUS_USAGE : STATUS_OK);
        CU_ASSERT(!binds[i].words || strstr(failed.text, binds[i].words));
    }
}

static bool is_refused(const struct text *text, const char *words)
{
    SCOPED(graph_release) struct graph *graph = NULL;
    struct error failed = ERROR_NONE;
    enum status status = openvino_read(text, "test.file", &none, &graph, &failed);
    bool said = status == STATUS_BAD_INPUT && strcmp(failed.file, "test.file") == 0;
    if (status && !said)
        printf("\n    %d %s:%u: %s\n", status, failed.file, failed.line, failed.text);
    CU_ASSERT(status == STATUS_OK || said);
    return said && strstr(failed.text, words);
}

static void test_refused(void)
{
    static const struct {
        const char *from, *to, *words;
    } changes[] = {
        {"version=\"11\"", "version=\"7\"", "found version '7' of the format, expected 10 or 11"},
        {"<net ", "<!DOCTYPE net [<!ENTITY a \"b\">]><net ", "found a DOCTYPE, expected none"},
        {"</net>", "", "found no XML (no element found)"},
        {"<net ", "<graph><net ", "found no XML (no element found)"},
        {"id=\"1\" name=\"x\"", "id=\"0\" name=\"x\"", "found layer '0' twice"},
        {"to-layer=\"9\" to-port=\"0\"", "to-layer=\"9\" to-port=\"5\"",
         "found an edge to port '5' of layer '9'"},
        {"from-layer=\"1\" from-port=\"0\" to-layer=\"5\"",
         "from-layer=\"8\" from-port=\"2\" to-layer=\"5\"",
         "found layers that wait for each other"},
        {"<dim>8</dim>", "<dim>-1</dim>", "found dimension '-1' of layer 'x', expected a number"},
        {"precision=\"FP32\"", "precision=\"STRING\"", "found precision 'STRING' of layer 'x'"},
        {"<dim>4</dim>", "<dim>9223372036854775807</dim>", "found more than 2^64 bits"},
        {"internal_layer_id=\"0\"", "internal_layer_id=\"7\"", "expected a Parameter of the body"},
        {"<output external_port_id=\"0\" internal_layer_id=\"6\"/>", "",
         "found a branch of 'branch' with other values"},
        {"else_body", "other_body", "found no XML (mismatched tag)"},
    };
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        SCOPED(text_free) struct text text = load("if");
        SCOPED(text_free) struct text changed = {0};
        const char *at = strstr(text.bytes, changes[i].from);
        CU_ASSERT_PTR_NOT_NULL_FATAL(at);
        text_append_bytes(&changed, text.bytes, (size_t)(at - text.bytes));
        text_append(&changed, "%s%s", changes[i].to, at + strlen(changes[i].from));
        bool refused = is_refused(&changed, changes[i].words);
        if (!refused)
            printf("\n    '%s' is not refused with '%s'\n", changes[i].to, changes[i].words);
        CU_ASSERT(refused);
    }
}

/* Every start of a network, and every byte of it changed, is read or refused. */
static void test_damage(void)
{
    SCOPED(text_free) struct text text = load("loop");
    for (size_t at = 0; at < text.length; at += 7) {
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

static enum status read_any(const void *text, struct error *failed)
{
    SCOPED(graph_release) struct graph *graph = NULL;
    return openvino_read(text, "test.file", &none, &graph, failed);
}

static void test_allocations(void)
{
    SCOPED(text_free) struct text text = load("if");
    fail_each(read_any, &text);
}

static const struct test_case cases[] = {
    {"networks become graphs", test_graphs},
    {"shapes of inputs", test_binds},
    {"what is refused", test_refused},
    {"damaged networks are read or refused", test_damage},
    {"every allocation may fail", test_allocations},
};
TESTING_MAIN("datasets/openvino", cases)
