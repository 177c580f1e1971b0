import { dayNumber, groupIntervals, MERGED_TYPE_IDS, type SeriesCode, seriesTypeById } from '@healthd/model';
import type { ActivityExplanation, ActivityMerge, DateOrInstant, GroupExplanation, LossReason } from '@healthd/schemas';
import type pg from 'pg';
import { groupedBy } from '../../platform/grouped-by.js';
import type { Priorities } from '../../priorities/index.js';
import { type CountedStretch, type MergedDay, mergeDays } from '../../store/derived/index.js';
import { oneDay } from '../bounds.js';
import { mayChange } from '../local-offsets.js';
import { instantText, sumValue } from '../presentation.js';
import { type ExplainContext, explainGroup } from '../selection/explain-group.js';
import { ACTIVITY_FIGURES } from '../selection/figure-groups.js';
import { type Candidate, compareInAccount, type Selection } from '../selection/select-source.js';
import { type SourceMap, type SourceRow, type SummarySource, sourceMetadata, sourcesOf } from '../sources.js';
import { type Withheld, withheldActivity, withheldExplanation } from '../withheld.js';
import { summariseDays } from './activity-summary.js';
import {
  ACTIVITY_TYPES,
  type DayCandidate,
  GROUPS,
  type GroupedDay,
  groupDays,
  MERGED_GROUPS,
  mergeGroups,
  withSum,
} from './day-groups.js';
import { type DayValueRow, type DayValues, daySum, readDayValues, shownSum } from './day-values.js';
import { accountKey } from './merged-totals.js';

type Metric = ActivityExplanation['metrics'][number];

/**
 * Explains the amounts of one local day. Reads the samples of that day and the neighboring days. Archived samples
 * contribute an amount per source, but no times.
 */
export async function explainActivity(
  { pool, priorities: store }: SummarySource,
  userKey: number,
  { date, merge, withheld }: { date: DateOrInstant; merge: ActivityMerge; withheld: Withheld },
): Promise<ActivityExplanation> {
  const { fromDate, beforeDate } = oneDay(date);
  const [values, priorities, sources] = await Promise.all([
    readDayValues(pool, userKey, {
      typeIds: ACTIVITY_TYPES,
      fromDate,
      beforeDate,
      position: null,
      ascending: true,
      limit: 2,
    }),
    store.current(),
    sourcesOf(pool, userKey),
  ]);
  const [day] = groupDays(values.rows, values.climbs, priorities);
  const [mergedDay] = await mergeGroups(pool, userKey, day ? [day] : [], priorities);
  const shown = merge === 'interval' ? mergedDay : day;
  const context = { sources, priorities };
  const named = { date: fromDate, merge, may_change: await mayChange(pool, userKey, fromDate) };
  if (!day || !shown) return { ...named, groups: [], metrics: [] };
  const merged = merge === 'source' ? mergedDay : undefined;
  const [groups, metrics] = await Promise.all([
    explainedGroups({ pool, userKey, day: shown, merged, values, withheld, context }),
    explainedMetrics(pool, userKey, { day, shown, merge, context }),
  ]);
  return withheldExplanation({ ...named, groups, metrics }, withheld);
}

interface ExplainedAmounts {
  day: GroupedDay;
  /** The same day with merged sources, if the summary merges sources. */
  shown: GroupedDay;
  merge: ActivityMerge;
  context: ExplainContext;
}

/** Explains the mergeable series of each group that has a winner. */
async function explainedMetrics(pool: pg.Pool, userKey: number, amounts: ExplainedAmounts): Promise<Metric[]> {
  const { day, shown, merge, context } = amounts;
  const at = dayNumber(day.date) as number;
  const metrics: Metric[] = [];
  const client = await pool.connect();
  try {
    for (const group of MERGED_GROUPS) {
      const { winner } = shown[group];
      if (!winner) continue;
      const typeIds = GROUPS[group].types.filter(
        (typeId) => MERGED_TYPE_IDS.includes(typeId) && day.values.some((row) => row.type_id === typeId),
      );
      const merged = await mergeDays(client, userKey, {
        provider: winner.row.provider,
        account: winner.row.account,
        typeIds,
        firstDay: at,
        lastDay: at,
        compare: compareInAccount(context.priorities),
        onlySourceId: merge === 'source' ? winner.row.source_id : undefined,
      });
      for (const typeId of typeIds) {
        metrics.push(metric(amounts, { group, winner, typeId, merged: merged.find((one) => one.typeId === typeId) }));
      }
    }
  } finally {
    client.release();
  }
  return metrics;
}

interface MetricFacts {
  group: (typeof MERGED_GROUPS)[number];
  winner: DayCandidate;
  typeId: number;
  merged: MergedDay | undefined;
}

function metric(
  { day, shown: shownDay, merge, context: { sources, priorities } }: ExplainedAmounts,
  { group, winner, typeId, merged }: MetricFacts,
): Metric {
  const supplied = suppliers(merged);
  const own = day.values.filter((row) => row.type_id === typeId);
  const rows = [...own, ...fromDayBefore({ day, typeId, sources }, own, supplied)];
  const shown = merge === 'interval' ? merged && rows[0] && withSum(rows[0], merged.total) : winner.values.get(typeId);
  const idOf = (sourceId: number) => sources.get(sourceId)?.id ?? '';
  return {
    type: seriesTypeById(typeId)?.code ?? '',
    unit: seriesTypeById(typeId)?.unit ?? '',
    value: shownSum(typeId, shown),
    provider: winner.row.provider,
    from_daily_total: merged?.totalOf !== undefined,
    archived: merged !== undefined && merged.totalOf === undefined && merged.archived.length > 0,
    candidates: metricCandidates({
      rows,
      bySource: day[group],
      shown: shownDay[group],
      merge,
      supplied,
      priorities,
      idOf,
    }),
    ranges: merged === undefined || merged.totalOf !== undefined ? [] : joinedRanges(merged.stretches, idOf),
  };
}

/** Returns sources whose only data is the end of an interval from the day before. They have no value on this day. */
function fromDayBefore(
  { day, typeId, sources }: { day: GroupedDay; typeId: number; sources: SourceMap },
  own: readonly DayValueRow[],
  supplied: Suppliers,
): DayValueRow[] {
  const known = new Set(own.map((row) => row.source_id));
  return [...supplied.keys()].flatMap((sourceId) => {
    const source = sources.get(sourceId);
    if (source === undefined || known.has(sourceId)) return [];
    const { id: _, ...identity } = source;
    return [
      {
        ...identity,
        local_date: day.date,
        type_id: typeId,
        sample_sum: null,
        sample_min: null,
        sample_max: null,
        sample_count: 0,
        total_sum: null,
        total_count: 0,
        covered_minutes: 0,
      },
    ];
  });
}

/** Returns the contribution of each source to the merged total. */
function suppliers(merged: MergedDay | undefined): Suppliers {
  const supplied = new Map<number, number>();
  if (merged?.totalOf !== undefined) return supplied.set(merged.totalOf, sumValue(merged.total));
  for (const { sourceId, amount } of [...(merged?.archived ?? []), ...(merged?.parts ?? [])]) {
    supplied.set(sourceId, (supplied.get(sourceId) ?? 0) + amount);
  }
  return supplied;
}

type ActivityCandidate = Candidate & { row: SourceRow };

const PUSHES: SeriesCode = 'push_count';
const NAMES = ['movement', 'energy', 'heart_rate', 'elevation'] as const;
type GroupName = (typeof NAMES)[number];
const UNITS: Record<GroupName, string> = { movement: 'count', energy: 'kcal', heart_rate: 'bpm', elevation: 'meters' };

interface ExplainedDay {
  pool: pg.Pool;
  userKey: number;
  day: GroupedDay;
  /** The same day with merged sources, to show the effect of merging. */
  merged: GroupedDay | undefined;
  values: DayValues;
  /** Providers whose figures the summary must not show. */
  withheld: Withheld;
  context: ExplainContext;
}

/** Explains the groups of one day. Each candidate has the figures that the day would have if it had won. */
async function explainedGroups({
  pool,
  userKey,
  day,
  merged,
  values,
  withheld,
  context,
}: ExplainedDay): Promise<GroupExplanation[]> {
  const contests = NAMES.flatMap((name) => {
    const selection = day[name] as Selection<ActivityCandidate>;
    return selection.placed.map(({ candidate }) => ({
      candidate,
      day: { ...day, [name]: { ...selection, winner: candidate } },
    }));
  });
  const compared = [day, merged ?? day, ...contests.map(({ day: changed }) => changed)];
  const [shown, shownIfMerged, ...rows] = (await summariseDays(pool, userKey, compared, values)).map(
    (row) => row && withheldActivity(row, withheld),
  );
  const rowIf = new Map(contests.map(({ candidate }, at) => [candidate, rows[at]]));
  return NAMES.map((name) =>
    explainGroup<ActivityCandidate>(
      {
        group: name,
        leadFigure: leadFigure(day, name),
        unit: UNITS[name],
        selection: day[name],
        figures: ACTIVITY_FIGURES[name],
        shown: shown ?? {},
        shownIfMerged: shownIfMerged ?? {},
        shownIf: (candidate) => rowIf.get(candidate) ?? {},
      },
      context,
    ),
  );
}

/** Returns the lead figure of a group. Wheelchair pushes lead the movement if the winner has no steps. */
function leadFigure({ movement }: GroupedDay, name: GroupName): string {
  if (name !== 'movement') return ACTIVITY_FIGURES[name][0];
  const [steps, pushes] = GROUPS.movement.leads.map((typeId) => daySum(movement.winner?.values.get(typeId)) ?? 0);
  return steps === 0 && (pushes ?? 0) > 0 ? PUSHES : ACTIVITY_FIGURES.movement[0];
}

type MetricCandidate = ActivityExplanation['metrics'][number]['candidates'][number];

/** Amounts by source. */
type Suppliers = ReadonlyMap<number, number>;

interface Contest {
  /** Values of the metric, one per source. */
  rows: readonly DayValueRow[];
  /** Selection among single sources. If sources are merged, `shown` is the selection among accounts. */
  bySource: Selection<DayCandidate>;
  shown: Selection<DayCandidate>;
  merge: ActivityMerge;
  supplied: Suppliers;
  priorities: Priorities;
  idOf: (sourceId: number) => string;
}

/** Returns all sources of one metric, best first, each with the rule that ranked it behind the winner. */
function metricCandidates({ rows, bySource, shown, merge, supplied, priorities, idOf }: Contest): MetricCandidate[] {
  const placeOf = (selection: Selection<DayCandidate>, matches: (row: DayCandidate) => boolean) => {
    const place = selection.placed.findIndex(({ candidate }) => matches(candidate));
    return place < 0 ? selection.placed.length : place;
  };
  const isOf = (row: DayValueRow) => (candidate: DayCandidate) => candidate.row.source_id === row.source_id;
  const isOfAccount = (row: DayValueRow) => (candidate: DayCandidate) => accountKey(candidate.row) === accountKey(row);
  const ordered = rows
    .map((row) => ({
      row,
      group: placeOf(shown, merge === 'interval' ? isOfAccount(row) : isOf(row)),
      own: placeOf(bySource, isOf(row)),
    }))
    .sort((a, b) => a.group - b.group || a.own - b.own);
  const lostBy = ({ row, group, own }: (typeof ordered)[number]): LossReason | null => {
    if (shown.winner?.row.source_id === row.source_id) return null;
    const inGroup = shown.placed[group];
    if (inGroup === undefined) return 'no_lead_figure';
    return inGroup.reason ?? bySource.placed[own]?.reason ?? 'no_lead_figure';
  };
  return ordered.map((place, position) => {
    const { row } = place;
    const reason = lostBy(place);
    return {
      source_id: idOf(row.source_id),
      source: sourceMetadata(row),
      sample_count: row.sample_count,
      sample_sum: row.sample_sum === null ? null : sumValue(row.sample_sum),
      daily_total: row.total_count > 0 && row.total_sum !== null ? sumValue(row.total_sum) : null,
      covered_minutes: row.covered_minutes,
      provider_priority: priorities.provider(row),
      device_type_priority: priorities.deviceType({ deviceType: row.device_type }),
      best: position === 0 && reason === null,
      lost_by: reason,
      amount: sumValue(supplied.get(row.source_id) ?? 0),
    };
  });
}

type Range = ActivityExplanation['metrics'][number]['ranges'][number];

/** Returns the counted stretches in order of time. Joins touching stretches of one source. */
function joinedRanges(stretches: readonly CountedStretch[], idOf: (sourceId: number) => string): Range[] {
  return [...groupedBy(stretches, ({ sourceId }) => sourceId)]
    .flatMap(([sourceId, own]) => {
      return groupIntervals(own, ({ fromMs, toMs }) => [fromMs, toMs]).map((group) => ({ ...group, sourceId }));
    })
    .sort((a, b) => a.from - b.from || a.sourceId - b.sourceId)
    .map(({ sourceId, from, to, items }) => ({
      source_id: idOf(sourceId),
      start: instantText(from),
      end: instantText(to),
      amount: sumValue(items.reduce((sum, { amount }) => sum + amount, 0)),
    }));
}
