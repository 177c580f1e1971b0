import { getArchivalSettings, previewArchival, runArchival, setArchivalSettings } from '@healthd/contract';
import type { Archival, ArchivalPreview } from '@healthd/schemas';
import { type Command, InvalidArgumentError } from 'commander';
import type { Cli } from '../cli.js';
import { EXIT } from '../exit-codes.js';
import { CliError } from '../failure.js';
import { type RecordShape, writeRecord } from '../output/writer.js';
import { countText, numberText } from '../ui/amounts.js';
import { promptText } from '../ui/prompt.js';
import type { Bind } from './bind.js';
import { withExamples } from './examples.js';
import { positive } from './values.js';

/** `settings archival show|set|run` */
export function addSettingsCommands(program: Command, bind: Bind): void {
  const archival = program
    .command('settings')
    .helpCommand(false)
    .description('Service settings. Requires a developer login.')
    .summary('service settings')
    .command('archival')
    .helpCommand(false)
    .description(
      'Sample retention. Archived samples remain in daily figures: summaries stay the same, but time series lose ' +
        'them. Deletion also removes the daily figures but keeps sleep, workouts and scores.',
    )
    .summary('sample retention');
  archival
    .command('show')
    .description('Shows the settings and the storage used by samples and archived days.')
    .summary('show settings and used storage')
    .action(bind(showArchival));
  archival
    .command('set')
    .description(
      'Sets one or both settings; an omitted setting does not change. Archival starts immediately and runs daily at 03:00 UTC. Shows ' +
        'the numbers of affected users, days and samples and asks first.',
    )
    .summary('set sample retention')
    .option('--archive-after <days>', 'archive samples older than this many days (1 to 3650), or off', daysOrOff)
    .option(
      '--delete-after <days>',
      'delete samples and figures older than this many days (1 to 7300), or off',
      daysOrOff,
    )
    .option('--dry-run', 'change nothing, only show the affected users, days and samples')
    .option('-y, --yes', 'skip the confirmation')
    .action(bind(setArchivalDays));
  withExamples(
    archival
      .command('run')
      .description(
        'Archives and deletes old samples now, instead of at the next 03:00 UTC. Shows the numbers of affected ' +
          'users, days and samples and asks first.',
      )
      .summary('archive and delete old samples now')
      .option('--dry-run', 'change nothing, only show the affected users, days and samples')
      .option('-y, --yes', 'skip the confirmation')
      .action(bind(runArchivalNow)),
    'healthctl settings archival run --dry-run',
  );
}

/** Parses a number of days, or `off`. */
function daysOrOff(text: string): number | 'off' {
  if (text === 'off') return text;
  try {
    return positive(text);
  } catch {
    throw new InvalidArgumentError('Enter a number of days, or off.');
  }
}

const SHAPE = {
  fields: ['settings', 'warnings', 'storage'],
  pairs: ({ settings, storage }: Archival) =>
    [
      ['Archive after', daysText(settings.archive_after_days)],
      ['Delete after', daysText(settings.delete_after_days)],
      ['Samples', `${numberText(storage.live_row_count)} in ${storage.live_total_pretty}`],
      ['Archived days', `${numberText(storage.archive_row_count)} in ${storage.archive_total_pretty}`],
      ['Total', storage.total_pretty],
    ] as const,
} satisfies RecordShape<Archival>;

interface RunArchivalOptions {
  dryRun?: boolean;
  yes?: boolean;
}

interface SetArchivalOptions extends RunArchivalOptions {
  archiveAfter?: number | 'off';
  deleteAfter?: number | 'off';
}

const NONE = { before: null, users: 0, days: 0, samples: 0 };
const NOTHING: ArchivalPreview = { archive: NONE, delete: NONE };

const PREVIEW_SHAPE = {
  fields: ['archive', 'delete'],
  pairs: (preview: ArchivalPreview) =>
    [
      ['To archive', concernedText(preview.archive)],
      ['To delete', concernedText(preview.delete)],
    ] as const,
} satisfies RecordShape<ArchivalPreview>;

const STARTED = { fields: ['task_id', 'status'] as const };

/** `healthctl settings archival show` */
async function showArchival(cli: Cli): Promise<void> {
  cli.willWrite(SHAPE);
  const client = await cli.client();
  await show(cli, await client.call(getArchivalSettings, { signal: cli.signal }));
}

/** `healthctl settings archival set` */
async function setArchivalDays(cli: Cli, options: SetArchivalOptions): Promise<void> {
  cli.willWrite(options.dryRun ? PREVIEW_SHAPE : SHAPE);
  const { archiveAfter, deleteAfter } = options;
  if (archiveAfter === undefined && deleteAfter === undefined) {
    throw new CliError('nothing_to_set', 'Pass --archive-after, --delete-after or both.', {
      exitCode: EXIT.usage,
    });
  }
  const client = await cli.client();
  const { settings: before } = await client.call(getArchivalSettings, { signal: cli.signal });
  const body = {
    archive_after_days: archiveAfter === undefined ? before.archive_after_days : daysOrNull(archiveAfter),
    delete_after_days: deleteAfter === undefined ? before.delete_after_days : daysOrNull(deleteAfter),
  };
  const query = {
    archive_after_days: body.archive_after_days ?? undefined,
    delete_after_days: body.delete_after_days ?? undefined,
  };
  const isOff = body.archive_after_days === null && body.delete_after_days === null;
  // Sends no request if both settings are off: without parameters, the route would preview the current settings.
  const preview = isOff ? NOTHING : await client.call(previewArchival, { query, signal: cli.signal });
  if (options.dryRun) return writeRecord(cli.sink, PREVIEW_SHAPE, preview);
  const days = body.delete_after_days;
  const deletesSooner = days !== null && days < (before.delete_after_days ?? Number.POSITIVE_INFINITY);
  if (!options.yes) await confirm(cli, preview, deletesSooner ? days : undefined);
  await show(cli, await client.call(setArchivalSettings, { body, signal: cli.signal }));
}

/** `healthctl settings archival run` */
async function runArchivalNow(cli: Cli, options: RunArchivalOptions): Promise<void> {
  cli.willWrite(options.dryRun ? PREVIEW_SHAPE : STARTED);
  const client = await cli.client();
  if (options.dryRun || !options.yes) {
    const preview = await client.call(previewArchival, { query: {}, signal: cli.signal });
    if (options.dryRun) return writeRecord(cli.sink, PREVIEW_SHAPE, preview);
    await confirm(cli, preview);
  }
  const started = await client.call(runArchival, { signal: cli.signal });
  await writeRecord(cli.sink, STARTED, started);
}

async function show(cli: Cli, archival: Archival): Promise<void> {
  for (const warning of archival.warnings) cli.warn(warning);
  await writeRecord(cli.sink, SHAPE, archival);
}

/**
 * Shows the counts and asks for confirmation if data would be removed.
 * @param deleteAfterDays shortened deletion age; if set, asks even if no data is that old yet
 */
async function confirm(cli: Cli, preview: ArchivalPreview, deleteAfterDays?: number): Promise<void> {
  const { archive, delete: deletion } = preview;
  const deletes = deletion.samples > 0 || deleteAfterDays !== undefined;
  if (archive.samples === 0 && !deletes) return;
  if (cli.terminal.interactive) {
    if (archive.samples > 0) {
      cli.insist(`To archive: ${concernedText(archive)}. Time series lose them permanently; daily figures keep them.`);
    }
    if (deletes) cli.insist(`To delete for all users: ${concernedText(deletion)}. This cannot be undone.`);
  }
  const response = deletes ? String(deleteAfterDays ?? 'delete') : 'archive';
  const question = `Type ${response} to ${deletes ? 'delete' : 'archive'}`;
  const typed = await promptText(cli.terminal, question, 'Pass --yes to skip the confirmation.');
  if (typed.trim() === response) return;
  throw new CliError('not_confirmed', 'The confirmation does not match. Nothing was changed.', {
    exitCode: EXIT.failed,
  });
}

function concernedText({ before, users, days, samples }: ArchivalPreview['archive']): string {
  if (before === null) return 'never';
  if (samples === 0) return `nothing before ${before}`;
  return `${countText(samples, 'sample')} of ${countText(days, 'day')} and ${countText(users, 'user')}, before ${before}`;
}

function daysOrNull(days: number | 'off'): number | null {
  return days === 'off' ? null : days;
}

function daysText(days: number | null): string {
  return days === null ? 'never' : `${numberText(days)} days`;
}
