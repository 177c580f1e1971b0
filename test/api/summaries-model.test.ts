import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { restoreBackup, writeBackup } from '@healthd/daemon/backup';
import { readActivity, readRecovery, readSleepSummary } from '@healthd/daemon/query';
import { archiveOldData } from '@healthd/daemon/retention';
import {
  batchOf,
  fromDayNumber,
  type HealthRecord,
  localDate,
  MS_PER_DAY,
  MS_PER_HOUR,
  MS_PER_MINUTE,
  type ReplacementRecord,
  round,
  type SampleKind,
  type SampleRecord,
  type SeriesCode,
  type SleepSessionRecord,
  type SourceIdentity,
  seriesTypeByCode,
  seriesTypeIds,
} from '@healthd/model';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { propertyRuns } from '../support/extent.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { recordWriter } from '../support/recorded-user.js';
import { GARMIN, PHONE, WATCH } from '../support/records.js';
import { startTestService, type TestService } from '../support/service.js';
import { SlowSummaries } from '../support/slow-summaries.js';

let service: TestService;
let developer: TestService['call'];
beforeAll(async () => {
  service = await startTestService();
  developer = (await service.logIn()).call;
});
afterAll(() => service.stop());

const FIRST_DAY = Date.parse('2026-03-07T00:00:00Z') / MS_PER_DAY;
const DAYS = 4;
const DATES = Array.from({ length: DAYS + 6 }, (_, at) => fromDayNumber(FIRST_DAY - 3 + at));

const OURA: SourceIdentity = { provider: 'oura', deviceModel: 'Oura Ring Gen3', deviceType: 'ring', account: 'o1' };
const WHOOP: SourceIdentity = { provider: 'whoop', deviceModel: 'Whoop 4.0', deviceType: 'band', account: 'w1' };
const OTHER_WHOOP: SourceIdentity = { ...WHOOP, account: 'w2' };
const OLD_WATCH: SourceIdentity = { ...WATCH, deviceModel: 'Watch5,1' };
const APP: SourceIdentity = { provider: 'apple', writer: 'Sleeper' };
const CLOUD: SourceIdentity = { provider: 'google', writer: 'google_health_api', account: 'g1' };
const UNKNOWN: SourceIdentity = { provider: 'ultrahuman', deviceModel: 'Prototype' };
const OLD_RING: SourceIdentity = { ...OURA, deviceModel: 'Oura Ring Gen2' };
const PROTOTYPE: SourceIdentity = { provider: 'apple', deviceModel: 'Prototype' };
const SOURCES = [WATCH, OLD_WATCH, PHONE, GARMIN, OURA, OLD_RING, WHOOP, OTHER_WHOOP, APP, CLOUD, UNKNOWN];
/** Sources of two accounts. The sources of each account can be merged. */
const TWO_ACCOUNTS = [WATCH, OLD_WATCH, PHONE, APP, PROTOTYPE, OURA, OLD_RING];
/** A source's position among the user's six sources. */
const source = fc.integer({ min: 0, max: 5 });

/**
 * Offsets before and after an instant: no change, start of summer time in Los Angeles, date line in both directions,
 * travel from India to Nepal.
 */
const journey = fc.record({
  offsets: fc.constantFrom([0, 0], [-480, -420], [840, -660], [-660, 840], [330, 345]),
  changeMs: fc.constantFrom(FIRST_DAY * MS_PER_DAY + MS_PER_DAY, Date.parse('2026-03-08T10:00:00Z')),
});

interface Placed {
  startMs: number;
  knowsOffset: boolean;
}
const minute = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: 0, max: DAYS * 24 * 6 - 1 }).map((step) => step * 10) },
  // Midnight UTC without an offset stands for a vendor's date without a time.
  { weight: 1, arbitrary: fc.integer({ min: 0, max: DAYS - 1 }).map((day) => day * 1440) },
);
/** Times around midnight in UTC or Los Angeles, so that the sources overlap. */
const crowded = fc
  .tuple(fc.constantFrom(1440, 1440 + 8 * 60), fc.integer({ min: -6, max: 2 }))
  .map(([midnight, step]) => midnight + step * 10);
const placedAt = (minutes: fc.Arbitrary<number>): fc.Arbitrary<Placed> =>
  fc.record({
    startMs: minutes.map((at) => FIRST_DAY * MS_PER_DAY + at * MS_PER_MINUTE),
    knowsOffset: fc.boolean(),
  });

const amounts = fc.oneof(
  fc.record({
    code: fc.constantFrom<SeriesCode>('steps', 'energy'),
    value: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 900 })),
    sampleKind: fc.constantFrom<SampleKind>('sample', 'sample', 'daily_total'),
  }),
  fc
    .record({
      code: fc.constantFrom<SeriesCode>('steps', 'energy'),
      perMinute: fc.integer({ min: 0, max: 20 }),
      minutes: fc.constantFrom(10, 30, 120),
    })
    .map(({ code, perMinute, minutes }) => ({
      code,
      // A multiple of the minutes, so that the parts of a divided interval have whole values.
      value: perMinute * minutes,
      durationMs: minutes * MS_PER_MINUTE,
      sampleKind: 'sample' as const,
    })),
);
const readings = fc.oneof(
  fc.record({
    code: fc.constantFrom<SeriesCode>('heart_rate', 'resting_heart_rate', 'oxygen_saturation'),
    value: fc.integer({ min: 50, max: 100 }),
    sampleKind: fc.constant<SampleKind>('sample'),
  }),
  fc.record({
    code: fc.constantFrom<SeriesCode>('heart_rate_variability_rmssd', 'heart_rate_variability_sdnn'),
    value: fc.integer({ min: 1, max: 400 }),
    sampleKind: fc.constantFrom<SampleKind>('sample', 'sample', 'sample', 'aggregate', 'daily_total'),
  }),
  fc.record({
    code: fc.constantFrom<SeriesCode>('resting_heart_rate', 'oxygen_saturation'),
    value: fc.integer({ min: 50, max: 100 }),
    sampleKind: fc.constantFrom<SampleKind>('daily_total', 'aggregate'),
  }),
);

const sample = fc.oneof(
  { weight: 2, arbitrary: fc.record({ placed: placedAt(fc.oneof(minute, crowded)), series: amounts, source }) },
  { weight: 3, arbitrary: fc.record({ placed: placedAt(minute), series: readings, source }) },
);
const night = fc.record({
  source,
  startMs: fc
    .oneof(
      { weight: 1, arbitrary: fc.integer({ min: 0, max: DAYS * 48 - 1 }) },
      // Times around ten in the evening, so that the sources overlap.
      {
        weight: 2,
        arbitrary: fc.integer({ min: 0, max: DAYS * 6 - 1 }).map((at) => Math.floor(at / 6) * 48 + 41 + (at % 6)),
      },
    )
    .map((half) => FIRST_DAY * MS_PER_DAY + half * (MS_PER_HOUR / 2)),
  stages: fc.array(
    fc.record({
      stage: fc.constantFrom('light' as const, 'deep' as const, 'awake' as const),
      minutes: fc.integer({ min: 10, max: 150 }),
    }),
    { maxLength: 5 },
  ),
  hours: fc.integer({ min: 1, max: 9 }),
  isNap: fc.boolean(),
});

/** A recovery score. It stores no offset. */
const score = fc.record({
  source,
  atMs: minute.map((at) => FIRST_DAY * MS_PER_DAY + at * MS_PER_MINUTE),
  value: fc.integer({ min: 1, max: 100 }),
});

/** A reread window of a vendor's cloud. Missing items are deleted. */
const reread = fc.record({
  startMs: fc.integer({ min: 0, max: DAYS * 24 - 1 }).map((hour) => FIRST_DAY * MS_PER_DAY + hour * MS_PER_HOUR),
  hours: fc.integer({ min: 1, max: 60 }),
  of: fc.oneof(
    fc.record({
      of: fc.constant('samples' as const),
      codes: fc.uniqueArray(
        fc.constantFrom<SeriesCode>(
          'steps',
          'heart_rate',
          'energy',
          'heart_rate_variability_sdnn',
          'oxygen_saturation',
        ),
        { minLength: 1 },
      ),
      sampleKinds: fc.constantFrom<SampleKind[] | undefined>(undefined, ['sample'], ['daily_total', 'aggregate']),
    }),
    fc.record({ of: fc.constant('sleep_sessions' as const) }),
  ),
  /** Seed that determines which records are missing from the reread window. */
  deletedSeed: fc.integer(),
});
type Reread = typeof reread extends fc.Arbitrary<infer One> ? One : never;

function replacementOf({ startMs, hours, of }: Reread): ReplacementRecord {
  const window = { kind: 'replacement', provider: 'apple', writer: WATCH.writer ?? '', startMs } as const;
  const endMs = startMs + hours * MS_PER_HOUR;
  if (of.of === 'sleep_sessions') return { ...window, endMs, of: of.of };
  const typeIds = seriesTypeIds(of.codes);
  return { ...window, endMs, of: of.of, typeIds, ...(of.sampleKinds && { sampleKinds: of.sampleKinds }) };
}

/** True if a record belongs to the window. The record then survives only if the vendor returns it again. */
function isReplaced(record: HealthRecord, window: ReplacementRecord): boolean {
  if (record.kind !== 'sample' && record.kind !== 'sleep_session') return false;
  if (record.source.provider !== window.provider || record.source.writer !== window.writer) return false;
  if (record.startMs < window.startMs || record.startMs >= window.endMs) return false;
  if (record.kind === 'sleep_session') return window.of === 'sleep_sessions';
  if (window.of !== 'samples' || !window.typeIds.includes(record.typeId)) return false;
  return window.sampleKinds?.includes(record.sampleKind) ?? true;
}

const history = fc
  .record({
    journey,
    sources: fc.oneof(
      ...[SOURCES, TWO_ACCOUNTS].map((all) => fc.shuffledSubarray(all, { minLength: 6, maxLength: 6 })),
    ),
    samples: fc.array(sample, { minLength: 1, maxLength: 50 }),
    nights: fc.array(night, { maxLength: 7 }),
    scores: fc.array(score, { maxLength: 4 }),
    seed: fc.integer(),
    batches: fc.integer({ min: 1, max: 6 }),
    rereads: fc.array(reread, { maxLength: 3 }),
    archivedDays: fc.array(fc.integer({ min: 1, max: DAYS + 2 }), { maxLength: 2 }),
  })
  .map(({ journey: { offsets, changeMs }, sources, samples, nights, scores, ...rest }) => {
    const offsetAt = (ms: number) => (ms < changeMs ? offsets[0] : offsets[1]) ?? 0;
    const records: HealthRecord[] = [];
    for (const { placed, series, source } of samples) {
      records.push({
        kind: 'sample',
        source: sources[source] as SourceIdentity,
        typeId: seriesTypeByCode(series.code).id,
        sampleKind: series.sampleKind,
        startMs: placed.startMs,
        durationMs: 'durationMs' in series ? series.durationMs : undefined,
        value: series.value,
        offsetMinutes: placed.knowsOffset ? offsetAt(placed.startMs) : undefined,
      } satisfies SampleRecord);
    }
    for (const { source, startMs, stages, hours, isNap } of nights) {
      let at = startMs;
      const intervals = stages.map(({ stage, minutes }) => {
        const from = at;
        at += minutes * MS_PER_MINUTE;
        return { stage, startMs: from, endMs: at };
      });
      const endMs = intervals.length > 0 ? at : startMs + hours * MS_PER_HOUR;
      const asleep = intervals
        .filter(({ stage }) => stage !== 'awake')
        .reduce((sum, one) => sum + one.endMs - one.startMs, 0);
      records.push({
        kind: 'sleep_session',
        source: sources[source] as SourceIdentity,
        startMs,
        endMs,
        isNap,
        offsetMinutes: offsetAt(endMs),
        ...(intervals.length > 0 ? { stages: intervals, asleepSeconds: asleep / 1000 } : {}),
      } satisfies SleepSessionRecord);
    }
    for (const { source, ...facts } of scores) {
      records.push({ kind: 'health_score', source: sources[source] as SourceIdentity, category: 'recovery', ...facts });
    }
    return { records: distinct(records), ...rest };
  });

/** Keeps one record per identity, so that the order of writes does not matter. */
function distinct(records: HealthRecord[]): HealthRecord[] {
  const byIdentity = new Map<string, HealthRecord>();
  for (const record of records) {
    if (record.kind !== 'sample' && record.kind !== 'sleep_session' && record.kind !== 'health_score') continue;
    const what = record.kind === 'sample' ? `${record.typeId} ${record.sampleKind}` : record.kind;
    const when = isTotal(record) ? dateOfTotal(record) : record.kind === 'health_score' ? record.atMs : record.startMs;
    const { provider, deviceModel, account, writer } = record.source;
    const who = [provider, deviceModel, account, writer].join();
    if (when !== undefined) byIdentity.set(`${what} ${who} ${when}`, record);
  }
  return [...byIdentity.values()];
}

function isTotal(record: HealthRecord): record is SampleRecord {
  return record.kind === 'sample' && record.sampleKind === 'daily_total';
}

/** Returns a daily total's date. Undefined if the date depends on other records. */
function dateOfTotal({ startMs, offsetMinutes }: SampleRecord): string | undefined {
  if (offsetMinutes !== undefined) return localDate(startMs, offsetMinutes);
  return startMs % MS_PER_DAY === 0 ? localDate(startMs, 0) : undefined;
}

/** Splits the records into batches, in an order that depends only on the seed. */
function shuffled(records: HealthRecord[], seed: number, batches: number): HealthRecord[][] {
  const keyed = records.map((record, at) => ({ record, key: Math.imul(at + 1, seed | 1) >>> 0 }));
  keyed.sort((a, b) => a.key - b.key);
  const size = Math.ceil(keyed.length / batches);
  return Array.from({ length: batches }, (_, at) =>
    keyed.slice(at * size, (at + 1) * size).map(({ record }) => record),
  ).filter((batch) => batch.length > 0);
}

async function summary(userId: string, name: string, query = '') {
  const range = `start_date=${DATES[0]}&end_date=${DATES.at(-1)}&limit=100${query}`;
  const response = await service.call('GET', `/api/v1/users/${userId}/summaries/${name}?${range}`);
  expect(response.status).toBe(200);
  expect(response.body.pagination.total_count).toBe(response.body.data.length);
  return response.body.data as Record<string, unknown>[];
}

/** Fails unless the total count of raw samples equals the number of returned samples, also with archived days. */
async function everySampleOnce(userId: string) {
  const range = `start_time=${DATES[0]}T00:00:00Z&end_time=${DATES.at(-1)}T00:00:00Z`;
  const response = await service.call(
    'GET',
    `/api/v1/users/${userId}/timeseries?types=steps&types=heart_rate&${range}&limit=100`,
  );
  expect(response.body.pagination.total_count).toBe(response.body.data.length);
}

/** Returns samples without copies, read page by page. */
async function samplesOnce(userId: string, code: string) {
  const path = `/api/v1/users/${userId}/timeseries/${code}?start_date=${DATES[0]}&end_date=${DATES.at(-2)}`;
  const found: string[] = [];
  let cursor = '';
  do {
    const { body } = await service.call('GET', `${path}&filter_by_priority=true&limit=7${cursor}`);
    for (const { timestamp, value, source } of body.data)
      found.push(`${timestamp} ${value} ${source.provider} ${source.device} ${source.source}`);
    cursor = body.pagination.next_cursor ? `&cursor=${body.pagination.next_cursor}` : '';
  } while (cursor);
  return found.sort();
}

/** Fails unless the sleep list without copies contains the sessions that summaries count. */
async function expectCountedSleep(userId: string) {
  const range = `start_date=${DATES[0]}&end_date=${DATES.at(-1)}&limit=100`;
  const { body } = await service.call('GET', `/api/v1/users/${userId}/events/sleep?${range}&filter_by_priority=true`);
  const counted = (await summary(userId, 'sleep')).flatMap(
    (row) => row.sessions as { start_time: string; end_time: string }[],
  );
  const spans = (sessions: typeof counted) => sessions.map((one) => `${one.start_time} ${one.end_time}`).sort();
  expect(spans(body.data)).toEqual(spans(counted));
}

/** Fails unless each figure and source of a row equals its explanation. */
async function expectExplained(userId: string, name: string, row: Record<string, unknown>) {
  const path = `/api/v1/users/${userId}/summaries/${name}/explain?date=${row.date}`;
  const { status, body } = await service.call('GET', path);
  expect(status).toBe(200);
  for (const { group, source, winner, figures, lead_figure: leadFigure, unit, candidates } of body.groups) {
    expect(source, `${name} ${group}`).toEqual((row.sources as Record<string, unknown>)[group] ?? null);
    for (const [figure, value] of Object.entries(figures)) {
      const parts = figure.split('.');
      const shown = parts.reduce<unknown>((part, key) => (part as Record<string, unknown> | null)?.[key], row);
      expect(value, `${name} ${figure}`).toEqual(shown ?? null);
    }
    const winners = candidates.filter((one: { lost_by: string | null }) => one.lost_by === null);
    if (winner !== null) expectExplainedValue(`${name} ${group}`, winners[0].value, figures[leadFigure], unit);
    expect(winners.map((one: { source_id: string }) => one.source_id)).toEqual(winner === null ? [] : [winner]);
  }
}

/** Fails unless the winner's value is the row's figure, apart from the row's rounding. Minutes are rounded down. */
function expectExplainedValue(group: string, value: number | null, figure: number | null, unit: string) {
  // If a source reports 0 s asleep, its explanation contains no value, but the row contains 0.
  if (value === null) return expect([null, 0], group).toContain(figure);
  if (figure === null) return expect(value, group).toBeNull();
  const possible = unit === 'minutes' ? [Math.floor(value)] : [round(value), round(value, 1), value];
  expect(possible, group).toContain(figure);
}

/** Returns the rows of days, nights and recoveries, with their groups' source IDs. */
async function shown(userId: string) {
  const withWinners = async (name: string) => {
    const rows = await summary(userId, name);
    return Promise.all(
      rows.map(async (row) => {
        const { body } = await service.call(
          'GET',
          `/api/v1/users/${userId}/summaries/${name}/explain?date=${row.date}`,
        );
        return { row, winners: body.groups.map(({ winner }: { winner: string | null }) => winner).join() };
      }),
    );
  };
  return {
    days: await withWinners('activity'),
    nights: await withWinners('sleep'),
    recoveries: await withWinners('recovery'),
  };
}

/** Fails unless the previews for the user and for all users equal the actual changes. */
async function expectPreviewed(userId: string) {
  const { providers } = service.parts.priorities;
  const inForce = (await providers.list()).map(({ provider: name, priority }) => ({ name, priority }));
  const reversed = inForce.map(({ name }, at) => ({ name, priority: inForce.length - at }));
  const change = { providers: reversed.map(({ name: provider, priority }) => ({ provider, priority })) };
  const range = `start_date=${DATES[0]}&end_date=${DATES.at(-1)}`;
  const own = await developer('POST', `/api/v1/users/${userId}/priorities/preview?${range}`, change);
  const all = await developer('POST', '/api/v1/priorities/preview', change);
  expect([own.status, all.status]).toEqual([200, 200]);
  const before = await shown(userId);
  await providers.set(reversed);
  const after = await shown(userId);
  await providers.set(inForce);
  for (const kind of ['days', 'nights', 'recoveries'] as const) {
    const dates = [...new Set([...before[kind], ...after[kind]].map(({ row }) => row.date as string))].sort();
    const changes = dates.map((date) => {
      const on = (rows: typeof before.days) => rows.find(({ row }) => row.date === date);
      return { date, before: on(before[kind]), after: on(after[kind]) };
    });
    const changed = changes.map(({ date, before, after }) => ({
      date,
      before: before?.row ?? null,
      after: after?.row ?? null,
    }));
    expect(own.body[kind]).toEqual(changed.filter((one) => JSON.stringify(one.before) !== JSON.stringify(one.after)));
    const moved = changes.filter((one) => one.before?.winners !== one.after?.winners);
    // Only users with several sources are compared.
    if (all.body.users_compared > 0) expect(all.body[kind], kind).toBe(moved.length);
    else expect(moved).toEqual([]);
  }
  return all.body as Record<'nights' | 'nights_archived' | 'recoveries' | 'recoveries_archived', number>;
}

/** Returns a user's summary rows from a database, with the sources of their groups. */
async function storedSummaries(database: Pick<TestDatabase, 'pool' | 'priorities'>, userKey: number) {
  const [start, end] = [FIRST_DAY - 3, FIRST_DAY + DAYS + 3].map((day) => ({ ms: day * MS_PER_DAY, dateOnly: true }));
  const range = {
    start: start as { ms: number; dateOnly: boolean },
    end: end as { ms: number; dateOnly: boolean },
    limit: 100,
  };
  return {
    activity: (await readActivity(database, userKey, { ...range, sortOrder: 'asc' })).data,
    sleep: (await readSleepSummary(database, userKey, range)).data,
    recovery: (await readRecovery(database, userKey, range)).data,
  };
}

/** Fails unless a restored backup has the same rows. */
async function expectRestored(userKey: number) {
  const restored = await createTestDatabase({ maxConnections: 3 });
  const place = mkdtempSync(join(tmpdir(), 'healthd-summaries-'));
  const [path, spoolDir] = [join(place, 'backup.healthd'), join(place, 'spool')];
  const client = await service.pool.connect();
  try {
    const keys = { SECRET_KEY: 'secret', ENCRYPTION_KEY: 'encryption', SIGNING_KEY: 'signing' };
    await writeBackup({ client, keys, spoolDir, isSandbox: false, path, erasures: async () => '' });
    await restoreBackup({ path, url: restored.url, spoolDir, erasures: [] });
    const before = await storedSummaries(service.parts, userKey);
    expect(await storedSummaries(restored, userKey)).toEqual(before);
  } finally {
    client.release();
    rmSync(place, { recursive: true, force: true });
    await restored.drop();
  }
}

/** Returns the members of a response that the slow computation covers. */
function pick(row: Record<string, unknown>, like: Record<string, unknown>): Record<string, unknown> {
  const named = (shown: { provider: string; device: string | null; source: string | null } | null) =>
    shown && `${shown.provider} ${shown.device} ${shown.source}`;
  const sources = Object.entries(row.sources as Record<string, Parameters<typeof named>[0]>);
  const all: Record<string, unknown> = {
    ...row,
    source: named(row.source as Parameters<typeof named>[0]),
    sources: Object.fromEntries(sources.map(([group, shown]) => [group, named(shown)])),
    sessions: Array.isArray(row.sessions) ? row.sessions.length : undefined,
  };
  return Object.fromEntries(Object.keys(like).map((name) => [name, all[name]]));
}

test('computes the same summaries as a naive implementation for any history', async () => {
  const writer = recordWriter(service);
  await fc.assert(
    fc.asyncProperty(history, async ({ records, seed, batches, rereads, archivedDays }) => {
      // With a single user, the preview of all users must equal this user's preview.
      await service.pool.query('delete from health_user');
      const { id } = (await service.call('POST', '/api/v1/users')).body;
      const user = await service.users.find(id);
      const write = (batch: HealthRecord[]) => writer.write(user?.userKey ?? 0, batchOf(batch));
      for (const batch of shuffled(records, seed, batches)) await write(batch);
      let stored = records;
      for (const one of rereads) {
        const window = replacementOf(one);
        const deletedRecords = stored.filter(
          (record, at) => isReplaced(record, window) && Math.imul(at + 1, one.deletedSeed | 1) & 256,
        );
        stored = stored.filter((record) => !deletedRecords.includes(record));
        await write([window, ...stored.filter((record) => isReplaced(record, window))]);
      }
      const slow = new SlowSummaries(stored, records);
      const dates = DATES.slice(0, -1);
      const expected = {
        activity: dates.flatMap((date) => slow.activity(date) ?? []),
        sleep: dates.flatMap((date) => slow.sleep(date) ?? []),
        recovery: dates.flatMap((date) => slow.recovery(date, DATES) ?? []),
      };
      const check = async () => {
        await everySampleOnce(id);
        for (const [name, rows] of Object.entries(expected)) {
          const found = await summary(id, name);
          const like = rows[0];
          expect(found.map((row) => (like ? pick(row, like) : row))).toEqual(rows);
        }
      };
      await check();
      for (const code of ['steps', 'heart_rate'] as const)
        expect(await samplesOnce(id, code)).toEqual(slow.listed(code, dates));
      for (const name of Object.keys(expected)) {
        for (const row of await summary(id, name)) await expectExplained(id, name, row);
      }
      await expectCountedSleep(id);
      const checkMerged = async () => {
        const merged = await summary(id, 'activity', '&merge=interval');
        expect(merged.map((row) => pick(row, expected.activity[0] ?? {}))).toEqual(
          dates.flatMap((date) => slow.activity(date, { merged: true }) ?? []),
        );
      };
      await checkMerged();
      const before = await expectPreviewed(id);
      for (const day of archivedDays) {
        const settings = { archiveAfterDays: 1, deleteAfterDays: null };
        const nowMs = (FIRST_DAY + day + 1) * MS_PER_DAY;
        const log = { error: (fields: object) => expect(fields).toBeUndefined() };
        await archiveOldData({ ...service.parts, settings, nowMs, log });
        await check();
        await checkMerged();
        // Recomputes the totals from archived amounts.
        await service.pool.query('delete from day_merged');
        await checkMerged();
      }
      for (const batch of archivedDays.length > 0 ? shuffled(stored, seed + 1, batches) : []) await write(batch);
      for (const window of rereads.map(replacementOf)) {
        await write([window, ...stored.filter((one) => isReplaced(one, window))]);
      }
      await check();
      await expectRestored(user?.userKey ?? 0);
      const after = await expectPreviewed(id);
      expect(after.nights + after.nights_archived).toBe(before.nights);
      expect(after.recoveries + after.recoveries_archived).toBe(before.recoveries);
      for (const name of Object.keys(expected)) {
        for (const row of await summary(id, name)) await expectExplained(id, name, row);
      }
    }),
    // Shrinking a failure would exceed the time limit, and the seed would then not be printed.
    { numRuns: propertyRuns(15, 100), endOnFailure: true },
  );
});
