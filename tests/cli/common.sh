# shellcheck shell=sh
# What the cases share; run.sh has set MEMPLAN (the binary), CASES (this folder) and SCRATCH (a folder
# outside the one the case runs in, which only holds what the case and memplan leave there).

# What differs from run to run or from machine to machine.
normalise() {
    sed -e 's/^time  *[0-9.]* ms$/time         T ms/' \
        -e 's/"wall_ns": [0-9]*/"wall_ns": T/' \
        -e 's/"time_to_best_ns": [0-9]*/"time_to_best_ns": T/' \
        -e 's/"root_ns": [0-9]*/"root_ns": T/; s/"solver_bytes": [0-9]*/"solver_bytes": N/' \
        -e 's/[0-9a-f]\{64\}/DIGEST/g' \
        -e 's/^run [0-9]\{4\}-[0-9][0-9]-[^ ]*$/run NEW/' \
        -e 's/failed, [0-9.]* s$/failed, T s/' \
        -e 's/expected one of: .*/expected one of: .../'
}

# Runs memplan and shows the command, standard output, standard error (marked) and the exit code.
memplan() {
    printf '$ memplan'
    printf ' %s' "$@"
    printf '\n'
    code=0
    "$MEMPLAN" "$@" >"$SCRATCH/stdout" 2>"$SCRATCH/stderr" || code=$?
    normalise <"$SCRATCH/stdout"
    normalise <"$SCRATCH/stderr" | sed 's/^/stderr: /'
    echo "exit $code"
}

# The same without what was on standard output, or without what was on standard error.
memplan_errors() {
    memplan "$@" >"$SCRATCH/shown"
    grep -e '^\$ ' -e '^stderr: ' -e '^exit ' "$SCRATCH/shown"
}

memplan_results() {
    memplan "$@" >"$SCRATCH/shown"
    grep -v '^stderr: ' "$SCRATCH/shown"
}

# Runs memplan for what it writes; says something only if it fails.
prepare() {
    "$MEMPLAN" "$@" >"$SCRATCH/stdout" 2>"$SCRATCH/stderr" || {
        echo "cannot prepare: memplan $*: exit $?"
        cat "$SCRATCH/stderr"
    }
}

# Of the lines of standard input, all in the ordinary build, and some where sanitizers make each call slow.
some_lines() {
    awk -v every="${EVERY:-1}" 'NR % every == 0'
}

have() {
    command -v "$1" >/dev/null 2>&1
}

# Whether pdflatex is there with the packages that tables ask for.
have_latex() {
    have pdflatex && kpsewhich booktabs.sty longtable.sty >/dev/null
}

skip() {
    echo "skipped: $*" >&2
}

# Bad input: shows what info says of a file, then checks that plan says the same, exits 3, prints
# nothing and writes nothing; refuse_everywhere checks every command that reads an instance.
refuse() {
    memplan info "$1"
    cp "$SCRATCH/stderr" "$SCRATCH/first"
    refuse_command plan "$1" -o written.json
}

refuse_everywhere() {
    refuse "$1"
    find . | sort >"$SCRATCH/before"
    refuse_command plan "$1" -o written.svg
    refuse_command convert "$1" written.csv
    refuse_command bench "$1" --db written.db
    refuse_command verify "$1" "$1"
    find . | sort | diff "$SCRATCH/before" -
}

refuse_command() {
    code=0
    "$MEMPLAN" "$@" >"$SCRATCH/stdout" 2>"$SCRATCH/stderr" || code=$?
    [ "$code" -eq 3 ] || echo "$*: exit $code"
    [ ! -s "$SCRATCH/stdout" ] || echo "$*: prints on standard output"
    cmp -s "$SCRATCH/first" "$SCRATCH/stderr" || diff "$SCRATCH/first" "$SCRATCH/stderr"
    [ ! -e written.json ] || echo "$*: writes"
}

# refuse_text FILE TEXT: shows the text, indented, and refuses a file of it.
refuse_text() {
    printf '%s\n' "$2" >"$1"
    sed 's/^/    /' "$1"
    refuse "$1"
}

# Eight buffers with the sizes and lifetimes of patent/figure4.
write_figure4() {
    cat >"$1" <<'END'
id,lower,upper,size
t1,0,2,5000000
t2,1,5,10000000
t3,2,6,8000000
t4,3,7,20000000
t5,4,8,2000000
t6,5,7,6000000
t7,6,8,15000000
t8,7,8,3000000
END
}

# A small graph with one branch and one loop.
write_graph() {
    cat >"$1" <<'END'
{
  "format": "memplan-graph/1",
  "name": "small",
  "tensors": [
    {"name": "image", "bytes": 4096},
    {"name": "flag", "bytes": 1, "memory": "external"},
    {"name": "features", "bytes": 1024},
    {"name": "sharp", "bytes": 1024},
    {"name": "smooth", "bytes": 512},
    {"name": "chosen", "bytes": 1024},
    {"name": "partial", "bytes": 1024},
    {"name": "next", "bytes": 1024},
    {"name": "sum", "bytes": 1024}
  ],
  "inputs": ["image", "flag"],
  "outputs": ["sum"],
  "ops": [
    {"name": "conv", "type": "Conv", "inputs": ["image"], "outputs": ["features"]},
    {"name": "choose", "type": "If", "inputs": ["flag"], "outputs": ["chosen"], "regions": [
      {"name": "then", "ops": [
        {"name": "relu", "type": "Relu", "inputs": ["features"], "outputs": ["sharp"]}
      ], "yields": ["sharp"]},
      {"name": "else", "ops": [
        {"name": "pool", "type": "AveragePool", "inputs": ["features"], "outputs": ["smooth"]}
      ], "yields": ["smooth"]}
    ]},
    {"name": "loop", "type": "Loop", "inputs": [], "outputs": ["sum"], "trip_count": 10,
     "carried": [{"init": "chosen", "argument": "partial", "yield": "next", "result": "sum"}],
     "regions": [{"name": "body", "ops": [
       {"name": "add", "type": "Add", "inputs": ["partial", "features"], "outputs": ["next"]}
     ], "yields": []}]}
  ]
}
END
}
