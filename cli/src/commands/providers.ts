import {
  getDataVolume,
  getProvider,
  type LiveSyncMode,
  listProviders as listRoute,
  updateProvider,
  updateProviders,
} from '@healthd/contract';
import type { DataVolume, ProviderDetailResponse, ProviderSettingResponse } from '@healthd/schemas';
import { type Command, Option } from 'commander';
import type { Cli } from '../cli.js';
import { EXIT } from '../exit-codes.js';
import { CliError } from '../failure.js';
import type { FieldPath } from '../output/fields.js';
import { type Shape, writeRecord, writeRows } from '../output/writer.js';
import { providerNamed } from '../service/provider-name.js';
import { countText, durationText, numberText } from '../ui/amounts.js';
import type { Bind } from './bind.js';
import { withExamples } from './examples.js';
import { addProviderPriorityCommands } from './priorities.js';
import { addTermsCommand } from './provider-terms.js';

/** `providers list|show|set|enable|disable|terms|priorities|set-priorities` */
export function addProvidersCommands(program: Command, bind: Bind): void {
  const providers = program
    .command('providers')
    .helpCommand(false)
    .description('Providers of data and their settings.')
    .summary('list providers and change their settings');
  withExamples(
    providers
      .command('list')
      .description('Lists the available providers.')
      .summary('list providers')
      .option('--all', 'include cloud providers without credentials')
      .action(bind(listProviders)),
    'healthctl providers list --all',
  );
  withExamples(
    providers
      .command('show')
      .description('Shows one provider’s settings.')
      .summary('show one provider')
      .argument('<provider>', 'name of the provider')
      .action(bind(showProvider)),
    'healthctl providers show google',
  );
  providers
    .command('set')
    .description(
      'Changes a provider’s settings; keeps omitted settings. In webhook mode the vendor reports changes; the service keeps polling ' +
        'until the webhook is active. Requires a developer login.',
    )
    .summary('change a provider’s settings')
    .argument('<provider>', 'name of the provider')
    .addOption(
      new Option('--mode <mode>', 'how new data arrives: by polling or by webhooks').choices([
        'pull',
        'webhook',
      ] satisfies LiveSyncMode[]),
    )
    .addOption(new Option('--granularity <grain>', 'granularity of the data').choices(['raw', 'hourly', 'daily']))
    .option('--enable', 'allow users to connect, and start syncs')
    .addOption(new Option('--disable', 'block new connections and stop syncs').conflicts('enable'))
    .option('--dry-run', 'change nothing, only show the affected connections, users, days and samples')
    .action(bind(setProvider));
  providers
    .command('enable')
    .description('Allows users to connect to providers, and starts syncs. Requires a developer login.')
    .summary('allow users to connect, and start syncs')
    .argument('<providers...>', 'names of providers')
    .action(bind<[string[]]>(async (cli, names) => switchProviders(cli, names, true)));
  providers
    .command('disable')
    .description('Blocks new connections to providers and stops syncs. Keeps stored data. Requires a developer login.')
    .summary('block new connections and stop syncs')
    .argument('<providers...>', 'names of providers')
    .option('--dry-run', 'change nothing, only show the affected connections, users, days and samples')
    .action(
      bind<[string[], { dryRun?: boolean }]>(async (cli, names, { dryRun }) =>
        dryRun ? showConnected(cli, names) : switchProviders(cli, names, false),
      ),
    );
  addTermsCommand(providers, bind);
  addProviderPriorityCommands(providers, bind);
}

const FIELDS = [
  'provider',
  'name',
  'is_enabled',
  'is_configured',
  'has_cloud_api',
  'live_sync_mode',
  'live_sync_configurable',
  'data_granularity',
  'subscriber_state',
  'subscriber_error',
  'icon_url',
] as const satisfies FieldPath<ProviderSettingResponse>[];
const SHAPE = {
  fields: FIELDS,
  columns: [
    { header: 'Provider', cell: ({ provider }: ProviderSettingResponse) => provider },
    { header: 'Name', cell: ({ name }: ProviderSettingResponse) => name, shrinkTo: 8 },
    { header: 'State', cell: stateText },
    { header: 'Mode', cell: ({ live_sync_mode: mode }: ProviderSettingResponse) => mode },
    { header: 'Granularity', cell: ({ data_granularity: grain }: ProviderSettingResponse) => grain },
    { header: 'Webhooks', cell: webhookText },
  ],
  pairs: (setting: ProviderSettingResponse) =>
    [
      ['Provider', setting.name],
      ['State', stateText(setting)],
      ['Mode', setting.live_sync_mode],
      ['Granularity', setting.data_granularity],
      ['Webhooks', webhookText(setting)],
    ] as const,
};

const DETAIL = {
  fields: [...FIELDS, 'request_quota'] as const,
  pairs: (setting: ProviderDetailResponse) => [...SHAPE.pairs(setting), ...quotaPairs(setting.request_quota)],
};

/** Formats the remaining vendor quota and the waiting requests. */
function quotaPairs(quota: ProviderDetailResponse['request_quota']): (readonly [string, string])[] {
  if (!quota) return [];
  const waiting = Object.entries(quota.waiting).filter(([, count]) => count > 0);
  return [
    ...quota.windows.map(
      ({ window_seconds, limit, left }) =>
        [`Requests in ${durationText(window_seconds)}`, `${numberText(left)} of ${numberText(limit)} left`] as const,
    ),
    ['Requests in the last 24 h', numberText(quota.requests_last_day)],
    ...(quota.users_served === null ? [] : [['Sufficient for', countText(quota.users_served, 'user')] as const]),
    ...(waiting.length === 0
      ? []
      : [['Waiting', waiting.map(([kind, count]) => `${kind.replaceAll('_', ' ')} ${count}`).join(', ')] as const]),
  ];
}

interface ListProvidersOptions {
  all?: boolean;
}

interface SetProviderOptions {
  mode?: 'pull' | 'webhook';
  granularity?: 'raw' | 'hourly' | 'daily';
  enable?: boolean;
  disable?: boolean;
  dryRun?: boolean;
}

/** `healthctl providers list` */
async function listProviders(cli: Cli, { all }: ListProvidersOptions): Promise<void> {
  cli.willWrite(SHAPE);
  const client = await cli.client();
  const query = all ? { include_unconfigured: true } : {};
  await writeRows(cli.sink, SHAPE, await client.call(listRoute, { query, signal: cli.signal }));
}

/** `healthctl providers show` */
async function showProvider(cli: Cli, name: string): Promise<void> {
  cli.willWrite(DETAIL);
  const provider = providerNamed(name);
  const client = await cli.client();
  await writeRecord(cli.sink, DETAIL, await client.call(getProvider, { params: { provider }, signal: cli.signal }));
}

/** `healthctl providers set` */
async function setProvider(cli: Cli, name: string, options: SetProviderOptions): Promise<void> {
  cli.willWrite(options.dryRun ? CONCERNED : SHAPE);
  const provider = providerNamed(name);
  const isEnabled = options.enable ? true : options.disable ? false : undefined;
  if (options.mode === undefined && options.granularity === undefined && isEnabled === undefined) {
    throw new CliError('nothing_to_set', 'Pass --mode, --granularity, --enable or --disable.', {
      exitCode: EXIT.usage,
    });
  }
  if (options.dryRun) return showConnected(cli, [name]);
  const client = await cli.client();
  const body = { is_enabled: isEnabled, live_sync_mode: options.mode, data_granularity: options.granularity };
  const changed = await client.call(updateProvider, { params: { provider }, body, signal: cli.signal });
  await writeRecord(cli.sink, SHAPE, changed);
  if (changed.subscriber_state === 'registering') cli.hint('Check the state: healthctl providers list');
  if (changed.subscriber_state === 'unmanaged') {
    cli.say('The service cannot register the webhook. Register it manually at the vendor.');
  }
}

/** `healthctl providers enable` and `disable` */
async function switchProviders(cli: Cli, names: readonly string[], isEnabled: boolean): Promise<void> {
  cli.willWrite(SHAPE);
  const providers = Object.fromEntries(names.map((name) => [providerNamed(name), isEnabled]));
  const client = await cli.client();
  const all = await client.call(updateProviders, { body: { providers }, signal: cli.signal });
  const changed = all.filter(({ provider }) => provider in providers);
  await writeRows(cli.sink, SHAPE, changed);
}

/** Users and data that a change of a provider affects. */
interface Concerned extends DataVolume {
  provider: string;
  live_sync_mode: string | null;
}

const volumeColumn = (header: string, name: keyof DataVolume) => ({
  header,
  cell: (row: Concerned) => numberText(row[name]),
  align: 'right' as const,
});

const CONCERNED = {
  fields: ['provider', 'live_sync_mode', 'active_connections', 'users', 'days', 'samples'],
  columns: [
    { header: 'Provider', cell: (row: Concerned) => row.provider },
    { header: 'Current mode', cell: (row: Concerned) => row.live_sync_mode },
    volumeColumn('Connected', 'active_connections'),
    volumeColumn('With data', 'users'),
    volumeColumn('Days', 'days'),
    volumeColumn('Samples', 'samples'),
  ],
} satisfies Shape<Concerned>;

/** Shows the users and data that a change of providers would affect. Changes nothing. */
async function showConnected(cli: Cli, names: readonly string[]): Promise<void> {
  cli.willWrite(CONCERNED);
  const client = await cli.client();
  const { signal } = cli;
  const rows: Concerned[] = [];
  for (const provider of names.map(providerNamed)) {
    const { live_sync_mode } = await client.call(getProvider, { params: { provider }, signal });
    rows.push({ provider, live_sync_mode, ...(await client.call(getDataVolume, { query: { provider }, signal })) });
  }
  await writeRows(cli.sink, CONCERNED, rows);
  cli.say('Nothing was changed. Stored data is always kept.');
}

function stateText({ is_enabled: enabled, is_configured: configured }: ProviderSettingResponse): string {
  if (!configured) return 'no credentials';
  return enabled ? 'enabled' : 'disabled';
}

function webhookText({ subscriber_state: state, subscriber_error: error }: ProviderSettingResponse): string | null {
  return error ? `${state}: ${error}` : state;
}
