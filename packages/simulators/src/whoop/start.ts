import { SECONDS_PER_HOUR } from '@healthd/model';
import {
  authorize,
  Deliveries,
  type OAuthRules,
  oauthRole,
  oauthUrls,
  serveVendor,
  token,
  VendorCore,
  vendorControl,
  vendorFaultResponse,
} from '../vendor/index.js';
import { WhoopAccount } from './account.js';
import { handleApiRequest } from './api.js';
import { repeatedPage } from './collections.js';
import { type HistoryOptions, madeUpHistory } from './history.js';
import { RateLimit } from './rate-limit.js';
import type { WebhookTarget, WhoopControl, WhoopSimulator, WhoopSimulatorOptions } from './simulator.js';
import { truthOf } from './truth.js';
import { signEvent } from './webhooks.js';
import type { RecordInput } from './wire-types.js';

const FIRST_USER_ID = 778_001;
const PATHS = { authorize: '/oauth/oauth2/auth', token: '/oauth/oauth2/token' };
const OFFLINE = 'offline';

const OAUTH: OAuthRules = {
  vendor: 'WHOOP',
  scopes: [
    OFFLINE,
    'read:recovery',
    'read:cycles',
    'read:sleep',
    'read:workout',
    'read:profile',
    'read:body_measurement',
  ],
  credentials: ['body'],
  shortestState: 8,
  sentBack: (granted) => ({ scope: granted.join(' ') }),
  tokens: ({ accessToken, refreshToken, scopes }, expires_in) => ({
    access_token: accessToken,
    expires_in,
    refresh_token: refreshToken,
    scope: scopes.join(' '),
    token_type: 'bearer',
  }),
};

/** Starts a simulated WHOOP on a loopback port. */
export async function startWhoopSimulator(options: WhoopSimulatorOptions = {}): Promise<WhoopSimulator> {
  const { accessTokenSeconds: accessSeconds = SECONDS_PER_HOUR, limits } = options;
  const rules = { accessSeconds, refreshes: true, refreshScope: OFFLINE, needsRedirectUri: true };
  const core = new VendorCore('whoop', options, rules, (facts) => new WhoopAccount(facts));
  const { client, clock } = core;
  const limit = new RateLimit(clock, { perMinute: 100, perDay: 10_000, ...limits });
  const webhook: { target?: WebhookTarget | undefined } = {};
  const deliveries = new Deliveries(
    () => webhook.target?.url,
    (event, { secret = client.secret, timestampMs = clock.nowMs() }) => signEvent(event, secret, timestampMs),
  );
  core.deliveries = deliveries;
  const setWebhook = (target?: WebhookTarget) => {
    webhook.target = target;
    deliveries.mode = target?.deliveries ?? 'auto';
  };
  const control = controlOf(core, deliveries, limit, setWebhook);
  const served = await serveVendor({
    state: core,
    control,
    port: options.port,
    roleOf: (path) => oauthRole(PATHS, path) ?? 'api',
    handlers: {
      authorize: (call) => authorize(core, OAUTH, call),
      token: (call) => token(core, OAUTH, call),
      api: (call) => handleApiRequest(core, call),
    },
    limit,
    faultResponse: vendorFaultResponse,
    damaged: (fault, call, response) => (fault.kind === 'repeated_page' ? repeatedPage(call, response) : response),
    factsOf: (origin) => ({
      urls: { origin, ...oauthUrls(origin, PATHS), api: `${origin}/developer` },
      client: { ...client },
    }),
  });
  return { ...served, control };
}

function controlOf(
  core: VendorCore<WhoopAccount>,
  deliveries: Deliveries,
  limit: RateLimit,
  setWebhook: (target?: WebhookTarget) => void,
): WhoopControl {
  const { clock, accounts } = core;
  const common = vendorControl(core, FIRST_USER_ID);
  const seeded = new Map<string, HistoryOptions>();
  const put = (account: WhoopAccount, records: RecordInput, notify: boolean) => {
    const events = account.put(records, clock.now());
    if (notify) deliveries.publish(events);
    const lists: readonly unknown[][] = Object.values(records);
    return { records: lists.reduce((sum, list) => sum + list.length, 0) };
  };
  const life = ({ facts, forms }: WhoopAccount, options: HistoryOptions) =>
    madeUpHistory(facts.timeZone, clock.nowMs(), options, forms);
  return {
    ...common,
    async addAccount({ body, ...input } = {}) {
      const account = accounts.add(input, FIRST_USER_ID);
      if (body) account.body = body;
      return account.facts;
    },
    async put(id, records, { notify = true } = {}) {
      put(accounts.require(id), records, notify);
    },
    async remove(id, subject, record, { notify = true } = {}) {
      const events = accounts.require(id).remove(subject, record);
      if (notify) deliveries.publish(events);
    },
    async setBody(id, body) {
      accounts.require(id).body = body;
    },
    async seedHistory(id, options = {}) {
      seeded.set(id, options);
      const account = accounts.require(id);
      return put(account, life(account, options), false);
    },
    async growHistory(id, options = seeded.get(id) ?? {}) {
      const account = accounts.require(id);
      return put(account, account.newsOf(life(account, options)), true);
    },
    async clearRequests() {
      await common.clearRequests();
      limit.clear();
    },
    peaks: async () => limit.peaks(),
    setWebhook: async (target) => setWebhook(target),
    forms: async (id) => accounts.require(id).forms,
    truth: async (id) => truthOf(accounts.require(id)),
    async reset() {
      core.reset();
      limit.clear();
      setWebhook();
    },
  };
}
