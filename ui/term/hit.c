#include "term/hit.h"

#include <stdbool.h>
#include <stdlib.h>

#include "base/memory.h"

void hit_map_fini(struct hit_map *map)
{
	free(map->areas);
	*map = (struct hit_map){0};
}

void hit_map_clear(struct hit_map *map)
{
	map->count = 0;
}

void hit_map_add(struct hit_map *map, const struct hit_area *area)
{
	if (area->width <= 0 || area->height <= 0)
		return;
	array_reserve(&map->areas, &map->capacity, map->count + 1, sizeof(*map->areas));
	map->areas[map->count++] = *area;
}

static bool has(const struct hit_area *area, int x, int y)
{
	return x >= area->x && x - area->x < area->width && y >= area->y &&
	       y - area->y < area->height;
}

struct hit hit_map_find(const struct hit_map *map, int x, int y)
{
	for (size_t i = map->count; i > 0; i--) {
		const struct hit_area *area = &map->areas[i - 1];

		if (has(area, x, y))
			return (struct hit){
				.kind = area->kind,
				.index = area->first + (size_t)(y - area->y),
				.column = x - area->x,
				.columns = area->width,
			};
	}
	return (struct hit){.kind = HIT_NOTHING};
}
