#include "view/row_kind.h"

#define KIND(constant, name, counts) [ROW_##constant] = &kind_##name,
#define VIEW(name, kinds)            kinds
const struct row_kind_info *const row_kinds[ROW_KINDS] = {
#include "view/views.def"
};
#undef KIND
