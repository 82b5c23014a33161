#!/bin/bash
# large.sh BUILD [CPUS TASKS]: how long a key takes to its screen on a machine with 512 CPUs and 10 000
# tasks that all run: median and longest of 40, in milliseconds. Target: under 10 (median).
set -u
BUILD=$(realpath "$1") cpus=${2:-512} tasks=${3:-10000}
file=$(mktemp)
trap 'rm -f "$file"' EXIT
"$BUILD/tests/bench/large" "$file" "$cpus" "$tasks" 60 || exit 1

# keys WHAT KEY KEY
keys() {
	printf '%-28s ' "$1"
	"$BUILD/tests/bench/keytime" 40 postgres "$2" "$3" -- "$BUILD/src/perftop" --no-config -i "$file" ||
		echo "no answer"
}
keys "tasks, CPUs"            2 1
keys "switches, tasks"        3 1
keys "groups, tasks"          4 1
keys "pairs, tasks"           5 1
keys "histogram, tasks"       6 1
keys "time line, tasks"       7 1
keys "tree, list"             t t
keys "order by miss %, IPC"   M I
keys "order turned round"     R R
keys "to the end, the first"  $'\e[F' $'\e[H'
keys "page down, up"          $'\e[6~' $'\e[5~'
keys "a step on, back"          . ,
