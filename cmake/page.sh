#!/bin/sh
# page.sh CMARK PAGE.md PAGE.html: a page of docs/ as the HTML that a report shows: headings are one level lower, since the
# report has one for the page, and links to other pages, which are not beside a report, are only their words.
set -eu
"$1" --extension table --unsafe "$2" |
    sed -E 's,<(/?)h2>,<\1h3>,g; s,<a href="[^#h"][^"]*">([^<]*)</a>,\1,g' >"$3"
