# the program has a browser, too
perftop_test(ui_browser ROOMS ui view base)
perftop_test(frame ROOMS ui view base)
perftop_test(input ROOMS ui base)
perftop_test(key ROOMS ui base)
perftop_test(meters ROOMS ui view base LINKS m)
perftop_test(paragraph ROOMS ui base)
perftop_test(prompt ROOMS ui base)
perftop_test(screen ROOMS ui base)
perftop_test(strip ROOMS ui view base)
perftop_test(term ROOMS ui base WRAPS isatty)
perftop_test(theme ROOMS ui base LINKS m)
# base has a list of its own
perftop_test(ui_list ROOMS ui view base)
