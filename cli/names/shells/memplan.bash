# Completion of memplan in bash: the program itself says what can stand there. Where it names nothing,
# bash completes files (-o default).
_memplan() {
    local line=${COMP_LINE:0:COMP_POINT} candidate kept=
    local -a words
    read -ra words <<<"$line"
    [[ $line == *[[:blank:]] ]] && words+=("")
    # Of --name=value bash replaces only what stands behind the sign.
    local word=${words[-1]}
    [[ $word == *=* && $COMP_WORDBREAKS == *=* ]] && kept=${word%"${word##*=}"}
    COMPREPLY=()
    while IFS=$'\t' read -r candidate _; do
        COMPREPLY+=("${candidate#"$kept"}")
    done < <("${words[0]}" complete -- "${words[@]:1}" 2>/dev/null)
}
complete -o default -F _memplan memplan
