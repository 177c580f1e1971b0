import { oauthRole, oauthUrls, serveVendor } from '../vendor/index.js';
import { answerApi } from './api.js';
import { faultAnswer } from './faults.js';
import { localControl } from './local-control.js';
import { authorize, token } from './oauth.js';
import type { GarminSimulatorOptions } from './options.js';
import { Service } from './service.js';
import type { GarminSimulator } from './simulator.js';

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
