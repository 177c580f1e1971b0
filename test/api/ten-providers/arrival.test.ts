import { afterAll, beforeAll, expect, it } from 'vitest';
import { extent } from '../../support/extent.js';
import { openTenProviders, PREFERRED, type Reporter, type Row, type TenProviders } from './ten-fixture.js';

let fixture: TenProviders;
let usual: Shown;
beforeAll(async () => {
  fixture = await openTenProviders();
  usual = await shownOf(PREFERRED.map((id) => ({ id })));
});
afterAll(() => fixture.close());

interface Arrival {
  id: Reporter;
  again?: boolean;
  reversed?: boolean;
}
type Shown = Record<string, unknown>;

const PATHS = [
  '/summaries/activity',
  '/summaries/sleep',
  '/summaries/recovery',
  '/events/workouts',
  '/events/workouts?filter_by_priority=true',
  '/events/sleep?filter_by_priority=true',
  '/health-scores',
];
/** Members that differ between users: IDs, storage times and moving periods. */
const OWN = ['id', 'user_id', 'data_source_id', 'created_at', 'updated_at', 'period_start', 'period_end'];

/** Creates a user whose data arrives in this order. Returns all responses. */
async function shownOf(arrivals: readonly Arrival[]): Promise<Shown> {
  const user = await fixture.newUser();
  for (const { id, ...how } of arrivals) await fixture.arrive(user, id, how);
  const shown: Shown = {};
  for (const path of PATHS) shown[path] = (await fixture.rows(user, path)).map(withoutNames).toSorted(byText);
  const { body } = await fixture.call('GET', `/api/v1/users/${user}/summaries/body`);
  shown.body = withoutNames(body);
  return shown;
}

function withoutNames(row: Row): Row {
  return JSON.parse(JSON.stringify(row, (name, value) => (OWN.includes(name) ? undefined : value)));
}

function byText(a: Row, b: Row): number {
  return JSON.stringify(a) < JSON.stringify(b) ? -1 : 1;
}

/** Returns an order that depends only on the seed. */
function shuffled(seed: number): Arrival[] {
  let state = seed * 2_654_435_761;
  const next = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  const arrivals = PREFERRED.map((id) => ({ key: next(), id, again: next() < 0.4, reversed: next() < 0.5 }));
  return arrivals.toSorted((a, b) => a.key - b.key).map(({ key: _, ...arrival }) => arrival);
}

it('returns equal results when providers arrive in reverse order', async () => {
  expect(await shownOf(PREFERRED.toReversed().map((id) => ({ id, reversed: true })))).toEqual(usual);
});

it('counts duplicate deliveries once', async () => {
  expect(await shownOf(PREFERRED.map((id) => ({ id, again: true })))).toEqual(usual);
});

it.each(Array.from({ length: extent(3, 20) }, (_, at) => at + 1))(
  'returns equal results for any order of providers (%i)',
  async (seed) => {
    expect(await shownOf(shuffled(seed))).toEqual(usual);
  },
);

it('returns equal results when the data of providers is redelivered', async () => {
  const arrivals: Arrival[] = [...PREFERRED, ...PREFERRED.slice(0, 3)].map((id) => ({ id }));
  expect(await shownOf(arrivals)).toEqual(usual);
});
