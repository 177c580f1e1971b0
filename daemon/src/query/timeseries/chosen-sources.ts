import { seriesTypeById } from '@healthd/model';
import type pg from 'pg';
import { statement } from '../../platform/database/index.js';
import { groupedBy } from '../../platform/grouped-by.js';
import type { Priorities } from '../../priorities/index.js';
import { ACTIVITY_TYPES, GROUPS, type GroupedDay, groupDays } from '../activity/day-groups.js';
import { readDayValues } from '../activity/day-values.js';
import type { DayBounds } from '../bounds.js';
import { FIGURE_TYPES, type FigureGroup, type NightFigures, readNightFigures } from '../nights/night-figures.js';
import { readNights } from '../nights/night-sessions.js';
import { type Candidate, type GroupRule, type Selection, selectSource } from '../selection/select-source.js';
import { ruleSources, type SourceMap } from '../sources.js';
import type { SampleSelection } from './sample-count.js';

const { SDNN, RMSSD, OXYGEN, RESPIRATION, RESTING } = FIGURE_TYPES;

/** Groups of the night that name a series. The heart rate of a list is the one of the day. */
const NIGHT_GROUPS: ReadonlyMap<number, FigureGroup> = new Map([
  [RMSSD, 'hrv'],
  [SDNN, 'hrv'],
  [OXYGEN, 'oxygen_saturation'],
  [RESPIRATION, 'respiratory_rate'],
  [RESTING, 'resting_heart_rate'],
]);

/** What one source has of one series on one local day, without samples that were archived. */
interface SeriesDay {
  date: string;
  type_id: number;
  source_id: number;
  sample_count: number;
  total_count: number;
  aggregate_count: number;
  amount: number | null;
}

/** By the primary keys of day_value and day_archive. Parameters: user, types, from, before. */
const seriesDays = statement(
  'timeseries_series_days',
  `select v.local_date as date, v.type_id, v.source_id, v.sample_count - coalesce(gone.sample_count, 0) as sample_count,
     v.total_count, v.aggregate_count, case when v.total_count > 0 then v.total_sum else v.sample_sum end as amount
   from day_value v
   left join day_archive gone on gone.user_key = $1 and gone.type_id = v.type_id and gone.local_date = v.local_date
     and gone.source_id = v.source_id
   where v.user_key = $1 and v.type_id = any ($2::int2[]) and v.local_date >= $3::date and v.local_date < $4::date`,
);

/** The source of each series on each local day of a range. */
export class ChosenSources {
  private readonly chosen = new Map<string, number>();

  set(date: string, typeId: number, sourceId: number): void {
    this.chosen.set(`${date} ${typeId}`, sourceId);
  }

  /** Undefined if no source has a row of the series on that day. */
  of(date: string, typeId: number): number | undefined {
    return this.chosen.get(`${date} ${typeId}`);
  }

  get sourceIds(): number[] {
    return [...new Set(this.chosen.values())];
  }
}

export interface SourceChoice extends DayBounds {
  selection: Omit<SampleSelection, 'bounds'>;
  sources: SourceMap;
  priorities: Priorities;
  /** False for buckets, in which totals of days never enter a sum. */
  isRaw: boolean;
}

/**
 * Chooses one source for each local day and series: the winner of the summary's group that names the series if it has a row,
 * else the best of the sources that have one.
 */
export async function chooseSources(pool: pg.Pool, userKey: number, choice: SourceChoice): Promise<ChosenSources> {
  const { selection, sources, priorities, isRaw, fromDate, beforeDate } = choice;
  const [{ rows }, groupOf] = await Promise.all([
    pool.query<SeriesDay>(seriesDays([userKey, selection.typeIds, fromDate, beforeDate])),
    readGroups(pool, userKey, choice),
  ]);
  const ruleOf = ruleSources();
  const wanted = selection.sourceIds && new Set(selection.sourceIds);
  const counted = rows.filter(
    (row) => sources.has(row.source_id) && wanted?.has(row.source_id) !== false && hasRows(row, isRaw),
  );
  const series = groupedBy(counted, (row) => `${row.date} ${row.type_id}`);
  const chosen = new ChosenSources();
  for (const own of series.values()) {
    const { date, type_id: typeId } = own[0];
    const group = groupOf(date, typeId);
    const candidates = own.map((row) => {
      const source = ruleOf(sources.get(row.source_id)!);
      return { source, sourceId: row.source_id, lead: group ? group.leadOf(source.identity) : leadOf(row) };
    });
    const isWinner = (candidate: (typeof candidates)[number]) => candidate.source.identity === group?.winner;
    const winner =
      candidates.find(isWinner) ??
      selectSource(candidates, group?.rule ?? { priorities, enough: 'any', isSum: true }).winner;
    if (winner) chosen.set(date, typeId, winner.sourceId);
  }
  return chosen;
}

function hasRows(row: SeriesDay, isRaw: boolean): boolean {
  if (row.sample_count > 0) return true;
  const isSum = seriesTypeById(row.type_id)?.rule === 'sum';
  return (isRaw || !isSum) && row.total_count + row.aggregate_count > 0;
}

/** The lead figure of a series that no group names: sources with zero or without a sum compete too. */
function leadOf({ type_id: typeId, amount }: SeriesDay): number | null {
  return seriesTypeById(typeId)?.rule === 'sum' ? 1 + Math.max(0, amount ?? 0) : null;
}

/** The group that names a series, on one date. */
interface NamingGroup {
  /** Identity of the source that won. */
  winner: string | undefined;
  leadOf(identity: string): number | null;
  rule: GroupRule;
}

function namingGroup(selection: Selection<Candidate>, rule: GroupRule): NamingGroup {
  const leads = new Map(selection.placed.map(({ candidate }) => [candidate.source.identity, candidate.lead]));
  return {
    winner: selection.winner?.source.identity,
    leadOf: (identity) => leads.get(identity) ?? null,
    rule,
  };
}

/** Reads the summaries whose groups name any of the series. */
async function readGroups(
  pool: pg.Pool,
  userKey: number,
  { selection: { typeIds }, priorities, fromDate, beforeDate }: SourceChoice,
): Promise<(date: string, typeId: number) => NamingGroup | undefined> {
  const bounds = { fromDate, beforeDate };
  const isNightly = typeIds.some((typeId) => NIGHT_GROUPS.has(typeId));
  const [days, nights] = await Promise.all([
    typeIds.some((typeId) => ACTIVITY_TYPES.includes(typeId)) ? readDays(pool, userKey, bounds, priorities) : undefined,
    isNightly ? readNights(pool, userKey, bounds, priorities) : undefined,
  ]);
  const figures = async (of: 'sleep' | 'recovery', types: readonly number[]) =>
    nights && typeIds.some((typeId) => types.includes(typeId))
      ? new Map(
          (await readNightFigures(pool, userKey, { nights, ...bounds, priorities, of })).map((one) => [one.date, one]),
        )
      : new Map<string, NightFigures>();
  const [asleep, recovered] = await Promise.all([
    figures('sleep', [RESPIRATION]),
    figures('recovery', [RMSSD, SDNN, OXYGEN, RESTING]),
  ]);
  return (date, typeId) => {
    const day = days?.get(date);
    const name = activityGroup(typeId);
    if (day && name) return activityGroupOf(day, name, priorities);
    const night = (typeId === RESPIRATION ? asleep : recovered).get(date);
    const nightGroup = NIGHT_GROUPS.get(typeId);
    if (!night || !nightGroup) return undefined;
    const sleep = night.day?.sleep;
    const lead = sleep?.winner && { winner: sleep.winner, passedOver: sleep.passedOver };
    return namingGroup(night.groups[nightGroup], { priorities, enough: 'any', isSum: false, lead });
  };
}

type ActivityGroup = keyof typeof GROUPS;

function activityGroup(typeId: number): ActivityGroup | undefined {
  const names = Object.keys(GROUPS) as ActivityGroup[];
  return names.find((name) => (GROUPS[name].types as readonly number[]).includes(typeId));
}

function activityGroupOf(day: GroupedDay, name: ActivityGroup, priorities: Priorities): NamingGroup {
  const { enough, isSum } = GROUPS[name];
  const { winner, passedOver } = day.movement;
  return namingGroup(day[name], {
    priorities,
    enough,
    isSum,
    lead: name === 'movement' ? undefined : { winner, passedOver },
  });
}

async function readDays(pool: pg.Pool, userKey: number, bounds: DayBounds, priorities: Priorities) {
  const query = { typeIds: ACTIVITY_TYPES, ...bounds, position: null, ascending: true, limit: null };
  const { rows, climbs } = await readDayValues(pool, userKey, query);
  return new Map(groupDays(rows, climbs, priorities).map((day) => [day.date, day]));
}
