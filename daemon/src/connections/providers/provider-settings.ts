import type { ProviderId } from '@healthd/model';
import type { Granularity, Provider } from '@healthd/providers';
import { Failure } from '../../platform/failures.js';
import type { ConfiguredCloud, ProviderSetting, SubscriberState } from '../connections.js';
import type { ConnectionModels, ProviderSettingRow } from '../store/models.js';
import type { KeptRegistration } from '../subscribers/subscriber-registration.js';

export type LiveSyncMode = 'pull' | 'webhook';

export interface ProviderSettingsOptions {
  models: Pick<ConnectionModels, 'providerSettings'>;
  providers: readonly Provider[];
  defaultGranularity: Granularity;
  configurationOf(provider: ProviderId): ConfiguredCloud | undefined;
}

/** What is changed of a provider; what is undefined stays. */
export interface ProviderChange {
  isEnabled?: boolean | undefined;
  liveSyncMode?: LiveSyncMode | undefined;
  /** Null: the default of the service again. */
  granularity?: Granularity | null | undefined;
}

/** How a registration at the vendor ended. */
export interface SubscriberResult {
  /** A stable code; never a vendor's text. */
  error?: string;
  /** What was registered, or could not be. */
  registration?: KeptRegistration | undefined;
}

/** A provider with how it is used. */
export interface ListedProvider {
  provider: Provider;
  use: ProviderSetting;
  /** Set here, or undefined for the service's default. */
  ownGranularity: Granularity | undefined;
  subscriberError: string | undefined;
  isConfigured: boolean;
}

/** How providers are used: what was chosen, else what follows from what they can. */
export class ProviderSettings {
  constructor(private readonly options: ProviderSettingsOptions) {}

  async of(provider: ProviderId): Promise<ProviderSetting> {
    const row = await this.options.models.providerSettings.findByPk(provider);
    return this.use(provider, row ?? undefined);
  }

  /** All that have an adapter, in the order of the contract. */
  async list(): Promise<ListedProvider[]> {
    const rows = new Map((await this.options.models.providerSettings.findAll()).map((row) => [row.provider, row]));
    return this.options.providers.map((provider) => this.listed(provider, rows.get(provider.id)));
  }

  /** @throws Failure `bad_request` for a mode that the provider does not have */
  async change(id: ProviderId, change: ProviderChange): Promise<ListedProvider> {
    const provider = this.provider(id);
    if (change.liveSyncMode !== undefined && !isConfigurable(provider)) {
      throw new Failure('bad_request', `Provider '${id}' does not support live sync mode configuration`);
    }
    const { providerSettings } = this.options.models;
    const columns = {
      ...(change.isEnabled !== undefined && { isEnabled: change.isEnabled }),
      ...(change.liveSyncMode !== undefined && { liveSyncMode: change.liveSyncMode }),
      ...(change.granularity !== undefined && { dataGranularity: change.granularity }),
    };
    await this.ensureRow(id);
    if (Object.keys(columns).length > 0) await providerSettings.update(columns, { where: { provider: id } });
    return this.listed(provider, (await providerSettings.findByPk(id)) ?? undefined);
  }

  async setSubscriberState(
    provider: ProviderId,
    state: SubscriberState | null,
    { error, registration }: SubscriberResult = {},
  ): Promise<void> {
    await this.ensureRow(provider);
    await this.options.models.providerSettings.update(
      {
        subscriberState: state,
        subscriberError: error ?? null,
        subscriberRegistration: registration ?? null,
        ...(state === null && { firstNotifiedAt: null }),
      },
      { where: { provider } },
    );
  }

  /** The first time counts. */
  async markFirstNotified(provider: ProviderId): Promise<void> {
    await this.ensureRow(provider);
    await this.options.models.providerSettings.update(
      { firstNotifiedAt: new Date() },
      { where: { provider, firstNotifiedAt: null } },
    );
  }

  /** @throws Failure `bad_request` while it has no adapter */
  provider(id: ProviderId): Provider {
    const provider = this.find(id);
    if (!provider) throw new Failure('bad_request', `Unknown provider: ${id}`);
    return provider;
  }

  /** Undefined while it has no adapter. */
  find(id: ProviderId): Provider | undefined {
    return this.options.providers.find((provider) => provider.id === id);
  }

  private async ensureRow(provider: ProviderId): Promise<void> {
    await this.options.models.providerSettings.bulkCreate([{ provider }], { ignoreDuplicates: true });
  }

  private listed(provider: Provider, row: ProviderSettingRow | undefined): ListedProvider {
    return {
      provider,
      use: this.use(provider.id, row),
      ownGranularity: row?.dataGranularity ?? undefined,
      subscriberError: row?.subscriberError ?? undefined,
      isConfigured: this.options.configurationOf(provider.id) !== undefined,
    };
  }

  private use(id: ProviderId, row: ProviderSettingRow | undefined): ProviderSetting {
    return {
      isEnabled: row?.isEnabled ?? true,
      liveSyncMode: row?.liveSyncMode ?? defaultMode(this.find(id)),
      granularity: row?.dataGranularity ?? this.options.defaultGranularity,
      subscriberState: row?.subscriberState ?? undefined,
      firstNotifiedAt: row?.firstNotifiedAt ?? undefined,
      changedAt: row?.updatedAt,
    };
  }
}

/** Whether the provider can be polled and can report changes too, so that there is a choice. */
export function isConfigurable({ capabilities }: Provider): boolean {
  return capabilities.pull && capabilities.webhook;
}

function defaultMode(provider: Provider | undefined): LiveSyncMode | undefined {
  if (provider?.capabilities.pull) return 'pull';
  return provider?.capabilities.webhook && !provider.capabilities.push ? 'webhook' : undefined;
}
