import {
  type HealthRecord,
  MS_PER_DAY,
  MS_PER_HOUR,
  MS_PER_MINUTE,
  type SampleKind,
  type SeriesCode,
  type SourceIdentity,
  seriesTypeByCode,
} from '@healthd/model';
import type { GroupExplanation } from '@healthd/schemas';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { propertyRuns } from '../support/extent.js';
import { recordedUser } from '../support/recorded-user.js';
import { GARMIN, PHONE, sample, WATCH } from '../support/records.js';
import { startTestService, type TestService } from '../support/service.js';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

const OURA: SourceIdentity = { provider: 'oura', deviceModel: 'Oura Ring Gen3', deviceType: 'ring', account: 'o1' };
const WHOOP: SourceIdentity = { provider: 'whoop', deviceModel: 'Whoop 4.0', deviceType: 'band', account: 'w1' };
const POLAR: SourceIdentity = { provider: 'polar', deviceModel: 'Vantage V3', deviceType: 'watch', account: 'p1' };
const SCALE: SourceIdentity = { provider: 'apple', writer: 'Scale', deviceType: 'scale' };
const APP: SourceIdentity = { provider: 'apple', writer: 'Sleeper' };

const FIRST_MS = Date.parse('2026-03-07T00:00:00Z');
const DATES = ['2026-03-06', '2026-03-07', '2026-03-08', '2026-03-09', '2026-03-10'];
const SUMMARIES = ['activity', 'sleep', 'recovery'] as const;

type Row = Record<string, unknown> & { date: string; source: unknown; sources: Record<string, unknown> };
interface Explanation {
  date: string;
  may_change: boolean;
  groups: GroupExplanation[];
  metrics?: { type: string; value: number | null }[];
}

async function get(path: string) {
  const { status, body } = await service.call('GET', path);
  expect(status, path).toBe(200);
  return body;
}

const rowsOf = async (user: string, summary: string, query = '') =>
  (await get(`/api/v1/users/${user}/summaries/${summary}?start_date=2026-03-01&end_date=2026-03-31&limit=100${query}`))
    .data as Row[];
const explain = (user: string, summary: string, date: string): Promise<Explanation> =>
  get(`/api/v1/users/${user}/summaries/${summary}/explain?date=${date}`);

const IDENTITY = ['date', 'source', 'sources', 'attribution', 'sessions', 'withheld'];
/** Members of a body summary that are computed or that describe a measurement's time. */
const UNMEASURED = /^slow_changing\.age$|period_|_measured_at$/;

/** Returns all numbers and texts of a row by path; null represents a missing object. */
function figuresOf(row: object, path = ''): [string, unknown][] {
  return Object.entries(row).flatMap(([name, value]) => {
    const own = path + name;
    if ((path === '' && IDENTITY.includes(name)) || UNMEASURED.test(own)) return [];
    return value !== null && typeof value === 'object' ? figuresOf(value, `${own}.`) : [[own, value]];
  });
}

/** Fails unless each figure and each group's source in the explanation match the row. */
function expectSameFigures(row: Row, { groups }: Explanation) {
  const explained = new Map(groups.flatMap(({ figures }) => Object.entries(figures)));
  for (const [path, value] of figuresOf(row)) {
    if (value === null && !explained.has(path)) {
      // If an object of the row is null, each of its members is null in the explanation.
      for (const [name, figure] of explained) if (name.startsWith(`${path}.`)) expect(figure, name).toBeNull();
    } else expect(explained.get(path), path).toEqual(value);
  }
  expect(Object.fromEntries(groups.map(({ group, source }) => [group, source]))).toMatchObject(row.sources);
}

/** Like `expectSameFigures`. Also fails unless the only candidate without a reason for losing is the group's winner. */
function expectExplained(row: Row, explanation: Explanation) {
  expectSameFigures(row, explanation);
  for (const { group, winner, candidates, figures, days } of explanation.groups) {
    expect(candidates.map(({ rank }) => rank)).toEqual(candidates.map((_, at) => at + 1));
    const winners = candidates.filter(({ lost_by: reason }) => reason === null);
    expect(
      winners.map(({ source_id: id }) => id),
      group,
    ).toEqual(winner === null ? [] : [winner]);
    for (const candidate of winners) expect(candidate.figures, group).toEqual(figures);
    if (winner === null && !days) expect(new Set(Object.values(figures))).toEqual(new Set(figureless(figures)));
  }
}

/**
 * Fails unless each group ranks all sources and hides the ring's values. A ring that did not win must have lost because
 * of its vendor's terms.
 */
function expectWithheld({ groups }: Explanation) {
  for (const { group, winner, candidates } of groups) {
    expect(candidates.map(({ rank }) => rank)).toEqual(candidates.map((_, at) => at + 1));
    // A source that wins may also have a losing candidate, such as a measured BMI that is older than the computed BMI.
    const winners = candidates.filter(({ lost_by: reason }) => reason === null);
    expect(
      winners.map(({ source_id: id }) => id),
      group,
    ).toEqual(winner === null ? [] : [winner]);
    for (const { source, value, figures, measured_at, lost_by: reason } of candidates) {
      if (source.provider !== 'oura') continue;
      expect([null, 'terms'], group).toContain(reason);
      expect({ value, measured_at, device: source.device }).toEqual({ value: null, measured_at: null, device: null });
      expect(Object.values(figures).every((figure) => figure === null)).toBe(true);
    }
  }
}

/** Fails unless the amounts of an explanation equal the amounts of the row. */
function expectAmounts(row: Row, { metrics = [] }: Explanation) {
  const amounts = new Map(metrics.map(({ type, value }) => [type, value]));
  expect(amounts.get('steps') ?? null).toBe(row.steps);
  expect(amounts.get('distance_walking_running') ?? null).toBe(row.distance_meters);
  expect(amounts.get('energy') ?? null).toBe(row.active_calories_kcal);
}

/** Figures of a group without a winner: null, or zero naps. */
function figureless(figures: GroupExplanation['figures']): (number | null)[] {
  return Object.values(figures).map((figure) => (figure === 0 ? 0 : null));
}

const source = fc.constantFrom(WATCH, PHONE, GARMIN, OURA, WHOOP, POLAR, SCALE, APP);
const atMs = fc.integer({ min: 0, max: 3 * 144 }).map((step) => FIRST_MS + step * 10 * MS_PER_MINUTE);
const kind = fc.constantFrom<SampleKind>('sample', 'sample', 'daily_total');
const series = fc.oneof(
  fc.record({
    code: fc.constantFrom<SeriesCode>('steps', 'energy', 'basal_energy', 'distance_walking_running', 'flights_climbed'),
    value: fc.integer({ min: 0, max: 900 }),
    sampleKind: kind,
  }),
  fc.record({
    code: fc.constantFrom<SeriesCode>(
      'heart_rate',
      'resting_heart_rate',
      'oxygen_saturation',
      'heart_rate_variability_rmssd',
      'heart_rate_variability_sdnn',
      'blood_pressure_systolic',
      'blood_pressure_diastolic',
    ),
    value: fc.integer({ min: 50, max: 100 }),
    sampleKind: fc.constant<SampleKind>('sample'),
  }),
  fc.record({
    code: fc.constantFrom<SeriesCode>('weight', 'height', 'body_fat_percentage', 'body_mass_index', 'body_temperature'),
    value: fc.integer({ min: 20, max: 40 }),
    sampleKind: fc.constant<SampleKind>('sample'),
  }),
);
const records = fc
  .record({
    samples: fc.array(fc.record({ source, atMs, series }), { minLength: 1, maxLength: 60 }),
    nights: fc.array(
      fc.record({
        source,
        startMs: atMs,
        hours: fc.integer({ min: 1, max: 9 }),
        asleep: fc.constantFrom(undefined, 0, 0.5, 0.9),
        isNap: fc.boolean(),
      }),
      { maxLength: 8 },
    ),
    scores: fc.array(
      fc.record({ source: fc.constantFrom(OURA, WHOOP), atMs, value: fc.integer({ min: 0, max: 100 }) }),
      {
        maxLength: 3,
      },
    ),
  })
  .map(({ samples, nights, scores }): HealthRecord[] => [
    ...samples.map(
      ({ source, atMs, series: { code, value, sampleKind } }): HealthRecord => ({
        kind: 'sample',
        source,
        typeId: seriesTypeByCode(code).id,
        sampleKind,
        startMs: atMs,
        offsetMinutes: 60,
        value,
      }),
    ),
    ...nights.map(
      ({ source, startMs, hours, asleep, isNap }): HealthRecord => ({
        kind: 'sleep_session',
        source,
        startMs,
        endMs: startMs + hours * MS_PER_HOUR,
        isNap,
        offsetMinutes: 60,
        inBedSeconds: hours * 3600,
        ...(asleep === undefined ? {} : { asleepSeconds: hours * 3600 * asleep }),
      }),
    ),
    ...scores.map(
      ({ source, atMs, value }): HealthRecord => ({
        kind: 'health_score',
        source,
        atMs,
        value,
        offsetMinutes: 60,
        category: 'recovery',
      }),
    ),
  ]);

const asleep = (source: SourceIdentity, from: string, to: string, isNap = false): HealthRecord => ({
  kind: 'sleep_session',
  source,
  startMs: Date.parse(from),
  endMs: Date.parse(to),
  isNap,
  offsetMinutes: 0,
});
/** Night of a watch and nap of a ring. The total of the night's date includes the nap. */
const NAP_OF_RING = [
  asleep(WATCH, '2026-03-07T22:00:00Z', '2026-03-08T05:00:00Z'),
  asleep(OURA, '2026-03-08T13:00:00Z', '2026-03-08T14:00:00Z', true),
];

describe('explanations of random users', () => {
  test('explain every figure of activity, sleep and recovery', async () => {
    await fc.assert(
      fc.asyncProperty(records, async (own) => {
        const { id } = await recordedUser(service, ...own);
        for (const summary of SUMMARIES) {
          const rows = await rowsOf(id, summary);
          for (const date of DATES) {
            const explanation = await explain(id, summary, date);
            const row = rows.find((one) => one.date === date);
            expect(explanation.date).toBe(date);
            if (row) expectExplained(row, explanation);
            else expect(explanation.groups).toEqual([]);
          }
        }
      }),
      { numRuns: propertyRuns(12, 200) },
    );
  });

  test('match summaries without a provider excluded by its terms', async () => {
    const { call } = await service.logIn();
    const settings = '/api/v1/providers/oura/settings';
    const combine = async (terms: object | null) =>
      expect(await call('PATCH', settings, { terms: { combine: terms } })).toMatchObject({ status: 200 });
    await combine({ value: 'deny', reason: 'Our agreement' });
    await combine({ answer: 'accepted' });
    try {
      await fc.assert(
        fc.asyncProperty(records, async (own) => {
          const shiftMs = Math.floor((Date.now() - FIRST_MS) / MS_PER_DAY - 2) * MS_PER_DAY;
          const moved = own
            .filter((record) => record.kind === 'sample')
            .map((record) => ({ ...record, startMs: record.startMs + shiftMs }));
          const { id } = await recordedUser(service, ...own, ...moved);
          for (const summary of SUMMARIES) {
            for (const row of await rowsOf(id, summary)) {
              const explanation = await explain(id, summary, row.date);
              expectSameFigures(row, explanation);
              expectWithheld(explanation);
            }
          }
          const body = await get(`/api/v1/users/${id}/summaries/body?latest_window_hours=24`);
          const explanation = await get(`/api/v1/users/${id}/summaries/body/explain?latest_window_hours=24`);
          if (body) expectSameFigures(body, explanation);
          expectWithheld(explanation);
        }),
        { numRuns: propertyRuns(6, 150), examples: [[NAP_OF_RING]] },
      );
    } finally {
      await combine(null);
    }
  });

  test('match activity merged by interval and by source', async () => {
    await fc.assert(
      fc.asyncProperty(records, async (own) => {
        const { id } = await recordedUser(service, ...own);
        const alone = await rowsOf(id, 'activity', '&merge=source');
        for (const [at, row] of (await rowsOf(id, 'activity', '&merge=interval')).entries()) {
          const merged = await explain(id, 'activity', `${row.date}&merge=interval`);
          expectExplained(row, merged);
          expectAmounts(row, merged);
          const explanation = await explain(id, 'activity', `${row.date}&merge=source`);
          expectAmounts(alone[at] as Row, explanation);
          for (const { figures, merged_figures: other } of explanation.groups) {
            for (const path of Object.keys(figures)) {
              const inRow = new Map(figuresOf(row)).get(path) ?? null;
              expect((other ?? figures)[path], path).toEqual(inRow);
            }
          }
          expect(merged.groups.every((group) => group.merged_figures === undefined)).toBe(true);
        }
      }),
      { numRuns: propertyRuns(10, 100) },
    );
  });

  test('explain every current body figure', async () => {
    await fc.assert(
      fc.asyncProperty(records, async (own) => {
        const shiftMs = Math.floor((Date.now() - FIRST_MS) / MS_PER_DAY - 2) * MS_PER_DAY;
        const moved = own.map((record) =>
          record.kind === 'sample' ? { ...record, startMs: record.startMs + shiftMs } : record,
        );
        const { id } = await recordedUser(service, ...moved);
        const row = await get(`/api/v1/users/${id}/summaries/body?latest_window_hours=24`);
        const explanation = await get(`/api/v1/users/${id}/summaries/body/explain?latest_window_hours=24`);
        if (row === null) expect(explanation.groups).toEqual([]);
        else expectExplained(row, explanation);
      }),
      { numRuns: propertyRuns(12, 200) },
    );
  });

  test('agree on variability and saturation in sleep and recovery summaries', async () => {
    await fc.assert(
      fc.asyncProperty(records, async (own) => {
        const { id } = await recordedUser(service, ...own);
        const recovery = new Map((await rowsOf(id, 'recovery')).map((row) => [row.date, row]));
        for (const night of await rowsOf(id, 'sleep')) {
          const same = recovery.get(night.date);
          if (!same || night.sources.sleep === null) continue;
          for (const name of ['avg_hrv_sdnn_ms', 'avg_hrv_rmssd_ms', 'avg_spo2_percent']) {
            expect(same[name], name).toEqual(night[name]);
          }
          expect(same.sources.hrv).toEqual(night.sources.hrv);
        }
      }),
      { numRuns: propertyRuns(10, 100) },
    );
  });
});

/** Series with their summary and group. */
const LISTED = [
  ['heart_rate_variability_rmssd', 'recovery', 'hrv'],
  ['heart_rate_variability_sdnn', 'recovery', 'hrv'],
  ['oxygen_saturation', 'recovery', 'oxygen_saturation'],
  ['resting_heart_rate', 'recovery', 'resting_heart_rate'],
  ['distance_walking_running', 'activity', 'movement'],
  ['basal_energy', 'activity', 'energy'],
] as const;

test("returns only samples of the summary's source with filter_by_priority", async () => {
  type Listed = { timestamp: string; source: { provider: string; device: string; source: string } };
  const localDate = ({ timestamp }: Listed) =>
    new Date(Date.parse(timestamp) + MS_PER_HOUR).toISOString().slice(0, 'YYYY-MM-DD'.length);
  await fc.assert(
    fc.asyncProperty(records, async (own) => {
      const { id } = await recordedUser(service, ...own);
      for (const [code, summary, group] of LISTED) {
        const path = `/api/v1/users/${id}/timeseries/${code}?start_date=2026-03-04&end_date=2026-03-12&limit=1000`;
        const all: Listed[] = (await get(path)).data;
        const chosen: Listed[] = (await get(`${path}&filter_by_priority=true`)).data;
        const rows = await rowsOf(id, summary);
        for (const date of new Set(all.map(localDate))) {
          const ofDate = all.filter((one) => localDate(one) === date);
          const found = chosen.filter((one) => localDate(one) === date);
          const named = JSON.stringify(rows.find((row) => row.date === date)?.sources[group]);
          const of = (source: string) => ofDate.filter((one) => JSON.stringify(one.source) === source);
          // If the winner has no sample of the series, one other source has all samples of the date.
          const source = of(named).length > 0 ? named : JSON.stringify(found[0]?.source);
          expect(found, `${code} on ${date}`).toEqual(of(source));
          expect(found.length, `${code} on ${date}`).toBeGreaterThan(0);
        }
      }
    }),
    { numRuns: propertyRuns(8, 100) },
  );
});

/** Returns `source: reason` of a group's candidates, best first. */
function rankReasons({ groups }: Explanation, group: string): string[] {
  const found = groups.find((one) => one.group === group);
  return (found?.candidates ?? []).map(({ source, lost_by: reason }) => `${source.provider}: ${reason ?? 'wins'}`);
}

test("names the rule behind each source's rank on a day", async () => {
  const { id } = await recordedUser(
    service,
    sample('steps', '2026-03-10T08:00:00Z', 4_200, { source: PHONE }),
    sample('steps', '2026-03-10T08:00:00Z', 9_000, { source: POLAR }),
    sample('steps', '2026-03-10T08:00:00Z', 9_900, { source: { ...POLAR, provider: 'suunto' } }),
    sample('flights_climbed', '2026-03-10T08:00:00Z', 3, { source: GARMIN }),
  );
  const explanation = await explain(id, 'activity', '2026-03-10');
  expect(rankReasons(explanation, 'movement')).toEqual([
    'polar: wins',
    'suunto: lower_provider_priority',
    'apple: too_little',
    'garmin: no_lead_figure',
  ]);
  const [movement] = explanation.groups;
  expect(movement).toMatchObject({ lead_figure: 'steps', unit: 'count' });
  expect(movement?.candidates.map(({ value }) => value)).toEqual([9_000, 9_900, 4_200, null]);
  expect(movement?.candidates.map(({ figures }) => figures.floors_climbed)).toEqual([null, null, null, 3]);
});

test('explains why a full ring night beats a short watch night', async () => {
  const night = (source: SourceIdentity, start: string, end: string): HealthRecord => ({
    kind: 'sleep_session',
    source,
    startMs: Date.parse(start),
    endMs: Date.parse(end),
    isNap: false,
    offsetMinutes: 0,
    asleepSeconds: (Date.parse(end) - Date.parse(start)) / 1000,
  });
  const { id } = await recordedUser(
    service,
    night(WATCH, '2026-03-09T23:00:00Z', '2026-03-10T02:00:00Z'),
    night(OURA, '2026-03-09T23:00:00Z', '2026-03-10T06:00:00Z'),
    sample('heart_rate_variability_rmssd', '2026-03-10T01:00:00Z', 41, { source: OURA, offsetMinutes: 0 }),
    sample('heart_rate_variability_sdnn', '2026-03-10T01:00:00Z', 52, { source: WATCH, offsetMinutes: 0 }),
  );
  const sleep = await explain(id, 'sleep', '2026-03-10');
  expect(rankReasons(sleep, 'sleep')).toEqual(['oura: wins', 'apple: too_little']);
  expect(sleep.groups[0]?.candidates.map(({ value, figures }) => [value, figures.duration_minutes])).toEqual([
    [420, 420],
    [180, 180],
  ]);
  expect(rankReasons(sleep, 'hrv')).toEqual(['oura: wins', 'apple: too_little']);
  const recovery = await explain(id, 'recovery', '2026-03-10');
  expect(rankReasons(recovery, 'sleep')).toEqual(['oura: wins', 'apple: too_little']);
  expect(rankReasons(recovery, 'hrv')).toEqual(rankReasons(sleep, 'hrv'));
});

test('shows merged figures if one source lacks hours of another source', async () => {
  const { id } = await recordedUser(
    service,
    sample('steps', '2026-03-10T08:00:00Z', 3_000, { source: PHONE, minutes: 60 }),
    sample('steps', '2026-03-10T13:00:00Z', 5_000, { source: PHONE, minutes: 60 }),
    sample('steps', '2026-03-10T13:00:00Z', 6_000, { source: WATCH, minutes: 60 }),
  );
  const { groups } = await explain(id, 'activity', '2026-03-10');
  expect(groups[0]).toMatchObject({ figures: { steps: 6_000 }, merged_figures: { steps: 9_000 } });
  expect(groups[1]?.merged_figures).toBeUndefined();
});

test("reports how many of another source's minutes the winner lacks", async () => {
  const night = (source: SourceIdentity, start: string, end: string): HealthRecord => ({
    kind: 'sleep_session',
    source,
    startMs: Date.parse(start),
    endMs: Date.parse(end),
    isNap: false,
    offsetMinutes: 0,
  });
  const { id } = await recordedUser(
    service,
    night(WATCH, '2026-03-09T22:00:00Z', '2026-03-10T02:00:00Z'),
    night(OURA, '2026-03-10T01:30:00Z', '2026-03-10T06:00:00Z'),
  );
  const { groups } = await explain(id, 'sleep', '2026-03-10');
  const missed = ({ source, minutes_missed: minutes }: GroupExplanation['candidates'][number]) => [
    source.provider,
    minutes,
  ];
  expect(groups[0]?.candidates.map(missed)).toEqual([
    ['apple', 0],
    ['oura', 240],
  ]);
});

test('reports that late data may change today and yesterday', async () => {
  const { id } = await recordedUser(
    service,
    ...[0, 1, 2].map((days) =>
      // Ten hours ahead of UTC.
      sample('steps', new Date(Date.now() - days * MS_PER_DAY).toISOString(), 100, { offsetMinutes: 600 }),
    ),
  );
  const today = new Date(Date.now() + 10 * MS_PER_HOUR).getTime();
  const dateBefore = (days: number) => new Date(today - days * MS_PER_DAY).toISOString().slice(0, 10);
  for (const summary of SUMMARIES) {
    for (const [days, mayChange] of [true, true, false].entries()) {
      expect(await explain(id, summary, dateBefore(days))).toMatchObject({ may_change: mayChange });
    }
  }
  expect(await get(`/api/v1/users/${id}/summaries/body/explain`)).toMatchObject({ may_change: true });
  expect(await explain(id, 'body', dateBefore(2))).toMatchObject({ may_change: false });
});

test('names the date whose summary counts a duplicate session', async () => {
  const night = (source: SourceIdentity, start: string, end: string, offsetMinutes: number): HealthRecord => ({
    kind: 'sleep_session',
    source,
    startMs: Date.parse(start),
    endMs: Date.parse(end),
    isNap: false,
    offsetMinutes,
  });
  const { id } = await recordedUser(
    service,
    night(WATCH, '2026-03-10T15:00:00Z', '2026-03-10T22:40:00Z', 60),
    night(OURA, '2026-03-10T15:00:00Z', '2026-03-10T22:40:00Z', 360),
    night(OURA, '2026-03-12T15:00:00Z', '2026-03-12T22:40:00Z', 0),
  );
  const { data } = await get(`/api/v1/users/${id}/events/sleep?start_date=2026-03-01&end_date=2026-03-31`);
  const dates = await Promise.all(
    data.map(async ({ id: session }: { id: string }) => {
      const { wake_date, summary_date } = await get(`/api/v1/users/${id}/events/sleep/${session}`);
      return [wake_date, summary_date];
    }),
  );
  expect(dates.sort()).toEqual([
    ['2026-03-10', '2026-03-10'],
    ['2026-03-11', '2026-03-10'],
    ['2026-03-12', '2026-03-12'],
  ]);
});

test("names the winner's variability measure", async () => {
  const night = {
    kind: 'sleep_session',
    source: WATCH,
    startMs: Date.parse('2026-03-09T22:00:00Z'),
    endMs: Date.parse('2026-03-10T06:00:00Z'),
    isNap: false,
    offsetMinutes: 0,
    asleepSeconds: 8 * 3600,
  } satisfies HealthRecord;
  const { id } = await recordedUser(
    service,
    night,
    sample('heart_rate_variability_sdnn', '2026-03-10T01:00:00Z', 61, { source: WATCH, offsetMinutes: 0 }),
    sample('heart_rate_variability_rmssd', '2026-03-10T01:00:00Z', 44, { source: OURA, offsetMinutes: 0 }),
  );
  for (const summary of ['sleep', 'recovery'] as const) {
    const hrv = (await explain(id, summary, '2026-03-10')).groups.find(({ group }) => group === 'hrv');
    expect(hrv).toMatchObject({
      lead_figure: 'avg_hrv_sdnn_ms',
      figures: { avg_hrv_sdnn_ms: 61, avg_hrv_rmssd_ms: null },
      candidates: [{ value: 61 }, { value: 44, figures: { avg_hrv_sdnn_ms: null, avg_hrv_rmssd_ms: 44 } }],
    });
  }
});

describe('the body summary', () => {
  test('explains the newest measurement next to older measurements', async () => {
    const { id } = await recordedUser(
      service,
      sample('weight', '2023-05-01T08:00:00Z', 82, { source: PHONE }),
      sample('weight', '2026-03-09T08:00:00Z', 71.3, { source: SCALE }),
      sample('height', '2020-01-01T08:00:00Z', 175, { source: PHONE }),
      sample('resting_heart_rate', '2026-03-02T05:00:00Z', 90, { source: GARMIN, offsetMinutes: 0 }),
      sample('resting_heart_rate', '2026-03-03T05:00:00Z', 57, { source: GARMIN, offsetMinutes: 0 }),
      sample('resting_heart_rate', '2026-03-08T05:00:00Z', 60, { source: GARMIN, offsetMinutes: 0 }),
      sample('resting_heart_rate', '2026-03-09T05:00:00Z', 63, { source: OURA, offsetMinutes: 0 }),
      sample('resting_heart_rate', '2026-03-10T05:00:00Z', 90, { source: OURA, offsetMinutes: 0 }),
    );
    const now = await get(`/api/v1/users/${id}/summaries/body`);
    expect(now.sources).toMatchObject({ weight: { device_type: 'scale' }, bmi: { device_type: 'scale' } });
    expect(now.sources).toMatchObject({ height: { device_type: 'phone' }, body_fat: null, resting_heart_rate: null });
    const explanation = await explain(id, 'body', '2026-03-09');
    const [weight] = explanation.groups;
    expect(weight?.figures).toEqual({ 'slow_changing.weight_kg': 71.3 });
    expect(weight?.candidates.map(({ value, lost_by: reason, measured_at: at }) => [value, reason, at])).toEqual([
      [71.3, null, '2026-03-09T08:00:00Z'],
      [82, 'older_reading', '2023-05-01T08:00:00Z'],
    ]);
    expect(explanation.groups.find(({ group }) => group === 'resting_heart_rate')).toMatchObject({
      figures: { 'averaged.resting_heart_rate_bpm': 60 },
      source: { provider: 'oura' },
      days: [
        { date: '2026-03-03', value: 57, source: { provider: 'garmin' } },
        { date: '2026-03-08', value: 60, source: { provider: 'garmin' } },
        { date: '2026-03-09', value: 63, source: { provider: 'oura' } },
      ],
    });
  });

  test('explains a past date by the data up to its local end', async () => {
    const { id } = await recordedUser(
      service,
      sample('weight', '2026-03-09T22:30:00Z', 70, { source: SCALE, offsetMinutes: 60 }),
      sample('weight', '2026-03-09T23:30:00Z', 69, { source: SCALE, offsetMinutes: 60 }),
    );
    const weightOn = async (date: string) => (await explain(id, 'body', date)).groups[0]?.figures;
    expect(await weightOn('2026-03-09')).toEqual({ 'slow_changing.weight_kg': 70 });
    expect(await weightOn('2026-03-10')).toEqual({ 'slow_changing.weight_kg': 69 });
    expect(await weightOn('2026-03-08')).toBeUndefined();
  });

  test('explains a profile weight that a measurement overrides', async () => {
    const { id } = await recordedUser(
      service,
      sample('weight', '2026-03-09T08:00:00Z', 80, { source: { provider: 'whoop', writer: 'whoop_api' } }),
      sample('weight', '2026-02-20T07:00:00Z', 72.5, { source: SCALE }),
    );
    expect(rankReasons(await explain(id, 'body', '2026-03-10'), 'weight')).toEqual([
      'apple: wins',
      'whoop: profile_value',
    ]);
  });
});
