import { MS_PER_DAY, MS_PER_MINUTE } from '@healthd/model';
import {
  createVendorApi,
  type ProviderConfiguration,
  type Subscriber,
  type SubscriberAdapter,
  type SubscriberOutcome,
  type VendorApi,
  VendorError,
} from '../cloud/index.js';
import { idOf, isObject, textOf } from '../payload/index.js';
import { instantMs, verificationToken } from '../rest/index.js';
import { NOTIFIED_TYPES } from './notified-types.js';

const PATH = '/v2/webhook/subscription';
const CHANGES = ['create', 'update', 'delete'];
/** Remaining lifetime at which a subscription is renewed. Subscriptions end after about 90 days. */
const RENEWED_BEFORE_MS = 30 * MS_PER_DAY;
const MAX_RESPONSE_BYTES = 1024 * 1024;

/** One subscription per data type and change type, for the whole application. */
export const OURA_SUBSCRIBERS: SubscriberAdapter = {
  manageable: ({ clientId, clientSecret }) => Boolean(clientId && clientSecret),
  registration: ({ addresses, clientId }, endpoint) => ({
    name: `${addresses.api}${PATH} of ${clientId}`,
    endpoint,
    dataTypes: NOTIFIED_TYPES,
  }),
  list: (configuration) => list(open(configuration)),
  async ensure(configuration, endpoint) {
    const api = open(configuration);
    const known = await list(api);
    const outcomes: SubscriberOutcome[] = [];
    for (const dataType of NOTIFIED_TYPES) {
      const settled = CHANGES.map((change) => settle(api, configuration, endpoint, { dataType, change, known }));
      outcomes.push(...(await Promise.all(settled)));
    }
    return outcomes;
  },
  async renew(configuration) {
    const api = open(configuration);
    const known = await list(api);
    return Promise.all(known.map(({ id }) => renew(api, id)));
  },
  async update(configuration, id, endpoint) {
    const api = open(configuration);
    const found = (await list(api)).find((one) => one.id === id);
    if (!found) throw new VendorError({ code: 'not_found' });
    return redirect(api, configuration, endpoint, found);
  },
  remove: (configuration, id) => remove(open(configuration), id),
  async removeOwn(configuration, endpoint) {
    const api = open(configuration);
    const own = (await list(api)).filter((one) => one.endpoint === endpoint);
    return Promise.all(own.map(({ id }) => remove(api, id)));
  },
};

/** Opens an API with credentials in headers. A rejection is a deployment error and affects no user. */
function open({ addresses, clientId = '', clientSecret = '' }: ProviderConfiguration): VendorApi {
  return createVendorApi({
    addresses,
    headers: { 'x-client-id': clientId, 'x-client-secret': clientSecret },
    budgets: [],
    readError: (status) => (status === 401 || status === 403 ? { code: 'operator' } : undefined),
    maxResponseBytes: MAX_RESPONSE_BYTES,
    // The vendor verifies the URL before it responds.
    timeoutMs: MS_PER_MINUTE,
  });
}

async function list(api: VendorApi): Promise<Subscriber[]> {
  const response = await api.call({ path: PATH });
  if (!Array.isArray(response)) throw new VendorError({ code: 'invalid_answer', reason: 'subscriptions' });
  return response.flatMap((one) => subscriber(one) ?? []);
}

function subscriber(value: unknown): Subscriber | undefined {
  const id = isObject(value) ? idOf(value.id) : undefined;
  if (!isObject(value) || id === undefined) return undefined;
  const end = textOf(value.expiration_time);
  // A time without a zone is UTC.
  const endsAtMs = instantMs(end);
  const { verification_token: _, ...raw } = value;
  return {
    id,
    endpoint: textOf(value.callback_url, 2048) ?? '',
    dataTypes: [textOf(value.data_type) ?? ''],
    state: textOf(value.event_type),
    ...(!Number.isNaN(endsAtMs) && { endsAtMs }),
    raw,
  };
}

interface RequestedSubscription {
  dataType: string;
  change: string;
  known: readonly Subscriber[];
}

async function settle(
  api: VendorApi,
  configuration: ProviderConfiguration,
  endpoint: string,
  { dataType, change, known }: RequestedSubscription,
): Promise<SubscriberOutcome> {
  const found = known.find((one) => one.dataTypes.includes(dataType) && one.state === change);
  if (!found) {
    const members = { event_type: change, data_type: dataType };
    const made = await api.call({ method: 'POST', path: PATH, body: body(configuration, endpoint, members) });
    return { id: (isObject(made) && idOf(made.id)) || `${dataType} ${change}`, status: 'created' };
  }
  if (found.endpoint !== endpoint) return redirect(api, configuration, endpoint, found);
  if ((found.endsAtMs ?? 0) > Date.now() + RENEWED_BEFORE_MS) return { id: found.id, status: 'skipped' };
  return renew(api, found.id);
}

async function redirect(
  api: VendorApi,
  configuration: ProviderConfiguration,
  endpoint: string,
  { id, raw: { event_type, data_type } }: Subscriber,
): Promise<SubscriberOutcome> {
  const path = `${PATH}/${encodeURIComponent(id)}`;
  const members = { event_type, data_type };
  await api.call({ method: 'PUT', path, body: body(configuration, endpoint, members), repeatable: true });
  return { id, status: 'updated' };
}

async function renew(api: VendorApi, id: string): Promise<SubscriberOutcome> {
  await api.call({ method: 'PUT', path: `${PATH}/renew/${encodeURIComponent(id)}`, repeatable: true });
  return { id, status: 'updated' };
}

/**
 * Deletes a subscription. The vendor rejects an unknown id like a wrong secret, so a failed call checks whether the
 * list still contains the id.
 */
async function remove(api: VendorApi, id: string): Promise<SubscriberOutcome> {
  try {
    await api.call({ method: 'DELETE', path: `${PATH}/${encodeURIComponent(id)}`, repeatable: true });
  } catch (error) {
    if ((await list(api)).some((one) => one.id === id)) throw error;
  }
  return { id, status: 'deleted' };
}

function body(configuration: ProviderConfiguration, endpoint: string, members: object) {
  if (!URL.canParse(endpoint) || !/^https?:$/.test(new URL(endpoint).protocol)) {
    throw new VendorError({ code: 'invalid_request', reason: 'endpoint' });
  }
  return { callback_url: endpoint, verification_token: verificationToken(configuration), ...members };
}
