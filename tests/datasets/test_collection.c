#include "datasets/collection.h"
#include "support/must.h"

#include <string.h>

#include "core/gzip.h"
#include "datasets/json/document.h"
#include "datasets/loading.h"
#include "datasets/memplan_json/graph.h"
#include "datasets/memplan_json/problem.h"
#include "datasets/suite.h"

/* The collection is what its rows say: each entry has the content that its digest names, by its
   name and by its file. */

static bool is_listed(const char *word, const char *const *words)
{
    for (; *words; words++)
        if (strcmp(word, *words) == 0)
            return true;
    return false;
}

static void test_rows(void)
{
    uint32_t count = collection_count();
    CU_ASSERT(count > 200 && count < 300);
    CU_ASSERT_EQUAL(suite_instances(suite_find(COLLECTION_SUITE)), count);
    for (uint32_t i = 0; i < count; i++) {
        const struct collection_entry *entry = collection_at(i);
        uint32_t of_source = 0;
        CU_ASSERT_TRUE(is_listed(entry->track, collection_tracks));
        CU_ASSERT_TRUE(is_listed(entry->rank, collection_classes));
        CU_ASSERT(strcmp(entry->half, "open") == 0 || strcmp(entry->half, "held") == 0);
        CU_ASSERT_PTR_EQUAL(collection_find(entry->digest, ""), entry); /* no content twice */
        for (uint32_t k = 0; k < count; k++)
            of_source += strcmp(collection_at(k)->source, entry->source) == 0;
        CU_ASSERT(of_source <= 25);
    }
    CU_ASSERT_PTR_EQUAL(collection_find("", "minimalloc/A@beam"), collection_at(0));
    CU_ASSERT_PTR_NULL(collection_find("", "minimalloc/A"));
}

/* With sanitizers one in so many. */
enum { SHARE = TESTING_COUNT(1, 12) };

static void test_names(void)
{
    for (uint32_t i = 0; i < collection_count(); i += SHARE) {
        SCOPED(instance_release) struct instance *instance = load(collection_at(i)->name);
        CU_ASSERT_STRING_EQUAL(instance->digest, collection_at(i)->digest);
    }
}

/* As choose.py names the file of an entry. */
static void write_path(const char *name, char path[512])
{
    int length = snprintf(path, 512, COLLECTION "/files/");
    for (; *name; name++) {
        bool stays = strchr("_.", *name) || (*name >= '0' && *name <= '9') ||
                     (*name >= 'a' && *name <= 'z') || (*name >= 'A' && *name <= 'Z');
        if (stays || path[length - 1] != '_')
            path[length++] = stays ? *name : '_';
    }
    snprintf(path + length, (size_t)(512 - length), ".json.gz");
}

static void test_files(void)
{
    for (uint32_t i = 0; i < collection_count(); i += SHARE) {
        SCOPED(text_free) struct text text = {0};
        SCOPED(json_document_release) struct json_document *document = NULL;
        SCOPED(instance_release) struct instance *instance = NULL;
        struct graph *graph = NULL;
        struct problem *problem = NULL;
        char path[512];
        if (strstr(collection_at(i)->name, ".."))
            continue; /* a graph with ranges of sizes is a name alone */
        write_path(collection_at(i)->name, path);
        must(gzip_read_file(path, &text, &error));
        must(json_document_read(&text, path, &document, &error));
        if (strcmp(json_document_format(document), GRAPH_JSON_FORMAT) == 0)
            must(graph_json_read_document(document, &graph, &error));
        else
            must(problem_json_read_document(document, false, &problem, &error));
        must(instance_create("file", graph, problem, &instance, &error));
        if (strcmp(instance->digest, collection_at(i)->digest) != 0)
            printf("\n    %s has another digest than %s\n", path, collection_at(i)->name);
        CU_ASSERT_STRING_EQUAL(instance->digest, collection_at(i)->digest);
    }
}

static const struct test_case cases[] = {
    {"rows", test_rows},
    {"names give the contents", test_names},
    {"files have the contents", test_files},
};
TESTING_MAIN("datasets/collection", cases)
