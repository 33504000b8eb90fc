#!/bin/sh
# simulate.sh TEMPLATE.db FOLDER SHARDS ROWS [layouts]: writes FOLDER/shard-K.db as SHARDS tasks of a
# bench run with about ROWS jobs in all would, for the figures of docs/cluster.md: the rows of a real
# database over and over, each time of another instance, dealt out to the shards. With the word
# layouts the layouts of the plans too.
set -eu
if [ $# -lt 4 ]; then
    echo "Usage: simulate.sh TEMPLATE.db FOLDER SHARDS ROWS [layouts]" >&2
    exit 2
fi
template=$1 folder=$2 shards=$3 rows=$4 layouts=${5:-}
have=$(sqlite3 "$template" 'SELECT max(id) FROM result')
copies=$(((rows + have - 1) / have))
# The columns of a copied row: those that tell rows apart are changed.
columns=$(sqlite3 "$template" "SELECT group_concat(CASE name
    WHEN 'id' THEN 'copy * $have + id'
    WHEN 'instance' THEN 'instance || ''_'' || copy'
    WHEN 'digest' THEN 'printf(''%08x'', copy) || substr(digest, 9)'
    ELSE name END) FROM pragma_table_info('result')")
version=$(sqlite3 "$template" 'PRAGMA user_version')
mkdir -p "$folder"
shard=1
while [ "$shard" -le "$shards" ]; do
    rm -f "$folder/shard-$shard.db"
    {
        echo "PRAGMA synchronous = OFF;"
        sqlite3 "$template" .schema
        echo "PRAGMA user_version = $version; ATTACH '$template' AS template; BEGIN;"
        echo "CREATE TEMP VIEW dealt AS WITH RECURSIVE copies(copy) AS (SELECT 0 UNION ALL"
        echo "    SELECT copy + 1 FROM copies WHERE copy + 1 < $copies)"
        echo "    SELECT * FROM copies, template.result WHERE (copy + id * 7) % $shards = $shard - 1;"
        echo "INSERT INTO main.run SELECT * FROM template.run;"
        echo "INSERT INTO main.result SELECT $columns FROM dealt;"
        [ "$layouts" != layouts ] ||
            echo "INSERT INTO main.rectangle SELECT copy * $have + result, position, label, lower, upper,
                bytes_offset, size_bytes, region_group, block
                FROM template.rectangle JOIN dealt ON dealt.id = result;"
        echo "COMMIT;"
    } | sqlite3 "$folder/shard-$shard.db"
    shard=$((shard + 1))
done
