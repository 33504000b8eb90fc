# shellcheck shell=sh
# What plugin.sh, external.sh and questions.sh share: the templates of pages of docs/. CC, CXX (empty for none)
# and ROOT (the source tree) come from CMake.

# template NAME [PAGE]: writes the block of the page (adding-a-planner) whose fence says NAME into a file
# of that name.
template() {
    awk -v name="$1" '/^```/ { if (on) exit; on = $2 == name; next } on' \
        "$ROOT/docs/${2:-adding-a-planner}.md" >"$1"
    [ -s "$1" ] || echo "no template $1"
}

# What is compiled needs nothing but the installed header.
build_plugin() {
    "$CC" -std=c11 -Wall -Wextra -Wpedantic -Werror -I"$ROOT/include" -shared -fPIC "$@"
}

# show_lines WORD ARGUMENT...: what memplan says about WORD, without times, and its exit code.
show_lines() {
    word=$1
    shift
    printf '$ memplan'
    printf ' %s' "$@"
    printf '\n'
    code=0
    [ "$1" != bench ] || set -- "$@" -f md
    COLUMNS=120 "$MEMPLAN" "$@" >"$SCRATCH/stdout" 2>"$SCRATCH/stderr" || code=$?
    grep -v ^time "$SCRATCH/stdout" | grep -e " $word " -e "^[a-z ]*  [^ ]" | grep -e " $word" -e '^[^ ]' |
        sed 's/| *[0-9. ]* |$/| T |/'
    grep -e ^memplan "$SCRATCH/stderr"
    echo "exit $code"
}
