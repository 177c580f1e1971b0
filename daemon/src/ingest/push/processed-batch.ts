import { countItems, type ItemCounts, RejectionTally } from '@healthd/model';
import type { PushReport } from '@healthd/providers';
import type { RunStep } from '../../runs/index.js';
import type { WriteResult } from '../../store/facts/index.js';
import type { BatchEnd } from './push-outcome.js';

/** Returns the outcome of a batch that was read and written. */
export function processed(batchId: string, report: PushReport, written: WriteResult): BatchEnd {
  const { accepted } = report;
  const rejections = new RejectionTally();
  rejections.addReport(report.rejections);
  for (const item of written.rejected) rejections.add(item);
  const { total: rejectedTotal, byReason, first } = rejections.report;
  const { deleted, notFound } = written.deletions;
  const saved = {
    records_saved: rowsOf(written.samples),
    workouts_saved: rowsOf(written.workouts),
    sleep_saved: accepted.sleep - written.rejected.filter(({ collection }) => collection === 'sleep_stages').length,
  };
  const rejected = first.map(({ kind: _, ...one }) => one);
  const ignoredTotal = Object.values(report.ignored).reduce((sum, count) => sum + count, 0);
  const counts = itemsOf(report, written, ignoredTotal);
  const step: RunStep = {
    message: messageOf(counts, deleted),
    itemsProcessed: saved.records_saved + saved.workouts_saved + saved.sleep_saved,
    metadata: {
      batch_id: batchId,
      items: counts,
      ...saved,
      deleted,
      not_found: notFound,
      dropped_count: rejectedTotal,
      rejected,
      rejected_codes: countsByCode(byReason),
      ignored_count: ignoredTotal,
      ignored: report.ignored,
      unreadable_zone_offsets: report.unreadableOffsets,
      stored: {
        samples: written.samples,
        workouts: written.workouts,
        sleep_stages: written.sleepStages,
        sleep_sessions: written.sleepSessions,
        health_scores: written.healthScores,
      },
      dates: written.dates ?? null,
    },
  };
  if (rejectedTotal === 0) return { outcome: { stage: 'completed', status: 'success' }, step };
  const usable = counts.read - counts.rejected - counts.unsupported + accepted.deleted;
  if (usable > 0) return { outcome: { stage: 'completed', status: 'partial' }, step };
  const error = `Validation failed: none of the ${rejectedTotal} items could be stored`;
  return { outcome: { stage: 'failed', status: 'failed', error }, step };
}

/** @param byReason counts by code, with an optional detail after a colon */
function countsByCode(byReason: Readonly<Record<string, number>>): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const [reason, items] of Object.entries(byReason)) {
    const [code = reason] = reason.split(':', 1);
    counts[code] = (counts[code] ?? 0) + items;
  }
  return counts;
}

/** Returns the item counts of the payload and of the records derived from it. */
function itemsOf({ rejections }: PushReport, written: WriteResult, ignoredTotal: number): ItemCounts {
  const items = { ...written.items };
  countItems(items, 'rejected', rejections.total);
  countItems(items, 'unsupported', ignoredTotal);
  return items;
}

function rowsOf({ inserted, updated, unchanged }: WriteResult['samples']): number {
  return inserted + updated + unchanged;
}

/** Returns a text whose item counts add up to all items, apart from deletions. */
function messageOf(counts: ItemCounts, deleted: number): string {
  const stored = counts.inserted + counts.updated + counts.unchanged;
  const skipped = counts.superseded + counts.archived + counts.suppressed + counts.no_value;
  const parts = [`${items(stored)} stored`];
  if (deleted > 0) parts.push(`${items(deleted)} deleted`);
  if (counts.duplicates > 0) parts.push(`${counts.duplicates} ${counts.duplicates === 1 ? 'duplicate' : 'duplicates'}`);
  if (skipped > 0) parts.push(`${items(skipped)} skipped`);
  if (counts.rejected > 0) parts.push(`${items(counts.rejected)} rejected`);
  if (counts.unsupported > 0) parts.push(`${items(counts.unsupported)} of types that are not stored`);
  return `${parts.join(', ')}.`;
}

function items(count: number): string {
  return `${count} ${count === 1 ? 'item' : 'items'}`;
}
