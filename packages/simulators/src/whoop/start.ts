import { oauthRole, oauthUrls, serveVendor } from '../vendor/index.js';
import { answerApi } from './api.js';
import { faultAnswer, withRepeatedToken } from './faults.js';
import { localControl } from './local-control.js';
import { authorize, token } from './oauth.js';
import type { WhoopSimulatorOptions } from './options.js';
import { Service } from './service.js';
import type { WhoopSimulator } from './simulator.js';

const PATHS = { authorize: '/oauth/oauth2/auth', token: '/oauth/oauth2/token' };

/** Starts a simulated WHOOP on a loopback port. */
export async function startWhoopSimulator(options: WhoopSimulatorOptions = {}): Promise<WhoopSimulator> {
  const service = new Service(options);
  const control = localControl(service);
  const served = await serveVendor({
    state: service,
    control,
    port: options.port,
    roleOf: (path) => oauthRole(PATHS, path) ?? 'api',
    handlers: {
      authorize: (call) => authorize(service, call),
      token: (call) => token(service, call),
      api: (call) => answerApi(service, call),
    },
    limit: service.limit,
    faultAnswer,
    damaged: withRepeatedToken,
    factsOf: (origin) => ({
      urls: {
        origin,
        ...oauthUrls(origin, PATHS),
        api: `${origin}/developer`,
      },
      client: { ...service.client },
    }),
  });
  return { ...served, control };
}
