# shellcheck shell=sh
# What the checks of the house share. ROOT is the checkout; found faults are printed, and finish ends the
# script with what they make of it.
set -u
ROOT=${ROOT:?is the checkout to look at}
LC_ALL=C
export LC_ALL
faults=0
top=$(mktemp -d "${TMPDIR:-/tmp}/memplan-house.XXXXXX") || exit 2
trap 'rm -rf "$top"' EXIT
trap 'exit 2' HUP INT TERM

fault() {
    echo "$*"
    faults=$((faults + 1))
}

finish() {
    [ $faults -eq 0 ] || exit 1
    exit 0
}

# Files of the checkout, without what is built in it.
list_files() {
    if git -C "$ROOT" rev-parse --git-dir >/dev/null 2>&1; then
        git -C "$ROOT" ls-files -co --exclude-standard
    else
        (cd "$ROOT" && find . -type f ! -path './build*' | sed 's,^\./,,')
    fi | while read -r file; do
        [ -f "$ROOT/$file" ] && echo "$file"
    done | sort
}

# copy_tree FOLDER: the checkout as it stands, into a new folder.
copy_tree() {
    mkdir "$1" && list_files >"$top/files" && tar -C "$ROOT" -T "$top/files" -cf - | tar -C "$1" -xf -
}
