import {
  batchOf,
  type HealthRecord,
  localDate,
  MS_PER_DAY,
  MS_PER_HOUR,
  MS_PER_MINUTE,
  type RecordBatch,
  type SampleRecord,
  type SleepStageRecord,
  type SourceIdentity,
} from '@healthd/model';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { propertyRuns } from '../../../../test/support/extent.js';
import { openRecordFixture, type RecordFixture } from '../../../../test/support/record-fixture.js';
import { inTransaction } from '../../platform/database/index.js';

const START = Date.UTC(2026, 2, 10);
const HEART_RATE = 1;
const STEPS = 80;
const OXYGEN = 20;
const SOURCES: SourceIdentity[] = [
  { provider: 'apple', deviceModel: 'Watch6,2' },
  { provider: 'apple', deviceModel: 'iPhone15,2' },
  { provider: 'garmin' },
];

let fixture: RecordFixture;

beforeAll(async () => {
  fixture = await openRecordFixture();
});

afterAll(() => fixture.close());

const source = fc.constantFrom(...SOURCES);
const offsetMinutes = fc.constantFrom(undefined, undefined, 120, -480);

// Values are multiples of 1/4 or 1/64, so that sums are exact in any order.
const sample: fc.Arbitrary<SampleRecord> = fc
  .record({
    source,
    offsetMinutes,
    series: fc.constantFrom(
      { typeId: HEART_RATE, values: [60, 61.5, 100, 140.25] },
      { typeId: STEPS, values: [0, 29, 30, 450] },
      { typeId: OXYGEN, values: [40.96875, 95, 98.5, 31] },
    ),
    pick: fc.nat({ max: 3 }),
    startMs: fc.integer({ min: 0, max: 4 * 288 }).map((slot) => START + slot * 5 * MS_PER_MINUTE + (slot % 3) * 20_000),
    durationMs: fc.constantFrom(undefined, 0, MS_PER_MINUTE, 15 * MS_PER_MINUTE),
    sampleKind: fc.constantFrom('sample' as const, 'sample' as const, 'sample' as const, 'aggregate' as const),
  })
  .map(({ series, pick, ...rest }) => ({
    kind: 'sample',
    typeId: series.typeId,
    value: series.values[pick] as number,
    ...rest,
  }));

const stage: fc.Arbitrary<SleepStageRecord> = fc
  .record({
    source: fc.constantFrom(...SOURCES.slice(0, 2)),
    offsetMinutes,
    stage: fc.constantFrom('in_bed' as const, 'awake' as const, 'sleeping' as const, 'light' as const, 'deep' as const),
    slot: fc.integer({ min: 0, max: 4 * 48 }),
    length: fc.integer({ min: 1, max: 6 }),
  })
  .map(({ slot, length, ...rest }) => ({
    kind: 'sleep_stage',
    startMs: START + slot * 30 * MS_PER_MINUTE,
    endMs: START + (slot + length) * 30 * MS_PER_MINUTE,
    ...rest,
  }));

const history = fc
  .array(fc.oneof({ arbitrary: sample, weight: 4 }, { arbitrary: stage, weight: 1 }), {
    minLength: 1,
    maxLength: 120,
    size: 'max',
  })
  .map((records) => [...new Map(records.map((record) => [identityOf(record), record])).values()]);

function identityOf(record: SampleRecord | SleepStageRecord): string {
  const { source: from, startMs } = record;
  const rest = record.kind === 'sample' ? [record.typeId, record.sampleKind] : [record.endMs, record.stage];
  return JSON.stringify([from, startMs, record.kind, ...rest]);
}

/** Stores batches of this size in one transaction, as the service does with queued batches. */
async function writeTogether(userKey: number, records: HealthRecord[], size: number): Promise<void> {
  const batches: RecordBatch[] = [];
  for (let from = 0; from < records.length; from += size) batches.push(batchOf(records.slice(from, from + size)));
  await inTransaction(fixture.pool, (client) => fixture.writer.writeAllIn(client, userKey, batches));
}

const NAMED_SOURCE = `d.provider || ' ' || coalesce(d.device_model, '')`;

/** Returns all roll-ups and sessions of a user, with source names instead of ids. */
async function derivedRows(userKey: number) {
  const all = async (table: string, from: string, hidden: string) => {
    const { rows } = await fixture.pool.query(
      `select ${from}to_jsonb(t) - array['user_key', 'source_id'${hidden}] as row from ${table} t
        ${from === '' ? '' : 'join data_source d on d.user_key = t.user_key and d.source_id = t.source_id'}
        where t.user_key = $1`,
      [userKey],
    );
    return rows.map((row) => JSON.stringify(row)).sort();
  };
  const bySource = `${NAMED_SOURCE} as source, `;
  return {
    days: await all('day_value', bySource, ''),
    minutes: await all('day_minutes', bySource, ''),
    nights: (await storedNights(userKey)).map((night) => JSON.stringify(night)),
    sessions: await all('sleep_session', bySource, `, 'id', 'created_at', 'updated_at'`),
  };
}

describe('arrival order', () => {
  it('does not change days, minutes, nights or sessions', async () => {
    await fc.assert(
      fc.asyncProperty(
        history.chain((records) =>
          fc.tuple(
            fc.constant(records),
            fc.shuffledSubarray(records, { minLength: records.length }),
            fc.integer({ min: 8, max: 40 }),
          ),
        ),
        async ([records, shuffled, size]) => {
          const once = await fixture.newUser();
          await fixture.write(once, ...records);
          const inParts = await fixture.newUser();
          for (let from = 0; from < shuffled.length; from += size) {
            await fixture.write(inParts, ...shuffled.slice(from, from + size));
          }
          const expected = await derivedRows(once);
          expect(await derivedRows(inParts)).toEqual(expected);
          const together = await fixture.newUser();
          await fixture.write(together, ...shuffled.slice(0, size));
          await writeTogether(together, shuffled.slice(size), size);
          expect(await derivedRows(together)).toEqual(expected);
        },
      ),
      { numRuns: propertyRuns(6, 25) },
    );
  });

  it('never makes roll-ups differ from a naive computation', async () => {
    await fc.assert(
      fc.asyncProperty(history, fc.integer({ min: 8, max: 60 }), async (records, size) => {
        const user = await fixture.newUser();
        for (let from = 0; from < records.length; from += size) {
          await fixture.write(user, ...records.slice(from, from + size));
        }
        const samples = records.filter((record): record is SampleRecord => record.kind === 'sample');
        expect(await storedDays(user)).toEqual(expectedDays(samples, records));
        expect(await storedHeartRate(user)).toEqual(expectedHeartRate(samples, records));
        expect(await storedSteps(user)).toEqual(expectedSteps(samples, records));
        expect(await storedNights(user)).toEqual(await expectedNights(user, samples));
      }),
      { numRuns: propertyRuns(6, 20) },
    );
  });
});

type Records = (SampleRecord | SleepStageRecord)[];

/**
 * Returns the offset of the nearest record with an offset. Spans of one offset within one UTC day count as one record.
 */
function offsetOf(record: { startMs: number; offsetMinutes?: number }, records: Records): number {
  if (record.offsetMinutes !== undefined) return record.offsetMinutes;
  const spans = new Map<string, { offset: number; first: number; last: number }>();
  for (const one of records) {
    const offset = one.offsetMinutes;
    if (offset === undefined) continue;
    // A stage has the offset of the place and time of waking.
    const shownMs = one.kind === 'sleep_stage' ? one.endMs : one.startMs;
    const key = `${Math.floor(shownMs / MS_PER_DAY)} ${offset}`;
    const span = spans.get(key) ?? { offset, first: shownMs, last: shownMs };
    spans.set(key, { offset, first: Math.min(span.first, shownMs), last: Math.max(span.last, shownMs) });
  }
  const near = [...spans.values()]
    .map((span) => ({ ...span, distance: Math.max(0, span.first - record.startMs, record.startMs - span.last) }))
    .sort((a, b) => a.distance - b.distance || b.last - a.last || b.offset - a.offset);
  return near[0]?.offset ?? 0;
}

function nameOf({ provider, deviceModel }: SourceIdentity): string {
  return `${provider} ${deviceModel ?? ''}`;
}

function dateOf(record: SampleRecord, records: Records): string {
  return localDate(record.startMs, offsetOf(record, records));
}

function groups(samples: SampleRecord[], key: (record: SampleRecord) => string): [string, SampleRecord[]][] {
  const grouped = new Map<string, SampleRecord[]>();
  for (const record of samples) grouped.set(key(record), [...(grouped.get(key(record)) ?? []), record]);
  return [...grouped].sort(([a], [b]) => (a < b ? -1 : 1));
}

/** Returns the milliseconds since local midnight at which the record starts and ends. The end is at most midnight. */
function localSpan(record: SampleRecord, records: Records): { from: number; to: number } {
  const local = record.startMs + offsetOf(record, records) * MS_PER_MINUTE;
  const from = ((local % MS_PER_DAY) + MS_PER_DAY) % MS_PER_DAY;
  return { from, to: Math.min(MS_PER_DAY, from + (record.durationMs ?? 0)) };
}

function touchedMinutes(spans: { from: number; to: number }[]): boolean[] {
  return Array.from({ length: 1440 }, (_, minute) =>
    spans.some(
      ({ from, to }) =>
        Math.floor(from / MS_PER_MINUTE) === minute ||
        (from < (minute + 1) * MS_PER_MINUTE && to > minute * MS_PER_MINUTE),
    ),
  );
}

function bits(minutes: boolean[]): string {
  return minutes.map((set) => (set ? '1' : '0')).join('');
}

function expectedDays(samples: SampleRecord[], records: Records) {
  return groups(samples, (record) => `${nameOf(record.source)} ${record.typeId} ${dateOf(record, records)}`).map(
    ([key, all]) => {
      const ordinary = all.filter(({ sampleKind }) => sampleKind === 'sample').sort((a, b) => a.startMs - b.startMs);
      const aggregates = all.filter(({ sampleKind }) => sampleKind === 'aggregate');
      const values = ordinary.map(({ value }) => value);
      return {
        key,
        sum: values.length === 0 ? null : values.reduce((a, b) => a + b, 0),
        min: values.length === 0 ? null : Math.min(...values),
        max: values.length === 0 ? null : Math.max(...values),
        last: values.at(-1) ?? null,
        last_ms: ordinary.at(-1)?.startMs ?? null,
        count: values.length,
        aggregate_sum: aggregates.length === 0 ? null : aggregates.reduce((sum, { value }) => sum + value, 0),
        aggregate_count: aggregates.length,
        covered: touchedMinutes(ordinary.map((record) => localSpan(record, records))).filter(Boolean).length,
      };
    },
  );
}

async function storedDays(userKey: number) {
  const { rows } = await fixture.pool.query(
    `select ${NAMED_SOURCE} || ' ' || v.type_id || ' ' || v.local_date as key, sample_sum as sum, sample_min as min,
            sample_max as max, last_value as last, extract(epoch from last_at)::float8 * 1000 as last_ms,
            sample_count as count, aggregate_sum, aggregate_count, covered_minutes as covered
       from day_value v join data_source d using (user_key, source_id) where user_key = $1`,
    [userKey],
  );
  return rows.sort(byKey);
}

function byKey(a: { key: string }, b: { key: string }): number {
  return a.key < b.key ? -1 : 1;
}

function ordinaryDays(samples: SampleRecord[], records: Records, typeId: number) {
  return groups(
    samples.filter((record) => record.typeId === typeId && record.sampleKind === 'sample'),
    (record) => `${nameOf(record.source)} ${dateOf(record, records)}`,
  );
}

function expectedHeartRate(samples: SampleRecord[], records: Records) {
  return ordinaryDays(samples, records, HEART_RATE).map(([key, all]) => {
    const readings = all
      .map((record) => ({ ...record, ...localSpan(record, records) }))
      .sort((a, b) => a.startMs - b.startMs);
    const spans = readings.map(({ from, to, startMs, durationMs, value }, index) => {
      const next = readings[index + 1]?.startMs ?? Number.POSITIVE_INFINITY;
      const end = durationMs ? to : Math.min(from + Math.min(next - startMs, 5 * MS_PER_MINUTE), MS_PER_DAY);
      const countsToMs = startMs + Math.min(end - from, 5 * MS_PER_MINUTE);
      return { from, to: end, startMs, countsToMs, bin: 2 * Math.floor(value) + (value % 1 === 0 ? 0 : 1) };
    });
    const seconds = Object.fromEntries(spans.map(({ bin }) => [bin, 0]));
    const cuts = spans.flatMap(({ startMs, countsToMs }) => [startMs, countsToMs]).sort((x, y) => x - y);
    for (const [index, cut] of cuts.slice(0, -1).entries()) {
      const counting = spans.findLast(({ startMs, countsToMs }) => startMs <= cut && cut < countsToMs);
      if (counting) seconds[counting.bin] = (seconds[counting.bin] ?? 0) + ((cuts[index + 1] ?? cut) - cut) / 1000;
    }
    return { key, seconds, minutes: bits(touchedMinutes(spans)) };
  });
}

async function storedHeartRate(userKey: number) {
  const { rows } = await fixture.pool.query(
    `select ${NAMED_SOURCE} || ' ' || m.local_date as key, heart_rate_bins as bins, heart_rate_seconds as seconds,
            heart_rate_minutes::text as minutes
       from day_minutes m join data_source d using (user_key, source_id)
      where user_key = $1 and heart_rate_bins is not null`,
    [userKey],
  );
  return rows.sort(byKey).map(({ key, bins, seconds, minutes }) => ({
    key,
    seconds: Object.fromEntries(bins.map((bin: number, index: number) => [bin, seconds[index]])),
    minutes,
  }));
}

function expectedSteps(samples: SampleRecord[], records: Records) {
  return ordinaryDays(samples, records, STEPS).map(([key, all]) => {
    const spans = all.map((record) => ({ ...record, ...localSpan(record, records) }));
    const active = Array.from({ length: 1440 }, (_, minute) => {
      let steps = 0;
      for (const { from, durationMs, value } of spans) {
        if (!durationMs) steps += Math.floor(from / MS_PER_MINUTE) === minute ? value : 0;
        else {
          const shared =
            Math.min(from + durationMs, (minute + 1) * MS_PER_MINUTE) - Math.max(from, minute * MS_PER_MINUTE);
          steps += (value * Math.max(0, shared)) / durationMs;
        }
      }
      return steps > 29.999_999;
    });
    return { key, tracked: bits(touchedMinutes(spans)), active: bits(active) };
  });
}

async function storedSteps(userKey: number) {
  const { rows } = await fixture.pool.query(
    `select ${NAMED_SOURCE} || ' ' || m.local_date as key, step_minutes::text as tracked, active_minutes::text as active
       from day_minutes m join data_source d using (user_key, source_id)
      where user_key = $1 and step_minutes is not null`,
    [userKey],
  );
  return rows.sort(byKey);
}

/** True for an oxygen saturation at midnight UTC without an offset: it represents its date, not an instant. */
function isDateStamp({ typeId, offsetMinutes, startMs }: SampleRecord): boolean {
  return typeId === OXYGEN && offsetMinutes === undefined && startMs % MS_PER_DAY === 0;
}

function standsForOtherDate(record: SampleRecord, nightKey: string): boolean {
  return isDateStamp(record) && !nightKey.startsWith(localDate(record.startMs, 0));
}

async function expectedNights(userKey: number, samples: SampleRecord[]) {
  const { rows: sessions } = await fixture.pool.query(
    `select ${NAMED_SOURCE} as source, s.wake_date, s.start_at, s.end_at, s.stages
       from sleep_session s join data_source d using (user_key, source_id) where user_key = $1 and not s.is_nap`,
    [userKey],
  );
  const nights = new Map<string, typeof sessions>();
  for (const session of sessions) {
    const key = `${session.wake_date} ${session.source}`;
    nights.set(key, [...(nights.get(key) ?? []), session]);
  }
  const expected = [...nights].flatMap(([key, parts]) => {
    const from = Math.min(...parts.map(({ start_at }) => start_at.getTime()));
    const to = Math.max(...parts.map(({ end_at }) => end_at.getTime()));
    const stages = parts
      .flatMap((part) => part.stages as { stage: string; start_time: string; end_time: string }[])
      .filter((interval) => ['light', 'deep', 'rem', 'sleeping'].includes(interval.stage))
      .map((interval) => [Date.parse(interval.start_time), Date.parse(interval.end_time)] as const);
    const asleep =
      stages.length > 0 ? stages : parts.map((part) => [part.start_at.getTime(), part.end_at.getTime()] as const);
    const sources = [...new Set(samples.map((record) => nameOf(record.source)))];
    const series = [HEART_RATE, OXYGEN].flatMap((typeId) => sources.map((source) => ({ typeId, source })));
    return series.flatMap(({ typeId, source }) => {
      const near = samples
        .filter(
          (record) => record.typeId === typeId && nameOf(record.source) === source && !standsForOtherDate(record, key),
        )
        .map((record) => ({
          ...record,
          value: typeId === OXYGEN && record.value <= 1 ? record.value * 100 : record.value,
        }))
        .filter(({ value }) => typeId !== OXYGEN || (value >= 50 && value <= 100));
      const ordinary = near.filter(({ sampleKind }) => sampleKind === 'sample');
      const inWindow = ordinary.filter(({ startMs }) => startMs >= from && startMs < to);
      const inSleep = ordinary.filter(({ startMs }) =>
        asleep.some(([start, end]) => startMs >= start && startMs < end),
      );
      const aggregates = near.filter(
        (record) =>
          record.sampleKind === 'aggregate' &&
          (isDateStamp(record) || (record.startMs >= from - MS_PER_HOUR && record.startMs < to + 6 * MS_PER_HOUR)),
      );
      const sum = (records: SampleRecord[]) => records.reduce((total, { value }) => total + value, 0);
      if (inWindow.length + aggregates.length === 0) return [];
      return [
        {
          key: `${key} ${typeId} ${source}`,
          asleep: [inSleep.length, sum(inSleep)],
          in_window: [inWindow.length, sum(inWindow)],
          aggregate: [aggregates.length, sum(aggregates)],
        },
      ];
    });
  });
  return expected.sort(byKey);
}

async function storedNights(userKey: number) {
  const { rows } = await fixture.pool.query(
    `select v.wake_date || ' ' || n.provider || ' ' || coalesce(n.device_model, '') || ' ' || v.type_id || ' ' || ${NAMED_SOURCE} as key,
            array[asleep_count, asleep_sum] as asleep, array[window_count, window_sum] as in_window,
            array[aggregate_count, aggregate_sum] as aggregate
       from night_value v
       join data_source d on d.user_key = v.user_key and d.source_id = v.source_id
       join data_source n on n.user_key = v.user_key and n.source_id = v.night_source_id
      where v.user_key = $1 and asleep_count + window_count + aggregate_count > 0`,
    [userKey],
  );
  return rows.sort(byKey);
}
