import { archiveOldData } from '@healthd/daemon/retention';
import { type ItemCounts, MS_PER_MINUTE } from '@healthd/model';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { propertyRuns } from '../support/extent.js';
import { endedItems } from '../support/item-counts.js';
import { type ImportFixture, openImportFixture } from './import-fixture.js';
import { modesExport, recordAt, runAt } from './import-modes-xml.js';

/** One element of an export, and its expected outcome. */
interface Element {
  xml: string;
  /** Number of items that the import reads from the element. A workout with figures counts as several items. */
  items: number;
  rejected?: number;
  unsupported?: number;
}

const START = Date.UTC(2026, 0, 10, 22, 30);
/** Uses few instants around midnight, so that many elements start at the same time. */
const at = fc.nat(12).map((slot) => new Date(START + slot * 10 * MS_PER_MINUTE).toISOString());
const seconds = fc.constantFrom(0, 60, 600, 1800);
const source = fc.constantFrom('Phone', 'Watch');

const read = (xml: string): Element => ({ xml, items: 1 });
const rejected = (xml: string): Element => ({ xml, items: 1, rejected: 1 });
const unsupported = (xml: string): Element => ({ xml, items: 1, unsupported: 1 });
const noItem = (xml: string): Element => ({ xml, items: 0 });

const STEPS = 'HKQuantityTypeIdentifierStepCount';
const PULSE = 'HKQuantityTypeIdentifierHeartRate';
const SLEEP = 'HKCategoryTypeIdentifierSleepAnalysis';

const placed = fc.record({ start: at, source, seconds });
const steps = fc
  .tuple(placed, fc.constantFrom(10, 20, 30))
  .map(([{ start, ...facts }, value]) => read(recordAt(start, { ...facts, value })));
const stage = fc
  .tuple(placed, fc.constantFrom('AsleepCore', 'AsleepDeep', 'Awake', 'InBed'))
  .map(([{ start, ...facts }, name]) =>
    read(
      recordAt(start, { ...facts, type: SLEEP, unit: '', value: `HKCategoryValueSleepAnalysis${name}`, seconds: 1800 }),
    ),
  );
const workout = at.map((start) => read(runAt(start, 20)));
const workoutWithFigures = at.map((start) => ({
  xml: runAt(start, 30).replace(
    '/>',
    '><MetadataEntry key="HKAverageMETs" value="6.2 kcal/hr·kg"/><MetadataEntry key="HKWeatherHumidity" value="4000 %"/></Workout>',
  ),
  items: 3,
}));
const faulty = fc
  .tuple(
    at,
    fc.constantFrom<[(xml: string) => Element, object, [RegExp, string]?]>(
      [rejected, { type: PULSE, unit: 'count/min', value: 351 }],
      [rejected, { type: PULSE, unit: 'furlong', value: 70 }],
      [rejected, { type: STEPS, value: 'many' }],
      [rejected, { type: STEPS }, [/ value="10"/, '']],
      [rejected, { type: STEPS }, [/startDate="/, 'startDate="never ']],
      [rejected, { type: STEPS, seconds: -60 }],
      [unsupported, { type: 'HKCategoryTypeIdentifierMindfulSession', unit: '', value: 0 }],
      [unsupported, { type: 'HKQuantityTypeIdentifierOfTomorrow' }],
    ),
  )
  .map(([start, [outcome, facts, [from, to] = [/^/, '']]]) => outcome(recordAt(start, facts).replace(from, to)));
const emptyRun = at.map((start) => rejected(runAt(start, 0)));
const other = fc
  .tuple(
    at,
    fc.constantFrom<(inner: string) => string>(
      (inner) => ` <Correlation type="HKCorrelationTypeIdentifierFood">${inner}</Correlation>\n`,
      () => ' <ActivitySummary dateComponents="2026-01-10" activeEnergyBurned="400" activeEnergyBurnedUnit="kcal"/>\n',
      () => ' <Me HKCharacteristicTypeIdentifierBiologicalSex="HKBiologicalSexFemale"/>\n',
    ),
  )
  .map(([start, around]) => noItem(around(recordAt(start))));

const element: fc.Arbitrary<Element> = fc.oneof(
  { weight: 5, arbitrary: steps },
  { weight: 2, arbitrary: stage },
  ...[workout, workoutWithFigures, emptyRun, other].map((arbitrary) => ({ weight: 1, arbitrary })),
  { weight: 3, arbitrary: faulty },
);

let fixture: ImportFixture;

beforeAll(async () => {
  fixture = await openImportFixture();
});

afterAll(() => fixture.close());

/** Imports a file and returns the item counts of its run. */
async function imported(user: string, elements: readonly Element[]): Promise<ItemCounts> {
  const file = modesExport(elements.map(({ xml }) => xml));
  const { run_id: runId } = await fixture.upload(user, file);
  const run = await fixture.ended(runId, 60);
  expect(['success', 'partial']).toContain(run.status);
  const items = run.metadata.items as ItemCounts;
  const sum = (of: 'items' | 'rejected' | 'unsupported') => elements.reduce((total, one) => total + (one[of] ?? 0), 0);
  expect(items).toMatchObject({ read: sum('items'), rejected: sum('rejected'), unsupported: sum('unsupported') });
  expect(endedItems(items), JSON.stringify(items)).toBe(items.read);
  expect(run.items_processed).toBe(items.read);
  return items;
}

describe('the items of an imported file', () => {
  it('match the elements of any file, even repeated or shuffled', async () => {
    const files = fc
      .array(element, { minLength: 1, maxLength: 30 })
      .chain((all) =>
        fc.tuple(fc.constant(all), fc.nat(all.length), fc.shuffledSubarray(all, { minLength: all.length })),
      );
    await fc.assert(
      fc.asyncProperty(files, async ([all, part, shuffled]) => {
        const user = await fixture.createUser();
        await imported(user, all.slice(0, part));
        await imported(user, all);
        expect(await imported(user, all)).toMatchObject({ inserted: 0, updated: 0 });
        expect(await imported(user, shuffled)).toMatchObject({ inserted: 0 });
      }),
      { numRuns: propertyRuns(3, 30) },
    );
  }, 300_000);

  it('have counts that add up, including deleted and archived items', async () => {
    const user = await fixture.createUser();
    const day = (hour: string) => new Date(Date.UTC(2026, 0, 10, Number(hour))).toISOString();
    const life = [
      ...['08', '09', '10'].map((hour) => read(recordAt(day(hour), { value: 10 }))),
      read(recordAt(day('08'), { value: 10 })),
      read(recordAt(day('11'), { value: 30, seconds: 120 })),
      read(recordAt(day('11'), { value: 10, seconds: 60 })),
      read(recordAt(new Date(Date.parse(day('11')) + MS_PER_MINUTE).toISOString(), { value: 20, seconds: 60 })),
      read(runAt(day('14'), 20)),
      read(runAt(day('16'), 20)),
      rejected(recordAt(day('17'), { type: PULSE, unit: 'count/min', value: 351 })),
      unsupported(recordAt(day('18'), { type: 'HKQuantityTypeIdentifierOfTomorrow' })),
    ];
    const stored = { inserted: 7, duplicates: 1, superseded: 1 };
    expect(await imported(user, life)).toMatchObject({ ...stored, rejected: 1, unsupported: 1 });
    const { rows } = await fixture.pool.query<{ user_key: number; id: string }>(
      'select user_key, w.id from workout w join health_user u using (user_key) where u.id = $1 order by start_at limit 1',
      [user],
    );
    expect(await fixture.writer.deleteSession(rows[0]!.user_key, 'workout', rows[0]!.id)).toBe(true);
    expect(await imported(user, life)).toMatchObject({ inserted: 0, unchanged: 6, suppressed: 1, superseded: 1 });
    const log = { error: (fields: object) => expect(fields).toBeUndefined() };
    const settings = { archiveAfterDays: 1, deleteAfterDays: null };
    await archiveOldData({ ...fixture.database, settings, nowMs: Date.UTC(2026, 5, 1), log });
    const again = await imported(user, life);
    expect(again).toMatchObject({ inserted: 0, updated: 0, unchanged: 1, suppressed: 1 });
    expect(again.archived + again.duplicates + again.superseded).toBe(7);
  }, 120_000);
});
