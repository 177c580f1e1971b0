import type { ProviderId } from '@healthd/model';
import type { EnsureOptions, ProviderConfiguration, SubscriberAdapter, SubscriberOutcome } from '@healthd/providers';
import type { Vault } from '../../vault/index.js';
import type { ProviderSettingRow } from '../providers/provider-setting-model.js';

/** A secret that a vendor issued when this service registered its URL. */
export interface IssuedSecret {
  /** ID of the registration at the vendor. */
  subscriberId: string;
  secret: string;
}

/** Secrets that vendors issued, sealed with ENCRYPTION_KEY. A secret that cannot be decrypted is issued again. */
export class IssuedSecrets {
  constructor(
    private readonly settings: typeof ProviderSettingRow,
    private readonly vault: Vault,
  ) {}

  /** Returns the stored secret; undefined if the vendor issued no secret or the secret cannot be decrypted. */
  async of(provider: ProviderId): Promise<IssuedSecret | undefined> {
    const sealed = (await this.settings.findByPk(provider))?.givenSecret;
    const opened = sealed ? this.vault.open(fieldOf(provider), sealed) : undefined;
    return opened === undefined ? undefined : (JSON.parse(opened) as IssuedSecret);
  }

  /** Registers a URL and stores the secret that the vendor issues for it. @throws VendorError */
  async ensure(
    provider: ProviderId,
    subscribers: SubscriberAdapter,
    configuration: ProviderConfiguration,
    endpoint: string,
    { replaces }: Pick<EnsureOptions, 'replaces'> = {},
  ): Promise<readonly SubscriberOutcome[]> {
    const known = await this.of(provider);
    const outcomes = await subscribers.ensure(configuration, endpoint, { replaces, secretOf: known?.subscriberId });
    for (const { id, secret } of outcomes) {
      if (secret !== undefined) await this.keep(provider, { subscriberId: id, secret });
    }
    return outcomes;
  }

  private async keep(provider: ProviderId, issued: IssuedSecret): Promise<void> {
    const sealed = this.vault.seal(fieldOf(provider), JSON.stringify(issued));
    await this.settings.upsert({ provider, givenSecret: sealed });
  }
}

function fieldOf(provider: ProviderId) {
  return { table: 'provider_setting', column: 'given_secret', row: provider };
}
