import {
  type HealthRecord,
  localDayNumber,
  MS_PER_DAY,
  NO_OFFSET,
  type RecordBatch,
  type SleepSessionRecord,
  type WorkoutRecord,
} from '@healthd/model';
import {
  Random,
  startGoogleSimulator,
  startOuraSimulator,
  startPolarSimulator,
  startStravaSimulator,
  startSuuntoSimulator,
  startUltrahumanSimulator,
  startWhoopSimulator,
  writtenUltrahumanNight,
} from '@healthd/simulators';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { CloudProvider, ReadWindow, TimeRange, VendorApi } from './cloud/index.js';
import { GOOGLE_CLOUD } from './google/cloud.js';
import { OURA } from './oura/index.js';
import { POLAR_WITH_SAMPLES } from './polar/testing/with-samples.js';
import { STRAVA_WITH_STREAMS } from './strava/testing/with-streams.js';
import { SUUNTO } from './suunto/index.js';
import { consent, modeOf, type SimulatedVendor } from './testing/consent.js';
import { ULTRAHUMAN } from './ultrahuman/index.js';
import { WHOOP } from './whoop/index.js';

const MANY = 1_000_000;
/** Number of accounts with different forms. */
const FORMS = 12;
/** Days around clock changes, and zones with extreme and odd offsets. */
const PLACES = [
  ['Europe/Warsaw', '2026-03-30T09:00:00Z'],
  ['America/Los_Angeles', '2025-11-03T22:00:00Z'],
  ['Australia/Lord_Howe', '2026-04-06T03:00:00Z'],
  ['Asia/Kathmandu', '2026-05-10T18:20:00Z'],
  ['Pacific/Kiritimati', '2026-05-10T13:00:00Z'],
  ['Pacific/Niue', '2026-05-10T11:30:00Z'],
] as const;

interface Driven extends SimulatedVendor {
  control: {
    reset(): Promise<void>;
    setClock(now: string): Promise<unknown>;
    addAccount(facts: { id: string; timeZone: string }): Promise<unknown>;
    setMember?(account: string, member: string): Promise<unknown>;
    seedHistory(account: string, options: { seed: number; days: number }): Promise<unknown>;
  };
  close(): Promise<void>;
}

/** Each vendor with the number of lives, and the days of a life. */
const VENDORS: readonly [string, number, number, CloudProvider, () => Promise<unknown>][] = [
  [
    'whoop',
    2,
    6,
    WHOOP.cloud,
    () => startWhoopSimulator({ autoConsent: true, limits: { perMinute: MANY, perDay: MANY } }),
  ],
  ['oura', 2, 3, OURA.cloud, () => startOuraSimulator({ autoConsent: true, limits: { perFiveMinutes: MANY } })],
  [
    'polar',
    1,
    2,
    POLAR_WITH_SAMPLES,
    () => startPolarSimulator({ autoConsent: true, limits: { perQuarter: MANY, perDay: MANY } }),
  ],
  [
    'strava',
    2,
    10,
    STRAVA_WITH_STREAMS,
    () =>
      startStravaSimulator({
        autoConsent: true,
        limits: { perQuarter: MANY, perDay: MANY, readsPerQuarter: MANY, readsPerDay: MANY },
      }),
  ],
  [
    'suunto',
    1,
    3,
    SUUNTO.cloud,
    () => startSuuntoSimulator({ autoConsent: true, limits: { perMinute: MANY, perWeek: MANY } }),
  ],
  ['google', 1, 2, GOOGLE_CLOUD, () => startGoogleSimulator({ autoConsent: true, quota: { perUser: MANY } })],
  ['ultrahuman', 6, 3, ULTRAHUMAN.cloud, () => startUltrahumanSimulator({ autoConsent: true })],
];

interface Row {
  of: 'samples' | 'sleep_sessions' | 'workouts' | 'health_scores' | 'others';
  writer: string | undefined;
  startMs: number;
  offsetMinutes?: number | undefined;
  typeId?: number;
  kind?: string;
  externalId?: string | undefined;
  text: string;
  record?: HealthRecord;
}

/** A store as slow and simple as possible: rows by identity. */
type Store = Map<string, Row>;

const KINDS = ['sample', 'daily_total', 'aggregate'];

function rowsOf({ samples, sources, records }: RecordBatch): Row[] {
  const rows: Row[] = [];
  for (let at = 0; at < samples.length; at++) {
    const [typeId, kind, offset] = [
      samples.typeId[at] as number,
      KINDS[samples.kind[at] as number] as string,
      samples.offsetMinutes[at] as number,
    ];
    const startMs = samples.startMs[at] as number;
    const more = [samples.durationMs[at], samples.value[at], JSON.stringify(samples.extremes?.get(at))];
    rows.push({
      of: 'samples',
      writer: sources[samples.sourceIndex[at] as number]?.writer,
      startMs,
      offsetMinutes: offset === NO_OFFSET ? undefined : offset,
      typeId,
      kind,
      externalId: String(samples.idHash[at]),
      text: [typeId, kind, startMs, offset, samples.idHash[at], ...more].join(' '),
    });
  }
  for (const record of records) {
    const text = JSON.stringify(sorted(record));
    const of = ({ sleep_session: 'sleep_sessions', workout: 'workouts', health_score: 'health_scores' } as const)[
      record.kind as 'workout'
    ];
    if (record.kind === 'replacement' || record.kind === 'deletion' || record.kind === 'personal') continue;
    const startMs = record.kind === 'health_score' ? record.atMs : record.startMs;
    const { externalId } = record as { externalId?: string };
    rows.push({ of: of ?? 'others', writer: record.source.writer, startMs, externalId, text, record });
  }
  return rows;
}

const keyOf = ({ of, writer, startMs, typeId, kind, externalId }: Row) =>
  of === 'samples' ? [of, writer, typeId, kind, startMs].join('|') : [of, writer, externalId ?? startMs].join('|');

/** Returns a value whose members are in the order of their names. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(members.map(([name, member]) => [name, sorted(member)]));
}

/** Applies a batch: a replacement removes its window's rows, then the batch's rows are stored. */
function apply(store: Store, batch: RecordBatch): void {
  const replacements = batch.records.flatMap((one) => (one.kind === 'replacement' ? [one] : []));
  for (const [key, row] of store) if (replacements.some((one) => isReplaced(row, one))) store.delete(key);
  for (const row of rowsOf(batch)) store.set(keyOf(row), row);
}

function isReplaced(row: Row, one: HealthRecord & { kind: 'replacement' }): boolean {
  const isOfWriter = row.writer === one.writer || row.writer?.startsWith(`${one.writer}/`) === true;
  if (!isOfWriter || row.startMs < one.startMs || row.startMs >= one.endMs) return false;
  switch (one.of) {
    case 'samples': {
      if (row.of !== 'samples' || !one.typeIds.includes(row.typeId as number)) return false;
      if (one.sampleKinds && !one.sampleKinds.includes(row.kind as 'sample')) return false;
      if (one.externalIds) return false;
      const day = localDayNumber(row.startMs, row.offsetMinutes ?? 0);
      return !one.localDays || (day >= one.localDays.firstDay && day < one.localDays.endDay);
    }
    case 'health_scores':
      return row.of === 'health_scores' && row.externalId?.startsWith(one.idPrefix) === true;
    default:
      return row.of === one.of;
  }
}

/** Returns a response with its lists of objects in another order. */
function unordered(value: unknown, random: Random): unknown {
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return value;
  if (!Array.isArray(value)) {
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, unordered(member, random)]));
  }
  const items = value.map((one) => unordered(one, random));
  if (!items.every((one) => typeof one === 'object' && one !== null && !Array.isArray(one))) return items;
  const ranked = items.map((one) => ({ one, rank: random.next() }));
  return ranked.sort((a, b) => a.rank - b.rank).map(({ one }) => one);
}

/** Depth of an item's members in a response. Members of the response itself lead to the next page. */
const ITEM_DEPTH = 3;

/** Returns a response in which some members of items are null, or missing. Equal seeds select equal members. */
function incomplete(value: unknown, random: Random, isNull: boolean, depth = 0): unknown {
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return value;
  if (Array.isArray(value)) return value.map((one) => incomplete(one, random, isNull, depth + 1));
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) => {
      const whole = incomplete(member, random, isNull, depth + 1);
      // An entry of a map by time is an item, not a member.
      const isMember = depth + 1 >= ITEM_DEPTH && !/^\d/.test(name);
      if (!random.chance(0.03) || !isMember) return [[name, whole]];
      return isNull ? [[name, null]] : [];
    }),
  );
}

/** Expected nights and workouts of an account, from the simulator. Undefined members are not compared. */
interface Truth {
  sleeps: { startMs: number; endMs: number; figures?: Partial<SleepSessionRecord> }[];
  workouts: { startMs: number; endMs?: number | undefined; figures?: Partial<WorkoutRecord> }[];
}

// biome-ignore lint/suspicious/noExplicitAny: each vendor's simulator has another truth
type AnyControl = any;

/** Reads the truth of each vendor. */
const TRUTHS: Record<string, (control: AnyControl, id: string) => Promise<Truth>> = {
  async whoop(control, id) {
    const { sleeps, workouts } = await control.truth(id);
    const seconds = (minutes: number | undefined) => (minutes === undefined ? undefined : Math.round(minutes * 60));
    return {
      sleeps: sleeps.map(({ startMs, endMs, nap, offsetMinutes, minutes }: AnyControl) => ({
        startMs,
        endMs,
        figures: {
          isNap: nap,
          offsetMinutes,
          inBedSeconds: seconds(minutes?.inBed),
          deepSeconds: seconds(minutes?.deep),
          lightSeconds: seconds(minutes?.light),
          remSeconds: seconds(minutes?.rem),
          awakeSeconds: seconds(minutes?.awake),
        },
      })),
      workouts: workouts.map(({ startMs, endMs, distanceMeters, averageHeartRate }: AnyControl) => ({
        startMs,
        endMs,
        figures: { distanceMeters, heartRateAvg: averageHeartRate },
      })),
    };
  },
  async oura(control, id) {
    const { sleeps, workouts } = await control.truth(id);
    return {
      sleeps: sleeps.map(({ startMs, endMs, nap, seconds }: AnyControl) => ({
        startMs,
        endMs,
        figures: {
          isNap: nap,
          deepSeconds: seconds.deep,
          lightSeconds: seconds.light,
          remSeconds: seconds.rem,
          asleepSeconds: seconds.light + seconds.deep + seconds.rem,
          inBedSeconds: seconds.inBed,
        },
      })),
      workouts: workouts.map(({ startMs, endMs, kcal, meters }: AnyControl) => ({
        startMs,
        endMs,
        figures: { caloriesKcal: kcal, distanceMeters: meters },
      })),
    };
  },
  async polar(control, id) {
    const { nights, exercises } = await control.truth(id);
    return {
      sleeps: nights.map(({ startMs, endMs, seconds }: AnyControl) => ({
        startMs,
        endMs,
        figures: {
          isNap: false,
          asleepSeconds: seconds.asleep,
          awakeSeconds: seconds.awake,
          lightSeconds: seconds.light,
          deepSeconds: seconds.deep,
          remSeconds: seconds.rem,
        },
      })),
      workouts: exercises.map(({ startMs, meters }: AnyControl) => ({ startMs, figures: { distanceMeters: meters } })),
    };
  },
  async strava(control, id) {
    const { activities } = await control.truth(id);
    return {
      sleeps: [],
      workouts: activities.map(({ startMs, endMs, meters, kcal, offsetMinutes }: AnyControl) => ({
        startMs,
        endMs,
        figures: { distanceMeters: meters || undefined, totalCaloriesKcal: kcal, offsetMinutes },
      })),
    };
  },
  async suunto(control, id) {
    const { sleeps, workouts } = await control.truth(id);
    return {
      sleeps: sleeps.map(({ startMs, endMs, isNap, asleepSeconds }: AnyControl) => ({
        startMs,
        endMs,
        figures: { isNap, asleepSeconds },
      })),
      workouts: workouts.map(({ startMs, endMs, meters }: AnyControl) => ({
        startMs,
        endMs,
        figures: { distanceMeters: meters },
      })),
    };
  },
  async google(control, id) {
    return { sleeps: await control.trueSleeps(id), workouts: await control.trueExercises(id) };
  },
  async ultrahuman(control, id) {
    const [days, { night }] = [await control.truth(id), await control.forms(id)];
    return {
      sleeps: days.flatMap(({ sleep }: AnyControl) => {
        if (!sleep) return [];
        const { asleep, deep, light, rem, awake } = writtenUltrahumanNight(sleep, night);
        const figures = {
          asleepSeconds: asleep,
          deepSeconds: deep,
          lightSeconds: light,
          remSeconds: rem,
          awakeSeconds: awake,
        };
        return [{ startMs: sleep.start * 1_000, endMs: sleep.end * 1_000, figures }];
      }),
      workouts: [],
    };
  },
};

/** Expects that the stored nights and workouts have the true times and figures. */
function expectTruth(store: Store, { sleeps, workouts }: Truth): void {
  const records = [...store.values()].flatMap(({ record }) => record ?? []);
  for (const [kind, all] of [
    ['sleep_session', sleeps],
    ['workout', workouts],
  ] as const) {
    const stored = records.flatMap((one) => (one.kind === kind ? [one] : [])).toSorted((a, b) => a.startMs - b.startMs);
    const expected = all
      .toSorted((a, b) => a.startMs - b.startMs)
      .map(({ figures, startMs, endMs }) => {
        const known = Object.entries({ endMs, ...figures }).filter(([, value]) => value !== undefined);
        return { startMs, ...Object.fromEntries(known) };
      });
    expect(stored).toMatchObject(expected);
  }
}

const textsOf = (store: Store) => [...store.values()].map(({ text }) => text).toSorted();

describe.each(VENDORS)('a pull from %s', (vendor, lives, days, cloud, start) => {
  let simulator: Driven;
  beforeAll(async () => {
    simulator = (await start()) as Driven;
  });
  afterAll(() => {
    vi.useRealTimers();
    return simulator.close();
  });

  const { pull } = cloud;
  if (!pull) throw new Error('the provider cannot be read');
  const mode = modeOf(cloud);
  const runs = { numRuns: Number(process.env.PROPERTY_RUNS ?? lives), endOnFailure: true };

  async function live([timeZone, now]: (typeof PLACES)[number], seed: number) {
    await simulator.control.reset();
    vi.useFakeTimers({ toFake: ['Date'], now: Date.parse(now) });
    await simulator.control.setClock(now);
    // The account's name, or its number, selects its forms.
    const id = `life-${seed}`;
    for (let number = 0; number < seed % FORMS; number++) {
      await simulator.control.addAccount({ id: `other-${number}`, timeZone });
    }
    await simulator.control.addAccount({ id, timeZone });
    await simulator.control.setMember?.(id, 'registered before');
    await simulator.control.seedHistory(id, { seed, days });
    const { api, scopes } = await consent(cloud, simulator, id);
    const range = { startMs: Date.parse(now) - (days + 1) * MS_PER_DAY, endMs: Date.parse(now) };
    return { api, range, account: await pull!.account(api, scopes) };
  }

  async function read(
    store: Store,
    { api, account }: { api: VendorApi; account: Awaited<ReturnType<NonNullable<typeof pull>['account']>> },
    range: TimeRange,
  ): Promise<void> {
    for (const { id } of pull!.dataTypes) {
      const windows: ReadWindow[] = [...pull!.windows(id, range, mode, account)];
      for (let window = windows.shift(); window; window = windows.shift()) {
        const { batch, fromMs, fromItem } = await pull!.read(api, id, window, mode, account);
        if (fromMs !== undefined && fromMs > window.startMs) {
          windows.unshift({ ...window, endMs: fromMs, doneItem: fromItem });
        }
        apply(store, batch);
      }
    }
  }

  const life = fc.record({
    place: fc.constantFrom(...PLACES),
    seed: fc.integer({ min: 1, max: 900 }),
    /** Ends of pieces, as thousandths of the range. */
    cuts: fc.array(fc.integer({ min: 1, max: 999 }), { minLength: 1, maxLength: 3 }),
    /** Order in which the pieces are read. */
    order: fc.array(fc.nat(), { minLength: 4, maxLength: 4 }),
  });

  it('stores the vendor’s data in pieces of any size and order', async () => {
    const property = fc.asyncProperty(life, async ({ place, seed, cuts, order }) => {
      const lived = await live(place, seed);
      const { startMs, endMs } = lived.range;
      const whole: Store = new Map();
      await read(whole, lived, lived.range);
      const ends = [
        ...new Set([startMs, ...cuts.map((part) => Math.round(startMs + (part / 1_000) * (endMs - startMs))), endMs]),
      ].toSorted((a, b) => a - b);
      const pieces = ends.slice(1).map((end, at) => ({ startMs: ends[at] as number, endMs: end }));
      const truth = await TRUTHS[vendor]?.(simulator.control, `life-${seed}`);
      if (truth) expectTruth(whole, truth);
      const store: Store = new Map();
      const ranked = pieces
        .map((piece, at) => ({ piece, rank: order[at] as number }))
        .toSorted((a, b) => a.rank - b.rank);
      for (const { piece } of ranked) await read(store, lived, piece);
      expect(textsOf(store)).toEqual(textsOf(whole));
      // Reading a piece again restores everything that it replaces.
      for (const piece of pieces) await read(whole, lived, piece);
      expect(textsOf(whole)).toEqual(textsOf(store));
    });
    await fc.assert(property, runs);
  });

  /** Reads a life from changed responses. */
  async function changed(place: (typeof PLACES)[number], seed: number, change: (response: unknown) => unknown) {
    const lived = await live(place, seed);
    const { api } = lived;
    const store: Store = new Map();
    await read(store, { ...lived, api: { call: async (request) => change(await api.call(request)) } }, lived.range);
    return textsOf(store);
  }

  it('stores the same data from lists in any order', async () => {
    let rows = 0;
    const property = fc.asyncProperty(life, async ({ place, seed }) => {
      const ordered = await changed(place, seed, (response) => response);
      rows += ordered.length;
      const random = new Random(seed, 'order');
      expect(await changed(place, seed, (response) => unordered(response, random))).toEqual(ordered);
    });
    await fc.assert(property, runs);
    expect(rows).toBeGreaterThan(0);
  });

  // Google's responses omit members without a value.
  if (vendor === 'google') return;
  it('stores the same data from null and from missing members', async () => {
    const property = fc.asyncProperty(life, async ({ place, seed }) => {
      const read = (isNull: boolean) => {
        const random = new Random(seed, 'members');
        return changed(place, seed, (response) => incomplete(response, random, isNull));
      };
      expect(await read(true)).toEqual(await read(false));
    });
    await fc.assert(property, runs);
  });
});
