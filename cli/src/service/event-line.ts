import type { SyncRunSummary, SyncStatusEvent } from '@healthd/schemas';
import type { Cli } from '../cli.js';
import { Instant } from '../output/instant.js';
import { plainText } from '../output/text-width.js';
import { type Ink, paint } from '../ui/paint.js';
import { statusText } from './run-report.js';

const INKS: Partial<Record<SyncStatusEvent['status'], Ink>> = { success: 'green', failed: 'red', partial: 'yellow' };

/** Formats one step of a run as a line. */
export function eventLine(cli: Cli, step: (SyncStatusEvent | SyncRunSummary) & { timestamp?: string }): string {
  const { run_id, provider, source, status, stage, progress, message, error } = step;
  const last = 'last_update' in step ? step.last_update : step.timestamp;
  const time = new Instant(last ?? '').text(cli.options.utc);
  const state = status === 'in_progress' ? stage : statusText({ ...step, last_update: last ?? '' } as SyncRunSummary);
  const done = progress === null || status !== 'in_progress' ? '' : ` ${Math.floor(progress * 100)} %`;
  const ink = INKS[status];
  const shown = ink ? paint(cli.terminal.colorOut, ink, state) : state;
  const words = plainText(error ?? message ?? '');
  return `${time}  ${run_id}  ${provider} ${source}  ${shown}${done}${words ? `  ${words}` : ''}\n`;
}
