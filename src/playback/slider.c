/*
 * A cell shows the most that happens in one of its parts, so that a short burst is seen however
 * long the recording is; nothing is blank, and the least block is something.
 */
#include "playback/slider.h"

#include "base/strbuf.h"
#include "base/text.h"
#include "view/meter_history.h"

enum {
	CELLS_LEAST = 8, /* a shorter strip says nothing */
	GAP = 2
};

static double load_of(const struct slider *slider, size_t cell, size_t cells)
{
	const size_t first = cell * slider->load_count / cells;
	size_t end = (cell + 1) * slider->load_count / cells;
	double load = 0;

	if (end == first)
		end = first + 1;
	for (size_t i = first; i < end && i < slider->load_count; i++)
		load = slider->loads[i] > load ? slider->loads[i] : load;
	return load;
}

static void add_block(const struct slider *slider, double load, double most, struct strbuf *out)
{
	strbuf_add(out, load > 0 ? spark_sign(load / most, slider->ascii) : " ");
}

static size_t place_of(const struct slider *slider, size_t cells)
{
	const double place = slider->place * (double)cells;

	if (!(place > 0))
		return 0;
	return place < (double)cells ? (size_t)place : cells - 1;
}

static void add_strip(const struct slider *slider, size_t cells, struct strbuf *out)
{
	const size_t place = place_of(slider, cells);
	double most = 0;

	for (size_t i = 0; i < slider->load_count; i++)
		most = slider->loads[i] > most ? slider->loads[i] : most;
	for (size_t i = 0; i < cells; i++)
		if (i == place)
			strbuf_add(out, slider->ascii ? "|" : "┃");
		else if (slider->load_count == 0)
			strbuf_add(out, slider->ascii ? "-" : "─");
		else
			add_block(slider, load_of(slider, i, cells), most, out);
}

struct slider_place slider_write(const struct slider *slider, struct strbuf *out)
{
	const size_t left = text_width(slider->left) + GAP;
	const size_t right = text_width(slider->right) + GAP;
	const bool has_right = left + CELLS_LEAST + right <= slider->width;
	size_t cells;

	strbuf_add(out, slider->left);
	if (left + CELLS_LEAST > slider->width)
		return (struct slider_place){.mark = -1};
	cells = slider->width - left - (has_right ? right : 0);
	strbuf_add(out, "  ");
	add_strip(slider, cells, out);
	if (has_right)
		strbuf_printf(out, "  %s", slider->right);
	return (struct slider_place){
		.mark = (int)(left + place_of(slider, cells)),
		.first = (int)left,
		.cells = (int)cells,
	};
}
