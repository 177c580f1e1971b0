import type { ProviderConfiguration, ProviderSetting, VendorQuotas } from '../cloud/index.js';

/** Names of the settings that only this vendor has. */
const NAMES = {
  key: 'SUBSCRIPTION_KEY',
  webhookSecret: 'WEBHOOK_SECRET',
  readFitFiles: 'READ_FIT_FILES',
  perMinute: 'APPLICATION_REQUESTS_PER_MINUTE',
  perWeek: 'APPLICATION_REQUESTS_PER_WEEK',
} as const;

/** A little less than what the vendor allows an application in its developer tier: 10 a minute and 200 a week. */
export const DEVELOPER_TIER: VendorQuotas = {
  perPersonAndMinute: 9,
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

/** The header that every request of data has beside the person's token. */
export function requestHeaders({ values }: ProviderConfiguration): Record<string, string> {
  const key = values[NAMES.key];
  return key === undefined ? {} : { 'ocp-apim-subscription-key': key };
}

/** The secret of the vendor's portal, which has no default: what signs nothing is accepted from no one. */
export function webhookSecretOf({ values }: ProviderConfiguration): string | undefined {
  return values[NAMES.webhookSecret];
}

/** Whether the operator wants the FIT files of workouts read. */
export function readsFitFiles({ values }: ProviderConfiguration): boolean {
  return values[NAMES.readFitFiles]?.toLowerCase() === 'true';
}

/** The quotas that the operator set. */
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
