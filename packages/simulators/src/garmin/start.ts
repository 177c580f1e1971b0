import { type Answer, json } from '../answer.js';
import { type Call, oauthRole, oauthUrls, serveVendor } from '../vendor/index.js';
import type { Account } from './account.js';
import { requestExport } from './exports.js';
import { faultAnswer } from './faults.js';
import { localControl } from './local-control.js';
import { authorize, token } from './oauth.js';
import type { GarminSimulatorOptions } from './options.js';
import { refused } from './refused.js';
import { Service } from './service.js';
import type { GarminSimulator } from './simulator.js';

const USER = /^\/(?:partner-gateway|wellness-api)\/rest\/user\/(id|permissions|registration)$/;
const EXPORT = /^\/wellness-api\/rest\/backfill\/([A-Za-z]+)$/;
/** Paths that pings announce. */
const CALLBACK = /^\/wellness-api\/rest\/\w+$/;
const EMPTY = { status: 204, headers: {}, body: '' };

/** Handles a data API request for the token's account. */
function answerApi(service: Service, call: Call): Answer {
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

const PATHS = { authorize: '/oauth2Confirm', token: '/di-oauth2-service/oauth/token' };

/** Starts a simulated Garmin on a loopback port. */
export async function startGarminSimulator(options: GarminSimulatorOptions = {}): Promise<GarminSimulator> {
  const service = new Service(options);
  const control = localControl(service);
  const { close, ...facts } = await serveVendor({
    state: service,
    control,
    port: options.port,
    roleOf: (path) => oauthRole(PATHS, path) ?? 'api',
    handlers: {
      authorize: (call) => authorize(service, call),
      token: (call) => token(service, call),
      api: (call) => answerApi(service, call),
    },
    limit: { take: ({ account }) => (service.takesRequest() ? {} : { refusal: service.overLimit(account) }) },
    faultAnswer,
    recordedPath: ({ role, path, query }) => (query.size > 0 && role === 'api' ? `${path}?${query}` : path),
    factsOf: (origin) => {
      service.callbacks.origin = origin;
      return {
        urls: {
          origin,
          ...oauthUrls(origin, PATHS),
          api: `${origin}/wellness-api/rest`,
          user: `${origin}/partner-gateway/rest/user`,
        },
        client: { ...service.client },
        settings: { WEBHOOK_TOKEN: service.webhookToken },
      };
    },
  });
  return {
    ...facts,
    control,
    async close() {
      service.pushes.clear();
      await close();
    },
  };
}
