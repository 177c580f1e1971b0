import { badRequest } from '../api-failure.js';
import { bindObject, parseBody } from '../bind-members.js';
import { DATA_TYPES } from '../data-types.js';
import type { SubscriberConfigs } from './subscribers.js';

/** Members of create and update requests; undefined if missing. */
export interface SubscriberBody {
  endpointUri?: string;
  subscriberConfigs?: SubscriberConfigs;
  secret?: string;
}

/**
 * Reads the body of create and update requests.
 * @param loopback true if loopback http endpoints are accepted
 * @throws a 400 response
 */
export function subscriberBody(text: string, loopback: boolean): SubscriberBody {
  const names = [
    'endpointUri',
    'subscriberConfigs',
    'endpointAuthorization',
    'name',
    'state',
    'createTime',
    'updateTime',
  ];
  const body = bindObject(parseBody(text), names);
  const authorization = bindObject(body.endpointAuthorization ?? {}, ['secret', 'secretSet'], 'endpoint_authorization');
  if (body.endpointUri !== undefined) checkEndpoint(String(body.endpointUri), loopback);
  return {
    endpointUri: body.endpointUri === undefined ? undefined : String(body.endpointUri),
    subscriberConfigs: body.subscriberConfigs === undefined ? undefined : readConfigs(body.subscriberConfigs),
    secret: authorization.secret === undefined ? undefined : String(authorization.secret),
  };
}

function checkEndpoint(uri: string, loopback: boolean): void {
  const url = URL.canParse(uri) ? new URL(uri) : undefined;
  const local = url?.protocol === 'http:' && ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname);
  if (url?.protocol === 'https:' || (loopback && local)) return;
  throw badRequest('The endpoint must be a public https address.', 'subscriber.endpoint_uri');
}

function readConfigs(value: unknown): SubscriberConfigs {
  if (!Array.isArray(value)) throw badRequest("Invalid value at 'subscriber_configs'");
  return value.map((item) => {
    const { dataTypes, subscriptionCreatePolicy = 'MANUAL' } = bindObject(
      item,
      ['dataTypes', 'subscriptionCreatePolicy'],
      'subscriber_configs',
    );
    if (!Array.isArray(dataTypes) || dataTypes.length === 0) throw badRequest('Data types are required.', 'data_types');
    const wrong = dataTypes.find((id) => !DATA_TYPES.get(String(id))?.notifies);
    if (wrong !== undefined) throw badRequest(`Data type ${String(wrong)} has no notifications.`, 'data_types');
    if (subscriptionCreatePolicy !== 'AUTOMATIC' && subscriptionCreatePolicy !== 'MANUAL') {
      throw badRequest("Invalid value at 'subscription_create_policy'");
    }
    return { dataTypes: dataTypes.map(String), subscriptionCreatePolicy };
  });
}
