import { MS_PER_MINUTE } from '@healthd/model';
import {
  createVendorApi,
  type ProviderConfiguration,
  type Subscriber,
  type SubscriberAdapter,
  type SubscriberOutcome,
  type VendorApi,
  VendorError,
  type VendorRequest,
} from '../cloud/index.js';
import { isObject, textOf } from '../payload/index.js';
import { ServiceTokens } from './service-tokens.js';
import { checkOperation, readServiceError, readSubscriber } from './subscriber-response.js';

const PROJECT_NUMBER = /^\d{1,20}$/;
/** 4 to 36 characters that start with a letter and do not end with a hyphen. */
const SUBSCRIBER_ID = /^[a-z][a-z0-9-]{2,34}[a-z0-9]$/;
const PAGE_SIZE = 100;
const MAX_PAGES = 50;
const MAX_RESPONSE_BYTES = 4 * 1024 * 1024;
/** Timeout of a change, because the vendor verifies the endpoint before it responds. */
const TIMEOUT_MS = MS_PER_MINUTE;

/**
 * Manages the webhook subscribers of the operator's cloud project.
 * @param dataTypes types that the vendor reports and the service reads
 */
export function googleSubscribers(dataTypes: readonly string[], tokens = new ServiceTokens()): SubscriberAdapter {
  const open = (configuration: ProviderConfiguration) => openSubscribers(configuration, tokens);
  return {
    manageable: ({ values }) => Boolean(values.PROJECT_ID),
    registration: (configuration, endpoint) => ({
      name: `${collectionOf(configuration)}/${configuration.values.SUBSCRIBER_ID}`,
      endpoint,
      dataTypes,
    }),
    list: async (configuration) => list(await open(configuration)),
    async ensure(configuration, endpoint) {
      const id = subscriberIdOf(configuration);
      const body = subscriberBody(configuration, endpoint, dataTypes);
      const api = await open(configuration);
      try {
        await change(api, { method: 'POST', path: '', query: { subscriberId: id }, body });
        return [{ id, status: 'created' }];
      } catch (error) {
        if (!(error instanceof VendorError) || error.code !== 'conflict') throw error;
      }
      return [await patch(api, id, body)];
    },
    update: async (configuration, id, endpoint) =>
      patch(await open(configuration), checkedId(id), { endpointUri: checkedEndpoint(endpoint) }),
    remove: async (configuration, id) => remove(await open(configuration), id),
    removeOwn: async (configuration) => [await remove(await open(configuration), subscriberIdOf(configuration))],
  };
}

/** @throws VendorError `operator` if the settings or the credentials cannot be used */
async function openSubscribers(configuration: ProviderConfiguration, tokens: ServiceTokens): Promise<VendorApi> {
  const project = configuration.values.PROJECT_ID ?? '';
  // The vendor accepts the project's number only, not its name.
  if (!PROJECT_NUMBER.test(project)) throw mistake('PROJECT_ID');
  const calls = createVendorApi({
    addresses: { ...configuration.addresses, api: collectionOf(configuration) },
    ...(await tokens.access(configuration)),
    budgets: [],
    readError: readServiceError,
    maxResponseBytes: MAX_RESPONSE_BYTES,
    timeoutMs: TIMEOUT_MS,
  });
  return { call: (request) => calls.call(request).catch(throwOperatorFailure) };
}

function collectionOf({ addresses, values }: ProviderConfiguration): string {
  return `${addresses.api}/v4/projects/${values.PROJECT_ID}/subscribers`;
}

/** Converts a rejected token to an operator error, because the user cannot fix it by reconnecting. */
function throwOperatorFailure(error: unknown): never {
  if (!(error instanceof VendorError) || error.code !== 'unauthorized') throw error;
  throw new VendorError({ code: 'operator', status: error.status, reason: error.reason });
}

/** Lists all subscribers, because the vendor has no request for a single subscriber. */
async function list(api: VendorApi): Promise<Subscriber[]> {
  const found: Subscriber[] = [];
  const tokens = new Set<string>();
  let pageToken: string | undefined;
  do {
    const page = await api.call({ path: '', query: { pageSize: PAGE_SIZE, pageToken } });
    const subscribers = isObject(page) && Array.isArray(page.subscribers) ? page.subscribers : [];
    found.push(...subscribers.map(readSubscriber).filter((subscriber) => subscriber !== undefined));
    pageToken = isObject(page) ? textOf(page.nextPageToken, 4096) : undefined;
    if (pageToken !== undefined && tokens.has(pageToken)) throw new VendorError({ code: 'invalid_answer' });
    if (pageToken !== undefined) tokens.add(pageToken);
  } while (pageToken !== undefined && tokens.size < MAX_PAGES);
  return found;
}

/** Replaces the members in the mask. The vendor verifies the endpoint if the endpoint or its secret changes. */
async function patch(api: VendorApi, id: string, body: Readonly<Record<string, unknown>>): Promise<SubscriberOutcome> {
  await change(api, { method: 'PATCH', path: `/${id}`, query: { updateMask: Object.keys(body).join(',') }, body });
  return { id, status: 'updated' };
}

async function remove(api: VendorApi, id: string): Promise<SubscriberOutcome> {
  try {
    await change(api, { method: 'DELETE', path: `/${checkedId(id)}`, query: { force: 'true' } });
  } catch (error) {
    if (!(error instanceof VendorError) || error.code !== 'not_found') throw error;
  }
  return { id, status: 'deleted' };
}

/**
 * Sends a change, which may be repeated. A repeated creation is a conflict that ends in a patch. All other changes are
 * idempotent.
 */
async function change(api: VendorApi, request: VendorRequest): Promise<void> {
  checkOperation(await api.call({ ...request, repeatable: true }));
}

/** Returns a complete subscriber. It always includes the secret, which cannot be read back. */
function subscriberBody({ webhookSecret }: ProviderConfiguration, endpoint: string, dataTypes: readonly string[]) {
  if (!webhookSecret) throw mistake('WEBHOOK_SECRET');
  return {
    endpointUri: checkedEndpoint(endpoint),
    subscriberConfigs: [{ dataTypes: [...dataTypes], subscriptionCreatePolicy: 'AUTOMATIC' }],
    endpointAuthorization: { secret: `Bearer ${webhookSecret}` },
  };
}

function subscriberIdOf({ values }: ProviderConfiguration): string {
  const id = values.SUBSCRIBER_ID ?? '';
  if (!SUBSCRIBER_ID.test(id)) throw mistake('SUBSCRIBER_ID');
  return id;
}

function checkedId(id: string): string {
  if (!SUBSCRIBER_ID.test(id)) throw new VendorError({ code: 'not_found' });
  return id;
}

function checkedEndpoint(endpoint: string): string {
  if (!URL.canParse(endpoint) || !/^https?:$/.test(new URL(endpoint).protocol)) {
    throw new VendorError({ code: 'invalid_request', reason: 'endpoint' });
  }
  return endpoint;
}

function mistake(reason: string): VendorError {
  return new VendorError({ code: 'operator', reason });
}
