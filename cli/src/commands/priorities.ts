import { ApiError, UnreachableError } from '@healthd/client';
import {
  listDeviceTypePriorities,
  listProviderPriorities,
  previewPriorities,
  previewUpgrade,
  previewUserPriorities,
  setDeviceTypePriorities,
  setProviderPriorities,
} from '@healthd/contract';
import { DEVICE_TYPES, type DeviceType, MS_PER_DAY, type ProviderId } from '@healthd/model';
import type { ChangedRanks, PrioritiesPreview, UpgradePreview } from '@healthd/schemas';
import { type Command, Option } from 'commander';
import type { Cli } from '../cli.js';
import { EXIT } from '../exit-codes.js';
import { CliError } from '../failure.js';
import { type Shape, writeRecord, writeRows } from '../output/writer.js';
import { type ComparedFigure, comparedFigures } from '../service/compared-figures.js';
import { providerNamed } from '../service/provider-name.js';
import { comparedUsers, upgradeText } from '../service/upgrade-text.js';
import { countText, numberText } from '../ui/amounts.js';
import { confirmByTyping } from '../ui/confirm.js';
import { requireTerminal } from '../ui/prompt.js';
import type { Bind } from './bind.js';
import { withExamples } from './examples.js';
import { userId } from './values.js';

/** `priorities preview` */
export function addPrioritiesCommands(program: Command, bind: Bind): void {
  const priorities = program
    .command('priorities')
    .helpCommand(false)
    .description('Compares how sources are selected.')
    .summary('preview priorities, or the effect of an upgrade');
  withExamples(
    priorities
      .command('preview')
      .description(
        'Counts the days, nights, recovery dates and body summaries that other priorities would change. With --upgrade, counts the figures that the upgrade to a single selection rule changed, and lists the reasons. Changes nothing. Above 1,000 users, compares a random sample. Requires a developer login.',
      )
      .summary('preview the effect of priorities or an upgrade')
      .argument('[priorities...]', 'names with ranks: garmin=1 google=2; or one list, best first: garmin,google')
      .option('--devices', 'device types instead of providers')
      .option('--upgrade', 'compare with the sources before the upgrade')
      .addOption(
        new Option('-u, --user <id>', 'list this user’s figures of the last 30 days that would change').argParser(
          userId,
        ),
      )
      .action(bind(previewChange)),
    'healthctl priorities preview google=1',
    'healthctl priorities preview --upgrade',
  );
}

/** `providers priorities|set-priorities` */
export function addProviderPriorityCommands(providers: Command, bind: Bind): void {
  withExamples(
    providers
      .command('priorities')
      .description(
        'Shows the order of providers, best first. It decides which provider wins if several have the same data. Requires a developer login.',
      )
      .summary('show the order of providers')
      .option('--devices', 'device types instead of providers')
      .action(bind(showPriorities)),
    'healthctl providers priorities',
  );
  withExamples(
    providers
      .command('set-priorities')
      .description(
        'Sets the order of providers: if several have the same data, the lowest number wins. Applies immediately to all users and to past days. If you pass names with ranks, the other providers keep their ranks. If you pass a list, the other providers follow it in their current order. Shows the numbers of affected users, days, nights, recovery dates and body summaries and asks first. Requires a developer login.',
      )
      .summary('set the order of providers')
      .argument('<priorities...>', 'names with ranks: garmin=1 google=2; or one list, best first: garmin,google')
      .option('--devices', 'device types instead of providers')
      .option(
        '--dry-run',
        'change nothing, only show how many users, activity days, nights and samples are affected; recovery, body values and archival are not counted',
      )
      .option('-y, --yes', 'skip the confirmation')
      .addOption(
        new Option(
          '-u, --user <id>',
          'with --dry-run: list this user’s figures of the last 30 days that would change',
        ).argParser(userId),
      )
      .action(bind(setPriorities)),
    'healthctl providers set-priorities apple,google --yes',
    'healthctl providers set-priorities google=1 --dry-run',
    'healthctl providers set-priorities google=1 --dry-run --user anna@example.org',
  );
}

/** Priority of one provider or device type. */
interface Rank {
  name: string;
  priority: number;
}

const SHAPE = {
  fields: ['name', 'priority'] as const,
  columns: [
    { header: 'Name', cell: (rank: Rank) => rank.name },
    { header: 'Priority', cell: (rank: Rank) => rank.priority, align: 'right' as const },
  ],
};

interface PrioritiesOptions {
  /** Device types instead of providers. */
  devices?: boolean;
}

interface SetPrioritiesOptions extends PrioritiesOptions {
  dryRun?: boolean;
  /** User whose days a dry run lists, instead of counts over all users. */
  user?: string;
  yes?: boolean;
}

const PREVIEW = {
  fields: [
    'users',
    'days',
    'nights',
    'nights_archived',
    'recoveries',
    'recoveries_archived',
    'body_summaries',
    'samples',
    'users_compared',
    'users_concerned',
  ] as const,
  pairs: ({ users, days, nights, recoveries, samples, ...preview }: PrioritiesPreview) =>
    [
      ['Users', numberText(users)],
      ['Days that change', numberText(days)],
      ['Nights that change', numberText(nights)],
      ['Archived nights (unchanged)', numberText(preview.nights_archived)],
      ['Recovery dates that change', numberText(recoveries)],
      ['Archived recovery dates (unchanged)', numberText(preview.recoveries_archived)],
      ['Body summaries that change', numberText(preview.body_summaries)],
      ['Samples of the winning sources', numberText(samples)],
    ] as const,
};

const SAY_YES = 'Pass --yes to skip the confirmation, or --dry-run to see what would change.';

const USER_PREVIEW_DAYS = 30;
const USER_PREVIEW: Shape<ComparedFigure> = {
  fields: ['date', 'figure', 'before', 'after', 'source_before', 'source_after'],
  columns: [
    { header: 'Date', cell: (row) => row.date },
    { header: 'Figure', cell: (row) => row.figure },
    { header: 'Now', cell: (row) => row.before, align: 'right' },
    { header: 'After', cell: (row) => row.after, align: 'right' },
    { header: 'Current source', cell: (row) => row.source_before, shrinkTo: 8 },
    { header: 'New source', cell: (row) => row.source_after, shrinkTo: 8 },
  ],
};

/** `healthctl providers priorities` */
async function showPriorities(cli: Cli, { devices }: PrioritiesOptions): Promise<void> {
  cli.willWrite(SHAPE);
  await writeRows(cli.sink, SHAPE, await presentRanks(cli, { devices }));
}

/** `healthctl providers set-priorities` */
async function setPriorities(cli: Cli, texts: readonly string[], options: SetPrioritiesOptions): Promise<void> {
  const requested = ranksOf(texts, options);
  if (options.user !== undefined && !options.dryRun) {
    throw new CliError('dry_run_missing', '--user requires --dry-run: priorities are the same for all users.', {
      hint: 'Add --dry-run to see the effect on this user, or remove --user.',
      exitCode: EXIT.usage,
    });
  }
  cli.willWrite(!options.dryRun ? SHAPE : options.user === undefined ? PREVIEW : USER_PREVIEW);
  const ranks = Array.isArray(requested) ? requested : bestFirst(requested.best, await presentRanks(cli, options));
  const body = changedRanks(ranks, options);
  if (options.dryRun)
    return options.user === undefined ? showPreview(cli, body) : showUserPreview(cli, options.user, body);
  if (!options.yes) await confirmChange(cli, body);
  await change(cli, body);
  await showPriorities(cli, options);
}

interface PreviewPrioritiesOptions extends PrioritiesOptions {
  user?: string;
  /** True to compare the sources before and after the upgrade, instead of before and after new priorities. */
  upgrade?: boolean;
}

const UPGRADE = {
  fields: [
    'upgraded_at',
    'users_compared',
    'users_concerned',
    'days',
    'days_changed',
    'merged_days',
    'merged_days_changed',
    'nights',
    'nights_changed',
    'nights_archived',
    'recoveries',
    'recoveries_changed',
    'recoveries_archived',
    'body_summaries',
    'body_summaries_changed',
    'reasons',
  ] as const,
  pairs: (preview: UpgradePreview) =>
    [
      ['Days that changed', shareText(preview.days_changed, preview.days)],
      ['Merged days that changed order', shareText(preview.merged_days_changed, preview.merged_days)],
      ['Nights that changed', shareText(preview.nights_changed, preview.nights)],
      ['Archived nights (unchanged)', numberText(preview.nights_archived)],
      ['Recovery dates that changed', shareText(preview.recoveries_changed, preview.recoveries)],
      ['Archived recovery dates (unchanged)', numberText(preview.recoveries_archived)],
      ['Body summaries that changed', shareText(preview.body_summaries_changed, preview.body_summaries)],
      ...preview.reasons.map(({ reason, days, nights, recoveries, body_summaries: bodies }) => {
        const counts = [
          countText(days, 'day'),
          countText(nights, 'night'),
          countText(recoveries, 'recovery date'),
          countText(bodies, 'body summary', 'body summaries'),
        ];
        return [reason, counts.join(', ')] as const;
      }),
    ] as const,
};

function shareText(part: number, whole: number): string {
  return `${numberText(part)} of ${numberText(whole)}`;
}

/** `healthctl priorities preview` */
async function previewChange(
  cli: Cli,
  texts: readonly string[],
  { upgrade, ...options }: PreviewPrioritiesOptions,
): Promise<void> {
  const isOther = texts.length > 0 || options.devices || options.user !== undefined;
  if (upgrade ? isOther : texts.length === 0) {
    throw new CliError('preview_invalid', 'Pass new priorities or --upgrade, not both.', {
      hint: 'For example: healthctl priorities preview google=1, or healthctl priorities preview --upgrade.',
      exitCode: EXIT.usage,
    });
  }
  if (!upgrade) return setPriorities(cli, texts, { ...options, dryRun: true });
  cli.willWrite(UPGRADE);
  const client = await cli.client();
  const preview = await client.call(previewUpgrade, { signal: cli.signal });
  await writeRecord(cli.sink, UPGRADE, preview);
  cli.say(upgradeText(preview));
}

async function change(cli: Cli, { providers, device_types }: ChangedRanks): Promise<void> {
  const client = await cli.client();
  const { signal } = cli;
  if (providers) await client.call(setProviderPriorities, { body: { priorities: providers }, signal });
  if (device_types) await client.call(setDeviceTypePriorities, { body: { priorities: device_types }, signal });
}

/** Shows the effect of a change on all users. Changes nothing. */
async function showPreview(cli: Cli, body: ChangedRanks): Promise<void> {
  const client = await cli.client();
  const preview = await client.call(previewPriorities, { body, signal: cli.signal });
  await writeRecord(cli.sink, PREVIEW, preview);
  cli.say(`Nothing was changed.${sampleText(preview)}`);
}

/** Shows the counts of a dry run and asks for confirmation. @throws CliError `not_confirmed`, `input_needed` */
async function confirmChange(cli: Cli, body: ChangedRanks): Promise<void> {
  requireTerminal(cli.terminal, SAY_YES);
  const client = await cli.client();
  const consequence = await client
    .call(previewPriorities, { body, signal: cli.signal })
    .then(consequenceText, consequenceUncounted);
  await confirmByTyping(cli, consequence, 'priorities', 'change them');
}

function consequenceText(preview: PrioritiesPreview): string {
  const changes = [
    countText(preview.days, 'day'),
    countText(preview.nights, 'night'),
    countText(preview.recoveries, 'recovery date'),
  ];
  const bodies = countText(preview.body_summaries, 'body summary', 'body summaries');
  return `This changes ${changes.join(', ')} and ${bodies} of ${countText(preview.users, 'user')} immediately.${sampleText(preview)}`;
}

/** Returns a note if the counts are based on a random sample of users. Empty otherwise. */
function sampleText(preview: PrioritiesPreview): string {
  return preview.users_compared < preview.users_concerned ? ` Counted: ${comparedUsers(preview)}.` : '';
}

/** Returns the consequence without counts if the service could not count in time. @throws any other error */
function consequenceUncounted(error: unknown): string {
  const isTooSlow = error instanceof ApiError ? [503, 504].includes(error.status) : isLate(error);
  if (!isTooSlow) throw error;
  return 'This changes past days and nights of all users immediately. The service could not count them in time.';
}

function isLate(error: unknown): boolean {
  return error instanceof UnreachableError && error.isLate;
}

/**
 * Accepts every name that the service listed, because a newer service may have names that are new to this version.
 */
function changedRanks(ranks: readonly Rank[], { devices }: PrioritiesOptions): ChangedRanks {
  return devices
    ? { device_types: ranks.map(({ name, priority }) => ({ device_type: name as DeviceType, priority })) }
    : { providers: ranks.map(({ name, priority }) => ({ provider: name as ProviderId, priority })) };
}

/** Shows the days and nights of one user that would change. Changes nothing. */
async function showUserPreview(cli: Cli, user: string, body: ChangedRanks): Promise<void> {
  const [start_date, end_date] = [USER_PREVIEW_DAYS - 1, -2].map((days) => dateBefore(days)) as [string, string];
  const client = await cli.client();
  const preview = await client.call(previewUserPriorities, {
    params: { user_id: user },
    query: { start_date, end_date },
    body,
    signal: cli.signal,
  });
  const { days, nights, recoveries } = preview;
  const bodies = preview.body ? [{ date: dateBefore(0), ...preview.body }] : [];
  await writeRows(cli.sink, USER_PREVIEW, [...days, ...nights, ...recoveries, ...bodies].flatMap(comparedFigures));
  const changes = [
    `${days.length} of ${preview.days_compared} days`,
    `${nights.length} of ${preview.nights_compared} nights`,
    `${recoveries.length} of ${preview.recoveries_compared} recovery dates`,
  ];
  cli.say(
    `Nothing was changed. ${changes.join(', ')} of the last ${USER_PREVIEW_DAYS} days and ${bodies.length > 0 ? 'the' : 'no'} body summary would change.`,
  );
}

function dateBefore(days: number): string {
  return new Date(Date.now() - days * MS_PER_DAY).toISOString().slice(0, 10);
}

function presentRanks(cli: Cli, { devices }: PrioritiesOptions): Promise<Rank[]> {
  return devices ? deviceRanks(cli) : providerRanks(cli);
}

async function providerRanks(cli: Cli): Promise<Rank[]> {
  const { items } = await (await cli.client()).call(listProviderPriorities, { signal: cli.signal });
  return items.map(({ provider, priority }) => ({ name: provider, priority }));
}

async function deviceRanks(cli: Cli): Promise<Rank[]> {
  const { items } = await (await cli.client()).call(listDeviceTypePriorities, { signal: cli.signal });
  return items.map(({ device_type, priority }) => ({ name: device_type, priority }));
}

/**
 * Parses `garmin=1 google=2`, or a list such as `garmin,google`, best first.
 * @throws CliError `priority_invalid`, `unknown_provider`, `unknown_device_type`
 */
function ranksOf(texts: readonly string[], { devices }: PrioritiesOptions): Rank[] | { best: string[] } {
  const named = devices ? deviceNamed : providerNamed;
  const [only = '', another] = texts;
  if (another !== undefined || only.includes('=')) {
    return texts.map(rankOf).map(({ name, priority }) => ({ name: named(name), priority }));
  }
  return { best: [...new Set(only.split(',').map((name) => named(name.trim())))] };
}

/** Ranks the listed names from 1, then the other names. Other names with equal ranks keep equal ranks. */
function bestFirst(best: readonly string[], present: readonly Rank[]): Rank[] {
  const others = present.filter(({ name }) => !best.includes(name));
  const numbers = [...new Set(others.map(({ priority }) => priority))].toSorted((a, b) => a - b);
  return [
    ...best.map((name, index) => ({ name, priority: index + 1 })),
    ...others.map(({ name, priority }) => ({ name, priority: best.length + 1 + numbers.indexOf(priority) })),
  ];
}

/** `garmin=1` */
function rankOf(text: string): Rank {
  const [, name = '', number = ''] = /^([a-z_]+)=(\d{1,3})$/.exec(text) ?? [];
  if (name) return { name, priority: Number(number) };
  throw new CliError('priority_invalid', `${JSON.stringify(text)} is not a priority.`, {
    hint: 'Pass names with ranks, e.g. garmin=1 google=2, or one list, best first: garmin,google.',
    exitCode: EXIT.usage,
  });
}

function deviceNamed(name: string): DeviceType {
  const known = DEVICE_TYPES.find((type) => type === name);
  if (known) return known;
  throw new CliError('unknown_device_type', `Unknown device type ${JSON.stringify(name)}.`, {
    hint: `Device types: ${DEVICE_TYPES.join(', ')}`,
    exitCode: EXIT.usage,
  });
}
