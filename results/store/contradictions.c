#include "results/store/contradictions.h"

#include "results/store/row.h"
#include "results/store/sqlite.h"

/* SQL: the capacity into which a claimed plan was to fit; NULL where there was none. */
#define CAPACITY "CAST(" SQLITE_OPTION("claim.options", OPTIONS_CAPACITY) " AS INTEGER)"

/* SQL: the path of the graph as it is stored, whatever the order of the row; and whether it was put
   into one. */
#define GRAPH                                                                                      \
    "CASE WHEN " IS_ORDERED " THEN substr(path, 1, length(path) - length(order_name) - 1)"         \
    " ELSE path END"
#define IS_ORDERED "order_name NOT IN ('', '" RESULT_STORED "')"

/* min() and max() bring the planner of the row they come from along: SQLite's documented rule for
   bare columns. A row may also contradict itself, by a bound above its own peak. */
static const char find_contradictions[] =
    "WITH answer AS MATERIALIZED (SELECT instance, digest, policy, planner, options, status, "
    "verdict,"
    "   execution, split_buffers, peak_bytes, lower_bound_bytes, load_bytes, run, order_name,"
    "   order_status, order_bound_bytes, " GRAPH " AS graph, " SQLITE_INPLACE
    " FROM result ORDER BY digest, policy),"
    " valid AS (SELECT * FROM answer WHERE verdict = '" RESULT_VALID
    "' AND execution IN ('" RESULT_INTACT "', '" RESULT_SAMPLED "', '')),"
    " whole AS (SELECT * FROM valid WHERE split_buffers = 0), best AS (SELECT digest, policy, "
    "inplace, min(peak_bytes) AS bytes, planner FROM whole   GROUP BY digest, policy, inplace), "
    "bound AS (SELECT digest, policy, inplace, max(lower_bound_bytes) AS bytes, planner FROM   "
    "answer GROUP BY digest, policy, inplace), load AS (SELECT digest, policy, inplace, "
    "max(load_bytes) AS bytes, planner FROM answer   GROUP BY digest, policy, inplace), least AS "
    "(SELECT run, graph, policy, inplace, max(order_bound_bytes) AS bytes, order_name"
    "   FROM answer WHERE order_status IN ('" RESULT_OPTIMAL "', '" RESULT_FEASIBLE "')"
    "   GROUP BY run, graph, policy, inplace) SELECT claim.instance, claim.policy, claim.planner, "
    "'says the optimum is', claim.peak_bytes,   best.planner, 'has a valid plan of', best.bytes "
    "FROM answer AS claim JOIN best USING (digest, policy, inplace)"
    " WHERE claim.status = '" RESULT_OPTIMAL "' AND claim.peak_bytes > best.bytes"
    " UNION ALL SELECT whole.instance, whole.policy, whole.planner, 'has a valid plan of',   "
    "whole.peak_bytes, bound.planner, 'says no plan is below', bound.bytes FROM whole JOIN bound "
    "USING (digest, policy, inplace) WHERE whole.peak_bytes < bound.bytes UNION ALL SELECT "
    "valid.instance, valid.policy, valid.planner, 'has a valid plan of',   valid.peak_bytes, "
    "load.planner, 'has a load of', load.bytes FROM valid JOIN load USING (digest, policy, "
    "inplace) WHERE valid.split_buffers > 0 AND valid.peak_bytes < load.bytes UNION ALL SELECT "
    "claim.instance, claim.policy, claim.planner, 'says nothing fits in',"
    "   " CAPACITY ", best.planner, 'has a valid plan of', best.bytes"
    " FROM answer AS claim JOIN best USING (digest, policy, inplace)"
    " WHERE claim.status = '" RESULT_INFEASIBLE "' AND " CAPACITY " >= best.bytes"
    " UNION ALL SELECT answer.instance, answer.policy, answer.planner, 'has a load of',   "
    "answer.load_bytes, least.order_name, 'says no order has a load below', least.bytes FROM "
    "answer JOIN least USING (run, graph, policy, inplace) WHERE answer.load_bytes > 0 AND "
    "answer.load_bytes < least.bytes UNION ALL SELECT valid.instance, valid.policy, "
    "valid.planner, 'has a valid plan of',   valid.peak_bytes, least.order_name, 'says no order "
    "has a load below', least.bytes FROM valid JOIN least USING (run, graph, policy, inplace) "
    "WHERE valid.peak_bytes < least.bytes AND valid.load_bytes >= least.bytes ORDER BY 1, 2, 4 "
    "DESC, 3, 5";

/* How many problems may have a contradiction at all, by the extremes of their rows, and how many
   rows claim something of orders: one pass over the rows, where the search above takes several. */
static const char count_suspects[] =
    "WITH problem AS (SELECT policy, " SQLITE_INPLACE ","
    "   min(CASE WHEN verdict = '" RESULT_VALID "' AND execution IN ('" RESULT_INTACT
    "', '" RESULT_SAMPLED "', '') THEN peak_bytes END) AS valid,"
    "   max(CASE WHEN status = '" RESULT_OPTIMAL "' THEN peak_bytes END) AS claimed,"
    "   max(lower_bound_bytes) AS bound, max(load_bytes) AS load,"
    "   sum(status = '" RESULT_INFEASIBLE "') AS infeasible,"
    "   max(order_bound_bytes) AS order_bound   FROM result GROUP BY digest, policy, inplace) "
    "SELECT count(*) FROM problem WHERE claimed > valid OR bound > valid OR load > valid   OR "
    "infeasible > 0 OR order_bound > 0";

static const char *read_text(sqlite3_stmt *statement, int column)
{
    const unsigned char *text = sqlite3_column_text(statement, column);
    return text ? (const char *)text : "";
}

struct taking {
    uint64_t *count;
    struct text *lines;
};

static enum status take_contradiction(void *context, sqlite3_stmt *found, struct error *error)
{
    struct taking *taking = context;
    if ((*taking->count)++ < CONTRADICTIONS_DESCRIBED)
        text_append(taking->lines, "%s, policy %s: %s %s %lld bytes, but %s %s %lld bytes\n",
                    read_text(found, 0), read_text(found, 1), read_text(found, 2),
                    read_text(found, 3), (long long)sqlite3_column_int64(found, 4),
                    read_text(found, 5), read_text(found, 6),
                    (long long)sqlite3_column_int64(found, 7));
    return text_check(taking->lines, error);
}

enum status contradictions_find(struct store *store, uint64_t *count, struct text *lines,
                                struct error *error)
{
    struct taking taking = {count, lines};
    int64_t suspects;
    *count = 0;
    TRY(sqlite_number(store, count_suspects, NULL, &suspects, error));
    if (!suspects)
        return STATUS_OK;
    return sqlite_ask(store, find_contradictions,
                      &(struct sqlite_question){.take = take_contradiction, .context = &taking},
                      error);
}
