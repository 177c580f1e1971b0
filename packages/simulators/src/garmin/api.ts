import { type Answer, json } from '../answer.js';
import type { Call } from '../vendor/index.js';
import type { Account } from './account.js';
import { requestExport } from './exports.js';
import { refused } from './refused.js';
import type { Service } from './service.js';

const USER = /^\/(?:partner-gateway|wellness-api)\/rest\/user\/(id|permissions|registration)$/;
const EXPORT = /^\/wellness-api\/rest\/backfill\/([A-Za-z]+)$/;
/** What pings announce. */
const CALLBACK = /^\/wellness-api\/rest\/\w+$/;
const EMPTY = { status: 204, headers: {}, body: '' };

/** Answers a request of the data API for the account whose token came along. */
export function answerApi(service: Service, call: Call): Answer {
  const account = call.account === undefined ? undefined : service.account(call.account);
  if (!account) return refused(401, 'Unable to read oAuth header');
  const user = USER.exec(call.path)?.[1];
  if (user !== undefined) return answerUser(service, call.method, user, account);
  const segment = call.method === 'GET' ? EXPORT.exec(call.path)?.[1] : undefined;
  if (segment !== undefined) return requestExport(service, account, segment, call.query);
  const token = call.query.get('token');
  if (call.method === 'GET' && token !== null && CALLBACK.test(call.path)) {
    return service.callbacks.answer(account.facts.id, token);
  }
  return refused(404, 'Not found');
}

function answerUser(service: Service, method: string, subject: string, account: Account): Answer {
  if (method === 'DELETE' && subject === 'registration') {
    service.deregister(account);
    return EMPTY;
  }
  if (method !== 'GET') return refused(405, 'Method not allowed');
  if (subject === 'id') return json(200, { userId: account.facts.userId });
  const permissions = [...account.permissions];
  return json(200, service.barePermissions ? permissions : { permissions });
}
