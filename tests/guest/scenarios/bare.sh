# A machine without a unit: what needs none must work, what needs one is null with a reason.
# check_bare.c knows what must come out.

spin w250m40 0 &
first=$!
named $first w250m40
watch bare $batch -d 1
charged storm forkstorm 100 5 w150m80 >/out/storm
intervals 2
enough
run text perftop -b -n 1 -d 1
opens 132 40
shows tui.txt 'no hardware counters.*virtual machine'
leaves
kill $first
run check perftop check
exit 0
