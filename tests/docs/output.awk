# Compares the lines of a page (first file) with those that came out (second file); a line ... of the page
# stands for any lines. With anywhere=1 each line of the page that has a number, #, comes out somewhere. Exit code 1 and the first
# line that is not found where they differ.

FNR == NR {
    expected[++wanted] = $0
    next
}

{
    found[++lines] = $0
    seen[$0] = 1
}

END {
    at = 1
    for (i = 1; i <= wanted; i++) {
        if (expected[i] == "...") {
            gap = 1
            continue
        }
        if (anywhere && (expected[i] !~ /#/ || expected[i] in seen))
            continue
        while (gap && at <= lines && found[at] != expected[i])
            at++
        if (at > lines || found[at] != expected[i]) {
            print "not found: " expected[i]
            exit 1
        }
        gap = 0
        at++
    }
    if (!gap && !anywhere && at <= lines) {
        print "not on the page: " found[at]
        exit 1
    }
}
