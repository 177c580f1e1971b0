import { listProviders as listRoute, updateProvider } from '@healthd/contract';
import { INTEGRATED_PROVIDER_IDS, isProviderId } from '@healthd/model';
import type { ProviderSettingResponse } from '@healthd/schemas';
import type { Cli } from '../cli.js';
import { EXIT } from '../exit-codes.js';
import { CliError } from '../failure.js';
import type { FieldPath } from '../output/fields.js';
import { writeRecord, writeRows } from '../output/writer.js';

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

export interface ListProvidersOptions {
  all?: boolean;
}

export interface SetProviderOptions {
  mode?: 'pull' | 'webhook';
  granularity?: 'raw' | 'hourly' | 'daily';
  enable?: boolean;
  disable?: boolean;
}

/** `healthctl providers list` */
export async function listProviders(cli: Cli, { all }: ListProvidersOptions): Promise<void> {
  const client = await cli.client();
  const query = all ? { include_unconfigured: true } : {};
  await writeRows(cli.sink, SHAPE, await client.call(listRoute, { query, signal: cli.signal }));
}

/** `healthctl providers set` */
export async function setProvider(cli: Cli, provider: string, options: SetProviderOptions): Promise<void> {
  if (!isProviderId(provider)) {
    throw new CliError('unknown_provider', `Unknown provider ${JSON.stringify(provider)}.`, {
      hint: `Providers: ${INTEGRATED_PROVIDER_IDS.join(', ')}`,
      exitCode: EXIT.usage,
    });
  }
  const isEnabled = options.enable ? true : options.disable ? false : undefined;
  if (options.mode === undefined && options.granularity === undefined && isEnabled === undefined) {
    throw new CliError('nothing_to_set', 'Say what to set: --mode, --granularity, --enable or --disable.', {
      exitCode: EXIT.usage,
    });
  }
  const client = await cli.client();
  const body = { is_enabled: isEnabled, live_sync_mode: options.mode, data_granularity: options.granularity };
  const changed = await client.call(updateProvider, { params: { provider }, body, signal: cli.signal });
  await writeRecord(cli.sink, SHAPE, changed);
  if (changed.subscriber_state === 'registering') cli.hint('How it goes: healthctl providers list');
  if (changed.subscriber_state === 'unmanaged') {
    cli.say('This service cannot register the webhook here. Register it by hand at the vendor.');
  }
}

function stateText({ is_enabled: enabled, is_configured: configured }: ProviderSettingResponse): string {
  if (!configured) return 'no credentials';
  return enabled ? 'enabled' : 'disabled';
}

function webhookText({ subscriber_state: state, subscriber_error: error }: ProviderSettingResponse): string | null {
  return error ? `${state}: ${error}` : state;
}
