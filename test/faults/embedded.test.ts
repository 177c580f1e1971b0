import { snapshotThenFollow } from '@healthd/client/feed';
import { MS_PER_MINUTE } from '@healthd/model';
import { expect, it } from 'vitest';
import { inDatabase, newHome, runHealthd } from '../support/daemon.js';
import { archiveUntil, isArchived, requestArchiving } from './archive-loop.js';
import { backUpUntil, expectWholeOrAbsent, type TriedBackup } from './backup-loop.js';
import {
  count,
  type EmbeddedWorld,
  embeddedService,
  isDrained,
  keepRunning,
  openWorld,
  until,
} from './embedded-world.js';
import { killAtMoments, type Victim } from './kill-moments.js';
import { apiOf, MemoryCopy, verify } from './memory-copy.js';
import { type Phone, sendUntil } from './push-load.js';
import { expectRunsOnce, expectSessionsOnce, storedBatches } from './stored-once.js';

/** Number of kills per victim: many in `npm run faults`, a few in `npm test`. */
const MANY_KILLS = process.env.HEALTHD_FAULTS_EMBEDDED_KILLS;
const KILLS = Number(MANY_KILLS ?? 2);
const VICTIMS: Victim[] = MANY_KILLS === undefined ? ['both'] : ['postgres', 'service', 'both'];
const LIMIT_MS = 600_000 + KILLS * MS_PER_MINUTE;
/** Sum of the steps in a phone's batch. */
const STEPS_OF_BATCH = (60 * 61) / 2;

it.each(VICTIMS)(
  'stores each batch exactly once despite kills during archiving and backups: %s',
  async (victim) => {
    const world = await openWorld();
    const { home, service, phones, headers, counts, token } = world;
    const stop = new AbortController();
    const over = new AbortController();
    const copied = new AbortController();
    const client = apiOf(() => service.url, headers);
    const copy = new MemoryCopy();
    const copying = snapshotThenFollow(client, copy, { waitSeconds: 2, signal: copied.signal });
    const serviceManager = keepRunning(world, over.signal);
    try {
      const sending = phones.map((phone) => sendUntil(phone, { url: () => service.url, headers }, counts, stop.signal));
      const archiving = archiveUntil({ service, token }, home, world.archivals, stop.signal);
      const backingUp = backUpUntil(home, () => structuredClone(phones), world.backups, stop.signal);
      const disturbing = killAtMoments(world, victim, KILLS).finally(() => stop.abort());
      const [kills] = await Promise.all([disturbing, archiving, backingUp, ...sending]);
      await until(() => isDrained(home), 'batches stay unprocessed');
      await until(async () => {
        await requestArchiving({ service, token });
        return true;
      }, 'archiving cannot be asked for');
      await until(() => isArchived(home), 'archiving does not end');
      await until(
        async () => (await inDatabase(home, (pool) => count(pool, 'change where ordinal is null'))) === 0,
        'changes stay without an ordinal',
      );
      copied.abort();
      await copying;
      await snapshotThenFollow(client, copy, { untilCurrent: true });
      const states = await Promise.all(phones.map(({ userId }) => verify(client, copy, userId)));
      expect(states).toEqual(states.map(() => ({ state: 'equal', differences: [] })));
      const backups = await expectWholeOrAbsent(world.backups);
      const days = await inDatabase(home, (pool) => count(pool, 'day_archive'));
      const { accepted, later, lost, wrong } = counts;
      const figures = { accepted, later, lost, wrong: wrong.length, archivals: world.archivals, days };
      const made = { tried: world.backups.length, whole: backups.length };
      console.log(JSON.stringify({ victim, kills, ...figures, backups: made, endedAlone: service.endedAlone.length }));
      expect(wrong).toEqual([]);
      expect(days).toBeGreaterThan(0);
      expect(backups.length).toBeGreaterThan(0);
      for (const phone of phones) await expectStoredOnce(world, phone);
      over.abort();
      await serviceManager;
      await service.kill();
      for (const backup of MANY_KILLS === undefined ? backups.slice(-1) : firstAndLast(backups))
        await expectHolds(world, backup);
    } finally {
      stop.abort();
      over.abort();
      copied.abort();
      await serviceManager;
      await service.kill();
    }
  },
  LIMIT_MS,
);

async function expectStoredOnce(world: EmbeddedWorld, phone: Phone): Promise<void> {
  expect(phone.accepted.length).toBe(phone.made);
  expect(await stepsOf(world, phone)).toBe(phone.made * STEPS_OF_BATCH);
  await inDatabase(world.home, async (pool) => {
    await expectSessionsOnce(pool, phone);
    await expectRunsOnce(pool, phone.accepted);
  });
}

/** Returns the steps of a phone's user, archived or not. */
async function stepsOf({ service, headers }: Pick<EmbeddedWorld, 'service' | 'headers'>, { userId }: Phone) {
  const range = 'start_date=2026-06-01&end_date=2026-11-30&limit=100';
  const response = await fetch(`${service.url}/api/v1/users/${userId}/summaries/activity?${range}`, { headers });
  const { data } = (await response.json()) as { data: { steps: number | null }[] };
  return data.reduce((sum, { steps }) => sum + (steps ?? 0), 0);
}

function firstAndLast<T>(items: readonly T[]): T[] {
  return items.length > 1 ? [items[0] as T, items.at(-1) as T] : [...items];
}

/** Fails unless a restored backup contains all data that was acknowledged before the backup started, exactly once. */
async function expectHolds({ headers }: EmbeddedWorld, { path, known }: TriedBackup<Phone[]>): Promise<void> {
  const home = newHome();
  const restore = await runHealthd(home, ['restore', path]);
  expect(restore, restore.stderr).toMatchObject({ code: 0 });
  const service = embeddedService(home);
  await service.start();
  try {
    await until(() => isDrained(home), 'batches of the backup stay unprocessed');
    for (const phone of known) {
      const made = await inDatabase(home, (pool) => storedBatches(pool, phone.userId));
      expect(made).toBeGreaterThanOrEqual(phone.accepted.length);
      expect(await stepsOf({ service, headers }, phone)).toBe(made * STEPS_OF_BATCH);
      await inDatabase(home, async (pool) => {
        await expectSessionsOnce(pool, { userId: phone.userId, made });
        if (phone.accepted.length > 0) await expectRunsOnce(pool, phone.accepted);
      });
    }
  } finally {
    await service.kill();
  }
}
