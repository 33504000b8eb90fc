#!/bin/sh
# folders.txt is the map that it says it is: it has every folder with sources, and names for each the
# folders that its sources include, even where the compiler would see their headers through others.
# Nor do headers and the sources of the same names go in a circle inside a folder.
# shellcheck source=common.sh
. "$(dirname "$0")/common.sh"

cd "$ROOT" || exit 2
grep -v '^#' folders.txt | while IFS=: read -r folder used; do
    [ -n "$folder" ] || continue
    echo "$folder $folder"
    for name in $used; do echo "$folder $name"; done
done >"$top/named"

list_files | grep -E '^[a-z_/]+\.(c|h|def)$' | grep -vE '^(tests|examples|include|python)/' >"$top/sources"
sed 's,/[^/]*$,,' "$top/sources" | sort -u | while read -r folder; do
    grep -q "^$folder " "$top/named" || echo "$folder is not in folders.txt"
done >"$top/faults"

xargs grep -Ho '^#include "[a-z_/]*/[a-z_0-9]*\.[a-z]*"' <"$top/sources" |
    sed -n 's,^\(.*\)/[^/]*:#include "\(.*\)/[^/]*"$,\1 \2,p' | sort -u |
    awk 'NR == FNR { named[$0]; next }
        { above = $2; sub(/\/[^\/]*$/, "", above) }
        $2 != "memplan" && !($0 in named) && !(($1 " " above "/*") in named) {
            print $1 " includes " $2 ", which folders.txt does not name" }' "$top/named" - >>"$top/faults"

xargs grep -Ho '^#include "[a-z_/]*/[a-z_0-9]*\.h"' <"$top/sources" |
    sed -n 's,^\(.*\)\.[a-z]*:#include "\(.*\)\.h"$,\1 \2,p' | tsort 2>&1 >"$top/sorted" |
    sed -n 's,^tsort: \([^:]*/[^:]*\)$,\1 is in a circle of includes,p' >>"$top/faults"
while read -r line; do fault "$line"; done <"$top/faults"
finish
