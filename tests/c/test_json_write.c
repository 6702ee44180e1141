/* SPDX-License-Identifier: Apache-2.0 */
/* A key that cannot be written is an error that names it, whatever the reason. */
#include <criterion/criterion.h>
#include <math.h>
#include <pthread.h>

#include "host/base/json_write.h"

static struct error error;

Test(json_write, what_is_put_is_there_and_there_is_no_error)
{
	json_t *object = json_object(), *list = json_array(), *shared = json_integer(7);

	json_put(object, "one", json_integer(1));
	json_add(list, json_true());
	json_add_shared(list, shared);
	json_put_shared(object, "shared", shared);
	json_put(object, "list", list);
	cr_expect_eq(json_integer_value(json_object_get(object, "one")), 1);
	cr_expect_eq(json_array_size(json_object_get(object, "list")), 2);
	cr_expect_eq(json_integer_value(json_object_get(object, "shared")), 7);
	cr_expect_eq(json_write_check(&error), 0);
	json_decref(object);
	cr_expect_eq(json_integer_value(shared), 7, "it is still the caller's");
	json_decref(shared);
}

static void expect_failure(const char *text)
{
	cr_expect_eq(json_write_check(&error), ERROR_INTERNAL);
	cr_expect_str_eq(error.text, text);
	cr_expect_eq(json_write_check(&error), 0, "it is told once");
}

Test(json_write, each_way_to_fail_names_the_key)
{
	json_t *object = json_object(), *list = json_array();

	json_put(object, "loss", json_real(NAN));
	expect_failure("JSON without the key loss: its value is not finite, not UTF-8, or too large for memory");
	json_put(object, "name", json_string("\xff"));
	expect_failure("JSON without the key name: its value is not finite, not UTF-8, or too large for memory");
	json_put(object, "\xff", json_true());
	cr_expect_eq(json_write_check(&error), ERROR_INTERNAL);
	json_add(list, json_real(INFINITY));
	expect_failure(
	        "JSON without the key an element of a list: its value is not finite, not UTF-8, or too large for "
	        "memory");
	json_put(NULL, "nowhere", json_true());
	expect_failure("JSON without the key nowhere: there is nothing to put it in");
	json_put_shared(object, "itself", object);
	cr_expect_eq(json_write_check(&error), ERROR_INTERNAL, "a circle");
	json_decref(object);
	json_decref(list);
}

Test(json_write, of_several_failures_the_first_is_told)
{
	json_t *object = json_object();

	json_put(object, "first", NULL);
	json_put(object, "second", NULL);
	cr_expect_eq(json_write_check(&error), ERROR_INTERNAL);
	cr_expect(strstr(error.text, "the key first:") != NULL, "%s", error.text);
	json_decref(object);
}

static void *fail_once(void *user)
{
	json_put(user, "of another thread", NULL);
	return NULL;
}

Test(json_write, a_failure_in_another_thread_is_told_too)
{
	pthread_t threads[8];

	for (unsigned i = 0; i < 8; i++) {
		json_t *object = json_object();

		cr_assert_eq(pthread_create(&threads[i], NULL, fail_once, object), 0);
		pthread_join(threads[i], NULL);
		json_decref(object);
	}
	cr_expect_eq(json_write_check(&error), ERROR_INTERNAL);
	cr_expect(strstr(error.text, "of another thread") != NULL, "%s", error.text);
}
