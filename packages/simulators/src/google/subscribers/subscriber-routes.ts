import { randomUUID } from 'node:crypto';
import { type Answer, ResponseError, json } from '../../response.js';
import { bearer, type Call } from '../../vendor/index.js';
import { apiFailure, badRequest, notFoundPage, tokenRejection } from '../api-failure.js';
import { bindCount, bindQuery } from '../bind-members.js';
import { CLOUD_PLATFORM } from '../oauth/scopes.js';
import type { Service } from '../service.js';
import { subscriberBody } from './subscriber-body.js';
import type { Subscriber } from './subscribers.js';
import { endpointProblem } from './verification.js';

const PATH = /^\/v4\/projects\/([^/]+)\/subscribers(?:\/([^/]+))?$/;
const ID = /^[a-z][a-z0-9-]{2,34}[a-z0-9]$/;
const MASK = ['endpointUri', 'subscriberConfigs', 'endpointAuthorization'];

/** Handles create, list, update and delete. The vendor has no request that gets a single subscriber. */
export async function handleSubscribers(service: Service, call: Call): Promise<Answer> {
  const [, project = '', id] = PATH.exec(call.path) ?? [];
  const verb =
    id === undefined ? { POST: create, GET: list }[call.method] : { PATCH: update, DELETE: remove }[call.method];
  if (project === '' || !verb) return notFoundPage(call);
  checkCaller(service, call);
  if (project !== service.projectNumber) {
    if (id !== undefined && project === service.projectId) throw badRequest('The project number is required.', 'name');
    throw apiFailure(403, { message: 'The caller does not have permission' });
  }
  return verb(service, call, id ?? '');
}

function checkCaller(service: Service, call: Call): void {
  const token = bearer(call);
  if (token === '') throw apiFailure(401, { message: 'Credentials are missing.', reason: 'CREDENTIALS_MISSING' });
  const opened = service.grants.opened(token);
  if (!opened) throw new ResponseError(tokenRejection());
  if (!opened.scopes.has(CLOUD_PLATFORM)) {
    throw apiFailure(403, { message: 'Insufficient scopes.', reason: 'ACCESS_TOKEN_SCOPE_INSUFFICIENT' });
  }
}

async function create(service: Service, call: Call): Promise<Answer> {
  const { subscriberId } = bindQuery(call.query, ['subscriberId']);
  if (subscriberId !== undefined && !ID.test(subscriberId)) throw badRequest('Invalid subscriber id.', 'subscriber_id');
  const body = subscriberBody(call.body, service.behaviour.loopbackEndpoints);
  const { endpointUri, subscriberConfigs: configs = [], secret } = body;
  if (endpointUri === undefined) throw badRequest('An endpoint is required.', 'subscriber.endpoint_uri');
  const id = subscriberId ?? service.subscribers.newId();
  if (service.subscribers.get(id)) throw apiFailure(409, { message: 'The subscriber already exists.' });
  await verify(endpointUri, secret);
  return responseFor(service, service.subscribers.put({ id, endpointUri, configs, secret }));
}

async function list(service: Service, call: Call): Promise<Answer> {
  const { pageToken = '', pageSize } = bindQuery(call.query, ['pageSize', 'pageToken']);
  const size = Math.min(bindCount(pageSize, 'page_size') || 50, 1000);
  const read = pageToken === '' ? { position: 0 } : service.pageTokens.read<number>(['subscribers', size], pageToken);
  if (!read) throw badRequest('Invalid page token.', 'page_token');
  const all = service.subscribers.all();
  const first = read.position ?? 0;
  const page = all.slice(first, first + size).map((subscriber) => service.subscribers.resource(subscriber));
  const more = first + size < all.length;
  const nextPageToken = more ? service.pageTokens.mint(['subscribers', size], first + size) : undefined;
  if (all.length === 0) return json(200, {});
  return json(200, { subscribers: page, nextPageToken, totalSize: all.length });
}

async function update(service: Service, call: Call, id: string): Promise<Answer> {
  const { updateMask } = bindQuery(call.query, ['updateMask']);
  const stored = service.subscribers.get(id);
  if (!stored) throw unknownSubscriber();
  const mask = (updateMask ?? MASK.join(',')).split(',').filter((name) => name !== '');
  const wrong = mask.find((name) => !MASK.includes(name));
  if (wrong !== undefined) throw badRequest(`Unknown member in the update mask: ${wrong}`, 'update_mask');
  const body = subscriberBody(call.body, service.behaviour.loopbackEndpoints);
  const provided = <T>(name: string, value: T | undefined, old: T) =>
    mask.includes(name) && value !== undefined ? value : old;
  const changed: Subscriber = {
    ...stored,
    endpointUri: provided('endpointUri', body.endpointUri, stored.endpointUri),
    configs: provided('subscriberConfigs', body.subscriberConfigs, stored.configs),
    secret: provided('endpointAuthorization', body.secret, stored.secret),
  };
  if (mask.includes('endpointUri') || mask.includes('endpointAuthorization')) {
    await verify(changed.endpointUri, changed.secret);
  }
  return responseFor(service, service.subscribers.put(changed));
}

async function remove(service: Service, call: Call, id: string): Promise<Answer> {
  bindQuery(call.query, ['force']);
  if (!service.subscribers.delete(id)) throw unknownSubscriber();
  service.notifier.forget(id);
  return responseFor(service, undefined);
}

async function verify(endpointUri: string, secret: string | undefined): Promise<void> {
  const problem = await endpointProblem(endpointUri, secret);
  if (problem !== undefined) throw apiFailure(400, { status: 'FAILED_PRECONDITION', message: problem });
}

function unknownSubscriber() {
  return apiFailure(404, { message: 'Subscriber not found.', reason: 'RESOURCE_NOT_FOUND' });
}

function responseFor(service: Service, subscriber: Subscriber | undefined): Answer {
  const resource = subscriber ? service.subscribers.resource(subscriber) : {};
  if (service.behaviour.subscriberAnswer === 'subscriber') return json(200, resource);
  const kind = subscriber ? 'google.devicesandservices.health.v4.Subscriber' : 'google.protobuf.Empty';
  return json(200, {
    name: `operations/${randomUUID()}`,
    done: true,
    response: { '@type': `type.googleapis.com/${kind}`, ...resource },
  });
}
