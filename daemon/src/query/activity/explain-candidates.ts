import type { ActivityExplanation, ActivityMerge, LossReason } from '@healthd/schemas';
import type { Priorities } from '../../priorities/index.js';
import { sumValue } from '../presentation.js';
import type { Selection } from '../selection/select-source.js';
import { sourceMetadata } from '../sources.js';
import type { DayCandidate } from './day-groups.js';
import type { DayValueRow } from './day-value-row.js';
import { accountKey } from './merged-totals.js';

type Candidate = ActivityExplanation['metrics'][number]['candidates'][number];

/** Amounts by source. */
export type Suppliers = ReadonlyMap<number, number>;

interface Contest {
  /** Values of the metric, one a source. */
  rows: readonly DayValueRow[];
  /** The selection among sources, and among accounts if their sources are merged. */
  bySource: Selection<DayCandidate>;
  shown: Selection<DayCandidate>;
  merge: ActivityMerge;
  supplied: Suppliers;
  priorities: Priorities;
  idOf: (sourceId: number) => string;
}

/** The older words for reasons, which the explanation keeps for one release. */
const OLDER_REASONS: Readonly<Record<LossReason, Candidate['reason']>> = {
  no_lead_figure: 'lead_metric',
  too_little: 'coverage',
  lower_class: 'device_type_priority',
  other_provider_leads: 'provider_priority',
  lower_provider_priority: 'provider_priority',
  lower_device_priority: 'device_type_priority',
  smaller_value: 'coverage',
  identity_order: 'source_id',
  archived: 'source_id',
  // Only figures of the body are lost by these.
  older_reading: 'coverage',
  profile_value: 'coverage',
  // Terms replace the reason afterwards.
  terms: 'source_id',
};

/** All sources of one metric, the best first, each with the rule that put it behind. */
export function candidatesOf({ rows, bySource, shown, merge, supplied, priorities, idOf }: Contest): Candidate[] {
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
    const second = ordered[1] && lostBy(ordered[1]);
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
      reason: reason !== null ? OLDER_REASONS[reason] : second ? OLDER_REASONS[second] : 'only_source',
      amount: sumValue(supplied.get(row.source_id) ?? 0),
    };
  });
}
