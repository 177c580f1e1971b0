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
    help: 'Subscription key from Suunto’s portal, sent with every data request; without it, Suunto rejects all requests',
  },
  {
    name: NAMES.webhookSecret,
    kind: 'text',
    secret: true,
    help: 'Notification secret from Suunto’s portal, which signs webhooks. If unset, the service rejects all webhooks',
  },
  {
    name: NAMES.readFitFiles,
    kind: 'boolean',
    default: 'false',
    help: 'Also read the FIT file of each new or changed workout: heart rate, speed, cadence, power, elevation, position, laps and pauses. Needs one request per workout, and another at each poll within an hour of its last change. If the file is missing, needs up to five more within five days',
  },
  {
    name: NAMES.perMinute,
    kind: 'digits',
    default: String(DEVELOPER_TIER.perApplicationAndMinute),
    help: 'Maximum number of requests per minute for all users together; raise it if Suunto allows your application more',
  },
  {
    name: NAMES.perWeek,
    kind: 'digits',
    default: String(DEVELOPER_TIER.perApplicationAndWeek),
    help: 'Maximum number of requests per week for all users together, 0 for no limit; raise it if Suunto allows your application more',
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
