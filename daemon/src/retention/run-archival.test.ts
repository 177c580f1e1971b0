import { type HealthRecord, MS_PER_DAY, MS_PER_HOUR, type SourceIdentity } from '@healthd/model';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openRecordFixture, type RecordFixture } from '../../../test/support/record-fixture.js';
import { PriorityStore } from '../priorities/index.js';
import { archiveOldData } from './run-archival.js';

const SOURCE: SourceIdentity = { provider: 'apple', deviceModel: 'Watch6,2', deviceType: 'watch' };
const NOW_MS = Date.parse('2026-03-10T15:00:00Z');
const TODAY = Math.floor(NOW_MS / MS_PER_DAY);
const HOURS_BACK = 24 * 9;

let fixture: RecordFixture;
beforeAll(async () => {
  fixture = await openRecordFixture();
});
afterAll(() => fixture.close());

/** Returns one sample per hour. */
function hourly(offsetMinutes: number): HealthRecord[] {
  return Array.from({ length: HOURS_BACK }, (_, hour) => ({
    kind: 'sample',
    source: SOURCE,
    typeId: 80,
    startMs: NOW_MS - hour * MS_PER_HOUR,
    offsetMinutes,
    value: 10,
    sampleKind: 'sample',
  }));
}

it.each(
  [-720, -570, 0, 345, 840].flatMap((offset) => [
    [offset, 'archives', { archiveAfterDays: 3, deleteAfterDays: null }, 3] as const,
    [offset, 'deletes', { archiveAfterDays: null, deleteAfterDays: 5 }, 5] as const,
  ]),
)('at offset %i, %s exactly the local days before the limit', async (offsetMinutes, _, settings, keptDays) => {
  const user = await fixture.newUser();
  await fixture.write(user, ...hourly(offsetMinutes));
  const priorities = new PriorityStore(fixture.pool);
  const log = { error: (fields: unknown) => expect(fields).toBeUndefined() };
  await archiveOldData({ pool: fixture.pool, priorities, settings, nowMs: NOW_MS, log });
  const { rows } = await fixture.pool.query<{ day: number }>(
    `select distinct floor((extract(epoch from start_at) + 60 * $2) / 86400)::int as day
       from sample where user_key = $1 order by day`,
    [user, offsetMinutes],
  );
  expect(rows[0]?.day).toBe(TODAY - keptDays);
});
