import { type Answer, json, ResponseError } from '../response.js';
import { bearer, type Call } from '../vendor/index.js';
import type { Account } from './account.js';
import { apiFailure, notFoundPage, tokenRejection } from './api-failure.js';
import { type ApiTarget, apiTarget } from './api-paths.js';
import type { ApiRequest } from './api-request.js';
import { bindQuery } from './bind-members.js';
import { dailyRollUp } from './daily-roll-up.js';
import { DATA_TYPES, type DataType } from './data-types.js';
import { opensIdentity, readScope, writeScope } from './oauth/scopes.js';
import { partialResponse } from './partial-response.js';
import { readPoints } from './read-points.js';
import { rollUp } from './roll-up.js';
import type { Service } from './service.js';
import { wirePoint } from './wire-points.js';
import { wireDuration, wireInstant } from './wire-times.js';

/** Handles a Health API request: checks token, user, type, scope and account state, then runs the operation. */
export function handleApi(service: Service, call: Call): Answer {
  const target = apiTarget(call.method, call.path);
  if (!target) return notFoundPage(call);
  const token = bearer(call);
  if (token === '') {
    throw apiFailure(401, {
      message: 'Request is missing required authentication credential. Expected OAuth 2 access token.',
      reason: 'CREDENTIALS_MISSING',
    });
  }
  const opened = service.grants.opened(token);
  if (!opened) throw new ResponseError(tokenRejection());
  if (!opened.grant) throw apiFailure(403, { message: 'The caller does not have permission' });
  const account = service.accounts.require(opened.grant.account);
  if (target.user !== 'me' && target.user !== account.healthUserId) {
    throw apiFailure(403, { message: 'The caller does not have permission' });
  }
  const type = target.dataType === undefined ? undefined : requestedType(target.dataType);
  const ownOnly = checkScope(target, type, opened.scopes);
  checkState(account);
  if (type) checkOperation(target, type);
  const result = response({ service, call, target, account, type, ownOnly });
  const fields = call.query.get('fields');
  return fields ? { ...result, body: JSON.stringify(partialResponse(fields, JSON.parse(result.body))) } : result;
}

function response(request: ApiRequest): Answer {
  switch (request.target.operation) {
    case 'list':
    case 'reconcile':
      return readPoints(request, request.target.operation);
    case 'rollUp':
      return rollUp(request);
    case 'dailyRollUp':
      return dailyRollUp(request);
    case 'get':
      return onePoint(request);
    default:
      return accountResource(request);
  }
}

function onePoint({ service, account, target, type }: ApiRequest): Answer {
  const point = service.points.find(account.id, type!.id, target.pointId!);
  if (!point) throw apiFailure(404, { message: 'Data point not found.', reason: 'RESOURCE_NOT_FOUND' });
  return json(200, wirePoint(point, 'list', { healthUserId: account.healthUserId, behaviour: service.behaviour }));
}

function requestedType(id: string): DataType {
  const type = DATA_TYPES.get(id);
  if (type) return type;
  const reason = 'INVALID_PARENT_DATA_TYPE_COLLECTION';
  const wellFormed = /^[a-z0-9]+(-[a-z0-9]+)*$/.test(id);
  throw apiFailure(400, {
    message: 'Invalid parent data type collection.',
    reason: wellFormed ? reason : `${reason}_FORMAT`,
    violation: { field: 'parent', description: 'No such data type.' },
  });
}

/**
 * @returns true if the token can read only its client's own data
 */
function checkScope({ operation }: ApiTarget, type: DataType | undefined, scopes: ReadonlySet<string>): boolean {
  const open = type
    ? scopes.has(readScope(type.scope))
    : operation === 'identity'
      ? opensIdentity(scopes)
      : scopes.has(readScope(operation === 'profile' ? 'profile' : 'settings'));
  if (open) return false;
  if (type && operation !== 'get' && scopes.has(writeScope(type.scope))) return true;
  throw apiFailure(403, {
    message: 'Request had insufficient authentication scopes.',
    reason: 'ACCESS_TOKEN_SCOPE_INSUFFICIENT',
    metadata: { service: 'health.googleapis.com' },
  });
}

function checkState({ state }: Account): void {
  if (state === 'not_linked') {
    throw apiFailure(400, {
      status: 'FAILED_PRECONDITION',
      message: 'The account has no health profile.',
      reason: 'ACCOUNT_NOT_LINKED',
      metadata: { redirect_uri: 'https://health.example.org/sign-up' },
    });
  }
  if (state === 'legacy') throw apiFailure(403, { message: 'The caller does not have permission' });
  if (state === 'no_profile') throw apiFailure(412, { message: 'The profile is not ready.' });
}

function checkOperation({ operation }: ApiTarget, type: DataType): void {
  const rollUps = type.rollUpDays !== undefined;
  const allowed = { list: type.list, reconcile: type.reconcile, rollUp: rollUps, dailyRollUp: rollUps, get: type.get };
  if (allowed[operation as keyof typeof allowed]) return;
  const names = Object.entries(allowed).filter(([, served]) => served);
  throw apiFailure(400, {
    message: `The action is not supported for data type ${type.id}.`,
    reason: 'UNSUPPORTED_DATA_TYPE_ACTION',
    metadata: { allowed_actions: names.map(([name]) => name).join(',') },
  });
}

/** Returns the identity, settings, profile or paired devices. */
function accountResource({ service, account, target, call }: ApiRequest): Answer {
  const paged = target.operation === 'pairedDevices';
  bindQuery(call.query, paged ? ['pageSize', 'pageToken'] : []);
  const name = `users/me/${target.operation}`;
  const nowMs = service.clock.nowMs();
  switch (target.operation) {
    case 'identity':
      return json(200, { name, legacyUserId: account.legacyUserId, healthUserId: account.healthUserId });
    case 'settings':
      return json(200, {
        name,
        timeZone: account.facts.timeZone,
        utcOffset: wireDuration(account.calendar.offsetAt(nowMs) * 60),
        distanceUnit: 'DISTANCE_UNIT_KILOMETERS',
        weightUnit: 'WEIGHT_UNIT_KILOGRAMS',
        languageLocale: 'en_US',
      });
    case 'profile':
      return json(200, { name, age: 38 });
    default:
      return json(200, {
        pairedDevices: [
          {
            name: `users/me/pairedDevices/1${account.healthUserId.slice(0, 6)}`,
            deviceType: 'TRACKER',
            deviceVersion: 'Tracker Nova',
            batteryStatus: 'HIGH',
            batteryLevel: 83,
            lastSyncTime: wireInstant(Math.floor(nowMs / 1000) * 1000 - 900_000),
          },
        ],
      });
  }
}
