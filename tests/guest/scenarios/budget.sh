# A budget that bites: two processes wake each other as fast as they can, beside two spinners, so that readings
# cost a good deal; then a storm of short tasks. check_budget.c knows what must come out.

spin w175m40 0 &
first=$!
spin w033m120 0 &
second=$!
named $first w175m40
named $second w033m120
watch budget $batch -d 1 --budget 8%
# the budget begins to bite while they switch: from then on other groups count
pingpong 3 0 switches >/out/sleeps
charged storm forkstorm 60 5 w150m80 >/out/storm
intervals 1
enough
kill $first $second
exit 0
