import { readActivity } from '@healthd/daemon/query';
import type { HealthRecord } from '@healthd/model';
import { parseMoment } from '@healthd/schemas';
import { expect } from 'vitest';
import { createTestDatabase } from './postgres.js';
import { recordedUser } from './recorded-user.js';

export type ActivityReader = Awaited<ReturnType<typeof openActivityReader>>;

/** Creates a database. Returns functions that create users with records and read their activity summaries. */
export async function openActivityReader() {
  const database = await createTestDatabase();
  const activity = (
    userKey: number,
    start: string,
    end: string,
    more: { limit?: number; cursor?: string; sortOrder?: 'desc' } = {},
  ) => {
    const [from, to] = [parseMoment(start), parseMoment(end)];
    if (!from || !to) throw new Error('unreadable test bound');
    return readActivity(database, userKey, { start: from, end: to, limit: 50, sortOrder: 'asc', ...more });
  };
  return {
    database,
    activity,
    async userWith(...records: HealthRecord[]): Promise<number> {
      return (await recordedUser(database, ...records)).userKey;
    },
    /** Returns the only summary of a day. */
    async dayOf(userKey: number, date = '2026-03-10') {
      const { data } = await activity(userKey, date, `${date}T23:59:59Z`);
      expect(data).toHaveLength(1);
      return data[0];
    },
    close: () => database.drop(),
  };
}
