# Nothing is wrong: for a minute tasks share the CPUs in fairness, and for one more a job compiles. perftop's
# line must not say anything. How long that is is counted in instructions; ten minutes are 300 intervals.
for kind in fair build; do
	causes $kind &
	run $kind $batch -d 2 -n 30
	kill -9 $!
	wait $!
done
exit 0
