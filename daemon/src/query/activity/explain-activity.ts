import { dayNumber, MERGED_TYPE_IDS, MS_PER_DAY, seriesTypeById } from '@healthd/model';
import type { ActivityExplanation, ActivityMerge, DateOrInstant } from '@healthd/schemas';
import type pg from 'pg';
import type { Priorities } from '../../priorities/index.js';
import { type MergedDay, mergeDays } from '../../store/derived/index.js';
import { dayBounds } from '../bounds.js';
import { mayChange } from '../local-offsets.js';
import { sumValue } from '../presentation.js';
import { compareInAccount, type Selection } from '../selection/select-source.js';
import { type SourceMap, sourcesOf } from '../sources.js';
import type { SummarySource } from '../summary-source.js';
import { type Withheld, withheldExplanation } from '../withheld.js';
import {
  ACTIVITY_TYPES,
  type DayCandidate,
  GROUPS,
  type GroupedDay,
  groupDays,
  mergeGroups,
  withSum,
} from './day-groups.js';
import { shownSum } from './day-sums.js';
import type { DayValueRow } from './day-value-row.js';
import { readDayValues } from './day-values.js';
import { candidatesOf, type Suppliers } from './explain-candidates.js';
import { explainedGroups } from './explain-groups.js';
import { joinedRanges } from './explain-ranges.js';

type Metric = ActivityExplanation['metrics'][number];

const MERGED_GROUPS = ['movement', 'energy'] as const;

/**
 * How the amounts of one local day came about. Reads the samples of that day and its neighbours; of archived ones it
 * knows what each source gave and no longer when.
 */
export async function explainActivity(
  { pool, priorities: store }: SummarySource,
  userKey: number,
  { date, merge, withheld }: { date: DateOrInstant; merge: ActivityMerge; withheld: Withheld },
): Promise<ActivityExplanation> {
  const end = { ms: date.ms - (((date.ms % MS_PER_DAY) + MS_PER_DAY) % MS_PER_DAY) + MS_PER_DAY, dateOnly: true };
  const { fromDate, beforeDate } = dayBounds({ start: date, end, endName: 'date' });
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
  const days = groupDays(values.rows, values.climbs, priorities);
  const mergedDays = await mergeGroups(pool, userKey, days, priorities);
  const shown = merge === 'interval' ? mergedDays : days;
  const context = { sources, priorities };
  const groups = await Promise.all(
    shown.map((day, at) => {
      const merged = merge === 'source' ? mergedDays[at] : undefined;
      return explainedGroups({ pool, userKey, day, merged, values, withheld, context });
    }),
  );
  const metrics: Metric[] = [];
  const client = await pool.connect();
  try {
    for (const [at, day] of days.entries()) {
      for (const group of MERGED_GROUPS) {
        const selection = shown[at]?.[group];
        const winner = selection?.winner;
        if (!selection || !winner) continue;
        for (const typeId of GROUPS[group].types) {
          if (!MERGED_TYPE_IDS.includes(typeId) || !day.values.some((row) => row.type_id === typeId)) continue;
          const merged = await mergedDay({ client, userKey, day, winner, typeId, merge, priorities });
          metrics.push(metric({ day, group, selection, winner, typeId, merge, merged, priorities, sources }));
        }
      }
    }
  } finally {
    client.release();
  }
  const isOpen = await mayChange(pool, userKey, fromDate);
  const explanation = { date: fromDate, merge, may_change: isOpen, groups: groups.flat(), metrics };
  return withheldExplanation(explanation, withheld);
}

async function mergedDay(facts: {
  client: pg.ClientBase;
  userKey: number;
  day: GroupedDay;
  winner: DayCandidate;
  typeId: number;
  merge: ActivityMerge;
  priorities: Priorities;
}): Promise<MergedDay | undefined> {
  const { client, userKey, winner, typeId, merge, priorities } = facts;
  const day = dayNumber(facts.day.date) as number;
  const [merged] = await mergeDays(client, userKey, {
    provider: winner.row.provider,
    account: winner.row.account,
    typeIds: [typeId],
    firstDay: day,
    lastDay: day,
    compare: compareInAccount(priorities),
    onlySourceId: merge === 'source' ? winner.row.source_id : undefined,
  });
  return merged;
}

function metric(facts: {
  day: GroupedDay;
  group: (typeof MERGED_GROUPS)[number];
  selection: Selection<DayCandidate>;
  winner: DayCandidate;
  typeId: number;
  merge: ActivityMerge;
  merged: MergedDay | undefined;
  priorities: Priorities;
  sources: SourceMap;
}): Metric {
  const { day, group, selection, winner, typeId, merge, merged, priorities, sources } = facts;
  const supplied = suppliers(merged);
  const lead = GROUPS[group].leads.find((leadId) => winner.values.has(leadId)) ?? (GROUPS[group].leads[0] as number);
  const own = day.values.filter((row) => row.type_id === typeId);
  const rows = [...own, ...fromDayBefore(facts, own, supplied)];
  const shown = merge === 'interval' ? merged && rows[0] && withSum(rows[0], merged.total) : winner.values.get(typeId);
  const value = shownSum(typeId, shown);
  const idOf = (sourceId: number) => sources.get(sourceId)?.id ?? '';
  return {
    type: seriesTypeById(typeId)?.code ?? '',
    unit: seriesTypeById(typeId)?.unit ?? '',
    value,
    provider: winner.row.provider,
    decided_by: seriesTypeById(lead)?.code ?? '',
    from_daily_total: merged?.totalOf !== undefined,
    archived: merged !== undefined && merged.totalOf === undefined && merged.archived.length > 0,
    candidates: candidatesOf({
      rows,
      bySource: day[group],
      shown: selection,
      merge,
      supplied,
      priorities,
      idOf,
    }),
    ranges: merged === undefined || merged.totalOf !== undefined ? [] : joinedRanges(merged.stretches, idOf),
  };
}

/** Sources that gave only the end of an interval that began on the day before: they have no value of the day itself. */
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

/** What each source gave to the merged total. */
function suppliers(merged: MergedDay | undefined): Suppliers {
  const supplied = new Map<number, number>();
  if (merged?.totalOf !== undefined) return supplied.set(merged.totalOf, sumValue(merged.total));
  for (const { sourceId, amount } of [...(merged?.archived ?? []), ...(merged?.parts ?? [])]) {
    supplied.set(sourceId, (supplied.get(sourceId) ?? 0) + amount);
  }
  return supplied;
}
