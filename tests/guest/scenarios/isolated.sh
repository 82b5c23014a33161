# A CPU that is isolated and without a timer tick, where a task computes and does nothing else. Nobody must
# interrupt it, unless that is asked for; check_isolated.c knows what must come out.

interrupts() { # of CPU 1, by others
	awk '/^ *CAL:/ {print $3}' /proc/interrupts
}
# counted NAME: over ten intervals that have ended
counted() {
	intervals 2 # what begins is set up by then
	interrupts >/out/$1.before
	intervals 10
	interrupts >/out/$1.after
}

spin w250m40 1 &
first=$!
named $first w250m40
watch left $batch -d 0.5
counted left
kill $first # it leaves the CPU
wait $first
spin w050m20 1 &
second=$!
named $second w050m20
intervals 4
kill $second
wait $second
intervals 2
enough
spin w250m40 1 &
first=$!
named $first w250m40
watch asked $batch -d 0.5 --interrupt-isolated
counted asked
enough
run text perftop -b -n 1 -d 1 -V cpus
kill $first
run check perftop check
exit 0
