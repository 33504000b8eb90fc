#include "cli/arguments/chosen.h"

#include <fnmatch.h>
#include <stdio.h>
#include <string.h>

#include "datasets/suite.h"
#include "harness/catalogue/groups.h"
#include "planning/policies/policy.h"

/* Adds to *chosen those of the known names for which a word of a list stands; sets *found where
   there are any. */
struct vocabulary;
typedef enum status take_word(const struct vocabulary *vocabulary, const char *word,
                              struct names *chosen, bool *found, struct error *error);

/* How the words of an option become names. */
struct vocabulary {
    const char *kind, *lister;
    struct names known; /* names that occur in the store or in the program */
    take_word *take;
    const void *context;
    uint32_t stored; /* the first of the known names are those in the store; 0: all are */
};

static enum status add_once(struct names *names, const char *name, struct error *error)
{
    return names_find(names, name) == NAMES_NONE ? names_add(names, name, error) : STATUS_OK;
}

/* Takes the word itself as a name, or all names that match it as a pattern. */
static enum status take_names(const struct names *known, const char *word, struct names *chosen,
                              bool *found, struct error *error)
{
    if (names_find(known, word) != NAMES_NONE) {
        *found = true;
        return add_once(chosen, word, error);
    }
    for (uint32_t i = 0; i < known->count && (strpbrk(word, "*?[") != NULL); i++)
        if (fnmatch(word, names_get(known, i), 0) == 0) {
            *found = true;
            TRY(add_once(chosen, names_get(known, i), error));
        }
    return STATUS_OK;
}

static enum status take_policy(const struct vocabulary *vocabulary, const char *word,
                               struct names *chosen, bool *found, struct error *error)
{
    return take_names(&vocabulary->known, word, chosen, found, error);
}

/* Finds the planner that a name stands for. Settings behind a "?" make a planner of its own, which
   belongs to the same group. */
static const struct planner *find_planner(const struct registry *registry, const char *name)
{
    return registry_find(registry, name, strcspn(name, "?"));
}

static enum status take_planner(const struct vocabulary *vocabulary, const char *word,
                                struct names *chosen, bool *found, struct error *error)
{
    const struct registry *registry = vocabulary->context;
    const struct names *known = &vocabulary->known;
    TRY(take_names(known, word, chosen, found, error));
    if (*found)
        return STATUS_OK;
    for (uint32_t i = 0; i < registry_count(registry); i++)
        *found |= groups_has(word, strlen(word), registry_at(registry, i));
    for (uint32_t i = 0; i < known->count && *found; i++) {
        const struct planner *planner = find_planner(registry, names_get(known, i));
        if (planner && groups_has(word, strlen(word), planner))
            TRY(add_once(chosen, names_get(known, i), error));
    }
    return STATUS_OK;
}

/* Whether the path ends in the word: "b/x.csv" of "/a/b/x.csv". */
static bool ends_in(const char *path, const char *word)
{
    size_t length = strlen(path), tail = strlen(word);
    return tail <= length && strcmp(path + length - tail, word) == 0 &&
           (tail == length || path[length - tail - 1] == '/');
}

/* Takes an instance. The context holds the paths of all instances; a name that is equal comes
   before the end of a path. */
static enum status take_instance(const struct vocabulary *vocabulary, const char *word,
                                 struct names *chosen, bool *found, struct error *error)
{
    const struct names *paths = vocabulary->context;
    while (strncmp(word, "./", 2) == 0)
        word += 2;
    TRY(take_names(&vocabulary->known, word, chosen, found, error));
    for (uint32_t i = 0; i < paths->count && !*found; i++)
        if (ends_in(names_get(paths, i), word)) {
            *found = true;
            TRY(add_once(chosen, names_get(paths, i), error));
        }
    return *found ? STATUS_OK : take_names(paths, word, chosen, found, error);
}

/* Takes all words of a list that is separated by commas. */
static enum status take_list(const struct vocabulary *vocabulary, const char *list,
                             struct names *chosen, struct error *error)
{
    for (const char *at = list; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL) {
        SCOPED(text_free) struct text word = {0};
        text_append_bytes(&word, at, strcspn(at, ","));
        TRY(text_check(&word, error));
        bool found = false;
        TRY(vocabulary->take(vocabulary, word.bytes, chosen, &found, error));
        uint32_t number = names_find(&vocabulary->known, word.bytes);
        if (vocabulary->stored && number != NAMES_NONE && number >= vocabulary->stored)
            fprintf(stderr, "no results of %s %s\n", vocabulary->kind, word.bytes);
        if (!found)
            return names_refuse(&vocabulary->known, vocabulary->kind, word.bytes,
                                vocabulary->lister, error);
    }
    return STATUS_OK;
}

static void clear_vocabulary(struct vocabulary *vocabulary)
{
    names_free(&vocabulary->known);
}

static enum status find_planners(const struct registry *registry, struct store *store,
                                 const char *list, bool with_orders, struct names *found,
                                 struct error *error)
{
    if (!list)
        return STATUS_OK;
    SCOPED(clear_vocabulary)
    struct vocabulary planners = {"planner", "memplan list planners", {0}, take_planner, registry,
                                  0};
    if (with_orders) {
        planners.kind = "planner or order";
        TRY(choice_list(store, "result", "order_name", &planners.known, error));
        for (uint32_t i = 0; i < registry_order_count(registry); i++)
            TRY(add_once(&planners.known, registry_order_at(registry, i)->name, error));
    }
    TRY(choice_list(store, "result", "planner", &planners.known, error));
    planners.stored = with_orders ? 0 : planners.known.count;
    for (uint32_t i = 0; i < registry_count(registry); i++)
        TRY(add_once(&planners.known, registry_at(registry, i)->name, error));
    return take_list(&planners, list, found, error);
}

/* Finds mine among the planners, else among the orders, which compete then. */
static enum status find_mine(const struct arguments *arguments, struct store *store,
                             struct chosen *chosen, struct error *error)
{
    SCOPED(names_free) struct names planners = {0};
    const char *mine = arguments->mine;
    chosen->choice.by_orders = arguments->by_orders;
    TRY(find_planners(arguments->registry, store, mine, true, &chosen->mine, error));
    if (!mine)
        return STATUS_OK;
    if (chosen->mine.count != 1)
        return error_set(error, STATUS_USAGE, "found %u planners, expected one: --mine NAME",
                         chosen->mine.count);
    chosen->choice.mine = names_get(&chosen->mine, 0);
    TRY(choice_list(store, "result", "planner", &planners, error));
    chosen->choice.by_orders |=
        names_find(&planners, mine) == NAMES_NONE && !find_planner(arguments->registry, mine);
    return STATUS_OK;
}

static enum status find_policies(struct store *store, const char *list, struct names *found,
                                 struct error *error)
{
    if (!list)
        return STATUS_OK;
    SCOPED(clear_vocabulary)
    struct vocabulary policies = {"policy", "memplan list policies", {0}, take_policy, NULL, 0};
    TRY(choice_list(store, "result", "policy", &policies.known, error));
    for (uint32_t i = 0; i < policy_count(); i++)
        TRY(add_once(&policies.known, policy_at(i)->name, error));
    return take_list(&policies, list, found, error);
}

static enum status find_instances(struct store *store, const char *list, struct names *found,
                                  struct error *error)
{
    if (!list)
        return STATUS_OK;
    SCOPED(names_free) struct names paths = {0};
    SCOPED(clear_vocabulary)
    struct vocabulary instances = {"instance", "memplan table summary", {0}, take_instance, &paths,
                                   0};
    TRY(choice_list(store, "result", "instance", &instances.known, error));
    TRY(choice_list(store, "measure", "instance", &instances.known, error));
    TRY(choice_list(store, "result", "path", &paths, error));
    return take_list(&instances, list, found, error);
}

enum status chosen_find(const struct arguments *arguments, struct store *store,
                        struct chosen *chosen, struct error *error)
{
    *chosen = (struct chosen){.choice = {.run = arguments->run,
                                         .sort = arguments->sort,
                                         .top = (uint32_t)arguments->top}};
    if (arguments->run) {
        SCOPED(names_free) struct names runs = {0};
        TRY(choice_list(store, "result", "run", &runs, error));
        TRY(choice_list(store, "measure", "run", &runs, error));
        TRY(choice_list(store, "run", "label", &runs, error));
        TRY(names_find(&runs, arguments->run) == NAMES_NONE
                ? names_refuse(&runs, "run", arguments->run, "memplan runs", error)
                : STATUS_OK);
    }
    if (arguments->planners)
        chosen->choice.planners = &chosen->planners;
    if (arguments->policies)
        chosen->choice.policies = &chosen->policies;
    if (arguments->suites || arguments->instances)
        chosen->choice.instances = &chosen->instances;
    TRY(find_planners(arguments->registry, store, arguments->planners, false, &chosen->planners,
                      error));
    TRY(find_mine(arguments, store, chosen, error));
    TRY(find_policies(store, arguments->policies, &chosen->policies, error));
    for (const char *at = arguments->suites; at;
         at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL) {
        const struct suite *suite;
        TRY(suite_select(at, strcspn(at, ","), &suite, error));
        for (uint32_t i = 0; i < suite_instances(suite); i++)
            TRY(add_once(&chosen->instances, suite_instance(suite, i), error));
    }
    return find_instances(store, arguments->instances, &chosen->instances, error);
}

enum status chosen_find_subject(const struct arguments *arguments, enum table_subject subject,
                                struct store *store, struct chosen *chosen, struct error *error)
{
    const char *named = arguments->operands > 1 ? arguments->operand[1] : NULL;
    if (!named)
        return STATUS_OK;
    if (subject == TABLE_OF_ALL)
        return error_set(error, STATUS_USAGE, "unexpected '%s', expected %s alone", named,
                         arguments->operand[0]);
    chosen->choice.subject = &chosen->subject;
    if (subject == TABLE_OF_INSTANCE)
        return find_instances(store, named, &chosen->subject, error);
    TRY(find_planners(arguments->registry, store, named, chosen->choice.by_orders, &chosen->subject,
                      error));
    /* Adds the subject of a table to the choice, since the table must contain it whatever else was
       chosen. */
    for (uint32_t i = 0;
         chosen->choice.planners && !chosen->choice.by_orders && i < chosen->subject.count; i++)
        TRY(add_once(&chosen->planners, names_get(&chosen->subject, i), error));
    return STATUS_OK;
}

void chosen_clear(struct chosen *chosen)
{
    names_free(&chosen->instances);
    names_free(&chosen->policies);
    names_free(&chosen->planners);
    names_free(&chosen->subject);
    names_free(&chosen->mine);
    *chosen = (struct chosen){0};
}
