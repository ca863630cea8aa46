#!/usr/bin/env bash
# Make the tables of docs/optima.md: the share winnable and the mean optimum of shuffled deals of 2 to 6
# players, every deal proven; and the optima of the first 10,000 seeds of the Hanabi Learning
# Environment.
#
#     benches/table.sh DIR [DEALS [JOBS]]      100000 deals for each player count, 2 processes
#
# Prints Markdown and writes DIR/hle_optima.csv. The same command goes on after an interruption.
# More deals later: benches/table.sh OTHER 1000000 makes a table of its own.
set -euo pipefail

out=$1
deals=${2:-100000}
jobs=${3:-2}
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
last=$((deals - 1))
mkdir -p "$out"

# Solves the deals of one survey, what a limit left open with ten times the nodes, and so on.
prove() {
    local directory=$1
    shift
    local nodes=2000000 code=0
    if [ ! -e "$directory/manifest.json" ]; then
        hanabi survey "$@" --jobs "$jobs" --out "$directory" >&2 || code=$?
    else
        hanabi survey --jobs "$jobs" --out "$directory" >&2 || code=$?
        nodes=$(python3 -c 'import json, sys; print(json.load(open(sys.argv[1]))["nodes"][-1])' \
            "$directory/manifest.json")
    fi
    while [ "$code" -eq 3 ]; do
        nodes=$((nodes * 10))
        code=0
        hanabi survey --again-unproven --nodes "$nodes" --jobs "$jobs" --out "$directory" >&2 || code=$?
    done
    [ "$code" -eq 0 ]
}

# What takes longest comes last: nearly all of it is the one-of-each suit with five and six players.
prove "$out/hle" hle:0-9999 --players 2,3,4,5
python3 "$here/hle_optima.py" "$out/hle" "$out/hle_optima.csv"
prove "$out/plain" "random:0-$last" --players 2,3,4,5,6
prove "$out/six-suits" "random:0-$last" --players 2,3,4,5,6 --suits 6
done=("$out"/{hle,plain,six-suits})
for players in 2 3 4 5 6; do
    directory=$out/one-of-each-$players
    prove "$directory" "random:0-$last" --players "$players" --suits 5 --one-of-each 1
    done+=("$directory")
done
hanabi report --format markdown "${done[@]}"
