import { PROVIDER_IDS, PROVIDER_NAMES, type ProviderId } from '@healthd/model';
import type { CloudProvider, ProviderConfiguration, ProviderSetting } from '@healthd/providers';
import { boolean, digits, file, integer, oneOf, text, url } from './setting-types.js';
import type { SettingDefinition } from './settings-table.js';

/** Fields of a provider from which its settings are defined. */
export interface CloudOf {
  id: ProviderId;
  cloud?: CloudProvider;
}

/** Settings of one provider, without the default of the webhook secret. */
export type ProviderSettings = ProviderConfiguration;

/** Minimum length of a webhook secret. */
const WEBHOOK_SECRET_LENGTH = 16;

/** Returns the providers with a client ID, in display order. */
export function connectableProviders(providers: Partial<Record<ProviderId, ProviderSettings>>): ProviderId[] {
  return PROVIDER_IDS.filter((id) => providers[id]?.clientId !== undefined);
}

/** Returns the definitions of one provider's settings, by purpose. */
export function providerDefinitions({ id, cloud }: CloudOf): Readonly<Record<string, SettingDefinition>> {
  if (!cloud) return {};
  const name = PROVIDER_NAMES[id];
  const named = (suffix: string, definition: Omit<SettingDefinition, 'variable'>): SettingDefinition => ({
    variable: `${cloud.settingsPrefix}_${suffix}`,
    earlierVariable: cloud.earlierPrefix && `${cloud.earlierPrefix}_${suffix}`,
    ...definition,
  });
  const definitions: Record<string, SettingDefinition> = {
    clientId: named('CLIENT_ID', {
      type: text(1),
      help: `${name}: OAuth client ID; together with the secret it enables the provider.`,
    }),
    clientSecret: named('CLIENT_SECRET', { type: text(1), help: `${name}: OAuth client secret.`, secret: true }),
  };
  if (cloud.oauth.defaultScope !== '') {
    definitions.scope = named('DEFAULT_SCOPE', {
      type: text(1),
      default: cloud.oauth.defaultScope,
      help: `${name}: requested scopes, separated by spaces.`,
    });
  }
  for (const [address, fallback] of Object.entries(cloud.addresses)) {
    definitions[`address ${address}`] = named(`${screaming(address)}_URL`, {
      type: url('http:', 'https:').transform((value) => value.replace(/\/+$/, '')),
      default: fallback,
      help: `${name}: vendor URL for ${spaced(address)}.`,
    });
  }
  definitions.requestsPerMinute = named('REQUESTS_PER_MINUTE', {
    type: integer(1, 1_000_000),
    default: String(cloud.quotas.perUserAndMinute),
    help: `${name}: maximum requests per user and minute; lower it if the vendor allows fewer.`,
  });
  if (cloud.webhook?.secret === 'own') {
    definitions.webhookSecret = named('WEBHOOK_SECRET', {
      type: text(WEBHOOK_SECRET_LENGTH, 'a secret'),
      help: `${name}: secret that the vendor sends with its webhooks, at least ${WEBHOOK_SECRET_LENGTH} characters.`,
      defaultShown: 'SECRET_KEY',
      secret: true,
    });
  }
  for (const setting of cloud.settings) definitions[`value ${setting.name}`] = named(setting.name, own(setting, name));
  return definitions;
}

/** Converts values of {@link providerDefinitions} to the provider's settings. */
export function providerSettings(values: Readonly<Record<string, unknown>>): ProviderSettings {
  const part = (kind: string) =>
    Object.fromEntries(
      Object.entries(values).flatMap(([key, value]) =>
        key.startsWith(`${kind} `) && value !== undefined ? [[key.slice(kind.length + 1), String(value)]] : [],
      ),
    );
  return {
    ...(values as Pick<ProviderSettings, 'clientId' | 'clientSecret' | 'webhookSecret' | 'requestsPerMinute'>),
    // Vendors without scopes have no scope setting.
    scope: values.scope === undefined ? '' : String(values.scope),
    addresses: part('address') as ProviderSettings['addresses'],
    values: part('value'),
  };
}

/** Returns conflicts between a provider's settings. */
export function providerContradictions(
  definitions: Readonly<Record<string, SettingDefinition>>,
  values: Readonly<Record<string, unknown>>,
): string[] {
  const [missing, present] =
    values.clientId === undefined ? ['clientId', 'clientSecret'] : ['clientSecret', 'clientId'];
  if (values[missing] !== undefined || values[present] === undefined) return [];
  return [`${definitions[missing]?.variable} is unset but is required with ${definitions[present]?.variable}`];
}

function own({ kind, choices, help, default: fallback, secret }: ProviderSetting, provider: string) {
  const type = choices ? oneOf(...choices) : { boolean, digits, text: () => text(1), file }[kind]();
  const sentence = `${help.charAt(0).toLowerCase()}${help.slice(1)}.`;
  return { type, help: `${provider}: ${sentence}`, default: fallback, secret };
}

/** Converts camel case such as `userInfo` to `USER_INFO`. */
function screaming(name: string): string {
  return name.replaceAll(/([a-z])([A-Z])/g, '$1_$2').toUpperCase();
}

function spaced(name: string): string {
  return screaming(name).replaceAll('_', ' ').toLowerCase();
}
