import { randomUUID } from 'node:crypto';
import { MS_PER_DAY, MS_PER_MINUTE } from '@healthd/model';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openRecordFixture, type RecordFixture } from '../../../test/support/record-fixture.js';
import { deleteOldAuditEvents } from '../audit/index.js';
import { feedCleaning } from '../feed/clean-feed.js';
import {
  deleteOldDeliveries,
  markDeliveryFileDeleted,
  neededDeliveryFiles,
  servedDeliveries,
} from '../ingest/webhooks/deliveries.js';
import { deleteOldSyncStatus } from '../runs/retention.js';
import { cleaningJob } from './cleaning-job.js';

const NOW_MS = Date.now();
const KEEP_DAYS = 3;
const LOG = { debug() {}, info() {}, warn() {}, error() {} };

let fixture: RecordFixture;
let userKey: number;
beforeAll(async () => {
  fixture = await openRecordFixture();
  userKey = await fixture.newUser();
});
afterAll(() => fixture.close());

/** Minutes of age, just before and after a number of days. */
const near = (...days: number[]) => fc.constantFrom(...days.flatMap((one) => [one * 1_440 - 5, one * 1_440 + 5]));
const at = (minutes: number | null) => (minutes === null ? null : new Date(NOW_MS - minutes * MS_PER_MINUTE));
const isOlder = (minutes: number | null, days: number) => minutes !== null && minutes > days * 1_440;
const listOf = <T>(item: fc.Arbitrary<T>) => fc.array(item, { minLength: 5, maxLength: 15, size: 'max' });

const run = fc.record({
  source: fc.constantFrom('pull', 'webhook', 'linked_account', 'sdk', 'xml_import', 'backfill'),
  status: fc.constantFrom('success', 'skipped', 'partial', 'failed'),
  items: fc.option(fc.constantFrom(0, 0, 3)),
  created: near(7, 90),
  ended: fc.option(near(7, 90)),
  event: near(7),
});

it('deletes exactly old events, old ended runs, and old runs without data', async () => {
  const property = fc.asyncProperty(listOf(run), async (runs) => {
    const ids = runs.map((_, index) => `run-${index}-${randomUUID()}`);
    for (const [index, one] of runs.entries()) {
      await fixture.pool.query(
        `insert into sync_run (run_id, user_key, provider, source, stage, status, items_processed, created_at, ended_at)
         values ($1, $2, 'google', $3, 'completed', $4, $5, $6, $7)`,
        [ids[index], userKey, one.source, one.status, one.items, at(one.created), at(one.ended)],
      );
      await fixture.pool.query(
        `insert into sync_event (event_id, user_key, run_id, event, created_at) values (gen_random_uuid(), $1, $2, '{}', $3)`,
        [userKey, ids[index], at(one.event)],
      );
    }
    const isDeleted = ({ source, status, items, created, ended }: (typeof runs)[number]) => {
      const isQuiet =
        ['pull', 'webhook', 'linked_account'].includes(source) && ['success', 'skipped'].includes(status) && !items;
      const days = isQuiet ? 7 : 90;
      return isOlder(created, days) && isOlder(ended, days);
    };
    const kept = ids.filter((_, index) => !isDeleted(runs[index] as (typeof runs)[number]));
    const events = ids.filter((_, index) => !isOlder((runs[index] as (typeof runs)[number]).event, 7));
    expect(await deleteOldSyncStatus(fixture.pool, { eventDays: 7, runDays: 90 })).toEqual({
      runs: ids.length - kept.length,
      events: ids.length - events.length,
    });
    const left = async (table: string) => {
      const { rows } = await fixture.pool.query(`select run_id from ${table} where run_id = any ($1)`, [ids]);
      return rows.map(({ run_id: id }) => id).toSorted();
    };
    expect(await left('sync_run')).toEqual(kept.toSorted());
    expect(await left('sync_event')).toEqual(events.toSorted());
  });
  await fc.assert(property, { numRuns: 12, endOnFailure: true });
});

const delivery = fc.record({
  state: fc.constantFrom('received', 'done', 'done', 'failed'),
  isUnmatched: fc.boolean(),
  endedMinutes: fc.constantFrom(55, 65, KEEP_DAYS * 1_440 - 5, KEEP_DAYS * 1_440 + 5),
  isFileDeleted: fc.boolean(),
  received: near(30),
});

it('deletes the files and rows of deliveries like a naive model', async () => {
  const now = new Date(NOW_MS);
  const property = fc.asyncProperty(listOf(delivery), async (deliveries) => {
    await fixture.pool.query('delete from webhook_delivery');
    const ids = deliveries.map(() => randomUUID());
    for (const [index, one] of deliveries.entries()) {
      await fixture.pool.query(
        `insert into webhook_delivery (id, provider, spool_name, byte_size, sha256, state, unmatched, received_at, ended_at, file_deleted_at)
         values ($1::uuid, 'garmin', $1::text, 9, '', $2, $3, $4, $5, $6)`,
        [
          ids[index],
          one.state,
          one.isUnmatched ? ['account'] : [],
          at(one.received),
          one.state === 'received' ? null : at(one.endedMinutes),
          one.isFileDeleted ? now : null,
        ],
      );
    }
    const isServed = ({ state, isUnmatched, endedMinutes, isFileDeleted }: (typeof deliveries)[number]) => {
      if (isFileDeleted || state === 'received') return false;
      return state === 'failed' ? isOlder(endedMinutes, KEEP_DAYS) : !isUnmatched || endedMinutes > 60;
    };
    const idsOf = (isSelected: (one: (typeof deliveries)[number]) => boolean) =>
      ids.filter((_, index) => isSelected(deliveries[index] as (typeof deliveries)[number])).toSorted();
    const served = await servedDeliveries(fixture.pool, KEEP_DAYS, now);
    expect(served.map(({ id }) => id).toSorted()).toEqual(idsOf(isServed));
    for (const { id } of served) expect(await markDeliveryFileDeleted(fixture.pool, id, now)).toBe(id);
    expect(await servedDeliveries(fixture.pool, KEEP_DAYS, now)).toEqual([]);
    const hasFile = (one: (typeof deliveries)[number]) => !one.isFileDeleted && !isServed(one);
    expect([...(await neededDeliveryFiles(fixture.pool, ids))].toSorted()).toEqual(idsOf(hasFile));
    await deleteOldDeliveries(fixture.pool, { days: 30, now, signal: new AbortController().signal });
    const { rows } = await fixture.pool.query('select id from webhook_delivery order by id');
    expect(rows.map(({ id }) => id)).toEqual(idsOf((one) => hasFile(one) || !isOlder(one.received, 30)));
  });
  await fc.assert(property, { numRuns: 12, endOnFailure: true });
});

const entry = fc.record({
  age: near(7, 30),
  kind: fc.constantFrom('samples', 'user', 'user', 'run'),
  action: fc.constantFrom('created', 'deleted'),
});

it('keeps entries about users longer than other entries', async () => {
  const property = fc.asyncProperty(listOf(entry), async (entries) => {
    await fixture.pool.query('delete from change');
    await fixture.pool.query('update feed_state set deleted_ordinal = 0');
    for (const [index, { age, kind, action }] of entries.entries()) {
      await fixture.pool.query(
        `insert into change (user_key, is_data, number, at, ordinal, kind, body) values ($1, false, $2, $3, $4, $5, $6)`,
        [userKey, index + 1, at(age), index + 1, kind, { action }],
      );
    }
    const cleaning = feedCleaning({ pool: fixture.pool, days: 7, erasureDays: 30 });
    await cleaning.clean({ log: LOG, signal: new AbortController().signal });
    const ordinals = entries.map((_, index) => index + 1);
    const deleted = ordinals.filter((ordinal) => {
      const one = entries[ordinal - 1] as (typeof entries)[number];
      return isOlder(one.age, one.kind === 'user' ? 30 : 7);
    });
    const { rows } = await fixture.pool.query('select ordinal::int as ordinal from change order by ordinal');
    expect(rows.map(({ ordinal }) => ordinal)).toEqual(ordinals.filter((ordinal) => !deleted.includes(ordinal)));
    const { rows: states } = await fixture.pool.query('select deleted_ordinal::int as last from feed_state');
    expect(states).toEqual([{ last: deleted.at(-1) ?? 0 }]);
  });
  await fc.assert(property, { numRuns: 10, endOnFailure: true });
});

it('deletes old entries that follow thousands of entries dated in the future', async () => {
  await fixture.pool.query('delete from change');
  await fixture.pool.query('update feed_state set deleted_ordinal = 0');
  // Entries 2 to 4,101 have a time of the next year.
  await fixture.pool.query(
    `insert into change (user_key, is_data, number, at, ordinal, kind, body)
     select $1, true, n, case when n between 2 and 4101 then now() + interval '1 year'
                              when n < 4104 then now() - interval '8 days' else now() end, n, 'samples', '{}'
       from generate_series(1, 4105) n`,
    [userKey],
  );
  const cleaning = feedCleaning({ pool: fixture.pool, days: 7, erasureDays: 30 });
  await cleaning.clean({ log: LOG, signal: new AbortController().signal });
  const { rows } = await fixture.pool.query(
    'select count(*)::int as count, min(ordinal)::int as first from change where at > now() or ordinal > 4101',
  );
  expect(rows).toEqual([{ count: 4102, first: 2 }]);
  const { rows: states } = await fixture.pool.query('select deleted_ordinal::int as last from feed_state');
  expect(states).toEqual([{ last: 4103 }]);
});

it('deletes exactly the audit records that are older than the limit', async () => {
  const ages = [89 * MS_PER_DAY, 90 * MS_PER_DAY - MS_PER_MINUTE, 90 * MS_PER_DAY + MS_PER_MINUTE, 400 * MS_PER_DAY];
  for (const [index, ms] of ages.entries()) {
    await fixture.pool.query(
      `insert into audit_event (at, actor_type, resource, action, outcome, route) values ($1, 'sdk', 'sleep', 'read', 'success', $2)`,
      [new Date(Date.now() - ms), `route-${index}`],
    );
  }
  expect(await deleteOldAuditEvents(fixture.pool, 90)).toBe(2);
  const { rows } = await fixture.pool.query('select route from audit_event order by route');
  expect(rows).toEqual([{ route: 'route-0' }, { route: 'route-1' }]);
});

it.each([
  [600, 600],
  [86_400, 3_600],
])('limits a cleaning that runs every %i seconds to %i seconds', (everySeconds, seconds) => {
  const job = cleaningJob({ name: 'clean', everySeconds, clean: async () => {} });
  expect(job).toMatchObject({ everySeconds, maxDurationSeconds: seconds });
});
