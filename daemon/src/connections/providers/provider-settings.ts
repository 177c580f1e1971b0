import { isDeepStrictEqual } from 'node:util';
import type { ProviderId } from '@healthd/model';
import type { Granularity, Provider } from '@healthd/providers';
import { Op } from 'sequelize';
import { Failure } from '../../platform/failures.js';
import type { ConfiguredCloud, ProviderSetting, SubscriberState } from '../connections.js';
import type { StoredRegistration } from '../subscribers/subscriber-registration.js';
import type { ProviderSettingRow } from './provider-setting-model.js';

type LiveSyncMode = 'pull' | 'webhook';

export interface ProviderSettingsOptions {
  settings: typeof ProviderSettingRow;
  providers: readonly Provider[];
  defaultGranularity: Granularity;
  configurationOf(provider: ProviderId): ConfiguredCloud | undefined;
}

/** Changes of a provider's settings. Undefined values are kept. */
export interface ProviderChange {
  isEnabled?: boolean | undefined;
  liveSyncMode?: LiveSyncMode | undefined;
  /** Null resets to the service's default. */
  granularity?: Granularity | null | undefined;
}

/** Result of a registration at the vendor. */
export interface SubscriberResult {
  /** A stable code; never a vendor's text. */
  error?: string;
  /** The registration that was made or rejected. */
  registration?: StoredRegistration | undefined;
}

/** A provider with its settings. */
export interface ListedProvider {
  provider: Provider;
  use: ProviderSetting;
  /** The provider's own setting; undefined for the service's default. */
  ownGranularity: Granularity | undefined;
  subscriberError: string | undefined;
  isConfigured: boolean;
}

const SUBSCRIBED = { liveSyncMode: 'webhook' as const, subscriberState: ['active' as const, 'failed' as const] };

/** Settings of providers: explicit settings, or defaults derived from their capabilities. */
export class ProviderSettings {
  constructor(private readonly options: ProviderSettingsOptions) {}

  async of(provider: ProviderId): Promise<ProviderSetting> {
    const row = await this.options.settings.findByPk(provider);
    return this.use(provider, row ?? undefined);
  }

  /** Returns all providers with an adapter, in the contract's order. */
  async list(): Promise<ListedProvider[]> {
    const rows = new Map((await this.options.settings.findAll()).map((row) => [row.provider, row]));
    return this.options.providers.map((provider) => this.listed(provider, rows.get(provider.id)));
  }

  /** @throws Failure `bad_request` if the provider has no adapter */
  async get(id: ProviderId): Promise<ListedProvider> {
    const provider = this.provider(id);
    return this.listed(provider, (await this.options.settings.findByPk(id)) ?? undefined);
  }

  /** @throws Failure `bad_request` for a mode that the provider does not support */
  async change(id: ProviderId, change: ProviderChange): Promise<ListedProvider> {
    const provider = this.provider(id);
    if (change.liveSyncMode !== undefined && !isConfigurable(provider)) {
      throw new Failure('bad_request', `Provider '${id}' does not support live sync mode configuration`);
    }
    const { settings } = this.options;
    const columns = {
      ...(change.isEnabled !== undefined && { isEnabled: change.isEnabled }),
      ...(change.liveSyncMode !== undefined && { liveSyncMode: change.liveSyncMode }),
      ...(change.granularity !== undefined && { dataGranularity: change.granularity }),
    };
    await this.ensureRow(id);
    if (Object.keys(columns).length > 0) await settings.update(columns, { where: { provider: id } });
    return this.listed(provider, (await settings.findByPk(id)) ?? undefined);
  }

  async setSubscriberState(
    provider: ProviderId,
    state: SubscriberState | null,
    { error, registration }: SubscriberResult = {},
  ): Promise<void> {
    await this.ensureRow(provider);
    await this.options.settings.update(
      {
        subscriberState: state,
        subscriberError: error ?? null,
        subscriberRegistration: registration ?? null,
        ...(state === null && { firstNotifiedAt: null }),
      },
      { where: { provider } },
    );
  }

  /** Returns providers whose vendor subscription does not match their mode. */
  async unsettled(limit: number): Promise<ProviderId[]> {
    const other = { liveSyncMode: { [Op.or]: [null, { [Op.ne]: 'webhook' }] } };
    const rows = await this.options.settings.findAll({
      where: {
        [Op.or]: [
          { liveSyncMode: 'webhook', subscriberState: 'registering' },
          { ...other, subscriberState: ['registering', 'active'] },
        ],
      },
      limit,
    });
    return rows.map(({ provider }) => provider);
  }

  /** Returns providers in webhook mode whose vendor registration was made or rejected. */
  async subscribed(): Promise<ProviderId[]> {
    return (await this.options.settings.findAll({ where: SUBSCRIBED })).map(({ provider }) => provider);
  }

  /**
   * Marks a provider for a new registration if its current registration differs from `expected`. Locks the row, so that
   * only one of several processes marks the provider.
   * @returns the previous registration (`former` is undefined if unknown); undefined if the current registration
   * matches or the provider has no registration
   */
  async markOutdated(
    provider: ProviderId,
    expected: StoredRegistration | undefined,
  ): Promise<{ former: StoredRegistration | undefined } | undefined> {
    const { settings } = this.options;
    return settings.sequelize!.transaction(async (transaction) => {
      const row = await settings.findOne({ where: { provider, ...SUBSCRIBED }, lock: true, transaction });
      const former = row?.subscriberRegistration ?? undefined;
      if (!row || isDeepStrictEqual(former, asStored(expected))) return undefined;
      await row.update(
        { subscriberState: 'registering', subscriberError: null, firstNotifiedAt: null },
        { transaction },
      );
      return { former };
    });
  }

  /** Records the time of the first notification. Later calls have no effect. */
  async markFirstNotified(provider: ProviderId): Promise<void> {
    await this.ensureRow(provider);
    await this.options.settings.update({ firstNotifiedAt: new Date() }, { where: { provider, firstNotifiedAt: null } });
  }

  /** @throws Failure `bad_request` if the provider has no adapter */
  provider(id: ProviderId): Provider {
    const provider = this.find(id);
    if (!provider) throw new Failure('bad_request', `Unknown provider: ${id}`);
    return provider;
  }

  /** Returns the provider; undefined if it has no adapter. */
  find(id: ProviderId): Provider | undefined {
    return this.options.providers.find((provider) => provider.id === id);
  }

  private async ensureRow(provider: ProviderId): Promise<void> {
    await this.options.settings.bulkCreate([{ provider }], { ignoreDuplicates: true });
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
      registeredEndpoint: row?.subscriberRegistration?.endpoint,
      firstNotifiedAt: row?.firstNotifiedAt ?? undefined,
      changedAt: row?.updatedAt,
    };
  }
}

/** True if the provider can be polled and can report changes, so that the mode is a choice. */
export function isConfigurable({ capabilities }: Provider): boolean {
  return capabilities.pull && capabilities.webhook;
}

/** Returns the registration as the database returns it: without undefined members. */
function asStored(registration: StoredRegistration | undefined): StoredRegistration | undefined {
  return registration && (JSON.parse(JSON.stringify(registration)) as StoredRegistration);
}

function defaultMode(provider: Provider | undefined): LiveSyncMode | undefined {
  if (provider?.capabilities.pull) return 'pull';
  return provider?.capabilities.webhook && !provider.capabilities.push ? 'webhook' : undefined;
}
