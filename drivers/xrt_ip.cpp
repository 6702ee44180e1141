// SPDX-License-Identifier: Apache-2.0
// xrt::ip is XRT's interface to an RTL kernel that the host manages through registers (the C functions refuse such
// kernels, or abort). Every exception is caught here and becomes one line of text.
#include "drivers/xrt_ip.h"

#include <cstdio>
#include <exception>
#include <memory>
#include <stdexcept>
#include <string>

#include <experimental/xrt_ip.h>
#include <experimental/xrt_system.h>
#include <xrt/xrt_device.h>

struct xrt_ip {
	xrt::device device;
	xrt::ip ip;
};

namespace
{

int fail(const char *what, char *error, size_t error_size)
{
	std::snprintf(error, error_size, "%s", what);
	for (char *c = error; *c; c++)
		if (*c == '\n' || *c == '\r')
			*c = ' ';
	return -1;
}

template <class Function> int guarded(char *error, size_t error_size, Function function)
{
	try {
		function();
		return 0;
	} catch (const std::exception &exception) {
		return fail(exception.what(), error, error_size);
	} catch (...) {
		return fail("XRT threw something other than a std::exception", error, error_size);
	}
}

// An emulated card is not counted but can be opened, so a count of 0 does not prove that there is none.
xrt::device open_number(unsigned number, unsigned count)
{
	try {
		return xrt::device(number);
	} catch (const std::exception &exception) {
		if (count > 0)
			throw;
		throw std::runtime_error(std::string("XRT finds no card: ") + exception.what());
	}
}

// Emulated devices have no address; XRT throws, or returns an empty one.
std::string address_of(const xrt::device &device, unsigned number)
{
	try {
		const auto address = device.get_info<xrt::info::device::bdf>();

		if (!address.empty())
			return address;
	} catch (...) {
	}
	return std::to_string(number);
}

bool is_number(const std::string &text)
{
	return !text.empty() && text.size() < 5 && text.find_first_not_of("0123456789") == std::string::npos;
}

std::string list_of(unsigned count)
{
	std::string list;

	for (unsigned number = 0; number < count; number++) {
		std::string address = std::to_string(number);

		try {
			address = address_of(xrt::device(number), number);
		} catch (...) {
		}
		list += (number ? ", " : "") + address;
	}
	return list;
}

unsigned number_of(const std::string &card, unsigned count)
{
	if (card.empty() && count > 1)
		throw std::runtime_error("there are " + std::to_string(count) +
		                         " cards, so card must be given: " + list_of(count));
	const unsigned long number = card.empty() ? 0 : std::stoul(card);
	if (count > 0 && number >= count)
		throw std::runtime_error("card = " + card + ": there are " + std::to_string(count) +
		                         " cards: " + list_of(count));
	return static_cast<unsigned>(number);
}

} // namespace

int xrt_ip_find(const char *card, struct xrt_ip **found, char *name, size_t name_size, char *error, size_t error_size)
{
	*found = nullptr;
	return guarded(error, error_size, [&] {
		const std::string wanted = card;
		const unsigned count = xrt::system::enumerate_devices();
		auto made = std::make_unique<struct xrt_ip>();

		if (wanted.empty() || is_number(wanted)) {
			const unsigned number = number_of(wanted, count);

			made->device = open_number(number, count);
			std::snprintf(name, name_size, "%s", address_of(made->device, number).c_str());
		} else {
			made->device = xrt::device(wanted);
			std::snprintf(name, name_size, "%s", wanted.c_str());
		}
		*found = made.release();
	});
}

int xrt_ip_load(struct xrt_ip *card, const char *xclbin, const char *ip, char *error, size_t error_size)
{
	return guarded(error, error_size, [&] {
		const xrt::uuid uuid = card->device.load_xclbin(std::string(xclbin));

		card->ip = xrt::ip(card->device, uuid, ip);
	});
}

void xrt_ip_close(struct xrt_ip *ip)
{
	try {
		delete ip;
	} catch (...) {
	}
}

int xrt_ip_read32(struct xrt_ip *ip, uint32_t address, uint32_t *value, char *error, size_t error_size)
{
	return guarded(error, error_size, [&] { *value = ip->ip.read_register(address); });
}

int xrt_ip_write32(struct xrt_ip *ip, uint32_t address, uint32_t value, char *error, size_t error_size)
{
	return guarded(error, error_size, [&] { ip->ip.write_register(address, value); });
}

template <xrt::info::device What> static void ask(const xrt::device &device, char *text, size_t size)
{
	text[0] = '\0';
	try {
		const std::string said = device.get_info<What>();

		if (said.size() < size) // half a document is none
			std::snprintf(text, size, "%s", said.c_str());
	} catch (...) {
		// An emulated card has no sensors, and XRT throws.
	}
}

void xrt_ip_sensors(struct xrt_ip *ip, char *thermal, size_t thermal_size, char *electrical, size_t electrical_size)
{
	ask<xrt::info::device::thermal>(ip->device, thermal, thermal_size);
	ask<xrt::info::device::electrical>(ip->device, electrical, electrical_size);
}

int xrt_ip_count(unsigned *count, char *error, size_t error_size)
{
	*count = 0;
	return guarded(error, error_size, [&] { *count = xrt::system::enumerate_devices(); });
}

int xrt_ip_describe(unsigned number, char *name, size_t name_size, char *what, size_t what_size, char *error,
                    size_t error_size)
{
	return guarded(error, error_size, [&] {
		const xrt::device device(number);

		std::snprintf(name, name_size, "%s", address_of(device, number).c_str());
		std::snprintf(what, what_size, "%s", device.get_info<xrt::info::device::name>().c_str());
	});
}

void xrt_ip_loaded(unsigned number, char *uuid, size_t uuid_size, char *regions, size_t regions_size)
{
	uuid[0] = regions[0] = '\0';
	try {
		const xrt::device device(number);

		ask<xrt::info::device::dynamic_regions>(device, regions, regions_size);
		std::snprintf(uuid, uuid_size, "%s", device.get_xclbin_uuid().to_string().c_str());
	} catch (...) {
		// An older XRT, or a driver that does not say.
	}
}
