#!/bin/bash
# calls.sh BUILD [SECONDS] [RATE]: what perftop takes where functions are shown, beside the default screen, in percent of
# a CPU, after the first ten seconds: by itself, and the processes that look up names for it. Stacks are deep and many
# (stacks.c), with RATE (200) tasks a second that live shortly; FORMS: only these. BUILD is the folder of a release build.
# Needs root.
set -eu
build=$(realpath "$1")
seconds=${2:-20}
rate=${3:-200}
bench=$build/tests/bench
running=
trap 'kill $running 2>/dev/null || true' EXIT

run_us() { # PID...: CPU time of all of these
	local pid
	for pid; do cat /proc/"$pid"/task/*/schedstat 2>/dev/null || true; done | awk '{ s += $1 } END { printf "%d", s / 1000 }'
}
below() { # PID: the processes that it has started, and those that they have
	local child
	for child in $(cat /proc/"$1"/task/*/children 2>/dev/null); do
		echo "$child"
		below "$child"
	done
}
cost() { # NAME PERFTOP-OPTION...
	local meter own names before_own before_names
	"$bench/stacks" $((seconds + 15)) "$rate" &
	running=$!
	"$bench/meter" $((seconds + 12)) 'CPU' "$build/src/perftop" --no-config -d 1 "${@:2}" >/dev/null &
	meter=$!
	running="$running $meter"
	sleep 10
	own=$(cat /proc/$meter/task/*/children)
	names=$(below $own)
	before_own=$(run_us $own) before_names=$(run_us $names)
	sleep "$seconds"
	printf '%-28s %8.2f %8.2f\n' "$1" "$((($(run_us $own) - before_own) / seconds))e-4" \
		"$((($(run_us $names) - before_names) / seconds))e-4"
	kill $running 2>/dev/null || true
	wait $running 2>/dev/null || true
	running=
}
printf '%-28s %8s %8s\n' "$seconds s each, % of a CPU" itself names
cost 'default screen'
for form in ${FORMS:-list callees callers flame lines}; do
	cost "functions, $form" -V functions --calls $form
done
