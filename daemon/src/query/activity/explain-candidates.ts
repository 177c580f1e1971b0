import type { ActivityExplanation, ActivityMerge } from '@healthd/schemas';
import type { Priorities } from '../../priorities/index.js';
import { sumValue } from '../presentation.js';
import { sourceMetadata } from '../sources.js';
import { ranked } from './choose-sources.js';
import type { DayValueRow } from './day-value-row.js';

type Candidate = ActivityExplanation['metrics'][number]['candidates'][number];

/** Amounts by source. */
export type Suppliers = ReadonlyMap<number, number>;

interface Contest {
  /** Values of the metric, one a source. */
  rows: readonly DayValueRow[];
  /** Values of the metric that decided for the family. */
  leads: readonly DayValueRow[];
  winner: DayValueRow;
  merge: ActivityMerge;
  supplied: Suppliers;
  priorities: Priorities;
  idOf: (sourceId: number) => string;
}

/** All sources of one metric, the best first, each with the criterion that decided. */
export function candidatesOf(contest: Contest): Candidate[] {
  const { supplied, priorities, idOf } = contest;
  const order = contenders(contest);
  const best = order[0];
  return order.map(({ row, standing }, position) => {
    const rival = position === 0 ? order[1]?.standing : best?.standing;
    return {
      source_id: idOf(row.source_id),
      source: sourceMetadata(row),
      sample_count: row.sample_count,
      sample_sum: row.sample_sum === null ? null : sumValue(row.sample_sum),
      daily_total: row.total_count > 0 && row.total_sum !== null ? sumValue(row.total_sum) : null,
      covered_minutes: row.covered_minutes,
      provider_priority: priorities.provider(row),
      device_type_priority: priorities.deviceType({ deviceType: row.device_type }),
      best: position === 0 && standing !== undefined,
      reason: reasonOf(standing, rival, order.length, priorities),
      amount: sumValue(supplied.get(row.source_id) ?? 0),
    };
  });
}

interface Contender {
  row: DayValueRow;
  /** The value that the source competes with; undefined when it lacks the deciding metric. */
  standing: DayValueRow | undefined;
}

/**
 * Sources compete by the metric that decides for the family; where intervals are merged, those of the chosen provider
 * compete by this metric's own coverage.
 */
function contenders({ rows, leads, winner, merge, priorities }: Contest): Contender[] {
  const standing = (row: DayValueRow) =>
    merge === 'interval' && row.provider === winner.provider
      ? row
      : leads.find(({ source_id }) => source_id === row.source_id);
  return rows
    .map((row) => ({ row, standing: standing(row) }))
    .sort((a, b) => {
      if (!a.standing || !b.standing) return Number(!a.standing) - Number(!b.standing);
      const chosenFirst = Number(b.row.provider === winner.provider) - Number(a.row.provider === winner.provider);
      return chosenFirst || priorities.compare(ranked(a.standing), ranked(b.standing));
    });
}

function reasonOf(
  standing: DayValueRow | undefined,
  rival: DayValueRow | undefined,
  count: number,
  priorities: Priorities,
): Candidate['reason'] {
  if (!standing) return 'lead_metric';
  if (count === 1) return 'only_source';
  if (!rival) return 'lead_metric';
  return priorities.criterion(ranked(standing), ranked(rival));
}
