#compdef memplan
# Completion of memplan in zsh: the program itself says what can stand there, and what it is. Where it
# names nothing, zsh completes files.
_memplan() {
    local line
    local -a candidates
    for line in "${(@f)$("${words[1]}" complete -- "${(@)words[2,CURRENT]}" 2>/dev/null)}"; do
        [[ -n $line ]] && candidates+=("${${line%%$'\t'*}//:/\\:}:${line#*$'\t'}")
    done
    if (( $#candidates )); then
        _describe memplan candidates
    else
        _files
    fi
}
_memplan "$@"
