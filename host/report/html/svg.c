/* SPDX-License-Identifier: Apache-2.0 */
/* What gnuplot drew, made a part of a page: colours become classes, which html.css fills in for light, dark and paper;
 * names become unique in the page; every mark gets the text of its point; what is empty or unknown is removed. There
 * must be as many marks as points: a chart that lacks one is not shown as if it were complete. */
#include <libxml/parser.h>
#include <libxml/tree.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/report/html/page.h"

struct adoption {
	const struct html_chart *chart;
	struct error *error;
	int status;
};

static const xmlChar *xml(const char *text)
{
	return (const xmlChar *)text;
}

static bool is_named(const xmlNode *node, const char *name)
{
	return node->type == XML_ELEMENT_NODE && !strcmp((const char *)node->name, name);
}

static bool is_known(const xmlNode *node)
{
	static const char *const KNOWN[] = {"svg",  "g",       "defs", "use",   "path", "circle",
	                                    "rect", "polygon", "text", "tspan", "title"};

	for (size_t i = 0; i < sizeof(KNOWN) / sizeof(KNOWN[0]); i++) {
		if (is_named(node, KNOWN[i]))
			return true;
	}
	return false;
}

/* chart.c draws in colours of the form 0, 0, N; text is drawn in black, what lies below in white. */
static void adopt_colour(xmlNode *node, const char *property)
{
	xmlChar *value = xmlGetNoNsProp(node, xml(property));
	unsigned number;
	char class[80];

	if (!value)
		return;
	if (sscanf((const char *)value, "rgb( 0, 0, %u)", &number) == 1 && number) {
		xmlChar *before = xmlGetNoNsProp(node, xml("class"));

		snprintf(class, sizeof(class), "%.30s%s%s-%u", before ? (const char *)before : "", before ? " " : "",
		         property, number);
		xmlUnsetProp(node, xml(property));
		xmlSetProp(node, xml("class"), xml(class));
		xmlFree(before);
	} else if (!strcmp((const char *)value, "black") || !strcmp((const char *)value, "gray")) {
		xmlSetProp(node, xml(property), xml("currentColor"));
	}
	xmlFree(value);
}

static void adopt_name(xmlNode *node, const char *property, const char *mark, const char *id)
{
	xmlChar *value = xmlGetNoNsProp(node, xml(property));
	char name[120];

	if (value) {
		snprintf(name, sizeof(name), "%s%s-%.60s", mark, id, (const char *)value + strlen(mark));
		xmlSetProp(node, xml(property), xml(name));
	}
	xmlFree(value);
}

static void adopt_properties(xmlNode *node, const struct html_chart *chart)
{
	static const char *const COLOURS_OF[] = {"stroke", "fill", "color"};

	xmlUnsetProp(node, xml("font-family"));
	for (size_t i = 0; i < sizeof(COLOURS_OF) / sizeof(COLOURS_OF[0]); i++)
		adopt_colour(node, COLOURS_OF[i]);
	adopt_name(node, "href", "#", chart->id);
	adopt_name(node, "id", "", chart->id);
}

static bool is_empty(const xmlNode *node)
{
	for (const xmlNode *child = node->children; child; child = child->next) {
		if (child->type == XML_ELEMENT_NODE)
			return false;
	}
	return true;
}

static void drop(xmlNode *node)
{
	xmlUnlinkNode(node);
	xmlFreeNode(node);
}

/* Depth first, so that what becomes empty is removed, too. */
static void adopt_children(xmlNode *parent, const struct html_chart *chart)
{
	xmlNode *next;

	for (xmlNode *node = parent->children; node; node = next) {
		next = node->next;
		if (node->type == XML_TEXT_NODE &&
		    (is_named(parent, "text") || is_named(parent, "tspan") || is_named(parent, "title")))
			continue;
		if (!is_known(node)) {
			drop(node);
			continue;
		}
		adopt_properties(node, chart);
		adopt_children(node, chart);
		if (is_named(node, "g") && is_empty(node))
			drop(node);
	}
}

static void set_title(xmlNode *node, const char *text)
{
	xmlNode *title = xmlNewNode(node->ns, xml("title"));

	if (!title)
		return;
	xmlNodeAddContent(title, xml(text));
	if (node->children)
		xmlAddPrevSibling(node->children, title);
	else
		xmlAddChild(node, title);
}

/* What gnuplot puts under the marks of error bars to hide the bar there. */
static bool is_backing(const xmlNode *node)
{
	xmlChar *colour = is_named(node, "use") ? xmlGetNoNsProp(node, xml("color")) : NULL;
	bool backing = colour && !strcmp((const char *)colour, "white");

	xmlFree(colour);
	return backing;
}

/* index: beyond the points if it is the sample in the key. */
static void name_mark(xmlNode *node, const struct html_series *series, size_t index)
{
	if (index >= series->count)
		return;
	if (series->points[index].label)
		set_title(node, series->points[index].label);
	xmlSetProp(node, xml("class"), xml("mark"));
}

/* Gives the marks of a series their texts, in order. The sample in the key is one more: it comes before bars, but after
 * points. *count: marks so far. */
static void name_marks(xmlNode *parent, const struct html_series *series, size_t *count)
{
	bool bars = series->mark == MARK_BARS;
	const char *mark = bars ? "polygon" : "use";
	size_t samples = bars && series->title[0];

	for (xmlNode *node = parent->children, *next; node; node = next) {
		next = node->next;
		if (is_backing(node)) {
			drop(node);
		} else if (is_named(node, mark)) {
			name_mark(node, series, *count - samples);
			(*count)++;
		} else {
			name_marks(node, series, count);
		}
	}
}

static bool has_marks(const struct html_series *series)
{
	return series->mark != MARK_LINE && series->mark != MARK_DASHES && series->mark != MARK_STEPS;
}

static void adopt_series(struct adoption *adoption, xmlNode *group, size_t index)
{
	const struct html_series *series = &adoption->chart->series[index];
	char text[48];
	size_t count = 0, expected = series->count + (series->title[0] != 0);

	xmlUnsetProp(group, xml("id"));
	snprintf(text, sizeof(text), "series colour-%u", series->colour);
	xmlSetProp(group, xml("class"), xml(text));
	snprintf(text, sizeof(text), "%zu", series->count);
	xmlSetProp(group, xml("data-points"), xml(text));
	for (xmlNode *node = group->children; node; node = node->next) {
		if (is_named(node, "title")) {
			drop(node);
			break;
		}
	}
	if (!has_marks(series))
		return;
	name_marks(group, series, &count);
	if (count != expected)
		adoption->status = error_set(adoption->error, ERROR_INTERNAL,
		                             "--html: chart %s: gnuplot drew %zu marks of series %zu, there are %zu",
		                             adoption->chart->name, count, index + 1, expected);
}

static size_t adopt_all_series(struct adoption *adoption, xmlNode *parent)
{
	size_t found = 0;
	unsigned number;

	for (xmlNode *node = parent->children; node; node = node->next) {
		xmlChar *id = is_named(node, "g") ? xmlGetNoNsProp(node, xml("id")) : NULL;

		if (id && sscanf((const char *)id, "gnuplot_plot_%u", &number) == 1 && number &&
		    number <= adoption->chart->series_count) {
			adopt_series(adoption, node, number - 1);
			found++;
		} else {
			found += adopt_all_series(adoption, node);
		}
		xmlFree(id);
	}
	return found;
}

/* The name and the description of the chart, for those who do not see it. */
static void adopt_root(xmlNode *root, const struct html_chart *chart)
{
	xmlNode *title, *description;
	char text[80];

	for (xmlNs **ns = &root->nsDef; *ns;) { /* xlink is no longer used */
		xmlNs *unused = *ns;

		if (unused == root->ns) {
			ns = &unused->next;
			continue;
		}
		*ns = unused->next;
		xmlFreeNs(unused);
	}
	xmlSetProp(root, xml("class"), xml("chart"));
	xmlSetProp(root, xml("role"), xml("img"));
	snprintf(text, sizeof(text), "%s-title %s-desc", chart->id, chart->id);
	xmlSetProp(root, xml("aria-labelledby"), xml(text));
	description = xmlNewNode(root->ns, xml("desc"));
	xmlNodeAddContent(description, xml(chart->description));
	snprintf(text, sizeof(text), "%s-desc", chart->id);
	xmlSetProp(description, xml("id"), xml(text));
	xmlAddPrevSibling(root->children, description);
	set_title(root, chart->title);
	title = root->children;
	snprintf(text, sizeof(text), "%s-title", chart->id);
	xmlSetProp(title, xml("id"), xml(text));
}

/* In place: the attribute without its namespace is what SVG 2 and HTML know. */
static char *without_xlink(const char *svg)
{
	char *text = strdup(svg), *at = text;

	while (at && (at = strstr(at, "xlink:href"))) {
		memmove(at, at + strlen("xlink:"), strlen(at + strlen("xlink:")) + 1);
		at += strlen("href");
	}
	return text;
}

static void adopt_tree(struct adoption *adoption, xmlNode *root)
{
	for (xmlNode *node = root->children, *next; node; node = next) {
		next = node->next;
		if (is_named(node, "title") || is_named(node, "desc"))
			drop(node);
	}
	if (adopt_all_series(adoption, root) != adoption->chart->series_count && !adoption->status)
		adoption->status = error_set(adoption->error, ERROR_INTERNAL,
		                             "--html: chart %s: gnuplot left out a series", adoption->chart->name);
	if (adoption->status)
		return;
	adopt_children(root, adoption->chart);
	adopt_root(root, adoption->chart);
}

int svg_adopt(const char *svg, const struct html_chart *chart, xmlBufferPtr *text, struct error *error)
{
	struct adoption adoption = {chart, error, 0};
	char *plain = without_xlink(svg);
	xmlDoc *document = plain ? xmlReadMemory(plain, (int)strlen(plain), NULL, NULL,
	                                         XML_PARSE_NONET | XML_PARSE_NOERROR | XML_PARSE_NOWARNING)
	                         : NULL;
	xmlNode *root = document ? xmlDocGetRootElement(document) : NULL;

	*text = NULL;
	free(plain);
	if (!root || !is_named(root, "svg"))
		adoption.status =
		        error_set(error, ERROR_INTERNAL, "--html: chart %s: what gnuplot drew is not SVG", chart->name);
	else
		adopt_tree(&adoption, root);
	if (!adoption.status) {
		*text = xmlBufferCreate();
		if (!*text || xmlNodeDump(*text, document, root, 0, 0) < 0)
			adoption.status = error_set(error, ERROR_INTERNAL, "--html: out of memory");
	}
	xmlFreeDoc(document);
	return adoption.status;
}
