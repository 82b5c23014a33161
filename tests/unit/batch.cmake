perftop_test(batch ROOMS batch base)
perftop_test(batch_text ROOMS batch view model base WRAPS getpwuid_r)
perftop_test(json ROOMS batch view model base LINKS PkgConfig::JANSSON)
