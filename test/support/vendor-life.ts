import process from 'node:process';
import { MS_PER_HOUR, type ProviderId, type SeriesCode, seriesTypeByCode } from '@healthd/model';
import { Random } from '@healthd/simulators';
import fc from 'fast-check';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { extent, propertyRuns } from './extent.js';
import type { ConnectedUser } from './vendor-fixture.js';

/** Zones on days near a clock change, and zones with the extreme offsets. */
const PLACES = [
  { timeZone: 'Europe/Warsaw', day: '2026-03-29' },
  { timeZone: 'Europe/Warsaw', day: '2026-10-25' },
  { timeZone: 'America/Los_Angeles', day: '2026-03-08' },
  { timeZone: 'America/Los_Angeles', day: '2026-11-01' },
  { timeZone: 'Australia/Lord_Howe', day: '2026-04-05' },
  { timeZone: 'America/St_Johns', day: '2026-11-01' },
  { timeZone: 'Asia/Kathmandu', day: '2026-06-10' },
  { timeZone: 'Pacific/Kiritimati', day: '2026-06-10' },
  { timeZone: 'Pacific/Niue', day: '2026-06-10' },
  { timeZone: 'UTC', day: '2026-06-10' },
] as const;
/** Time after which lists no longer lag behind notifications. */
const SETTLED_HOURS = 3;
const LONGEST_STEP = 20;
/** Days of history to request. A life has fewer days. */
const HISTORY_DAYS = 16;
const IN_ORDER = { reversed: false, twice: false };

/** Tables of stored records, and of the roll-ups that the service computes from them. */
const TABLES = [
  'sample',
  'sample_extremes',
  'sleep_stage',
  'sleep_session',
  'workout',
  'menstrual_cycle',
  'health_score',
  'day_value',
  'day_minutes',
  'night_value',
] as const;
/** Columns with the service's own IDs and times. */
const OWN = ['user_key', 'source_id', 'night_source_id', 'id', 'created_at', 'updated_at'];

/** A stored row with its source's name instead of its key. */
export interface StoredRow {
  table: (typeof TABLES)[number];
  type_id?: number;
  source: string;
  [column: string]: unknown;
}

/**
 * An account's data, as a naive reading of the simulator finds it. A member is undefined if the vendor has no such
 * data.
 */
export interface PlainTruth {
  /** Start, end and type of nights and naps. */
  sleeps?: readonly { startMs: number; endMs: number; nap?: boolean }[];
  workouts?: readonly { startMs: number; endMs?: number }[];
  /** Expected numbers of rows or sums, by name. */
  figures?: Readonly<Record<string, number>>;
}

/** The service and a vendor's simulator with common clocks. */
interface LifeFixture<Control> {
  control: Control & {
    reset(): Promise<void>;
    advanceClock(seconds: number): Promise<void>;
    growHistory(account: string): Promise<unknown>;
  };
  pool: pg.Pool;
  call(method: string, path: string): Promise<{ status: number }>;
  connect(account: string): Promise<ConnectedUser>;
  pull(user: ConnectedUser): Promise<unknown>;
  reading: { settle(): Promise<void> };
  close(): Promise<void>;
}

/** A moment in the random life of an account. */
export interface Moment {
  account: string;
  timeZone: string;
  random: Random;
  nowMs: number;
  /** False if the vendor sends no notification of the change. */
  notify: boolean;
  /** First start time of each item that the life created. */
  firstStarts: Map<string, number>;
}

/** Order and repetition in which held notifications are sent. */
export interface Sending {
  reversed: boolean;
  twice: boolean;
}

/** Functions and properties that differ between vendors. */
export interface LivedVendor<Control, F extends LifeFixture<Control>> {
  id: ProviderId;
  open(): Promise<F>;
  /** Creates the account with random forms, and stores its history until now. */
  start(control: Control, account: string, life: { timeZone: string; days: number; random: Random }): Promise<void>;
  /** Registers the webhook and holds its notifications. Undefined if the vendor sends no notifications. */
  subscribe?(fixture: F): Promise<void>;
  /** Sends the held notifications. */
  send?(control: Control, sending: Sending): Promise<unknown>;
  /** Sends some earlier notifications again. */
  repeat?(control: Control, random: Random): Promise<void>;
  /** Changes, moves, adds or deletes an item at the vendor. */
  change(control: Control, moment: Moment): Promise<void>;
  /** False if the vendor cannot be polled. */
  polls?: boolean;
  /** Number of lives in the short form. Default 2. */
  shortRuns?: number;
  /** Maximum delay until data reaches the vendor. Polls do not find data that arrives later. */
  lateHours: number;
  /** True if held notifications must be sent within a day. */
  expires?: boolean;
  /** Series whose samples have the time of the request. */
  states: readonly SeriesCode[];
  truth(control: Control, account: string): Promise<PlainTruth>;
  /** False for rows that a full read cannot store again. */
  isReadable?(row: StoredRow): boolean;
  /** Returns figures of the stored rows, under the truth's names. */
  figures?(rows: readonly StoredRow[]): Record<string, number>;
  /** True for rows that the vendor's notifications report. Undefined if notifications alone cannot deliver a life. */
  isNotified?(row: StoredRow): boolean;
}

/** Hours until the next step, and the events at that step. */
const step = fc.record({
  hours: fc.integer({ min: 1, max: LONGEST_STEP }),
  grows: fc.boolean(),
  changes: fc.array(fc.record({ seed: fc.nat(1_000_000), notify: fc.boolean() }), { maxLength: 3 }),
  sends: fc.option(fc.record({ reversed: fc.boolean(), twice: fc.boolean() })),
  repeats: fc.option(fc.nat(1_000_000)),
  polls: fc.boolean(),
});
const life = fc.record({
  seed: fc.integer({ min: 1, max: 9_999 }),
  place: fc.constantFrom(...PLACES),
  hour: fc.integer({ min: -24, max: 47 }),
  days: fc.integer({ min: 1, max: 4 }),
  steps: fc.array(step, { minLength: 1, maxLength: 5 }),
});
type Life = typeof life extends fc.Arbitrary<infer T> ? T : never;

/**
 * Returns the parameters of a property. The short form repeats the same lives, and the long form draws new lives. Ends
 * at the first failure, because shrinking a failing life would take more time than it saves.
 */
function runs(short: number, long: number): fc.Parameters<unknown> {
  const isDrawn = extent(0, 1) === 1 || process.env.PROPERTY_RUNS !== undefined;
  return { numRuns: propertyRuns(short, long), endOnFailure: true, ...(!isDrawn && { seed: 26 }) };
}

/** Tests that the service stores a random life at a vendor completely, however its data is split and ordered. */
export function testVendorLives<Control, F extends LifeFixture<Control>>(vendor: LivedVendor<Control, F>): void {
  let fixture: F;
  beforeAll(async () => {
    fixture = await vendor.open();
  });
  afterAll(async () => {
    vi.useRealTimers();
    await fixture.close();
  });

  /** Advances the time of the service and the vendor. Both follow the process's clock. */
  async function wait(hours: number): Promise<void> {
    vi.setSystemTime(Date.now() + hours * MS_PER_HOUR);
    // Some simulators adopt the new time only with this call.
    await fixture.control.advanceClock(0);
  }

  /**
   * Changes an account's data step by step while user A is connected, then connects user B to the same account.
   * @returns A's rows, B's rows after one full read, and the account's data
   */
  async function both({ seed, place, hour, days, steps }: Life, isPolled: boolean) {
    const { control } = fixture;
    const account = `life-${seed}`;
    await control.reset();
    vi.useFakeTimers({ toFake: ['Date'], now: Date.parse(place.day) + hour * MS_PER_HOUR });
    await vendor.start(control, account, { ...place, days, random: new Random(seed, 'start') });
    await vendor.subscribe?.(fixture);
    const a = await connect(account);
    let lateHours = 0;
    const firstStarts = new Map<string, number>();
    for (const [number, { hours, grows, changes, sends, repeats, polls }] of steps.entries()) {
      await wait(hours);
      lateHours += hours;
      if (grows || lateHours + LONGEST_STEP > vendor.lateHours) {
        await control.growHistory(account);
        lateHours = 0;
      }
      for (const one of changes) {
        const random = new Random(seed, number, one.seed);
        const notify = one.notify || !isPolled;
        await vendor.change(control, {
          account,
          timeZone: place.timeZone,
          random,
          nowMs: Date.now(),
          notify,
          firstStarts,
        });
      }
      if (sends || vendor.expires) await vendor.send?.(control, sends ?? IN_ORDER);
      if (repeats !== null) await vendor.repeat?.(control, new Random(seed, repeats, 'repeat'));
      await fixture.reading.settle();
      if (polls && isPolled) await fixture.pull(a);
    }
    await vendor.send?.(control, IN_ORDER);
    await wait(SETTLED_HOURS);
    await fixture.reading.settle();
    if (isPolled) await fixture.pull(a);
    const pieces = await storedRows(fixture.pool, a);
    await disconnect(a);
    const b = await connect(account);
    await wait(SETTLED_HOURS);
    await fixture.reading.settle();
    const whole = await storedRows(fixture.pool, b);
    const truth = await vendor.truth(control, account);
    await disconnect(b);
    return { pieces, whole, truth };
  }

  async function connect(account: string): Promise<ConnectedUser> {
    const user = await fixture.connect(account);
    // Uses the test's clock, which differs from the database's clock.
    await fixture.pool.query('update connection set consented_at = $2 where id = $1', [user.connectionId, new Date()]);
    if (vendor.polls !== false) {
      const path = `/api/v1/providers/${vendor.id}/users/${user.userId}/sync`;
      await fixture.call('POST', `${path}/historical?days=${HISTORY_DAYS}`);
    }
    await fixture.reading.settle();
    // Some vendors deliver the history on request.
    for (let hour = 0; vendor.expires && hour < 2; hour++) {
      await wait(1);
      await vendor.send?.(fixture.control, IN_ORDER);
      await fixture.reading.settle();
    }
    return user;
  }

  async function disconnect({ userId }: ConnectedUser): Promise<void> {
    const { status } = await fixture.call('DELETE', `/api/v1/users/${userId}/connections/${vendor.id}`);
    expect(status).toBeLessThan(300);
    await fixture.reading.settle();
  }

  const states = new Set<unknown>(vendor.states.map((code) => seriesTypeByCode(code).id));
  const isTimed = (row: StoredRow) => !states.has(row.type_id) && (vendor.isReadable?.(row) ?? true);

  describe(`a random life at ${vendor.id}`, () => {
    it("matches one full read and the vendor's data in any delivery order", async () => {
      const property = fc.asyncProperty(life, async (one) => {
        const { pieces, whole, truth } = await both(one, vendor.polls !== false);
        expectEqualRows(pieces.filter(isTimed), whole.filter(isTimed));
        expectTruth(pieces.filter(isTimed), truth, vendor.figures);
      });
      await fc.assert(property, runs(vendor.shortRuns ?? 2, 60));
    });

    const { isNotified } = vendor;
    if (isNotified && vendor.polls !== false) {
      it('matches one full read if only notifications deliver the data', async () => {
        const property = fc.asyncProperty(life, async (one) => {
          const { pieces, whole } = await both(one, false);
          const isCompared = (row: StoredRow) => isTimed(row) && isNotified(row);
          expectEqualRows(pieces.filter(isCompared), whole.filter(isCompared));
        });
        await fc.assert(property, runs(1, 40));
      });
    }
  });
}

function expectEqualRows(pieces: readonly StoredRow[], whole: readonly StoredRow[]): void {
  const [some, all] = [pieces, whole].map((rows) => rows.map((row) => JSON.stringify(row, rounded)).toSorted());
  const [known, expected] = [new Set(some), new Set(all)];
  const surplus = some!.filter((row) => !expected.has(row));
  const missing = all!.filter((row) => !known.has(row));
  expect({ surplus: surplus.slice(0, 10), missing: missing.slice(0, 10) }).toEqual({ surplus: [], missing: [] });
  expect(some).toEqual(all);
}

/** Rounds fractions, because the last digits of a sum depend on the order of its parts. */
function rounded(_: string, value: unknown): unknown {
  return typeof value === 'number' && !Number.isInteger(value) ? Number(value.toPrecision(6)) : value;
}

function expectTruth(
  rows: readonly StoredRow[],
  { sleeps, workouts, figures }: PlainTruth,
  figuresOf: (rows: readonly StoredRow[]) => Record<string, number> = () => ({}),
): void {
  const at = (value: unknown) => new Date(value as string).getTime();
  const of = (table: StoredRow['table']) => rows.filter((row) => row.table === table);
  if (sleeps) {
    const hasTypes = sleeps.every(({ nap }) => nap !== undefined);
    const stored = of('sleep_session').map((one) =>
      [at(one.start_at), at(one.end_at), ...(hasTypes ? [one.is_nap] : [])].join(' '),
    );
    const expected = sleeps.map(({ startMs, endMs, nap }) => [startMs, endMs, ...(hasTypes ? [nap] : [])].join(' '));
    expect(stored.toSorted()).toEqual(expected.toSorted());
  }
  if (workouts) {
    const hasEnds = workouts.every(({ endMs }) => endMs !== undefined);
    const stored = of('workout').map((one) => [at(one.start_at), ...(hasEnds ? [at(one.end_at)] : [])].join(' '));
    const expected = workouts.map(({ startMs, endMs }) => [startMs, ...(hasEnds ? [endMs] : [])].join(' '));
    expect(stored.toSorted()).toEqual(expected.toSorted());
  }
  if (figures) expect(figuresOf(rows)).toEqual(figures);
}

async function storedRows(pool: pg.Pool, { userKey }: ConnectedUser): Promise<StoredRow[]> {
  const found: StoredRow[] = [];
  for (const table of TABLES) {
    const { rows } = await pool.query<{ row: Record<string, unknown> }>(
      `select to_jsonb(t) - $2::text[] || jsonb_build_object('source',
              (select concat_ws('|', provider, device_model, writer, device_id) from data_source s
                where s.user_key = t.user_key and s.source_id = t.source_id)) as row
         from ${table} t where user_key = $1`,
      [userKey, OWN],
    );
    found.push(...rows.map(({ row }): StoredRow => ({ table, ...row, source: String(row.source) })));
  }
  return found;
}

/**
 * Maximum hours by which an item moves before or after its first start. The total range is shorter than a day, the
 * largest move that the service supports.
 */
const MOVE_HOURS = 10;

/**
 * Returns a start near the item's first start. The first call for an item draws that first start from `hours`. Always
 * notifies of an old item's move.
 */
export function startOf(moment: Moment, id: string, hours: { from: number; to: number }) {
  const { firstStarts, random, nowMs } = moment;
  const first = firstStarts.get(id) ?? hoursAgo(moment, hours.from, hours.to - MOVE_HOURS);
  firstStarts.set(id, first);
  const moved = first + random.integer(-60 * MOVE_HOURS, 60 * MOVE_HOURS) * 60_000;
  return {
    startMs: Math.min(moved, nowMs - hours.from * MS_PER_HOUR),
    notify: moment.notify || first < nowMs - (hours.to - MOVE_HOURS) * MS_PER_HOUR,
  };
}

/** Returns an instant some hours ago, at a whole minute. */
export function hoursAgo({ nowMs, random }: Moment, from: number, to: number): number {
  return Math.floor((nowMs - random.between(from, to) * MS_PER_HOUR) / 60_000) * 60_000;
}

/** Formats an instant as RFC 3339 in UTC. */
export function iso(ms: number): string {
  return new Date(ms).toISOString();
}

/** Returns the minutes by which a zone's clock is ahead of UTC. */
export function offsetAt(timeZone: string, ms: number): number {
  const text = new Date(ms).toLocaleString('sv-SE', { timeZone });
  return Math.round((Date.parse(`${text.replace(' ', 'T')}Z`) - ms) / 60_000);
}

/** Formats an instant as local time of a zone, without its offset. */
export function localText(timeZone: string, ms: number): string {
  return iso(ms + offsetAt(timeZone, ms) * 60_000).slice(0, 19);
}
