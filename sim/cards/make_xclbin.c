// SPDX-License-Identifier: Apache-2.0
/* fpgauge-make-xclbin FILE [KERNEL]: writes the xclbin that XRT's software emulation needs: no logic, only the kernel's
 * names and address, in the container format of xclbin.h. Debian's xclbinutil cannot do this. */
#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <uuid/uuid.h>
#include <xclbin.h>

#include "host/base/clock.h"
#include "hw/regs/fpgauge_regs.h"

enum { MAX_XML = 4096, SECTIONS = 4, ALIGNMENT = 8 };

/* A multiple of the map's size, so that the front finds the register from the remainder. */
static const unsigned long BASE = 16ul * FPGAUGE_MAP_OCTETS;

struct section {
	enum axlf_section_kind kind;
	const char *name;
	const void *octets;
	size_t size;
};

static size_t aligned(size_t size)
{
	return (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

/* xrt::ip requires "user_managed"; XRT refuses a kernel without any argument. */
static size_t write_xml(char *xml, const char *kernel)
{
	int length = snprintf(
	        xml, MAX_XML,
	        "<?xml version=\"1.0\"?><project name=\"%s\">"
	        "<platform vendor=\"fpgauge\" boardid=\"sim\" name=\"sim\" featureRomTime=\"0\">"
	        "<device name=\"fpga0\" fpgaDevice=\"virtexuplusHBM:sim\">"
	        "<core name=\"OCL_REGION_0\" target=\"hw_em\" type=\"clc_region\">"
	        "<kernel name=\"%s\" language=\"ip_c\" type=\"pl\" hwControlProtocol=\"user_managed\">"
	        "<port name=\"s_axi_control\" mode=\"slave\" range=\"0x%x\" dataWidth=\"32\" "
	        "portType=\"addressable\" base=\"0x0\"/>"
	        "<arg name=\"id\" addressQualifier=\"0\" id=\"0\" port=\"s_axi_control\" size=\"0x4\" "
	        "offset=\"0x%x\" hostOffset=\"0x0\" hostSize=\"0x4\" type=\"uint\"/>"
	        "<instance name=\"%s_0\"><addrRemap base=\"0x%lx\" range=\"0x%x\" port=\"s_axi_control\"/></instance>"
	        "</kernel></core></device></platform></project>",
	        kernel, kernel, FPGAUGE_MAP_OCTETS, FPGAUGE_GLOBAL_ID, kernel, BASE, FPGAUGE_MAP_OCTETS);

	return length > 0 && length < MAX_XML ? (size_t)length : 0;
}

/* The same of the same sections, so that a file that is made again is the same bitstream. */
static void make_uuid(const struct section *sections, uuid_t uuid)
{
	uuid_clear(uuid);
	for (size_t i = 0; i < SECTIONS; i++) {
		uuid_t before;

		uuid_copy(before, uuid);
		uuid_generate_sha1(uuid, before, sections[i].octets, sections[i].size);
	}
}

static struct axlf *make_head(const struct section *sections, size_t *size)
{
	struct axlf *head;
	size_t at;

	*size = aligned(sizeof(*head) + (SECTIONS - 1) * sizeof(struct axlf_section_header));
	at = *size;
	head = calloc(1, *size);
	if (head == NULL)
		return NULL;
	memcpy(head->m_magic, "xclbin2", sizeof(head->m_magic));
	head->m_signature_length = -1; /* not signed */
	memset(head->reserved, 0xff, sizeof(head->reserved));
	head->m_uniqueId = head->m_header.m_timeStamp = (uint64_t)clock_time_of_day().tv_sec;
	head->m_header.m_versionMajor = 2;
	head->m_header.m_versionMinor = 13;
	head->m_header.m_mode = XCLBIN_HW_EMU;
	snprintf((char *)head->m_header.m_platformVBNV, sizeof(head->m_header.m_platformVBNV), "fpgauge_sim_sim_1");
	make_uuid(sections, head->m_header.uuid);
	head->m_header.m_numSections = SECTIONS;
	for (size_t i = 0; i < SECTIONS; i++) {
		struct axlf_section_header section = {.m_sectionKind = (uint32_t)sections[i].kind,
		                                      .m_sectionOffset = at,
		                                      .m_sectionSize = sections[i].size};

		snprintf(section.m_sectionName, sizeof(section.m_sectionName), "%s", sections[i].name);
		memcpy((uint8_t *)head + offsetof(struct axlf, m_sections) + i * sizeof(section), &section,
		       sizeof(section));
		at += aligned(sections[i].size);
	}
	head->m_header.m_length = at;
	return head;
}

static int write_file(const char *path, const struct section *sections)
{
	static const uint8_t zeros[ALIGNMENT];
	size_t head_size;
	struct axlf *head = make_head(sections, &head_size);
	FILE *file = head != NULL ? fopen(path, "wbe") : NULL;
	int status = 0;

	if (file != NULL) {
		fwrite(head, 1, head_size, file);
		for (size_t i = 0; i < SECTIONS; i++) {
			fwrite(sections[i].octets, 1, sections[i].size, file);
			fwrite(zeros, 1, aligned(sections[i].size) - sections[i].size, file);
		}
		status = ferror(file) ? -1 : 0;
	}
	if (file == NULL || fclose(file) != 0 || status != 0) {
		fprintf(stderr, "%s: %s: %s\n", program_invocation_short_name, path, strerror(errno));
		status = -1;
	}
	free(head);
	return status;
}

int main(int argc, char **argv)
{
	const char *kernel = argc > 2 ? argv[2] : "fpgauge";
	struct ip_layout layout = {.m_count = 1};
	struct mem_topology memory = {.m_count = 1};
	char xml[MAX_XML];
	size_t xml_size = write_xml(xml, kernel);

	if (argc < 2 || argc > 3 || xml_size == 0 || strlen(kernel) > 24) {
		fprintf(stderr, "usage: %s FILE [KERNEL]\n", program_invocation_short_name);
		return 2;
	}
	layout.m_ip_data[0].m_type = IP_KERNEL;
	layout.m_ip_data[0].properties = AP_CTRL_NONE << IP_CONTROL_SHIFT;
	layout.m_ip_data[0].m_base_address = BASE;
	snprintf((char *)layout.m_ip_data[0].m_name, sizeof(layout.m_ip_data[0].m_name), "%s:%s_0", kernel, kernel);
	memory.m_mem_data[0].m_type = MEM_DDR4;
	memory.m_mem_data[0].m_used = 1;
	memory.m_mem_data[0].m_size = 1 << 20; /* KiB */
	snprintf((char *)memory.m_mem_data[0].m_tag, sizeof(memory.m_mem_data[0].m_tag), "bank0");
	return write_file(argv[1],
	                  (const struct section[SECTIONS]){
	                          {EMBEDDED_METADATA, "metadata", xml, xml_size},
	                          {IP_LAYOUT, "ip_layout", &layout, sizeof(layout)},
	                          {MEM_TOPOLOGY, "mem_topology", &memory, sizeof(memory)},
	                          {ASK_GROUP_TOPOLOGY, "group_topology", &memory, sizeof(memory)},
	                  }) == 0
	               ? 0
	               : 1;
}
