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
import { isObject, textOf } from '../payload/index.js';
import { numberIdOf, verificationToken } from '../rest/index.js';
import { readStravaError } from './read-error.js';
import { ACTIVITY, callbackToken, TOKEN } from './webhook.js';

const PATH = '/push_subscriptions';
/** Maximum length of a callback URL at the vendor. */
const MAX_CALLBACK = 255;
const MAX_RESPONSE_BYTES = 65_536;

/** One unmodifiable subscription of the whole application. Another URL needs a new subscription. */
export const STRAVA_SUBSCRIBERS: SubscriberAdapter = {
  manageable: ({ clientId, clientSecret }) => Boolean(clientId && clientSecret),
  registration: ({ addresses, clientId }, endpoint) => ({
    name: `${addresses.api}${PATH} of ${clientId}`,
    endpoint,
    dataTypes: [ACTIVITY],
  }),
  list: async (configuration) => (await list(configuration)).map(({ subscriber }) => subscriber),
  async ensure(configuration, endpoint, { replaces } = {}) {
    const callback = callbackOf(configuration, endpoint);
    const [known] = await list(configuration);
    if (!known) return [{ id: await create(configuration, callback), status: 'created' }];
    const { subscriber } = known;
    if (isSameAddress(known.callback, callback)) {
      if (tokenOf(known.callback) === tokenOf(callback)) return [{ id: subscriber.id, status: 'skipped' }];
    } else if (replaces !== 'any' && !(replaces && isSameAddress(known.callback, replaces))) {
      throw new VendorError({ code: 'conflict', reason: 'another_endpoint' });
    }
    return [{ id: await replace(configuration, known, callback), status: 'updated' }];
  },
  async update(configuration, id, endpoint) {
    const callback = callbackOf(configuration, endpoint);
    const found = (await list(configuration)).find(({ subscriber }) => subscriber.id === id);
    if (!found) throw new VendorError({ code: 'not_found' });
    return { id: await replace(configuration, found, callback), status: 'updated' };
  },
  remove,
  async removeOwn(configuration, endpoint) {
    const own = (await list(configuration)).filter(({ callback }) => isSameAddress(callback, endpoint));
    return Promise.all(own.map(({ subscriber }) => remove(configuration, subscriber.id)));
  },
};

interface Registered {
  subscriber: Subscriber;
  /** URL with the token. */
  callback: string;
}

function open({ addresses }: ProviderConfiguration): VendorApi {
  return createVendorApi({
    addresses,
    budgets: [],
    readError: readStravaError,
    maxResponseBytes: MAX_RESPONSE_BYTES,
    // The vendor challenges the URL before it responds.
    timeoutMs: MS_PER_MINUTE,
  });
}

/** The vendor requires credentials in the query or the form. */
function credentials({ clientId = '', clientSecret = '' }: ProviderConfiguration) {
  return { client_id: clientId, client_secret: clientSecret };
}

async function list(configuration: ProviderConfiguration): Promise<Registered[]> {
  const response = await open(configuration).call({ path: PATH, query: credentials(configuration) });
  if (!Array.isArray(response)) throw new VendorError({ code: 'invalid_answer', reason: 'subscriptions' });
  return response.flatMap((one) => registered(one) ?? []);
}

/** Returns the registration for developers, without the token. */
function registered(value: unknown): Registered | undefined {
  const id = isObject(value) ? numberIdOf(value.id) : undefined;
  if (!isObject(value) || id === undefined) return undefined;
  const callback = textOf(value.callback_url, 2048) ?? '';
  const endpoint = withoutToken(callback);
  const subscriber = { id, endpoint, dataTypes: [ACTIVITY], raw: { ...value, callback_url: endpoint } };
  return { subscriber, callback };
}

async function create(configuration: ProviderConfiguration, callback: string): Promise<string> {
  const form = {
    ...credentials(configuration),
    callback_url: callback,
    verify_token: verificationToken(configuration) ?? '',
  };
  const made = await open(configuration).call({ method: 'POST', path: PATH, form });
  const id = isObject(made) ? numberIdOf(made.id) : undefined;
  if (id === undefined) throw new VendorError({ code: 'invalid_answer', reason: 'id' });
  return id;
}

/**
 * Replaces the only allowed subscription. If the vendor rejects the new subscription, restores the previous
 * subscription if possible.
 */
async function replace(configuration: ProviderConfiguration, before: Registered, callback: string): Promise<string> {
  await remove(configuration, before.subscriber.id);
  try {
    return await create(configuration, callback);
  } catch (error) {
    await create(configuration, before.callback).catch(() => undefined);
    throw error;
  }
}

async function remove(configuration: ProviderConfiguration, id: string): Promise<SubscriberOutcome> {
  const path = `${PATH}/${encodeURIComponent(id)}`;
  try {
    await open(configuration).call({ method: 'DELETE', path, query: credentials(configuration), repeatable: true });
  } catch (error) {
    if (!(error instanceof VendorError) || error.code !== 'not_found') throw error;
  }
  return { id, status: 'deleted' };
}

/** @throws VendorError `invalid_request` for a URL that the vendor would reject */
function callbackOf({ clientSecret = '' }: ProviderConfiguration, endpoint: string): string {
  if (!URL.canParse(endpoint) || !/^https?:$/.test(new URL(endpoint).protocol)) {
    throw new VendorError({ code: 'invalid_request', reason: 'endpoint' });
  }
  const callback = new URL(endpoint);
  callback.hash = '';
  callback.searchParams.set(TOKEN, callbackToken(clientSecret));
  if (callback.href.length > MAX_CALLBACK) {
    throw new VendorError({ code: 'invalid_request', reason: 'endpoint_too_long' });
  }
  return callback.href;
}

/** Compares origin and path. */
function isSameAddress(one: string, other: string): boolean {
  const addressOf = (text: string) => (URL.canParse(text) ? new URL(text).origin + new URL(text).pathname : text);
  return addressOf(one) === addressOf(other);
}

function tokenOf(callback: string): string | null {
  return URL.canParse(callback) ? new URL(callback).searchParams.get(TOKEN) : null;
}

/** Returns the URL that developers see. */
function withoutToken(callback: string): string {
  if (!URL.canParse(callback)) return callback.split('?')[0] ?? '';
  const address = new URL(callback);
  address.searchParams.delete(TOKEN);
  return address.href;
}
