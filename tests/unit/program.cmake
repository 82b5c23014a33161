perftop_test(options ROOMS program)
perftop_test(loop ROOMS program)
perftop_test(child ROOMS program)
