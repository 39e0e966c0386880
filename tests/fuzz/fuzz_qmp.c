// SPDX-License-Identifier: GPL-2.0-only
/* The first byte says how large the pieces are in which the rest comes. */
#include "vm/qmp.h"

#include <assert.h>
#include <stddef.h>
#include <stdint.h>

#include "util/cleanup.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	_cleanup_(strbuf_done) struct strbuf text = STRBUF_INIT;
	size_t piece = size ? data[0] + 1u : 1;
	struct qmp_message m;
	struct qmp q;
	int r = 0;

	qmp_init(&q, 0, 1);
	(void)qmp_execute(&q, "query-status", 0);
	for (size_t at = 1; at < size; at += piece) {
		size_t n = size - at < piece ? size - at : piece;

		qmp_feed(&q, (const char *)data + at, n);
		while ((r = qmp_next(&q, &m)) > 0) {
			assert(m.kind <= QMP_EVENT);
			(void)qmp_string(m.data, "reason", &text);
		}
		assert(r == q.broken);
	}
	qmp_done(&q);
	return 0;
}
