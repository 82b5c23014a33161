#!/bin/bash
# recipes.sh PERFTOP TOOLS SHARES DATA README: the answers to README's questions, with the keys as they are written
# there, at 80x24: as root, and as a user without rights where root runs the test. Of the whole machine: what wakes a
# task that sleeps, and what starts short tasks.
#
# The caches are those of a recording: few machines that run tests have counters.
. "$(dirname "$0")/lib.sh"
SHARES=$(realpath "$3")
README=$(realpath "$5")
gzip -cd "$4/guest.data.gz" >"$scratch/recording"
chmod a+r "$scratch/recording"
own_copies "$PERFTOP" "$TOOLS/spin" "$SHARES"

# The lines of the block below the question, without what is explained.
recipe() { # QUESTION
	awk -v question="**$1**" 'index($0, question) { here = 1 } here && /^```/ && ++fences == 2 { exit }
		here && fences == 1 && !/^```/ { sub(/ +#.*/, ""); print }' "$README"
}

# answers QUESTION NAME OPTION...: types it, for the process of that name; after the program has begun, prepared()
answers() {
	local lines line key
	mapfile -t lines < <(recipe "$1")
	[ ${#lines[@]} = 3 ] || { fail "README.md: $1: ${#lines[@]} lines"; return; }
	[ "${lines[0]}" = "sudo perftop" ] || fail "README.md: $1: begins with ${lines[0]}"
	terminal_open 80 24
	terminal_run "$as $scratch/perftop --no-config ${*:3}"
	wait_for '^ +PID USER '
	prepared
	for line in "${lines[@]:1}"; do
		for key in ${line/NAME/$2}; do
			press -- "$key"
		done
	done
}
prepared() { :; }

# plant COMMAND...: as that user
plant() { start $as "$@"; }

misses_caches() {
	answers 'Which process misses its caches?' - -i "$scratch/recording"
	wait_for '[^A-Z-]MPKI▼'
	screen | grep -A1 'MPKI▼' | tail -n 1 | grep -q ' 48.0 .* w031m48' || fail "the task that misses most is not first"
	leave
}

steals_cpu() {
	local victim
	plant taskset -c "$cpu" "$scratch/spin" "victim$$" 0
	victim=$started
	plant taskset -c "$cpu" "$scratch/spin" "thief$$" 0
	answers 'Which task keeps it from the CPU?' "victim$$"
	ask '\' '^Filter' "thief$$" Enter
	wait_for "^victim$$ $victim +thief$$ $started +preempted +[0-9]"
	leave
	kill -9 $victim $started
}

spends_time() {
	plant "$scratch/shares"
	answers 'Where does this process spend its time?' "$started"
	wait_for '^ +[456][0-9][.0-9]+ .* shares +shares_hot'
	leave
	kill -9 $started
}

# A task that hardly does anything, and ends some 12 s before it is asked for: 20 seconds before it was there, however
# late it has been found and the keys are answered.
ran_then() {
	local begin=$SECONDS
	plant bash -c "echo -n past$$ >/proc/\$\$/comm; exec {pipe}<> <(:); while :; do read -rt 0.05 -u \$pipe; done"
	while [ $SECONDS -lt $((begin + 15)) ]; do
		sleep 0.2
	done
	kill -9 $started
	while [ $SECONDS -lt $((begin + 27)) ]; do
		sleep 0.2
	done
}

happened() {
	prepared() { ran_then; }
	answers 'What happened 20 seconds ago?' -
	prepared() { :; }
	wait_for '^[0-9:.]+ +0:[12][0-9].* ago'
	ask '\' '^Filter' "past$$" Enter
	# the rings of a user are small: on a busy machine switches may be left out, which is said
	wait_for "past$$ $started +blocked${as:+|^behind: .* not in the history}"
	leave
}

# planted NAME SCRIPT: a shell of that name
planted() { plant bash -c "echo -n $1 >/proc/\$\$/comm; $2"; }

opened() {
	terminal_open 80 24
	terminal_run "$scratch/perftop --no-config"
	wait_for '^ +PID USER '
}

waits_for_another() {
	mkfifo "$scratch/pipe"
	planted "back$$" "exec 3<>'$scratch/pipe' {own}<> <(:); while :; do echo >&3; read -rt 0.1 -u \$own; done"
	local other=$started
	planted "front$$" "exec 3<>'$scratch/pipe'; while read -r -u 3; do :; done"
	opened
	press a "front$$" Enter
	wait_for "attached to front$$ $started"
	press Enter
	wait_for "^ +front$$ $started +back$$ $other +[1-9]"
	press q
	wait_for '^ +PID USER '
	leave
	kill -9 $other $started
}

starts_many() {
	planted "storm$$" "while :; do /bin/true; done"
	opened
	press 4 '<' b b b b
	wait_for "^ +[0-9]+ .* storm$$ $started"
	leave
	kill -9 $started
}

cpu=$(taskset -cp $$ | sed 's/.*: *//; s/[-,].*//')
# Of a user that no other test is: rings are as large as what all processes of a user may lock leaves room for.
for as in "" "setpriv --reuid 64998 --regid 64998 --clear-groups"; do
	if [ -z "$as" ] || [ "$(id -u)" = 0 ]; then
		misses_caches
		steals_cpu
		spends_time
		happened
	fi
done
as=
if [ -r /sys/kernel/tracing/events/sched ]; then
	waits_for_another
fi
if [ "$(id -u)" = 0 ]; then
	starts_many
fi
report
