# Accesses to memory, sampled live where a unit says what they are (ratepmu.c): two threads share a cache line;
# check_accesses.c knows what must come out.

sharers &
both=$!
named $both sharer0
view="perftop -b -V memory --format json -d 3 -n 1"
run lines $view
run tasks $view --accesses tasks
run functions $view --accesses functions
opens 120 30 '-V memory'
shows screen.txt '9 memory: lines' 0x7f1000000040 sharer8
leaves
kill $both
exit 0
