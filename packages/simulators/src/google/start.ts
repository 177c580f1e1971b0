import { json } from '../response.js';
import { authorize, type Call, oauthRole, serveVendor } from '../vendor/index.js';
import { handleApi } from './api.js';
import { notFoundPage } from './api-failure.js';
import { damaged, faultResponse } from './fault-responses.js';
import { localControl } from './local-control.js';
import { oauthRules, token } from './oauth/token.js';
import { metadata, revoke, userInfo } from './oauth/token-holders.js';
import type { GoogleSimulatorOptions } from './options.js';
import { PATHS, Service } from './service.js';
import type { GoogleSimulator } from './simulator.js';
import { handleSubscribers } from './subscribers/subscriber-routes.js';

/** Starts a simulated Google Health service on a loopback port. */
export async function startGoogleSimulator(options: GoogleSimulatorOptions = {}): Promise<GoogleSimulator> {
  const service = new Service(options);
  const control = localControl(service);
  const { close, ...facts } = await serveVendor({
    state: service,
    control,
    port: options.port,
    roleOf,
    accountOf: (accessToken) => service.grants.accountOf(accessToken),
    handlers: {
      authorize: (call) =>
        ['GET', 'POST'].includes(call.method) ? authorize(service, oauthRules(service), call) : notFoundPage(call),
      token: (call) => (call.method === 'POST' ? token(service, call) : notFoundPage(call)),
      revoke: (call) => (call.method === 'POST' ? revoke(service, call) : notFoundPage(call)),
      userInfo: (call) => userInfo(service, call),
      keyset: (call) => keyset(service, call),
      metadata: (call) => metadata(service, call),
      subscribers: (call) => handleSubscribers(service, call),
      api: (call) => handleApi(service, call),
    },
    limit: service.quota,
    faultResponse: (fault) => faultResponse(fault, service.clock.nowMs()),
    damaged,
    factsOf(origin) {
      service.origin = origin;
      const { projectNumber, projectId } = service;
      const { id, secret } = service.client;
      return { urls: service.urls(), client: { id, secret }, projectNumber, projectId };
    },
  });
  return {
    ...facts,
    control,
    async close() {
      service.notifier.close();
      await close();
    },
  };
}

function roleOf(path: string) {
  if (path === PATHS.userInfo || path === '/oauth2/v3/userinfo') return 'userInfo';
  if (path === PATHS.keyset || path === PATHS.certificates) return 'keyset';
  if (path.startsWith('/computeMetadata/')) return 'metadata';
  return path.startsWith('/v4/projects/') ? 'subscribers' : (oauthRole(PATHS, path) ?? 'api');
}

function keyset(service: Service, { path }: Call) {
  return json(200, path === PATHS.certificates ? service.idTokens.keys() : service.signatureKeys.keyset());
}
