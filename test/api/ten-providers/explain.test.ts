import { afterAll, beforeAll, expect, it } from 'vitest';
import { DAYS, dateOf } from './days.js';
import { amountOf, rankedSources } from './expected.js';
import { openTenProviders, PREFERRED, type Row, type TenProviders } from './ten-fixture.js';

let fixture: TenProviders;
let user: string;
beforeAll(async () => {
  fixture = await openTenProviders();
  user = await fixture.newUser();
  for (const id of PREFERRED) await fixture.arrive(user, id);
});
afterAll(() => fixture.close());

const TYPES = {
  steps: 'steps',
  distance: 'distance_walking_running',
  energy: 'energy',
  basal: 'basal_energy',
} as const;
const METRICS = Object.keys(TYPES) as (keyof typeof TYPES)[];
const LEADS = { steps: 'steps', distance: 'steps', energy: 'energy', basal: 'energy' } as const;
const kindOf = (device: string | null) => device ?? 'unknown';

async function explained(date: string): Promise<Row[]> {
  const { status, body } = await fixture.call('GET', `/api/v1/users/${user}/summaries/activity/explain?date=${date}`);
  expect(status).toBe(200);
  return body.metrics;
}

it.each(DAYS)('explains every figure of day %i by its winning source', async (day) => {
  const metrics = await explained(dateOf(day));
  for (const metric of METRICS) {
    const [winner] = rankedSources(day, LEADS[metric], PREFERRED);
    const own = rankedSources(day, metric, PREFERRED);
    const found = metrics.find(({ type }) => type === TYPES[metric]);
    expect(found.value, metric).toBe(amountOf(winner, metric));
    expect(found.provider).toBe(winner?.provider);
    expect(found.from_daily_total).toBe(winner?.[metric]?.total !== undefined);
    if (winner?.[metric] === undefined) {
      expect(found.candidates.map((one: Row) => one.best)).toEqual(own.map(() => false));
      continue;
    }
    const [best, ...others] = found.candidates;
    expect([best.best, best.source.provider, kindOf(best.source.device_type)]).toEqual([
      true,
      winner?.provider,
      winner?.device,
    ]);
    // Fails unless every source with the metric is named with its figures, and only the best source contributes.
    expect(found.candidates.map(figures).toSorted()).toEqual(
      own
        .map((reported) =>
          [
            reported.provider,
            reported.device,
            reported[metric]?.total ?? null,
            piecesOf(reported[metric]?.pieces),
          ].join(),
        )
        .toSorted(),
    );
    expect(best.amount).toBe(found.value);
    expect(others.map(({ amount }: Row) => amount)).toEqual(others.map(() => 0));
    if (winner?.[metric]?.total === undefined) {
      expect(found.ranges.reduce((sum: number, { amount }: Row) => sum + amount, 0)).toBeCloseTo(found.value, 6);
    } else expect(found.ranges).toEqual([]);
    expect(best.lost_by, metric).toBeNull();
    expect(others.map(({ lost_by: reason }: Row) => reason)).not.toContain(null);
  }
});

function figures({ source, daily_total: total, sample_sum: sum }: Row): string {
  return [source.provider, kindOf(source.device_type), total, sum].join();
}

function piecesOf(pieces: readonly (readonly [string, number, number])[] | undefined): number | null {
  return pieces ? pieces.reduce((sum, [, , value]) => sum + value, 0) : null;
}

it('prefers a watch to a phone of the same store', async () => {
  const steps = (await explained(dateOf(2))).find(({ type }) => type === 'steps');
  const phone = steps.candidates.find(({ source }: Row) => source.device_type === 'phone');
  expect(phone).toMatchObject({ sample_sum: 6_600, best: false, lost_by: 'lower_class', amount: 0 });
});

it('explains why floors of a provider without steps are hidden', async () => {
  const floors = (await explained(dateOf(4))).find(({ type }) => type === 'flights_climbed');
  expect(floors).toMatchObject({
    value: null,
    provider: 'samsung',
    candidates: [
      { source: { provider: 'garmin' }, daily_total: 12, lost_by: 'no_lead_figure', amount: 0, best: false },
    ],
  });
});

it("prefers a source's daily total to its samples", async () => {
  const steps = (await explained(dateOf(1))).find(({ type }) => type === 'steps');
  expect(steps).toMatchObject({ value: 10_400, from_daily_total: true, ranges: [] });
  const [garmin] = steps.candidates;
  expect(garmin).toMatchObject({ daily_total: 10_400, sample_sum: 900 + 2_400, amount: 10_400 });
});
