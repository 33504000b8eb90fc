#!/bin/sh
# plan --layout-report: who uses which bytes when, and who reuses them.
set -u
# shellcheck source=common.sh
. "$CASES/common.sh"

memplan plan patent/figure4 --planner exclusive --layout-report
memplan plan -p large_first paper/figure1 --policy recursive --layout-report=-
memplan plan -p large_first patent/figure4 --layout-report=report.txt
cat report.txt
memplan plan -p large_first patent/figure4 --layout-report -f json
memplan_errors plan -p large_first patent/figure4 --layout-report=report.json -f json
cat report.json

printf 'id,lower,upper,size,offset\nc,0,3,4,4\nd,0,3,2,10\ne,1,4,9,\nf,4,5,1,\n' >holes.csv
memplan plan holes.csv --planner exclusive --layout-report
prepare plan holes.csv --planner exclusive --layout-report=report.json -f json
cat report.json

# No report without a plan.
rm report.txt report.json
memplan plan -p large_first patent/figure4 --capacity 1k --layout-report=report.txt
memplan_errors plan -p large_first patent/figure4 --layout-report=missing/report.txt
memplan_errors plan -p large_first patent/figure4 --layout-report report.txt
find . | sort
