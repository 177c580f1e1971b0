import { MS_PER_DAY, MS_PER_HOUR } from '@healthd/model';
import { type SuuntoSample, startSuuntoSimulator } from '@healthd/simulators';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { openVendorFixture, type VendorFixture } from '../../support/vendor-fixture.js';

const UNBOUNDED = 1_000_000;
const START_MS = Math.floor((Date.now() - 2 * MS_PER_DAY) / MS_PER_DAY) * MS_PER_DAY;
const DATE = new Date(START_MS).toISOString().slice(0, 10);

type Simulator = Awaited<ReturnType<typeof startSuuntoSimulator>>;
type SuuntoInput = Parameters<Simulator['control']['put']>[1];
type SuuntoDay = NonNullable<SuuntoInput['days']>[number];

let fixture: VendorFixture<Simulator>;
let ada: Awaited<ReturnType<typeof fixture.connect>>;
beforeAll(async () => {
  const limits = { perMinute: UNBOUNDED, perWeek: UNBOUNDED };
  fixture = await openVendorFixture('suunto', await startSuuntoSimulator({ autoConsent: true, limits }));
});
afterAll(() => fixture.close());
let number = 0;
beforeEach(async () => {
  await fixture.control.reset();
  await fixture.control.addAccount({ id: 'ada', userId: `merika-${++number}`, timeZone: 'UTC' });
  ada = await fixture.connect('ada');
  await fixture.reading.settle();
});

const total = (steps: number | null, device = 'Suunto Race S'): SuuntoDay => ({
  date: DATE,
  offsetMinutes: 120,
  device,
  steps,
  joules: steps === null ? null : 9_832_400,
});
const record = (hour: number, entryData: object): SuuntoSample => ({
  timestamp: `${DATE}T${String(hour).padStart(2, '0')}:00:00.000+02:00`,
  entryData: { ...entryData },
});
async function pull(input: SuuntoInput) {
  await fixture.control.put('ada', input, { notify: false });
  await fixture.pull(ada);
}
async function stepsOfDay() {
  const after = new Date(START_MS + 2 * MS_PER_DAY).toISOString().slice(0, 10);
  const { body } = await fixture.call(
    'GET',
    `/api/v1/users/${ada.userId}/summaries/activity?start_date=${DATE}&end_date=${after}`,
  );
  return body.data.map(({ date, steps, active_calories_kcal }: Record<string, unknown>) => [
    date,
    steps,
    active_calories_kcal,
  ]);
}

it('shows a daily total despite earlier and later ten-minute records', async () => {
  await pull({ activity: [record(6, { StepCount: 142, EnergyConsumption: 62_760 })] });
  expect(await stepsOfDay()).toEqual([[DATE, 142, 15]]);
  await pull({ days: [total(10_844)] });
  expect(await stepsOfDay()).toEqual([[DATE, 10_844, 2_350]]);
  await pull({ activity: [record(7, { HR: 70, StepCount: 10 })] });
  expect(await stepsOfDay()).toEqual([[DATE, 10_844, 2_350]]);
});

it('reads data that a watch releases three weeks later', async () => {
  await pull({});
  const atMs = START_MS - 20 * MS_PER_DAY;
  const timestamp = new Date(atMs).toISOString().replace('Z', '+00:00');
  await pull({ activity: [{ timestamp, entryData: { StepCount: 142 } }] });
  expect(await fixture.samples(ada.userKey, 'steps')).toEqual([{ atMs, value: 142 }]);
});

it('counts a day once if its ten-minute records are complete', async () => {
  const records = Array.from({ length: 24 }, (_, hour) => record(hour, { StepCount: 100, EnergyConsumption: 41_840 }));
  await pull({ days: [{ ...total(2_400), joules: 24 * 41_840 }], activity: records });
  expect(await stepsOfDay()).toEqual([[DATE, 2_400, 240]]);
});

it("prefers the larger of two watches' daily totals", async () => {
  await pull({ days: [total(10_844), total(0, 'Suunto 9'), total(null, 'A third one')] });
  expect(await stepsOfDay()).toEqual([[DATE, 10_844, 2_350]]);
  await pull({ days: [total(12_000, 'Suunto 9')] });
  expect(await stepsOfDay()).toEqual([[DATE, 12_000, 2_350]]);
  expect(await fixture.samples(ada.userKey, 'steps')).toEqual([{ atMs: START_MS - 2 * MS_PER_HOUR, value: 12_000 }]);
});
