// SPDX-License-Identifier: GPL-2.0-only
#include "peer.h"

#include <json-c/json.h>

static struct json_object *build_TEXT(struct slice s)
{
	return json_object_new_string_len(s.s, (int)s.n);
}

static struct json_object *build_CPUS(struct cpus cpus)
{
	struct json_object *list = json_object_new_array_ext((int)cpus.n);

	for (size_t i = 0; i < cpus.n; i++)
		json_object_array_add(list, json_object_new_uint64(cpus.v[i]));
	return list;
}

/* Keys are constant or outlive the tree, and are new to it: spares json-c a copy and a lookup. */
static void add(struct json_object *o, const char *key, struct json_object *value)
{
	json_object_object_add_ex(o, key, value,
				  JSON_C_OBJECT_ADD_KEY_IS_NEW | JSON_C_OBJECT_ADD_CONSTANT_KEY);
}

static struct json_object *build_SIZES(struct sizes sizes)
{
	struct json_object *map = json_object_new_object();

	for (size_t i = 0; i < sizes.n; i++)
		add(map, sizes.v[i].key.s, json_object_new_uint64(sizes.v[i].kb));
	return map;
}

#define build_U64  json_object_new_uint64
#define build_U32  json_object_new_uint64
#define build_I32  json_object_new_int
#define build_BOOL json_object_new_boolean

struct json_object *peer_build(const struct snapshot *s)
{
	struct json_object *root = json_object_new_object();
	struct json_object *threads = json_object_new_array_ext((int)s->threads.n);

	for (size_t i = 0; i < s->threads.n; i++) {
		struct json_object *t = json_object_new_object();

#define MEMBER(type, name) add(t, #name, build_##type(s->threads.v[i].name));
#include "thread.def"
#undef MEMBER
		json_object_array_add(threads, t);
	}
	add(root, "threads", threads);
	return root;
}

struct slice peer_write(struct json_object *tree)
{
	size_t n;
	const char *text = json_object_to_json_string_length(
		tree, JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE, &n);

	return (struct slice){ text, n };
}

struct json_object *peer_parse(struct slice text)
{
	struct json_tokener *tok = json_tokener_new();
	struct json_object *tree = json_tokener_parse_ex(tok, text.s, (int)text.n);

	json_tokener_free(tok);
	return tree;
}

void peer_free(struct json_object *tree)
{
	json_object_put(tree);
}
