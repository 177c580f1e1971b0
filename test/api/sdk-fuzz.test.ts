import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openPushFixture, type PushFixture } from './push-fixture.js';
import { payload, reading } from './push-payloads.js';

/** Number of payloads of each type. HEALTHD_FUZZ_RUNS overrides it. */
const RUNS = Number(process.env.HEALTHD_FUZZ_RUNS ?? 40);

let fixture: PushFixture;
beforeAll(async () => {
  fixture = await openPushFixture();
});
afterAll(() => fixture.close());

const anything = fc.anything({
  maxDepth: 3,
  withNullPrototype: false,
  values: [fc.jsonValue(), fc.string({ unit: 'binary' })],
});
const text = fc.oneof(
  fc.string(),
  fc.string({ unit: 'binary' }),
  fc.constantFrom('', '\u0000', '\ud800', 'x'.repeat(3000), '__proto__', 'constructor', '2026-11-19', 'NaN'),
);
const instant = fc.oneof(
  {
    weight: 6,
    arbitrary: fc
      .date({ min: new Date('2026-01-01'), max: new Date('2026-12-31'), noInvalidDate: true })
      .map((date) => date.toISOString()),
  },
  fc.double(),
  text,
  fc.constantFrom('0000-00-00T00:00:00Z', '9999-12-31T23:59:59Z', '2026-02-30T00:00:00Z', '2026-11-19T25:00:00Z', null),
);
const value = fc.oneof({ weight: 4, arbitrary: fc.double() }, text, fc.constantFrom(null, true, 1e308, -0, '12', []));
const word = (...known: string[]) =>
  fc.oneof({ weight: 5, arbitrary: fc.constantFrom(...known) }, text, fc.constant(null));
const source = fc.oneof(
  fc.record(
    {
      appId: text,
      name: text,
      deviceId: text,
      deviceModel: word('Watch7,3', 'SM-L330'),
      deviceType: word('watch', 'fitness_band'),
      operatingSystemVersion: anything,
    },
    { requiredKeys: [] },
  ),
  anything,
);
const placed = {
  id: text,
  parentId: word('sl-1'),
  startDate: instant,
  endDate: instant,
  zoneOffset: word('Z', '+02:00', 'CET'),
  source,
};
const unit = word('bpm', '%', 'm', 'km', 'kcal', 'ms', 's', 'count');
const record = fc.record(
  {
    ...placed,
    type: word(
      'HEART_RATE',
      'STEP_COUNT',
      'TOTAL_CALORIES_BURNED',
      'BASAL_METABOLIC_RATE',
      'HKQuantityTypeIdentifierStepCount',
    ),
    value,
    unit,
    metadata: anything,
  },
  { requiredKeys: [] },
);
const sleep = fc.record(
  {
    ...placed,
    stage: word('in_bed', 'light', 'deep', 'awake', 'unknown'),
    values: fc.oneof(fc.array(fc.record({ type: word('sleepScore'), value })), anything),
  },
  { requiredKeys: [] },
);
const part = fc.record(
  {
    startDate: instant,
    endDate: instant,
    timestamp: instant,
    type: word('heartRate', 'speed'),
    value,
    unit,
    latitude: value,
    longitude: value,
    altitudeM: value,
    distanceM: value,
    repetitions: value,
  },
  { requiredKeys: [] },
);
const parts = fc.oneof(fc.array(fc.oneof(part, anything), { maxLength: 4 }), anything);
const workout = fc.record(
  {
    ...placed,
    type: word('running', 'YOGA'),
    title: text,
    notes: text,
    metadata: anything,
    values: fc.oneof(
      fc.array(
        fc.oneof(
          fc.record({ type: word('duration', 'distance', 'calories', 'vo2Max', 'stepCount'), unit, value }),
          anything,
        ),
        { maxLength: 5 },
      ),
      anything,
    ),
    segments: parts,
    laps: parts,
    route: parts,
    samples: parts,
  },
  { requiredKeys: [] },
);
const list = (item: fc.Arbitrary<unknown>) =>
  fc.array(fc.oneof({ weight: 8, arbitrary: item }, anything), { maxLength: 6 });

/** One valid item of each type, at a time that no fuzzed item uses. */
const GOOD_AT = '2025-06-01T10:00:00Z';
const span = { startDate: GOOD_AT, endDate: '2025-06-01T10:30:00Z', zoneOffset: 'Z', source: { deviceModel: 'good' } };
const good = {
  record: reading('HEART_RATE', GOOD_AT, 61, 'bpm', { source: { deviceModel: 'good' } }),
  sleep: { id: 'good', stage: 'light', ...span },
  workout: { id: 'good', type: 'running', ...span },
};

describe('an arbitrary payload', { timeout: 240_000 + RUNS * 1_000 }, () => {
  it('keeps its good items', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('apple', 'samsung', 'google'),
        fc.record({ records: list(record), sleep: list(sleep), workouts: list(workout) }),
        fc.nat(6),
        async (provider, data, position) => {
          const user = await fixture.createUser();
          const mixed = (items: unknown[], item: object) => [
            ...items.slice(0, position),
            item,
            ...items.slice(position),
          ];
          const body = payload(provider, {
            records: mixed(data.records, good.record),
            sleep: mixed(data.sleep, good.sleep),
            workouts: mixed(data.workouts, good.workout),
          });
          const response = await fixture.send(
            user,
            JSON.stringify(body, (_key, member) => (typeof member === 'bigint' ? String(member) : member)),
          );
          expect(response.status).toBe(202);
          const run = await fixture.ended(String(response.body.batch_id));
          expect({ stage: run.stage, error: run.error }).toEqual({ stage: 'completed', error: null });
          const [stored] = await fixture.rows<Record<string, number>>(
            `select (select count(*)::int from sample s where s.user_key = u.user_key and start_at = $2 and value = 61) as records,
                    (select count(*)::int from sleep_session s where s.user_key = u.user_key and start_at = $2) as sleep,
                    (select count(*)::int from workout w where w.user_key = u.user_key and start_at = $2) as workouts
               from health_user u where id = $1`,
            [user, GOOD_AT],
          );
          expect(stored).toEqual({ records: 1, sleep: 1, workouts: 1 });
        },
      ),
      { numRuns: RUNS },
    );
  });

  it('of raw bytes, compressed or not, gets 202 or 400', async () => {
    const user = await fixture.createUser();
    const whole = Buffer.from(JSON.stringify(payload('apple', { records: [good.record] })));
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 300 }),
      fc.json().map((json) => Buffer.from(json)),
      fc
        .tuple(fc.nat(whole.length), fc.uint8Array({ maxLength: 4 }))
        .map(([at, put]) => Buffer.concat([whole.subarray(0, at), put, whole.subarray(at + put.length)])),
      fc
        .tuple(fc.nat(100_000), fc.uint8Array({ maxLength: 4 }))
        .map(([length, put]) =>
          Buffer.concat([Buffer.from(`{"provider":"apple","x":"${'y'.repeat(length)}`), put, Buffer.from('"}')]),
        ),
    );
    await fc.assert(
      fc.asyncProperty(bytes, fc.boolean(), fc.nat(30), async (body, packed, cut) => {
        const sent = packed ? gzipSync(body) : body;
        const headers: Record<string, string> = packed ? { 'Content-Encoding': 'gzip' } : {};
        const response = await fixture.send(
          user,
          sent.subarray(0, Math.max(1, sent.length - (cut > 20 ? cut : 0))),
          headers,
        );
        expect([202, 400]).toContain(response.status);
        if (response.status === 202)
          expect((await fixture.ended(String(response.body.batch_id))).ended_at).not.toBeNull();
      }),
      { numRuns: RUNS * 2 },
    );
  });

  it('with two million nested arrays fails only its own batch', async () => {
    const user = await fixture.createUser();
    const nested = `{"provider":"apple","data":${'['.repeat(2_000_000)}${']'.repeat(2_000_000)}}`;
    const { status, body } = await fixture.send(user, nested);
    expect(status).toBe(202);
    expect((await fixture.ended(String(body.batch_id))).status).toBe('failed');
    expect((await fixture.pushed(user, payload('apple', { records: [good.record] }))).status).toBe('success');
  });
});
