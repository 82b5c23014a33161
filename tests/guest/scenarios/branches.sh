# Branches that the unit delivers with samples, of known shares; check_branches.c knows what must come out.

view="perftop -b --view functions --format json -d 4 -n 1"
short_kallsyms

functions /tmp/addresses &
first=$!
until [ -s /tmp/addresses ]; do
	sleep 0.1
done
read quick slow work </tmp/addresses
# of each ten: 6 calls of quick(), 3 of them mispredicted, 3 of slow(), a mispredicted return from quick(); types are PERF_BR_*
echo "$first,$work $quick 6 3 4,$work $slow 3 0 4,$quick $work 1 1 6" >/sys/module/ratepmu/parameters/branches
run all $view --calls branches -w /out/branches.data
run replay perftop -b --view functions --format json --calls branches -i /out/branches.data
run pid $view --calls branches -p $first
run returns $view --calls branches --by cycles/branch_type=any_ret,u/
run list $view --by cycles/branch_type=any,save_type,period=3000000/
run refused perftop -b --view functions -d 1 -n 1 --by cycles/branch_type=in_tx/
run plain $view
echo c >/sys/module/ratepmu/parameters/absent
run none perftop -b --view functions -d 1 -n 1 --calls branches
kill $first
exit 0
