import { createPublicKey, randomUUID, sign } from 'node:crypto';
import { SECONDS_PER_HOUR } from '@healthd/model';
import { SimulatorClock } from '../clock.js';
import { FaultPlan } from '../vendor/index.js';
import { Accounts } from './accounts.js';
import type { AutomaticConsent } from './control.js';
import type { Call } from './exchange.js';
import type { Fault } from './fault-types.js';
import { Grants } from './oauth/grants.js';
import { rsaKeyOnDemand } from './oauth/rsa-key.js';
import { ServiceAccount } from './oauth/service-account.js';
import type { GoogleBehaviour, GoogleSimulatorOptions, SimulatedClient } from './options.js';
import { PageTokens } from './page-tokens.js';
import { PointStore } from './point-store.js';
import { RequestLog } from './request-log.js';
import type { GoogleUrls } from './simulator.js';
import { Notifier } from './subscribers/notifier.js';
import { SignatureKeys } from './subscribers/signature-keys.js';
import { Subscribers } from './subscribers/subscribers.js';

const privateKey = rsaKeyOnDemand();

/** Signs identity tokens with a key that signs nothing else. */
class IdTokens {
  private readonly keyId = randomUUID().slice(0, 8);

  /** RS256 over the claims. */
  sign(claims: Record<string, unknown>): string {
    const header = encode({ alg: 'RS256', kid: this.keyId, typ: 'JWT' });
    const content = `${header}.${encode(claims)}`;
    return `${content}.${sign('RSA-SHA256', Buffer.from(content), privateKey()).toString('base64url')}`;
  }

  /** The public key as a JSON web key set. */
  keys(): unknown {
    const key = createPublicKey(privateKey()).export({ format: 'jwk' });
    return { keys: [{ ...key, kid: this.keyId, alg: 'RS256', use: 'sig' }] };
  }
}

function encode(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

const BEHAVIOUR: GoogleBehaviour = {
  emptyPage: 'bare',
  dailyRollUpEnd: 'exclusive',
  rollUpPages: false,
  defaultPageSizeCounts: true,
  sleepEndFilter: 'accepted',
  sessionCivilTimes: false,
  reconciledName: 'dataPointName',
  subscriberAnswer: 'operation',
  notificationBody: 'array',
  notificationIntervals: ['physical', 'civil', 'iso'],
  signatureHeader: 'current',
  duplicateNotifications: false,
  deliveries: 'auto',
  loopbackEndpoints: true,
  rotateRefreshTokens: false,
};

/** Everything that the simulated vendor remembers; the routes work on it. */
export class Service {
  readonly client: SimulatedClient;
  readonly projectNumber: string;
  readonly projectId: string;
  readonly autoConsent: boolean;
  readonly clock = new SimulatorClock();
  readonly accounts = new Accounts();
  readonly points = new PointStore();
  readonly faults = new FaultPlan<Fault, Call>(isTarget);
  readonly pageTokens = new PageTokens();
  readonly idTokens = new IdTokens();
  readonly signatureKeys = new SignatureKeys();
  readonly grants: Grants;
  readonly requests: RequestLog;
  readonly serviceAccount: ServiceAccount;
  readonly subscribers: Subscribers;
  readonly notifier: Notifier;
  readonly behaviour: GoogleBehaviour;
  consent: AutomaticConsent = {};
  /** Known once the server listens. */
  origin = '';

  constructor(private readonly options: GoogleSimulatorOptions) {
    this.client = options.client ?? { id: 'sim-client.apps.googleusercontent.com', secret: 'sim-client-secret' };
    this.projectNumber = options.projectNumber ?? '480117332155';
    this.projectId = options.projectId ?? 'sim-project';
    this.autoConsent = options.autoConsent ?? false;
    this.behaviour = { ...BEHAVIOUR, ...options.behaviour };
    const { accessTokenSeconds: accessSeconds = SECONDS_PER_HOUR, refreshTokenSeconds: refreshSeconds } = options;
    this.grants = new Grants(this.clock, { accessSeconds, refreshSeconds });
    this.requests = new RequestLog(this.clock, { perUser: 300, perProject: 120_000, ...options.quota });
    this.serviceAccount = new ServiceAccount(this.projectId);
    this.subscribers = new Subscribers(this.projectNumber, this.clock);
    this.notifier = new Notifier(this);
    this.startClock();
  }

  urls(): GoogleUrls {
    const { origin } = this;
    return {
      origin,
      authorize: `${origin}/o/oauth2/v2/auth`,
      token: `${origin}/token`,
      revoke: `${origin}/revoke`,
      userInfo: `${origin}/v1/userinfo`,
      api: origin,
      keyset: `${origin}/googlehealthapi/webhooks/webhooks_public_keyset.json`,
      certificates: `${origin}/oauth2/v3/certs`,
      metadataHost: origin.replace('http://', ''),
      control: `${origin}/control`,
    };
  }

  /** Forgets everything but keys and settings that it was started with. */
  reset(): void {
    this.notifier.clear();
    const parts = [this.accounts, this.points, this.faults, this.grants, this.requests, this.subscribers];
    for (const part of parts) part.clear();
    this.consent = {};
    Object.assign(this.behaviour, BEHAVIOUR, this.options.behaviour);
    this.startClock();
  }

  private startClock(): void {
    this.clock.reset();
    if (this.options.now !== undefined) this.clock.set(this.options.now);
  }
}

/** Whether a request is one of those that a fault is for. */
function isTarget({ kind, match }: Fault, call: Call): boolean {
  const { role = 'api', path, ...equal } = match ?? {};
  if (call.role !== role || !isPossible(kind, call)) return false;
  if (path !== undefined && !`${call.path}?${call.query}`.includes(path)) return false;
  const members = Object.entries(equal) as [keyof typeof equal, string | undefined][];
  return members.every(([name, value]) => value === undefined || call[name] === value);
}

/** Pages exist in list and reconcile only. */
function isPossible(kind: Fault['kind'], { operation }: Call): boolean {
  if (kind !== 'empty_page' && kind !== 'repeated_token') return true;
  return operation === 'list' || operation === 'reconcile';
}
