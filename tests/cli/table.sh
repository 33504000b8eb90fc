#!/bin/sh
# Tables of a database: formats, files, what is not there.
set -u
# shellcheck source=common.sh
. "$CASES/common.sh"

write_figure4 one.csv
printf 'id,lower,upper,size\na,0,2,10\nb,1,3,20\nc,2,4,10\n' >two.csv
prepare bench one.csv two.csv --planners naive,large_first,sequential

"$MEMPLAN" table summary --format csv | sed 's/,[0-9.]*$/,T/'
memplan table gaps
memplan table gaps --format csv
# HTML is a part of a page.
{
    echo '<div>'
    "$MEMPLAN" table gaps --format html
    echo '</div>'
} >gaps.html
if have xmllint; then
    xmllint --noout gaps.html
else
    skip "no xmllint: gaps.html is not parsed"
fi
"$MEMPLAN" table gaps --format tex | grep -c '\\\\$'

# To a file, the same bytes; an old file is replaced.
echo old >gaps.md
memplan table gaps -o gaps.md
"$MEMPLAN" table gaps --format md | cmp - gaps.md

# What is shown: rows of some instances and planners, in another order, the first.
memplan table summary --format csv --planners large_first,naive --instances 't*' --sort -peak_bytes |
    cut -d, -f1-3,10
memplan table summary --format csv --planners ours --top 1 | cut -d, -f1-3
memplan table summary --format csv --planners paper,naive --sort planner --top 2 | cut -d, -f1-3
memplan table summary --format csv --instances ./two.csv --top 1 | cut -d, -f1-3
memplan table gaps --top 1 --planners naive --policy problem -o top.txt
cat top.txt
memplan table gaps --planners naiv
memplan table gaps --planners 'x*'
memplan table gaps --instances tow
memplan table gaps --instances zoo/vgg16
memplan table gaps --suite zooo
memplan table gaps --suite zoo
memplan table gaps --policy flt
memplan table gaps --policy flat
memplan table gaps --sort planer
memplan table gaps --top 0
memplan table reliability --sort figur

# What a table is about follows its name.
memplan table leaderboard --format csv | cut -d, -f1-9
memplan table versus naive --format csv | cut -d, -f1-9
memplan table versus naive,sequential --format csv | cut -d, -f1-9
memplan table versus naive --planners sequential --format csv | cut -d, -f1-9
memplan table versus naiv
memplan table instance two --format csv --sort planner | cut -d, -f1-7
memplan table instance tow
memplan table instance
memplan table gaps two
memplan table hardest --format csv
memplan table scaling --format csv | cut -d, -f1-4

# Tables of the papers need their instances.
memplan table luna-memory
memplan table luna-control-flow
memplan table worked
memplan table summary --run nothing

memplan table nothing
memplan table summary --format nothing
memplan table gaps -o missing/gaps.md
memplan table gaps --db missing.db
memplan table nothing --db missing.db
echo 'this is no database' >bad.db
memplan table gaps --db bad.db
: >empty.db
memplan table gaps --db empty.db
mkdir folder.db
memplan table gaps --db folder.db
rm -f memplan.db-shm memplan.db-wal
find . | sort
