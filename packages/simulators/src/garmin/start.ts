import { randomBytes } from 'node:crypto';
import { type Answer, json } from '../response.js';
import {
  authorize,
  type Call,
  type OAuthRules,
  oauthRole,
  oauthUrls,
  serveVendor,
  token,
  vendorControl,
  vendorFaultResponse,
} from '../vendor/index.js';
import type { Account } from './account.js';
import { type GarminHistoryOptions, madeUpLife } from './history.js';
import { errorBody, rejectedResponse } from './rejected.js';
import { Service } from './service.js';
import type { GarminControl, GarminSimulator, GarminSimulatorOptions } from './simulator.js';
import { truthOf } from './truth.js';
import { type GarminItems, type GarminPermission, PERMISSIONS, SUMMARY_KEYS } from './wire-types.js';

const PATHS = { authorize: '/oauth2Confirm', token: '/di-oauth2-service/oauth/token' };
const USER = /^\/(?:partner-gateway|wellness-api)\/rest\/user\/(id|permissions|registration)$/;
const EXPORT = /^\/wellness-api\/rest\/backfill\/([A-Za-z]+)$/;
/** Paths that pings announce. */
const CALLBACK = /^\/wellness-api\/rest\/\w+$/;
const EMPTY = { status: 204, headers: {}, body: '' };
const CHALLENGE = /^[A-Za-z0-9_-]{43}$/;
const REFRESH_SECONDS = 7_775_998;

/**
 * Returns Garmin's OAuth rules with PKCE. The user selects permissions on the consent page; neither the request nor the
 * token response contains them.
 */
function oauthOf({ clock, accounts }: Service): OAuthRules {
  return {
    vendor: 'Garmin',
    scopes: PERMISSIONS,
    defaultScopes: PERMISSIONS,
    field: 'permission',
    // History is off by default, as on the vendor's page.
    untickedScopes: ['HISTORICAL_DATA_EXPORT'],
    credentials: ['body'],
    requestError: (query) =>
      query.get('code_challenge_method') === 'S256' && CHALLENGE.test(query.get('code_challenge') ?? '')
        ? undefined
        : 'invalid_request',
    onConnected({ account: id, scopes }) {
      const account = accounts.require(id);
      account.connectedMs ??= clock.nowMs();
      account.permissions = scopes as readonly GarminPermission[];
    },
    tokens: ({ accessToken, refreshToken }, expires_in) => ({
      access_token: accessToken,
      token_type: 'bearer',
      expires_in,
      refresh_token: refreshToken,
      refresh_token_expires_in: REFRESH_SECONDS,
      scope: 'CONNECT_READ CONNECT_WRITE',
      jti: randomBytes(16).toString('hex'),
    }),
  };
}

/** Handles a data API request for the token's account. */
function handleApiRequest(service: Service, call: Call): Answer {
  if (call.account === undefined) return rejectedResponse(401, 'Unable to read oAuth header');
  const account = service.accounts.require(call.account);
  const user = USER.exec(call.path)?.[1];
  if (user !== undefined) return handleUserRequest(service, call.method, user, account);
  const segment = call.method === 'GET' ? EXPORT.exec(call.path)?.[1] : undefined;
  if (segment !== undefined) return service.exports.request(account, segment, call.query);
  const callback = call.query.get('token');
  if (call.method === 'GET' && callback !== null && CALLBACK.test(call.path)) {
    return service.callbacks.answer(account.facts.id, callback);
  }
  return rejectedResponse(404, 'Not found');
}

function handleUserRequest(service: Service, method: string, subject: string, account: Account): Answer {
  if (method === 'DELETE' && subject === 'registration') {
    service.deregister(account);
    return EMPTY;
  }
  if (method !== 'GET') return rejectedResponse(405, 'Method not allowed');
  if (subject === 'id') return json(200, { userId: account.facts.userId });
  const permissions = [...account.permissions];
  return json(200, service.barePermissions ? permissions : { permissions });
}

/** Starts a simulated Garmin on a loopback port. */
export async function startGarminSimulator(options: GarminSimulatorOptions = {}): Promise<GarminSimulator> {
  const service = new Service(options);
  const oauth = oauthOf(service);
  const control = controlOf(service);
  const { close, ...facts } = await serveVendor({
    state: service,
    control,
    port: options.port,
    roleOf: (path) => oauthRole(PATHS, path) ?? 'api',
    handlers: {
      authorize: (call) => authorize(service, oauth, call),
      token: (call) => token(service, oauth, call),
      api: (call) => handleApiRequest(service, call),
    },
    limit: service,
    faultResponse: (fault) => vendorFaultResponse(fault, errorBody),
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

function controlOf(service: Service): GarminControl {
  const { clock, exports, grants, accounts, pushes } = service;
  const common = vendorControl(service, 1);
  const seeded = new Map<string, GarminHistoryOptions>();
  const put = (account: Account, items: GarminItems, isPushed: boolean) => {
    account.put(items);
    if (isPushed && account.connectedMs !== undefined) pushes.publish(account, items);
    return { items: Object.values(items).reduce((sum, list) => sum + list.length, 0) };
  };
  return {
    ...common,
    async addAccount({ id = `person-${accounts.all().length + 1}`, hasCycles, ...input } = {}) {
      const { facts } = accounts.add({ id, userId: userIdOf(id), ...input }, 1);
      facts.hasCycles = hasCycles ?? accounts.all().length % 2 === 0;
      return facts;
    },
    accounts: async () => accounts.all().map(({ facts }) => facts),
    formsOf: async (id) => accounts.require(id).forms,
    async setForms(id, forms) {
      const account = accounts.require(id);
      account.forms = { ...account.forms, ...forms };
    },

    async advanceClock(seconds) {
      clock.advance(seconds);
      exports.run();
    },

    async put(id, items, { push = true } = {}) {
      put(accounts.require(id), items, push);
    },
    async seedHistory(id, options = {}) {
      seeded.set(id, options);
      const account = accounts.require(id);
      return put(account, madeUpLife(account.facts, clock.nowMs(), options), false);
    },
    async growHistory(id, options = seeded.get(id) ?? {}) {
      const account = accounts.require(id);
      return put(account, account.newsOf(madeUpLife(account.facts, clock.nowMs(), options)), true);
    },

    async disableSummaries(keys) {
      exports.disabledKeys.clear();
      for (const key of keys) exports.disabledKeys.add(key);
    },
    async setPermissionsShape(shape) {
      service.barePermissions = shape === 'bare';
    },
    isConnected: async (id) => grants.liveOf(accounts.require(id).facts.id).length > 0,
    async deregister(id) {
      const account = accounts.require(id);
      service.deregister(account);
      pushes.notify('deregistrations', { userId: account.facts.userId });
    },
    async changePermissions(id, permissions) {
      const account = accounts.require(id);
      account.permissions = permissions;
      const changeTimeInSeconds = Math.floor(clock.nowMs() / 1000);
      const { userId } = account.facts;
      const summaryId = `${userId.slice(0, 8)}-${changeTimeInSeconds.toString(16)}`;
      pushes.notify('userPermissionsChange', { userId, summaryId, permissions, changeTimeInSeconds });
    },

    async setPushTarget(target) {
      pushes.target = target;
    },
    flushPushes: (options) => pushes.flush(options),
    sendBody: (body, headers) => pushes.send(body, headers),
    pushes: () => pushes.all(),
    waitingItems: async () => pushes.waiting,

    async setExportDelay(seconds) {
      exports.delaySeconds = seconds;
    },
    runExports: async (options) => exports.run(options),
    openExports: async () => exports.open(),

    async summaries(id) {
      const account = accounts.require(id);
      const { userId } = account.facts;
      const lists = SUMMARY_KEYS.map((key) => [key, account.items(key).map((item) => ({ userId, ...item }))]);
      return Object.fromEntries(lists) as GarminItems;
    },
    truth: async (id) => truthOf(accounts.require(id)),
  };
}

/** Returns the vendor's id, which is derived from the account's name. */
function userIdOf(id: string): string {
  return Buffer.from(`garmin user ${id}`).toString('hex').slice(0, 32).padEnd(32, '0');
}
