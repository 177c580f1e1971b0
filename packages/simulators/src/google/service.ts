import { createPublicKey, randomUUID, sign } from 'node:crypto';
import { SECONDS_PER_HOUR } from '@healthd/model';
import { type Call, FaultPlan, oauthUrls, VendorState } from '../vendor/index.js';
import { Account } from './account.js';
import { isTarget } from './fault-responses.js';
import type { Fault } from './fault-types.js';
import { Grants } from './oauth/grants.js';
import { rsaKeyOnDemand } from './oauth/rsa-key.js';
import { ServiceAccount } from './oauth/service-account.js';
import type { GoogleBehaviour, GoogleSimulatorOptions } from './options.js';
import { PageTokens } from './page-tokens.js';
import { PointStore } from './point-store.js';
import { Quota } from './quota.js';
import type { GoogleUrls } from './simulator.js';
import { Notifier } from './subscribers/notifier.js';
import { SignatureKeys } from './subscribers/signature-keys.js';
import { Subscribers } from './subscribers/subscribers.js';

const privateKey = rsaKeyOnDemand();

/** Signs identity tokens with a separate key. */
class IdTokens {
  private readonly keyId = randomUUID().slice(0, 8);

  /** Returns an RS256 token of the claims. */
  sign(claims: Record<string, unknown>): string {
    const header = encode({ alg: 'RS256', kid: this.keyId, typ: 'JWT' });
    const content = `${header}.${encode(claims)}`;
    return `${content}.${sign('RSA-SHA256', Buffer.from(content), privateKey()).toString('base64url')}`;
  }

  /** Returns the public key as a JSON Web Key Set. */
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

/** URL paths of the vendor, by the name of the client's setting that contains the URL. */
export const PATHS = {
  authorize: '/o/oauth2/v2/auth',
  token: '/token',
  revoke: '/revoke',
  userInfo: '/v1/userinfo',
  keyset: '/googlehealthapi/webhooks/webhooks_public_keyset.json',
  certificates: '/oauth2/v3/certs',
};

/** State of the simulated vendor, shared by all routes. */
export class Service extends VendorState<Account, Grants, Fault> {
  readonly projectNumber: string;
  readonly projectId: string;
  readonly points = new PointStore();
  readonly pageTokens = new PageTokens();
  readonly idTokens = new IdTokens();
  readonly signatureKeys = new SignatureKeys();
  readonly quota: Quota;
  readonly serviceAccount: ServiceAccount;
  readonly subscribers: Subscribers;
  readonly notifier: Notifier;
  readonly behaviour: GoogleBehaviour;
  /** Set when the server starts listening. */
  origin = '';

  constructor(private readonly options: GoogleSimulatorOptions) {
    const { accessTokenSeconds: accessSeconds = SECONDS_PER_HOUR, refreshTokenSeconds: refreshSeconds } = options;
    const lives = { accessSeconds, refreshSeconds };
    super(options, {
      client: options.client ?? { id: 'sim-client.apps.googleusercontent.com', secret: 'sim-client-secret' },
      grants: (clock) => new Grants(clock, lives, () => this.behaviour.rotateRefreshTokens),
      faults: new FaultPlan<Fault, Call>(isTarget),
      account: (facts) => new Account(facts),
    });
    this.projectNumber = options.projectNumber ?? '480117332155';
    this.projectId = options.projectId ?? 'sim-project';
    this.behaviour = { ...BEHAVIOUR, ...options.behaviour };
    this.quota = new Quota(this.clock, { perUser: 300, perProject: 120_000, ...options.quota });
    this.serviceAccount = new ServiceAccount(this.projectId);
    this.subscribers = new Subscribers(this.projectNumber, this.clock);
    this.notifier = new Notifier(this);
  }

  urls(): GoogleUrls {
    const { origin } = this;
    return {
      origin,
      ...oauthUrls(origin, PATHS),
      api: origin,
      metadataHost: origin.replace('http://', ''),
      control: `${origin}/control`,
    };
  }

  /** Clears all state except keys and start options. */
  override reset(): void {
    super.reset();
    for (const part of [this.notifier, this.points, this.quota, this.subscribers]) part.clear();
    Object.assign(this.behaviour, BEHAVIOUR, this.options.behaviour);
    if (this.options.now !== undefined) this.clock.set(this.options.now);
  }
}
