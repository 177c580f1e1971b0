import type { ProviderConfiguration, ProviderSetting, VendorQuotas } from '../cloud/index.js';

/** Names of the settings that only this vendor has. */
const NAMES = {
  key: 'SUBSCRIPTION_KEY',
  webhookSecret: 'WEBHOOK_SECRET',
  readFitFiles: 'READ_FIT_FILES',
  perMinute: 'APPLICATION_REQUESTS_PER_MINUTE',
  perWeek: 'APPLICATION_REQUESTS_PER_WEEK',
} as const;

/** Slightly less than the vendor's developer tier allows: 10 per minute and 200 per week. */
export const DEVELOPER_TIER: VendorQuotas = {
  perUserAndMinute: 9,
  perApplicationAndMinute: 9,
  perApplicationAndWeek: 190,
};

export const SUUNTO_SETTINGS: readonly ProviderSetting[] = [
  {
    name: NAMES.key,
    kind: 'text',
    secret: true,
    help: 'The key of the subscription in the vendor\u2019s portal, sent with each request of data; without it the vendor refuses all of them',
  },
  {
    name: NAMES.webhookSecret,
    kind: 'text',
    secret: true,
    help: 'The notification secret that is set in the vendor\u2019s portal and signs its webhooks. Unset: all webhooks are refused',
  },
  {
    name: NAMES.readFitFiles,
    kind: 'boolean',
    default: 'false',
    help: 'Whether the FIT file of a new or changed workout is read too: heart rate, speed, cadence, power, elevation, position, laps and pauses. Takes a request for each workout, again with each poll within an hour of its last change, and five more within five days where the file is not there',
  },
  {
    name: NAMES.perMinute,
    kind: 'digits',
    default: String(DEVELOPER_TIER.perApplicationAndMinute),
    help: 'Requests of all people together a minute at most; raise it where the vendor allows the application more',
  },
  {
    name: NAMES.perWeek,
    kind: 'digits',
    default: String(DEVELOPER_TIER.perApplicationAndWeek),
    help: 'Requests of all people together a week at most, 0 for no limit; raise it where the vendor allows the application more',
  },
];

/** Returns the header that every data request needs in addition to the user's token. */
export function requestHeaders({ values }: ProviderConfiguration): Record<string, string> {
  const key = values[NAMES.key];
  return key === undefined ? {} : { 'ocp-apim-subscription-key': key };
}

/** Returns the secret of the vendor's portal. It has no default: without it, no delivery is accepted. */
export function webhookSecretOf({ values }: ProviderConfiguration): string | undefined {
  return values[NAMES.webhookSecret];
}

/** True if the operator enabled FIT files of workouts. */
export function readsFitFiles({ values }: ProviderConfiguration): boolean {
  return values[NAMES.readFitFiles]?.toLowerCase() === 'true';
}

/** Returns the operator's quotas. */
export function configuredQuotas(quotas: VendorQuotas, { values }: ProviderConfiguration): VendorQuotas {
  const perMinute = Number(values[NAMES.perMinute] ?? quotas.perApplicationAndMinute);
  const perWeek = Number(values[NAMES.perWeek] ?? quotas.perApplicationAndWeek ?? 0);
  const { perApplicationAndWeek: _, ...others } = quotas;
  return {
    ...others,
    perApplicationAndMinute: Math.max(1, perMinute),
    ...(perWeek > 0 && { perApplicationAndWeek: perWeek }),
  };
}
