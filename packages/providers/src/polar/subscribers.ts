import { MS_PER_MINUTE } from '@healthd/model';
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
import { EVENTS, POLAR_WEBHOOK } from './webhook.js';

const PATH = '/v3/webhooks';
const MAX_RESPONSE_BYTES = 65_536;
const INACTIVE = 'INACTIVE';

/**
 * The application's only webhook. The vendor returns its secret only on creation, so a webhook with an unknown secret
 * is created again. The vendor deactivates the webhook after a week of failed deliveries.
 */
export const POLAR_SUBSCRIBERS: SubscriberAdapter = {
  manageable: ({ clientId, clientSecret }) => Boolean(clientId && clientSecret),
  registration: ({ addresses, clientId }, endpoint) => ({
    name: `${addresses.api}${PATH} of ${clientId}`,
    endpoint,
    dataTypes: POLAR_WEBHOOK.dataTypes,
  }),
  list: (configuration) => list(open(configuration)),
  async ensure(configuration, endpoint, { replaces, secretOf } = {}) {
    const api = open(configuration);
    const [known] = await list(api);
    if (!known) return [await create(api, endpoint)];
    const hasEndpoint = known.endpoint === endpoint;
    if (!hasEndpoint && replaces !== 'any' && known.endpoint !== replaces) {
      throw new VendorError({ code: 'conflict', reason: 'another_endpoint' });
    }
    if (known.id !== secretOf) {
      requireAddress(endpoint);
      await remove(api, known.id);
      return [{ ...(await create(api, endpoint)), status: 'updated' }];
    }
    return [await settle(api, known, endpoint)];
  },
  async renew(configuration) {
    const api = open(configuration);
    const inactive = (await list(api)).filter(({ state }) => state === INACTIVE);
    return Promise.all(inactive.map(({ id }) => activate(api, id)));
  },
  async update(configuration, id, endpoint) {
    const api = open(configuration);
    const found = (await list(api)).find((one) => one.id === id);
    if (!found) throw new VendorError({ code: 'not_found' });
    return change(api, found, endpoint);
  },
  remove: (configuration, id) => remove(open(configuration), id),
  async removeOwn(configuration, endpoint) {
    const api = open(configuration);
    const own = (await list(api)).filter((one) => one.endpoint === endpoint);
    return Promise.all(own.map(({ id }) => remove(api, id)));
  },
};

/**
 * Creates an API client with the application's credentials. A rejection is therefore the operator's error, not the
 * user's error.
 */
function open({ addresses, clientId = '', clientSecret = '' }: ProviderConfiguration): VendorApi {
  const credentials = Buffer.from(`${clientId}:${clientSecret}`).toString('base64');
  return createVendorApi({
    addresses,
    headers: { authorization: `Basic ${credentials}` },
    budgets: [],
    readError: (status) => (status === 401 || status === 403 ? { code: 'operator' } : undefined),
    maxResponseBytes: MAX_RESPONSE_BYTES,
    // The vendor pings the URL before it responds.
    timeoutMs: MS_PER_MINUTE,
  });
}

async function list(api: VendorApi): Promise<Subscriber[]> {
  const response = await api.call({ path: PATH });
  if (response === undefined) return [];
  if (!isObject(response)) throw new VendorError({ code: 'invalid_answer', reason: 'data' });
  return [response.data ?? []].flat().flatMap((one) => subscriber(one) ?? []);
}

function subscriber(value: unknown): Subscriber | undefined {
  const id = isObject(value) ? idOf(value.id) : undefined;
  if (!isObject(value) || id === undefined) return undefined;
  const { signature_secret_key: _, ...raw } = value;
  return {
    id,
    endpoint: textOf(value.url, 2048) ?? '',
    dataTypes: Array.isArray(value.events) ? value.events.flatMap((event) => textOf(event) ?? []) : [],
    state: value.active === false ? INACTIVE : 'ACTIVE',
    raw,
  };
}

async function create(api: VendorApi, endpoint: string): Promise<SubscriberOutcome> {
  requireAddress(endpoint);
  const response = await api.call({ method: 'POST', path: PATH, body: { events: EVENTS, url: endpoint } });
  const made = isObject(response) && isObject(response.data) ? response.data : {};
  const id = idOf(made.id);
  const secret = textOf(made.signature_secret_key, 1024);
  if (id === undefined || secret === undefined) {
    throw new VendorError({ code: 'invalid_answer', reason: id === undefined ? 'id' : 'signature_secret_key' });
  }
  return { id, status: 'created', secret };
}

/** Updates a webhook's URL and events and activates it. Its secret must be stored. */
async function settle(api: VendorApi, known: Subscriber, endpoint: string): Promise<SubscriberOutcome> {
  const isSame = known.endpoint === endpoint && EVENTS.every((event) => known.dataTypes.includes(event));
  const outcome: SubscriberOutcome = isSame ? { id: known.id, status: 'skipped' } : await change(api, known, endpoint);
  return known.state === INACTIVE ? activate(api, known.id) : outcome;
}

/** Updates a webhook. Its secret does not change. */
async function change(api: VendorApi, { id }: Subscriber, endpoint: string): Promise<SubscriberOutcome> {
  requireAddress(endpoint);
  const path = `${PATH}/${encodeURIComponent(id)}`;
  await api.call({ method: 'PATCH', path, body: { events: EVENTS, url: endpoint }, repeatable: true });
  return { id, status: 'updated' };
}

async function activate(api: VendorApi, id: string): Promise<SubscriberOutcome> {
  await api.call({ method: 'POST', path: `${PATH}/activate`, repeatable: true });
  return { id, status: 'updated' };
}

async function remove(api: VendorApi, id: string): Promise<SubscriberOutcome> {
  try {
    await api.call({ method: 'DELETE', path: `${PATH}/${encodeURIComponent(id)}`, repeatable: true });
  } catch (error) {
    if (!(error instanceof VendorError) || error.code !== 'not_found') throw error;
  }
  return { id, status: 'deleted' };
}

/**
 * @throws VendorError `invalid_request` if the vendor would reject the URL
 */
function requireAddress(endpoint: string): void {
  if (!URL.canParse(endpoint) || !/^https?:$/.test(new URL(endpoint).protocol)) {
    throw new VendorError({ code: 'invalid_request', reason: 'endpoint' });
  }
}
