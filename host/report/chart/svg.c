/* SPDX-License-Identifier: Apache-2.0 */
/* The SVG that gnuplot drew becomes part of a page: colours become classes, which html.css fills in for light, dark
 * and paper; names become unique in the page; every mark gets the text of its point; what is empty or unknown is
 * removed. There must be as many marks as points: a chart that lacks one is not shown as if it were complete. */
#include <libxml/parser.h>
#include <libxml/tree.h>
#include <libxml/xpath.h>
#include <libxml/xpathInternals.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "host/report/chart/draw.h"

struct adoption {
	const struct chart *chart;
	const struct chart_series *series; /* the series whose marks are visited */
	xmlXPathContext *paths;            /* "s" is the namespace of SVG */
	struct error *error;
	int status;
};

static const xmlChar *xml(const char *text)
{
	return (const xmlChar *)text;
}

static void fail(struct adoption *adoption, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void fail(struct adoption *adoption, const char *format, ...)
{
	char text[200];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(text, sizeof(text), format, arguments);
	va_end(arguments);
	if (!adoption->status)
		adoption->status = error_set(adoption->error, ERROR_INTERNAL, "%s", text);
}

typedef void visitor(struct adoption *adoption, xmlNode *node, size_t index);

/* Visits the nodes on an XPath, and returns how many there are. The last one comes first, so that a node may be removed
 * after those inside it. */
static size_t each(struct adoption *adoption, const char *path, visitor *visit)
{
	xmlXPathObject *found = xmlXPathEvalExpression(xml(path), adoption->paths);
	size_t count = found && found->nodesetval ? (size_t)found->nodesetval->nodeNr : 0;

	if (!found)
		fail(adoption, "out of memory");
	for (size_t i = count; i-- > 0;) {
		xmlNode *node = found->nodesetval->nodeTab[i];

		found->nodesetval->nodeTab[i] = NULL; /* freeing the set looks at its nodes */
		visit(adoption, node, i);
	}
	xmlXPathFreeObject(found);
	return count;
}

static void drop(struct adoption *adoption, xmlNode *node, size_t index)
{
	(void)adoption;
	(void)index;
	xmlUnlinkNode(node);
	xmlFreeNode(node);
}

static void set(xmlNode *node, const char *property, const char *format, ...) __attribute__((format(printf, 3, 4)));

static void set(xmlNode *node, const char *property, const char *format, ...)
{
	char value[120];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(value, sizeof(value), format, arguments);
	va_end(arguments);
	xmlSetProp(node, xml(property), xml(value));
}

/* Puts a title or a description in front of what is in a node. */
static xmlNode *add_first(xmlNode *node, const char *name, const char *text)
{
	xmlNode *added = xmlNewNode(node->ns, xml(name));

	xmlNodeAddContent(added, xml(text));
	return node->children ? xmlAddPrevSibling(node->children, added) : xmlAddChild(node, added);
}

/* chart.c draws in colours of the form 0, 0, N; text is drawn in black, what lies below in white. */
static void adopt_colour(xmlNode *node, const char *property)
{
	xmlChar *value = xmlGetNoNsProp(node, xml(property)), *before = xmlGetNoNsProp(node, xml("class"));
	unsigned number;

	if (value && sscanf((const char *)value, "rgb( 0, 0, %u)", &number) == 1 && number) {
		xmlUnsetProp(node, xml(property));
		set(node, "class", "%.30s%s%s-%u", before ? (const char *)before : "", before ? " " : "", property,
		    number);
	} else if (value && (!strcmp((const char *)value, "black") || !strcmp((const char *)value, "gray"))) {
		set(node, property, "currentColor");
	}
	xmlFree(before);
	xmlFree(value);
}

static void adopt_name(xmlNode *node, const char *property, const char *mark, const char *id)
{
	xmlChar *value = xmlGetProp(node, xml(property));

	if (value)
		set(node, property, "%s%s-%.60s", mark, id, (const char *)value + strlen(mark));
	xmlFree(value);
}

static void adopt_properties(struct adoption *adoption, xmlNode *node, size_t index)
{
	static const char *const COLOURS_OF[] = {"stroke", "fill", "color"};

	(void)index;
	xmlUnsetProp(node, xml("font-family"));
	for (size_t i = 0; i < sizeof(COLOURS_OF) / sizeof(COLOURS_OF[0]); i++)
		adopt_colour(node, COLOURS_OF[i]);
	adopt_name(node, "href", "#", adoption->chart->id);
	adopt_name(node, "id", "", adoption->chart->id);
}

/* The attribute without its namespace is what SVG 2 and HTML know. */
static void leave_namespace(struct adoption *adoption, xmlNode *attribute, size_t index)
{
	(void)adoption;
	(void)index;
	((xmlAttr *)attribute)->ns = NULL;
}

/* Gives a mark the text of its point. The sample in the key is one more: it comes before bars, but after points. */
static void name_mark(struct adoption *adoption, xmlNode *node, size_t index)
{
	const struct chart_series *series = adoption->series;

	index -= series->mark == MARK_BARS && series->title[0];
	if (index >= series->count)
		return;
	if (series->points[index].label)
		add_first(node, "title", series->points[index].label);
	set(node, "class", "mark");
}

static void adopt_group(struct adoption *adoption, xmlNode *group, size_t index)
{
	(void)index;
	xmlUnsetProp(group, xml("id"));
	set(group, "class", "series colour-%u", adoption->series->colour);
	set(group, "data-points", "%zu", adoption->series->count);
}

static void adopt_series(struct adoption *adoption, size_t index)
{
	const struct chart_series *series = adoption->series = &adoption->chart->series[index];
	bool marked = series->mark != MARK_LINE && series->mark != MARK_DASHES && series->mark != MARK_STEPS;
	size_t count, expected = series->count + (series->title[0] != 0);
	char group[60], marks[80];

	snprintf(group, sizeof(group), "//s:g[@id='gnuplot_plot_%zu']", index + 1);
	snprintf(marks, sizeof(marks), "%s//s:%s", group, series->mark == MARK_BARS ? "polygon" : "use");
	count = marked ? each(adoption, marks, name_mark) : expected;
	if (count != expected)
		fail(adoption, "chart %s: gnuplot drew %zu marks of series %zu, there are %zu", adoption->chart->name,
		     count, index + 1, expected);
	if (each(adoption, group, adopt_group) != 1)
		fail(adoption, "chart %s: gnuplot left out a series", adoption->chart->name);
}

/* The name and the description of the chart, for those who do not see it. */
static void adopt_root(xmlNode *root, const struct chart *chart)
{
	for (xmlNs **ns = &root->nsDef; *ns;) { /* xlink is no longer used */
		xmlNs *unused = *ns;

		if (unused == root->ns) {
			ns = &unused->next;
			continue;
		}
		*ns = unused->next;
		xmlFreeNs(unused);
	}
	set(root, "class", "chart");
	set(root, "role", "img");
	set(root, "aria-labelledby", "%s-title %s-desc", chart->id, chart->id);
	set(add_first(root, "desc", chart->description), "id", "%s-desc", chart->id);
	set(add_first(root, "title", chart->title), "id", "%s-title", chart->id);
}

static void adopt_tree(struct adoption *adoption, xmlNode *root)
{
	/* all but what is known to draw; and what gnuplot puts under the marks of error bars to hide the bar there */
	each(adoption,
	     "//*[not(self::s:svg or self::s:g or self::s:defs or self::s:use or self::s:path or self::s:circle or "
	     "self::s:rect or self::s:polygon or self::s:text or self::s:tspan)] | //comment() | "
	     "//processing-instruction() | //text()[not(parent::s:text or parent::s:tspan)] | "
	     "//s:use[@color='white']",
	     drop);
	each(adoption, "//@*[local-name()='href']", leave_namespace);
	for (size_t i = 0; i < adoption->chart->series_count; i++)
		adopt_series(adoption, i);
	each(adoption, "/*//*", adopt_properties);
	each(adoption, "//s:g[not(.//*[not(self::s:g)])]", drop);
	adopt_root(root, adoption->chart);
}

int svg_adopt(const char *svg, const struct chart *chart, xmlBufferPtr *text, struct error *error)
{
	xmlDoc *document = xmlReadMemory(svg, (int)strlen(svg), NULL, NULL,
	                                 XML_PARSE_NONET | XML_PARSE_NOERROR | XML_PARSE_NOWARNING);
	xmlNode *root = document ? xmlDocGetRootElement(document) : NULL;
	struct adoption adoption = {.chart = chart, .error = error, .paths = xmlXPathNewContext(document)};

	*text = NULL;
	if (!root || strcmp((const char *)root->name, "svg") != 0)
		fail(&adoption, "chart %s: what gnuplot drew is not SVG", chart->name);
	else if (!adoption.paths || xmlXPathRegisterNs(adoption.paths, xml("s"), xml("http://www.w3.org/2000/svg")))
		fail(&adoption, "out of memory");
	else
		adopt_tree(&adoption, root);
	if (!adoption.status) {
		*text = xmlBufferCreate();
		if (!*text || xmlNodeDump(*text, document, root, 0, 0) < 0)
			fail(&adoption, "out of memory");
	}
	xmlXPathFreeContext(adoption.paths);
	xmlFreeDoc(document);
	return adoption.status;
}
