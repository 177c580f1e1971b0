import { createPool } from '@healthd/daemon/platform/database';
import { PriorityStore } from '@healthd/daemon/priorities';
import { archiveOldData } from '@healthd/daemon/retention';
import type { WriteResult } from '@healthd/daemon/store/facts';
import { batchOf, fromDayNumber, type HealthRecord, MS_PER_DAY, seriesTypeByCode } from '@healthd/model';
import { expect } from 'vitest';
import { extent } from './extent.js';
import { livedDays } from './lived-days.js';
import { createTestDatabase, type TestDatabase } from './postgres.js';
import { newUser, recordWriter, type TestUser } from './recorded-user.js';
import { startTestService } from './service.js';

export const DAYS = extent(35, 62);
export const NOW_MS = Date.now();
export const TODAY = Math.floor(NOW_MS / MS_PER_DAY);
export const FIRST_DAY = TODAY - DAYS;
/** Days before today whose samples stay unarchived. The week that the body summary averages is partly archived. */
export const LIVE_DAYS = 3;
export const FROM = fromDayNumber(FIRST_DAY - 2);
export const TO = fromDayNumber(TODAY + 2);
export const HEART_RATE = seriesTypeByCode('heart_rate').id;
/** Data of the user in {@link openLivedDatabase}. */
export const LIVED = livedDays(FIRST_DAY, DAYS);

/** A database with a user's data of {@link DAYS} days. Copying it for each test is faster than writing the data. */
export interface LivedDatabase extends Pick<TestDatabase, 'name' | 'drop'> {
  user: TestUser;
}

/** Writes a user's days once per test file. @param isArchived true to archive them before a test starts */
export async function openLivedDatabase({ isArchived = false, records = LIVED } = {}): Promise<LivedDatabase> {
  const { name, url, drop } = await createTestDatabase();
  const pool = createPool({ url, max: 2, applicationName: 'lived days' });
  const user = await newUser({ pool });
  await writeInBatches({ pool }, user, records);
  if (isArchived) await archiveNow({ pool, priorities: new PriorityStore(pool) }, LIVE_DAYS);
  await pool.end();
  return { name, drop, user };
}

/** Stores records in batches, as an import does. */
async function writeInBatches(
  database: Pick<TestDatabase, 'pool'>,
  user: TestUser,
  all: readonly HealthRecord[],
  size = 5000,
): Promise<WriteResult[]> {
  const writer = recordWriter(database);
  const results: WriteResult[] = [];
  for (let from = 0; from < all.length; from += size) {
    results.push(await writer.write(user.userKey, batchOf(all.slice(from, from + size))));
  }
  return results;
}

async function archiveNow(
  parts: Pick<Parameters<typeof archiveOldData>[0], 'pool' | 'priorities' | 'neverArchived'>,
  liveDays: number,
) {
  const settings = { archiveAfterDays: liveDays, deleteAfterDays: null };
  const errors: object[] = [];
  const log = { error: (fields: object) => void errors.push(fields) };
  const outcome = await archiveOldData({ ...parts, settings, nowMs: NOW_MS, log });
  expect(errors).toEqual([]);
  return outcome;
}

/** Opens a service whose archiving is run manually. The service uses a copy of the database, or an empty database. */
export async function openArchival(lived?: LivedDatabase) {
  const service = await startTestService({ copyOf: lived });
  const developer = (await service.logIn()).call;
  const user = lived?.user ?? (await newUser(service));
  return {
    service,
    pool: service.pool,
    developer,
    call: service.call,
    user,
    write: (all: readonly HealthRecord[], size?: number) => writeInBatches(service, user, all, size),
    archive: (liveDays = LIVE_DAYS) => {
      const neverArchived = async () => (await service.parts.connections.terms.current()).neverArchived;
      return archiveNow({ ...service.parts, neverArchived }, liveDays);
    },
    /** Returns summaries, data gaps and workouts, without IDs and members that depend on the request's time. */
    async summaries(from = FROM, of: Pick<TestUser, 'id'> = user): Promise<Record<string, unknown>> {
      const range = `start_date=${from}&end_date=${TO}&limit=100`;
      const path = `/api/v1/users/${of.id}`;
      const read = async (query: string) => {
        const response = await service.call('GET', `${path}/${query}`);
        expect(response.status, query).toBe(200);
        return response.body;
      };
      const body = await read('summaries/body?average_period=7&latest_window_hours=24');
      const workouts: { id: string }[] = (await read(`events/workouts?${range}`)).data;
      return {
        activity: await read(`summaries/activity?${range}`),
        merged: await read(`summaries/activity?${range}&merge=interval`),
        sleep: await read(`summaries/sleep?${range}`),
        recovery: await read(`summaries/recovery?${range}`),
        body: body && { ...body, averaged: { ...body.averaged, period_start: '', period_end: '' } },
        data: { ...(await read('summaries/data')), user_id: '' },
        // Clears the archive boundary, which changes when days are archived.
        gaps: { ...(await read('summaries/data/gaps')), user_id: '', archived_before: '' },
        workouts: workouts.map((row) => ({ ...row, id: '' })),
      };
    },
    stop: () => service.stop(),
  };
}

export type ArchivalFixture = Awaited<ReturnType<typeof openArchival>>;
