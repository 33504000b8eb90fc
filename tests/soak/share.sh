# shellcheck shell=sh disable=SC2034
# Sourced by the parts of soak.sh that run programs one after another.

# share_time PREFIX WORDS ARGUMENTS...: refuses a command line that is not FOLDER SECONDS SEED and what else WORDS
# names. Sets share to the seconds that each program FOLDER/PREFIX* gets, and seed.
share_time() {
    prefix=$1
    words=$2
    shift 2
    count=0
    for word in $words; do count=$((count + 1)); done
    if [ $# -ne $count ] || [ ! -d "$1" ]; then
        echo "Usage: ${0##*/} $words" >&2
        exit 2
    fi
    count=0
    for program in "$1/$prefix"*; do count=$((count + 1)); done
    share=$(($2 / count + 1))
    seed=$3
}
