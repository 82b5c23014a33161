# Accesses to memory, sampled live where a unit says what they are (ratepmu.c): two threads share a cache line;
# each run records them, too. check_accesses.c knows what must come out, live and of the recordings, and what perf finds.

sharers &
both=$!
named $both sharer0
view="perftop -b -V memory --format json -d 3 -n 1"
short_kallsyms
run lines $view -w /out/accesses.data
run tasks $view --accesses tasks -w /out/tasks.data
run functions $view --accesses functions -w /out/functions.data
opens 120 30 '-V memory'
shows screen.txt '9 memory: lines' 0x7f1000000040 sharer8
leaves
kill $both

# --- the replays, when nothing else takes CPU time any more
replay="perftop -b --format json -V memory"
run lines-replay $replay -i /out/accesses.data
run tasks-replay $replay --accesses tasks -i /out/tasks.data
run functions-replay $replay --accesses functions -i /out/functions.data
run others-replay perftop -b --view functions -i /out/accesses.data
perf script -i /out/accesses.data 2>/out/perf-script.err |
	grep -o 'ibs_op.*|OP [A-Z]*|LVL L[13] hit' | sed 's/.*|OP/OP/' | sort | uniq -c >/out/perf-script.out
run perf-report perf mem report -i /out/accesses.data --stdio -s mem
exit 0
