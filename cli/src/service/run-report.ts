import type { SyncRun, SyncRunSummary } from '@healthd/api';
import { EXIT, type ExitCode } from '../exit-codes.js';
import { countText, numberText } from '../ui/amounts.js';

/** What a run reports when it has ended, read from its metadata. Members that a run does not report are undefined. */
export interface RunReport {
  inserted?: number;
  updated?: number;
  unchanged?: number;
  rejectedTotal: number;
  rejectedByReason: Record<string, number>;
  unsupportedTotal: number;
}

/** Reads the report of a run. */
export function reportOf(run: SyncRun): RunReport {
  const { metadata } = run;
  const rejected = counts(member(metadata.rejected, 'by_reason') ?? metadata.rejected_by_reason);
  return {
    inserted: count(metadata.inserted),
    updated: count(metadata.updated),
    unchanged: count(metadata.unchanged),
    rejectedTotal: count(member(metadata.rejected, 'total')) ?? count(metadata.rejected) ?? sum(rejected),
    rejectedByReason: rejected,
    unsupportedTotal: count(metadata.unsupported) ?? sum(counts(metadata.unsupported)),
  };
}

/** How a command that waited for the run ends. */
export function exitCodeOf(run: SyncRun): ExitCode {
  if (run.status === 'failed' || run.status === 'cancelled') return EXIT.failed;
  return run.status === 'partial' || reportOf(run).rejectedTotal > 0 ? EXIT.partial : EXIT.done;
}

/** The lines of the report for people: name and value. */
export function reportPairs(run: SyncRun): [string, string | null][] {
  const report = reportOf(run);
  const pairs: [string, string | null][] = [
    ['Run', run.run_id],
    ['Status', statusText(run)],
    ['Read', run.items_processed === null ? null : countText(run.items_processed, 'record')],
  ];
  for (const [name, value] of [
    ['Inserted', report.inserted],
    ['Updated', report.updated],
    ['Unchanged', report.unchanged],
  ] as const) {
    if (value !== undefined) pairs.push([name, numberText(value)]);
  }
  if (report.rejectedTotal > 0) pairs.push(['Rejected', numberText(report.rejectedTotal)]);
  for (const [reason, amount] of Object.entries(report.rejectedByReason))
    pairs.push([`  ${reason}`, numberText(amount)]);
  if (report.unsupportedTotal > 0)
    pairs.push(['Not supported', `${numberText(report.unsupportedTotal)} of types that are not stored`]);
  if (run.error) pairs.push(['Error', run.error]);
  return pairs;
}

/** Status in words; a partial success names itself. */
export function statusText(run: SyncRunSummary): string {
  return run.status === 'in_progress' ? `in progress (${run.stage})` : run.status;
}

function count(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

function counts(value: unknown): Record<string, number> {
  if (typeof value !== 'object' || value === null) return {};
  return Object.fromEntries(
    Object.entries(value).filter((entry): entry is [string, number] => count(entry[1]) !== undefined),
  );
}

function member(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}

function sum(values: Record<string, number>): number {
  return Object.values(values).reduce((total, value) => total + value, 0);
}
