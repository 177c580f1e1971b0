import { type Answer, json } from '../answer.js';
import { handleApi } from './api.js';
import { apiTarget } from './api-paths.js';
import { type Call, notFoundPage } from './exchange.js';
import type { Role } from './fault-types.js';
import { authorize } from './oauth/authorize.js';
import { token } from './oauth/token.js';
import { bearerToken, metadata, revoke, userInfo } from './oauth/token-holders.js';
import type { Service } from './service.js';
import { handleSubscribers } from './subscribers/subscriber-routes.js';

const ROLES: readonly [RegExp, Role][] = [
  [/^\/o\/oauth2\/v2\/auth$/, 'authorize'],
  [/^\/token$/, 'token'],
  [/^\/revoke$/, 'revoke'],
  [/^(\/v1\/userinfo|\/oauth2\/v3\/userinfo)$/, 'userInfo'],
  [/^(\/googlehealthapi\/webhooks\/webhooks_public_keyset\.json|\/oauth2\/v3\/certs)$/, 'keyset'],
  [/^\/computeMetadata\//, 'metadata'],
  [/^\/v4\/projects\//, 'subscribers'],
];

/** Which part of the service a path belongs to. */
export function roleOf(path: string): Role {
  return ROLES.find(([pattern]) => pattern.test(path))?.[1] ?? 'api';
}

/** What a Health API call is about, as far as path and token show it. */
export function describeCall(service: Service, call: Call): void {
  if (call.role !== 'api') return;
  const target = apiTarget(call.method, call.path);
  call.operation = target?.operation;
  call.dataType = target?.dataType;
  const bearer = bearerToken(call);
  call.account = bearer === undefined ? undefined : service.grants.accountOf(bearer);
}

/** Hands a call to its part. Control is not among them. */
export function route(service: Service, call: Call): Answer | Promise<Answer> {
  const { method, path } = call;
  switch (call.role) {
    case 'authorize':
      return method === 'GET' || method === 'POST' ? authorize(service, call) : notFoundPage(path);
    case 'token':
      return method === 'POST' ? token(service, call) : notFoundPage(path);
    case 'revoke':
      return method === 'POST' ? revoke(service, call) : notFoundPage(path);
    case 'userInfo':
      return userInfo(service, call);
    case 'keyset':
      return json(200, path.endsWith('/certs') ? service.idTokens.keys() : service.signatureKeys.keyset());
    case 'metadata':
      return metadata(service, call);
    case 'subscribers':
      return handleSubscribers(service, call);
    default: {
      const target = apiTarget(method, path);
      return target ? handleApi(service, call, target) : notFoundPage(path);
    }
  }
}
