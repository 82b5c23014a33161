# Where the time goes within a program, by samples between which counters follow a known law; check_functions.c
# knows what must come out.

view="perftop -b --view functions --format json -d 4 -n 1"
short_kallsyms

functions &
first=$!
run live $view -w /out/functions.data
run replay perftop -b --view functions --format json -i /out/functions.data
run pid $view -p $first
echo 4 >/sys/module/ratepmu/parameters/counters
run turns $view
kill $first
exit 0
