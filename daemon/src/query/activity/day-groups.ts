import { MERGED_TYPE_IDS, seriesTypeByCode, seriesTypeIds } from '@healthd/model';
import type pg from 'pg';
import { groupedBy } from '../../platform/grouped-by.js';
import type { Priorities } from '../../priorities/index.js';
import {
  type Candidate,
  type Enough,
  type RuleSource,
  type Selection,
  selectSource,
} from '../selection/select-source.js';
import { ruleSources, type SourceRow } from '../sources.js';
import { type DayValueRow, daySum, type ElevationRow } from './day-values.js';
import { accountKey, type MergedAccount, type MergedTotals, readMergedTotals } from './merged-totals.js';

const HEART_RATE = seriesTypeByCode('heart_rate').id;

/** Groups of an activity summary whose figures are series. Each group has one source. Movement is the lead group. */
export const GROUPS = {
  movement: {
    /** Wheelchair users have pushes instead of steps. */
    leads: seriesTypeIds(['steps', 'push_count']),
    types: seriesTypeIds(['steps', 'push_count', 'distance_walking_running', 'flights_climbed', 'active_time']),
    enough: 'movement',
    isSum: true,
  },
  energy: {
    leads: seriesTypeIds(['energy']),
    types: seriesTypeIds(['energy', 'basal_energy']),
    enough: 'any',
    isSum: true,
  },
  heart_rate: { leads: [HEART_RATE], types: [HEART_RATE], enough: 'any', isSum: false },
} as const satisfies Record<
  string,
  { leads: readonly number[]; types: readonly number[]; enough: Enough; isSum: boolean }
>;
type SeriesGroup = keyof typeof GROUPS;

/** Groups in which the sources of one account can be merged. */
export const MERGED_GROUPS = ['movement', 'energy'] as const satisfies readonly SeriesGroup[];

export const ACTIVITY_TYPES: readonly number[] = Object.values(GROUPS).flatMap(({ types }) => [...types]);

/** One source's values of one group on one day, by type id. */
export interface DayCandidate extends Candidate {
  row: SourceRow;
  values: ReadonlyMap<number, DayValueRow>;
}

/** Elevation gain of one source in the workouts of a day. */
interface ClimbCandidate extends Candidate {
  row: ElevationRow & SourceRow;
}

/** One day with all values and the selection of each group. */
export interface GroupedDay {
  date: string;
  values: readonly DayValueRow[];
  movement: Selection<DayCandidate>;
  energy: Selection<DayCandidate>;
  heart_rate: Selection<DayCandidate>;
  elevation: Selection<ClimbCandidate>;
}

/**
 * Selects a source for each group on each day. `rows` are ordered by day. `climbs` contains the elevation gains of all
 * days.
 */
export function groupDays(
  rows: readonly DayValueRow[],
  climbs: readonly (ElevationRow & SourceRow)[],
  priorities: Priorities,
): GroupedDay[] {
  const climbsOf = byDate(climbs);
  const ruleOf = ruleSources();
  return [...byDate(rows)].map(([date, values]) =>
    selectGroups({ date, values, climbs: climbsOf.get(date) ?? [], priorities, ruleOf }, (group) =>
      candidatesOf(values, group, ruleOf),
    ),
  );
}

/**
 * Selects the same groups after merging the sources of each account. A merged account is one candidate with the rank of its
 * best source. Reads samples of days whose cached totals are missing.
 */
export async function mergeGroups(
  pool: pg.Pool,
  userKey: number,
  days: readonly GroupedDay[],
  priorities: Priorities,
): Promise<GroupedDay[]> {
  const requested = days.flatMap(({ date, values }) =>
    MERGED_GROUPS.flatMap((group) =>
      accountsOf(values, group).map(({ provider, account, typeIds }) => ({ date, provider, account, typeIds })),
    ),
  );
  const totals = await readMergedTotals(pool, userKey, requested, priorities);
  const ruleOf = ruleSources();
  return days.map((day) => {
    const climbs = day.elevation.placed.map(({ candidate }) => candidate.row);
    const accountOf = groupedBy([...day.values, ...climbs].map(ruleOf), accountKey);
    const withAccount = (sources: readonly RuleSource[]) =>
      [...new Set(sources.map(accountKey))].flatMap((key) => accountOf.get(key) ?? []);
    return selectGroups({ ...day, climbs, priorities, ruleOf, withAccount }, (group) => {
      const single = candidatesOf(day.values, group, ruleOf);
      return group === 'heart_rate' ? single : mergedCandidates(day, group, single, totals, priorities);
    });
  });
}

/** Returns a value with this sum of ordinary samples and no daily total. */
export function withSum(row: DayValueRow, sum: number): DayValueRow {
  return { ...row, sample_sum: sum, total_sum: null, total_count: 0 };
}

type RuleOf = (row: SourceRow) => RuleSource;

interface DayFacts {
  date: string;
  values: readonly DayValueRow[];
  climbs: readonly (ElevationRow & SourceRow)[];
  priorities: Priorities;
  ruleOf: RuleOf;
  /** Returns all sources of the accounts that these sources belong to, if an account is one candidate. */
  withAccount?(sources: readonly RuleSource[]): readonly RuleSource[];
}

function selectGroups(
  { date, values, climbs, priorities, ruleOf, withAccount = (sources) => sources }: DayFacts,
  candidates: (group: SeriesGroup) => DayCandidate[],
): GroupedDay {
  const { enough, isSum } = GROUPS.movement;
  const movement = selectSource(candidates('movement'), { priorities, enough, isSum });
  const lead = { ...movement, passedOver: withAccount(movement.passedOver) };
  const follow = (group: SeriesGroup) =>
    selectSource(candidates(group), { priorities, enough: GROUPS[group].enough, isSum: GROUPS[group].isSum, lead });
  const climbed = climbs.map((row) => ({ source: ruleOf(row), lead: row.elevation_meters, row }));
  return {
    date,
    values,
    movement,
    energy: follow('energy'),
    heart_rate: follow('heart_rate'),
    elevation: selectSource(climbed, { priorities, enough: 'any', isSum: true, lead }),
  };
}

function candidatesOf(values: readonly DayValueRow[], group: SeriesGroup, ruleOf: RuleOf): DayCandidate[] {
  const types: readonly number[] = GROUPS[group].types;
  const counted = values.filter((value) => types.includes(value.type_id));
  return [...groupedBy(counted, (value) => value.source_id).values()].map((rows) => {
    const [row] = rows;
    const own = new Map(rows.map((value) => [value.type_id, value]));
    return { source: ruleOf(row), lead: leadOf(own, group), row, values: own };
  });
}

/** Returns the first lead series with a value above zero, otherwise the first series with a value. */
function leadOf(values: ReadonlyMap<number, DayValueRow>, group: SeriesGroup): number | null {
  const amounts = GROUPS[group].leads.map((typeId) => {
    const value = values.get(typeId);
    return group === 'heart_rate' ? meanOf(value) : daySum(value);
  });
  return amounts.find((amount) => amount !== null && amount > 0) ?? amounts.find((amount) => amount !== null) ?? null;
}

/**
 * Returns the mean of a day's readings. Without readings, returns the mean of the vendor's values for the day; null if
 * the day has neither.
 */
export function meanOf(value: DayValueRow | undefined): number | null {
  if (!value) return null;
  const [sum, count] =
    value.sample_count > 0 ? [value.sample_sum, value.sample_count] : [value.total_sum, value.total_count];
  return sum === null || count === 0 ? null : sum / count;
}

/** Returns the accounts with data of the group, each with its mergeable series. */
function accountsOf(values: readonly DayValueRow[], group: SeriesGroup): (MergedAccount & { typeIds: number[] })[] {
  const types: readonly number[] = GROUPS[group].types;
  const mergeable = values.filter(({ type_id: id }) => types.includes(id) && MERGED_TYPE_IDS.includes(id));
  return [...groupedBy(mergeable, accountKey).values()].map((own) => {
    const { provider, account } = own[0];
    return { provider, account, typeIds: [...new Set(own.map(({ type_id: id }) => id))] };
  });
}

function mergedCandidates(
  day: GroupedDay,
  group: SeriesGroup,
  single: readonly DayCandidate[],
  totals: MergedTotals,
  priorities: Priorities,
): DayCandidate[] {
  const typesOf = new Map(accountsOf(day.values, group).map((one) => [accountKey(one), one.typeIds]));
  return [...groupedBy(single, ({ row }) => accountKey(row))].map(([key, own]) => {
    const best = selectSource(own, { priorities, enough: 'any', isSum: true }).winner as DayCandidate;
    const values = new Map(best.values);
    for (const typeId of typesOf.get(key) ?? []) {
      const total = totals(day.date, best.row, typeId);
      const row = own.map((candidate) => candidate.values.get(typeId)).find((value) => value !== undefined);
      if (total !== undefined && row) values.set(typeId, withSum(row, total));
    }
    return { ...best, lead: leadOf(values, group), values };
  });
}

function byDate<Row extends { local_date: string }>(rows: readonly Row[]): Map<string, Row[]> {
  return groupedBy(rows, ({ local_date: date }) => date);
}
