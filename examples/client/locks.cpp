// SPDX-License-Identifier: Apache-2.0
/* Mutexes with their waits and holds recorded, in Tracy's C++ and C spellings; compiled with -DTRACY_ENABLE. */
#include <mutex>
#include <pthread.h>
#include <shared_mutex>
#include <thread>
#include <tracy/Tracy.hpp>
#include <tracy/TracyC.h>

static TracyLockable(std::mutex, table_lock);
static TracySharedLockableN(std::shared_mutex, settings_lock, "settings");
static long table, settings;

static void work(int rounds)
{
	for (int i = 0; i < rounds; i++) {
		{
			std::lock_guard<LockableBase(std::mutex)> hold(table_lock);
			LockMark(table_lock);
			table++;
		}
		if (i % 10 == 0) {
			std::unique_lock<SharedLockableBase(std::shared_mutex)> change(settings_lock);
			settings++;
		} else {
			std::shared_lock<SharedLockableBase(std::shared_mutex)> look(settings_lock);
			if (settings > 1000000)
				return;
		}
	}
}

static void in_c()
{
	pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
	TracyCLockCtx lock;

	TracyCLockAnnounce(lock);
	TracyCLockCustomName(lock, "plain C", 7);
	TracyCLockBeforeLock(lock);
	pthread_mutex_lock(&mutex);
	TracyCLockAfterLock(lock);
	TracyCLockMark(lock);
	pthread_mutex_unlock(&mutex);
	TracyCLockAfterUnlock(lock);
	TracyCLockAfterTryLock(lock, pthread_mutex_trylock(&mutex) == 0);
	pthread_mutex_unlock(&mutex);
	TracyCLockAfterUnlock(lock);
	TracyCLockTerminate(lock);
}

int main()
{
	std::thread other(work, 50);

	work(50);
	other.join();
	in_c();
	return table == 100 && settings == 10 ? 0 : 1;
}
