# Cuts a page into files in FOLDER, by the rules of run.sh, and files with names into FILES; prints what is
# wrong with the page.


# The comments before a block are kept until the block begins, and then belong to its line.
function take_comments(line,   i) {
    for (i = 1; i <= comments; i++)
        print text[i] >>(folder "/" line kind[i])
    comments = 0
}

function add_comment(suffix, pattern) {
    if ($0 !~ "^<!-- " pattern ": .* -->$")
        return 0
    comments++
    kind[comments] = suffix
    text[comments] = $0
    sub("^<!-- " pattern ": ", "", text[comments])
    sub(" -->$", "", text[comments])
    return 1
}

!inside && /^<!-- / {
    if (/^<!-- numbers vary: .* -->$/)
        vary = 1
    else if (!add_comment(".before", "before") && !add_comment(".not", "not run") &&
             !add_comment(".needs", "needs") && !add_comment(".exit", "exit") &&
             !/^<!-- (show ([a-z0-9-]+|[A-Za-z0-9. ]+ [|] [a-z]+)|page: (from|to) here) -->$/) # the page of memplan reproduce
        print "line " FNR ": a comment that nobody reads: " $0
    next
}

/^ *```/ && !inside {
    inside = 1
    language = $1
    sub(/^ *```/, "", language)
    out = ""
    if (language == "sh") {
        out = folder "/" FNR ".sh"
        take_comments(FNR)
        if (NF > 1)
            print $2 >(folder "/" FNR ".file")
        last = FNR
        printf "" >out
    } else if (language == "output") {
        if (!last)
            print "line " FNR ": an output without commands"
        out = folder "/" last ".output"
        if (vary)
            print "" >(folder "/" last ".vary")
        vary = 0
        printf "" >out
    } else if (NF > 1) {
        out = files "/" $2
        printf "" >out
    }
    next
}

/^ *```/ {
    inside = 0
    if (out != "")
        close(out)
    next
}

inside && out != "" {
    print >out
}

# What looks like a command and is in no block of sh is run by nobody.
(inside && language == "" || !inside && /^    /) && /^ *(\$ )?(memplan|\.\/[a-z]*\.sh) / {
    print "line " FNR ": a command in a block that is not marked as sh: " $0
}

END {
    if (comments)
        print "a comment behind the last block: " text[1]
}
