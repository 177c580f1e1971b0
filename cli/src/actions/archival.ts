import { type Archival, getArchival, runArchival, setArchival } from '@healthd/api';
import type { Cli } from '../cli.js';
import { EXIT } from '../exit-codes.js';
import { CliError } from '../failure.js';
import { writeRecord } from '../output/writer.js';
import { numberText } from '../ui/amounts.js';
import { askText } from '../ui/prompt.js';

const SHAPE = {
  fields: ['settings', 'warnings', 'storage'],
  pairs: ({ settings, storage }: Archival) =>
    [
      ['Archive after', daysText(settings.archive_after_days)],
      ['Delete after', daysText(settings.delete_after_days)],
      ['Samples', `${numberText(storage.live_row_count)} in ${storage.live_total_pretty}`],
      ['Archived days', `${numberText(storage.archive_row_count)} in ${storage.archive_total_pretty}`],
      ['Everything', storage.total_pretty],
    ] as const,
};

export interface SetArchivalOptions {
  archiveAfter?: number | 'off';
  deleteAfter?: number | 'off';
  yes?: boolean;
}

/** `healthctl settings archival show` */
export async function showArchival(cli: Cli): Promise<void> {
  const client = await cli.client();
  await show(cli, await client.call(getArchival, { signal: cli.signal }));
}

/** `healthctl settings archival set` */
export async function setArchivalDays(cli: Cli, options: SetArchivalOptions): Promise<void> {
  const { archiveAfter, deleteAfter } = options;
  if (archiveAfter === undefined && deleteAfter === undefined) {
    throw new CliError('nothing_to_set', 'Say what to set: --archive-after, --delete-after or both.', {
      exitCode: EXIT.usage,
    });
  }
  const client = await cli.client();
  const { settings: before } = await client.call(getArchival, { signal: cli.signal });
  const body = {
    archive_after_days: archiveAfter === undefined ? before.archive_after_days : daysOrNull(archiveAfter),
    delete_after_days: deleteAfter === undefined ? before.delete_after_days : daysOrNull(deleteAfter),
  };
  const days = body.delete_after_days;
  const isShorter = days !== null && days < (before.delete_after_days ?? Number.POSITIVE_INFINITY);
  if (isShorter && !options.yes) await confirm(cli, days);
  await show(cli, await client.call(setArchival, { body, signal: cli.signal }));
}

/** `healthctl settings archival run` */
export async function runArchivalNow(cli: Cli): Promise<void> {
  const client = await cli.client();
  const started = await client.call(runArchival, { signal: cli.signal });
  await writeRecord(cli.sink, { fields: ['task_id', 'status'] }, started);
}

async function show(cli: Cli, archival: Archival): Promise<void> {
  for (const warning of archival.warnings) cli.warn(warning);
  await writeRecord(cli.sink, SHAPE, archival);
}

async function confirm(cli: Cli, days: number): Promise<void> {
  if (cli.terminal.interactive) {
    cli.say(`This deletes all samples older than ${days} days, of all users. It cannot be undone.`);
  }
  const typed = await askText(cli.terminal, `Type ${days} to delete`, 'Say --yes to delete without being asked.');
  if (typed.trim() === String(days)) return;
  throw new CliError('not_confirmed', 'That is another number. Nothing was changed.', { exitCode: EXIT.failed });
}

function daysOrNull(days: number | 'off'): number | null {
  return days === 'off' ? null : days;
}

function daysText(days: number | null): string {
  return days === null ? 'never' : `${numberText(days)} days`;
}
