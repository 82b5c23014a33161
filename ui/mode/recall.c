#include "mode/recall.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

static struct recall_list *find(struct recall *recall, const char *kind)
{
	for (size_t i = 0; i < recall->count; i++)
		if (strcmp(recall->lists[i].kind, kind) == 0)
			return &recall->lists[i];
	return NULL;
}

void recall_fini(struct recall *recall)
{
	for (size_t i = 0; i < recall->count; i++) {
		for (size_t j = 0; j < recall->lists[i].count; j++)
			free(recall->lists[i].texts[j]);
		free(recall->lists[i].texts);
	}
	free(recall->draft);
	*recall = (struct recall){0};
}

static void forget(struct recall_list *list, size_t index)
{
	free(list->texts[index]);
	memmove(&list->texts[index], &list->texts[index + 1],
		(list->count - index - 1) * sizeof(*list->texts));
	list->count--;
}

void recall_add(struct recall *recall, const char *kind, const char *text)
{
	struct recall_list *list = find(recall, kind);

	if (text[0] == '\0' || (!list && recall->count == RECALL_KINDS_MAX))
		return;
	if (!list) {
		list = &recall->lists[recall->count++];
		list->kind = kind;
	}
	for (size_t i = list->count; i-- > 0;)
		if (strcmp(list->texts[i], text) == 0)
			forget(list, i);
	if (list->count == RECALL_TEXTS_MAX)
		forget(list, 0);
	array_reserve(&list->texts, &list->capacity, list->count + 1, sizeof(*list->texts));
	list->texts[list->count++] = xstrdup(text);
}

void recall_rest(struct recall *recall)
{
	recall->back = 0;
	free(recall->draft);
	recall->draft = NULL;
}

const char *recall_step(struct recall *recall, const char *kind, const char *typed, bool back)
{
	struct recall_list *list = find(recall, kind);

	if (!list || (back ? recall->back >= list->count : recall->back == 0))
		return NULL;
	if (recall->back == 0) {
		free(recall->draft);
		recall->draft = xstrdup(typed);
	}
	recall->back = back ? recall->back + 1 : recall->back - 1;
	return recall->back == 0 ? recall->draft : list->texts[list->count - recall->back];
}
