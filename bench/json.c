// SPDX-License-Identifier: GPL-2.0-only
/*
 * JSON against json-c: one snapshot-like document, written and parsed by both in turns, medians of
 * the CPU time of this thread. Both sides do the same work: from structs to text in memory, and
 * from text in memory to something a program can look at (structs here, a tree there). json-c has
 * to build its tree before it can write; the time without that is shown too. Ends with 1 when a
 * target is missed.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "thread.h"
#include "util/compiler.h"

#ifndef HAVE_JSON_C

int main(void)
{
	fputs("bench json: built without json-c, nothing to compare with\n", stderr);
	return 77;
}

#else

#include "peer.h"

enum {
	THREADS = 10000,
	ROUNDS = 9,
	WRITE_TARGET = 20,
	PARSE_TARGET = 10,
};

enum what {
	OUR_WRITE,
	PEER_WRITE,
	PEER_WRITE_ONLY,
	OUR_PARSE,
	OUR_STREAM,
	PEER_PARSE,
	WHAT_COUNT,
};

static double now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static void die(const char *what)
{
	fprintf(stderr, "bench json: %s\n", what);
	exit(3);
}

static ssize_t fill(void *ctx, char *buf, size_t n)
{
	struct slice *left = ctx;

	n = n < left->n ? n : left->n;
	memcpy(buf, left->s, n);
	*left = (struct slice){ left->s + n, left->n - n };
	return (ssize_t)n;
}

static double time_our_write(const struct snapshot *s, struct slice expected)
{
	struct strbuf text = STRBUF_INIT;
	double start = now_ms(), ms;

	snapshot_write(s, &text);
	ms = now_ms() - start;
	if (!slice_eq(strbuf_slice(&text), expected))
		die("we wrote something else than before");
	strbuf_done(&text);
	return ms;
}

static void time_peer_write(const struct snapshot *s, struct slice expected, double ms[])
{
	double start = now_ms(), built;
	struct json_object *tree = peer_build(s);
	struct slice text;

	built = now_ms();
	text = peer_write(tree);
	ms[PEER_WRITE] = now_ms() - start;
	ms[PEER_WRITE_ONLY] = now_ms() - built;
	if (!slice_eq(text, expected))
		die("json-c writes another document");
	peer_free(tree);
}

static double time_our_parse(struct json_reader *r, size_t expected)
{
	struct snapshot s;
	double start = now_ms(), ms;

	if (snapshot_read(r, &s) < 0)
		die(r->err->text);
	ms = now_ms() - start;
	if (s.threads.n != expected)
		die("we lost threads");
	snapshot_done(&s);
	json_reader_done(r);
	return ms;
}

static double time_peer_parse(struct slice text)
{
	double start = now_ms(), ms;
	struct json_object *tree = peer_parse(text);

	ms = now_ms() - start;
	if (!tree)
		die("json-c refuses the document");
	peer_free(tree);
	return ms;
}

static void run_round(const struct snapshot *s, struct slice text, double ms[])
{
	struct slice left = text;
	struct json_reader r;
	struct err err;

	ms[OUR_WRITE] = time_our_write(s, text);
	time_peer_write(s, text, ms);
	json_reader_init_slice(&r, text, NULL, &err);
	ms[OUR_PARSE] = time_our_parse(&r, s->threads.n);
	json_reader_init(&r, fill, &left, NULL, &err);
	ms[OUR_STREAM] = time_our_parse(&r, s->threads.n);
	ms[PEER_PARSE] = time_peer_parse(text);
}

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double median(double (*ms)[WHAT_COUNT], enum what what)
{
	double column[ROUNDS];

	for (int i = 0; i < ROUNDS; i++)
		column[i] = ms[i][what];
	qsort(column, ROUNDS, sizeof(column[0]), compare);
	return column[ROUNDS / 2];
}

/* Prints one comparison; true unless a target (0: none) is missed. */
static bool report(const char *name, double ours, double peer, int target)
{
	double ratio = peer / ours;

	printf("%-44s %8.1f %8.1f %7.1fx", name, ours, peer, ratio);
	if (target)
		printf("  at least %dx: %s", target, ratio >= target ? "met" : "MISSED");
	putchar('\n');
	return !target || ratio >= target;
}

int main(void)
{
	double ms[ROUNDS][WHAT_COUNT], m[WHAT_COUNT];
	struct strbuf text = STRBUF_INIT;
	struct snapshot s;
	bool met = true;

	snapshot_make(&s, THREADS);
	snapshot_write(&s, &text);
	for (int i = 0; i < ROUNDS; i++)
		run_round(&s, strbuf_slice(&text), ms[i]);
	for (int i = 0; i < WHAT_COUNT; i++)
		m[i] = median(ms, i);
	printf("%d threads, %.1f MB, median of %d rounds, CPU ms\n", THREADS,
	       (double)text.len / 1e6, ROUNDS);
	printf("%-44s %8s %8s %8s\n", "", "ktstr", "json-c", "ratio");
	met &= report("write: structs to text", m[OUR_WRITE], m[PEER_WRITE], WRITE_TARGET);
	met &= report("write: json-c tree built beforehand", m[OUR_WRITE], m[PEER_WRITE_ONLY], 0);
	met &= report("parse: text to structs, json-c to tree", m[OUR_PARSE], m[PEER_PARSE],
		      PARSE_TARGET);
	met &= report("parse: the same through a 64 KiB window", m[OUR_STREAM], m[PEER_PARSE],
		      PARSE_TARGET);
	snapshot_done(&s);
	strbuf_done(&text);
	return met ? EXIT_SUCCESS : EXIT_FAILURE;
}

#endif
