# Nothing is wrong: for ten minutes tasks share the CPUs in fairness, and for ten more a job compiles. perftop's line
# must not say anything. How long that is is counted in instructions.
for kind in fair build; do
	causes $kind &
	run $kind $batch -d 2 -n 300
	kill -9 $!
	wait $!
done
exit 0
