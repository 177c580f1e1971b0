import { countItems, type ItemCounts, RejectionTally } from '@healthd/model';
import type { BodyFault, EnvelopeFault, PushReport } from '@healthd/providers';
import type { RunOutcome, RunStep } from '../../runs/index.js';
import type { WriteResult } from '../../store/facts/index.js';

/** How a batch ends: the outcome of its run and what the run then reports. */
export interface BatchEnd {
  outcome: RunOutcome;
  step: RunStep;
}

const FAULTS: Readonly<Record<(EnvelopeFault | BodyFault['fault'])['code'], string>> = {
  json_invalid: 'is not valid JSON',
  damaged: 'could not be unpacked',
  missing: 'is missing',
  not_an_object: 'must be an object',
  not_an_array: 'must be an array',
  invalid_value: 'has a value of the wrong kind',
  invalid_date: 'is not a date',
};

/** The end of a batch of which nothing can be used. */
export function unusable(batchId: string, { field, code }: EnvelopeFault | BodyFault['fault']): BatchEnd {
  const error = `Validation failed: ${field === '' ? 'the body' : field} ${FAULTS[code]}`;
  return {
    outcome: { stage: 'failed', status: 'failed', error },
    step: {
      message: error,
      metadata: { batch_id: batchId, reason: 'envelope_invalid', rejected: [{ collection: 'envelope', field, code }] },
    },
  };
}

/** The end of a batch whose processing failed again and again. */
export function gaveUp(batchId: string): BatchEnd {
  const error = 'The batch could not be processed for a reason of the server\u2019s. Its log says why.';
  return {
    outcome: { stage: 'failed', status: 'failed', error },
    step: { message: error, metadata: { batch_id: batchId, reason: 'gave_up' } },
  };
}

/** The end of a batch for a provider that the user disconnected; nothing of it is read. */
export function refused(batchId: string): BatchEnd {
  const error = 'The connection was ended. Give the device new credentials to connect it again.';
  return {
    outcome: { stage: 'failed', status: 'failed', error },
    step: { message: error, metadata: { batch_id: batchId, reason: 'connection_revoked' } },
  };
}

/** The end of a batch that was read and written. */
export function processed(batchId: string, report: PushReport, written: WriteResult): BatchEnd {
  const { accepted } = report;
  const rejections = new RejectionTally();
  rejections.addReport(report.rejections);
  for (const item of written.rejected) rejections.add(item);
  const { total: rejectedTotal, first } = rejections.report;
  const used = accepted.records + accepted.sleep + accepted.workouts;
  const saved = {
    records_saved: rowsOf(written.samples),
    workouts_saved: rowsOf(written.workouts),
    sleep_saved: accepted.sleep,
  };
  const rejected = first.map(({ kind: _, ...one }) => one);
  const ignoredTotal = Object.values(report.ignored).reduce((sum, count) => sum + count, 0);
  const step: RunStep = {
    message: messageOf(used, rejectedTotal, ignoredTotal),
    itemsProcessed: saved.records_saved + saved.workouts_saved + saved.sleep_saved,
    metadata: {
      batch_id: batchId,
      items: itemsOf(report, written, ignoredTotal),
      ...saved,
      dropped_count: rejectedTotal,
      rejected,
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
  if (used > 0) return { outcome: { stage: 'completed', status: 'partial' }, step };
  const error = `Validation failed: none of the ${rejectedTotal} items could be stored`;
  return { outcome: { stage: 'failed', status: 'failed', error }, step };
}

/** What became of the payload's items and of what was made of them. */
function itemsOf({ rejections }: PushReport, written: WriteResult, ignoredTotal: number): ItemCounts {
  const items = { ...written.items };
  countItems(items, 'rejected', rejections.total);
  countItems(items, 'unsupported', ignoredTotal);
  return items;
}

function rowsOf({ inserted, updated, unchanged }: WriteResult['samples']): number {
  return inserted + updated + unchanged;
}

function messageOf(used: number, rejected: number, ignored: number): string {
  const parts = [`${items(used)} stored`];
  if (rejected > 0) parts.push(`${items(rejected)} rejected`);
  if (ignored > 0) parts.push(`${items(ignored)} of types that are not stored`);
  return `${parts.join(', ')}.`;
}

function items(count: number): string {
  return `${count} ${count === 1 ? 'item' : 'items'}`;
}
