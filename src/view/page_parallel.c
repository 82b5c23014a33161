/* How long so many threads of the process ran at once, in the interval. */

#include <inttypes.h>
#include <stdint.h>

#include "model/layout.h"
#include "model/parallel.h"
#include "model/session.h"
#include "model/snapshot.h"
#include "view/page.h"
#include "view/task_page.h"

enum {
	PARALLEL_BAR = 48
};

/* "3"; "5-8" */
static void write_bin(struct page *page, size_t bin)
{
	const uint32_t begin = parallel_bin_begin(bin);

	if (bin < PARALLEL_SINGLE)
		strbuf_printf(&page->text, "%11" PRIu32, begin);
	else
		strbuf_printf(&page->text, "%6" PRIu32 "-%-4" PRIu32, begin,
			      parallel_bin_begin(bin + 1) - 1);
}

static void write_bins(struct page *page, const uint64_t *ns, size_t count, uint64_t sum_ns)
{
	for (size_t i = 0; i < count; i++) {
		const double share = (double)ns[i] / (double)sum_ns;

		write_bin(page, i);
		strbuf_printf(&page->text, " %6.1f ", 100.0 * share);
		for (int n = (int)(share * PARALLEL_BAR + 0.5); n > 0; n--)
			strbuf_add_char(&page->text, '|');
		strbuf_add_char(&page->text, '\n');
	}
}

/* Of one thread it says nothing. */
void page_write_parallel(struct page *page)
{
	const uint32_t unknown = page->input->session->unknown | page->input->snapshot->unknown;
	const uint64_t *of_all = page->input->snapshot->parallel_ns;
	const uint64_t *ns = of_all ? of_all : page->row.task ? page->row.task->parallel_ns : NULL;
	uint64_t sum_ns = 0;
	size_t count = 0;

	if (!ns || (!of_all && page->row.member_count < 2) ||
	    (unknown & 1u << QUANTITY_LATENCY_NS) != 0)
		return;
	for (size_t i = 0; i < PARALLEL_BINS; i++) {
		sum_ns += ns[i];
		count = ns[i] > 0 ? i + 1 : count;
	}
	if (sum_ns == 0)
		return;
	strbuf_printf(&page->text, "# %s that ran at once, percent of that time",
		      of_all ? "tasks attached to, or of the machine," : "threads");
	if (!of_all)
		strbuf_printf(&page->text, "; %.2f in the mean",
			      (double)page->interval[QUANTITY_RUN_NS] /
				      (double)page->interval[QUANTITY_LATENCY_NS]);
	strbuf_add_char(&page->text, '\n');
	write_bins(page, ns, count, sum_ns);
}
