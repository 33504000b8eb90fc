# One planner, order or run against all others: what is missing is planned once.
set -u
# shellcheck source=tests/cli/common.sh
. "$CASES/common.sh"

cat >tall.csv <<'END'
id,lower,upper,size
a,0,3,10
b,0,1,20
c,1,2,30
d,2,4,20
e,3,5,25
END
cat >wide.csv <<'END'
id,lower,upper,size
a,0,6,8
b,0,2,16
c,1,4,24
d,3,6,16
END

# Nothing that depends on time.
versus() {
    memplan versus "$@" | sed -e 's/median [0-9.]* ms/median T ms/' -e '/^stderr: \[/d' -e 's/, [0-9.]* s$/, T s/'
}

some='large_first,area_best_fit,naive'
versus short_first tall.csv wide.csv --planners $some --db some.db -o mine
ls mine

# A second call plans nothing but mine again, and finds what is under other limits, too.
versus short_first tall.csv wide.csv --planners $some --db some.db -o mine --time-limit 7 | grep 'jobs*,'

# A planner that gives the same plans, byte for byte.
versus size_first_fit tall.csv wide.csv --planners large_first --db some.db -o mine | grep '^same'

# A plug-in or program is planned again only if it changed; mine or not, it has more time than the
# planners that are here.
if [ -x /usr/bin/python3 ] || command -v python3 >/dev/null; then
    cat >stack.py <<'END'
import csv, sys, time
time.sleep(0.25)
rows, at = list(csv.DictReader(open(sys.argv[1]))), 0
with open(sys.argv[2], "w", newline="") as file:
    writer = csv.writer(file)
    writer.writerow(["id", "lower", "upper", "size", "offset"])
    for row in rows:
        writer.writerow([row["id"], row["lower"], row["upper"], row["size"], at])
        at += int(row["size"])
END
    stack() {
        versus mine tall.csv --planners $some,other --external 'mine=python3 stack.py {in} {out}' \
            --external 'other=python3 stack.py {in} {out}' --db some.db -o mine | grep 'jobs*,'
    }
    for call in first second; do
        stack
    done >calls
    echo '# changed' >>stack.py
    stack >>calls
    versus mine tall.csv --db some.db -o mine | grep 'rows* (inst' >>calls # by its stored rows
else
    skip "no python3: no program is held against others"
    for there in 0 2 0; do
        printf 'stderr: %s jobs, %s already there, 0 failed, T s\n' 2 $there 3 3
    done >calls
    echo 'mine against 6 planners on 1 row (instances under policies)' >>calls
fi
cat calls

# The figures of the page mark mine, as do the overview and the table of ranks; none without it; of an unknown one there is no page.
memplan report --mine naive --db some.db -o marked >answer
memplan report --db some.db -o unmarked >answer
for page in marked unmarked; do
    grep -l '^mine = [1-9]' $page/gaps.gp $page/quality.gp $page/profile.gp
    echo "$page: $(grep -c '"naive (mine)"' $page/peaks.gp) bars, $(grep -c '<td><strong>naive</strong>' $page/index.html) ranks"
done
memplan report --mine nobody --db some.db -o nowhere
ls -d nowhere 2>/dev/null

# A run of one planner, and one of several.
prepare bench tall.csv --planners large_first --run before --db some.db
prepare bench tall.csv --planners $some --run several --db some.db
versus before --db some.db --planners naive -o mine | sed -n '/ against /p; /^rank/p'
versus several --db some.db -o mine

# Orders are competitors as planners are.
versus inductor wired/liberis_lane --orders stored,xla_default --policy flat --db orders.db -o orders | sed '/^time/d'
"$MEMPLAN" table leaderboard --by-orders --db orders.db -f csv --columns rank,planner,plans,mean
"$MEMPLAN" table leaderboard --mine stored --top 1 --db orders.db -f csv --columns planner
memplan compare stored inductor --db orders.db -f json >compared.json
grep -e '^  "jobs"' -e '"is_worse"' compared.json

# An order that is a program has more time than the others, too, and what plans it has not.
cat >slow.sh <<'END'
sleep 0.5
tr '{' '\n' <"$1" | sed -n 's/^"name": "\([^"]*\)", "type".*/\1/p' >"$2"
END
versus slow wired/liberis_lane --orders stored --policy flat --external-order 'slow=sh slow.sh {in} {out}' \
    --db orders.db -o orders | grep -e '^slow ' -e '^stored ' -e failed
"$MEMPLAN" table rows --db orders.db -f csv --columns order_name,settings | grep '^slow,'

# What is refused.
memplan versus nobody --db some.db
memplan versus missing/order.txt --db some.db
memplan versus larg_first --db nothing.db
memplan versus large_first missing.csv --db some.db
memplan versus large_first tall.csv --db some.db -f nothing
memplan versus inductor tall.csv --db other.db --orders stored
memplan table leaderboard --mine nobody --db some.db

# Opponents whose plans are all unsafe: an answer, and the figures that need no other.
rm -rf alone
COLUMNS=80 memplan versus large_first paper/figure1 --policy flat --db unsafe.db -o alone --planners ge_pool_published |
    sed 's/median [0-9.]* ms/median T ms/'
ls alone
