import type { SimulatedClient, VendorOptions } from '../vendor/index.js';

/** What a Google Health simulator is started with. Everything has a default. */
export interface GoogleSimulatorOptions extends VendorOptions {
  /** Default `sim-client.apps.googleusercontent.com` with the secret `sim-client-secret`. */
  client?: SimulatedClient;
  /** Life of access tokens. Default 3600. */
  accessTokenSeconds?: number;
  /** Life of refresh tokens, as an application in testing has; default: without end. */
  refreshTokenSeconds?: number;
  quota?: Partial<SimulatedQuota>;
  /** Number of the cloud project; the only name that subscriber paths accept. */
  projectNumber?: string;
  /** Id of the cloud project; refused in subscriber paths. */
  projectId?: string;
  behaviour?: Partial<GoogleBehaviour>;
}

/** Requests a minute, counted over the last 60 s of the simulator's clock. */
export interface SimulatedQuota {
  /** Default 300. */
  perUser: number;
  /** Default 120,000. */
  perProject: number;
}

/** Where the vendor's documents and its live service differ, or its versions do. */
export interface GoogleBehaviour {
  /** Form of an empty page: `{}`, with an empty list, or with an empty list and an empty token. Default `bare`. */
  emptyPage: 'bare' | 'list' | 'token';
  /** Whether the last civil date of dailyRollUp is left out. Default `exclusive`. */
  dailyRollUpEnd: 'exclusive' | 'inclusive';
  /** Whether rollUp pages its windows by `pageSize`; live it answers all of them. Default false. */
  rollUpPages: boolean;
  /** Whether an omitted `pageSize` counts as 1440 in the cap of window times page size. Default true. */
  defaultPageSizeCounts: boolean;
  /** Some accounts refuse the documented filter on the end of sleep. Default `accepted`. */
  sleepEndFilter: 'accepted' | 'refused';
  /** Whether intervals of sleep and exercise carry civil times. Default false, as live. */
  sessionCivilTimes: boolean;
  /** Member that names a reconciled point. Default `dataPointName`. */
  reconciledName: 'dataPointName' | 'name';
  /** Default `operation`. */
  subscriberAnswer: 'operation' | 'subscriber';
  /** Default `array`, as live. */
  notificationBody: 'array' | 'object';
  /** Forms of the intervals in notifications. Default all three. */
  notificationIntervals: readonly ('physical' | 'civil' | 'iso')[];
  /** `current` GOOGLE-HEALTH-API-SIGNATURE, `legacy` X-HEALTHAPI-SIGNATURE. Default `current`. */
  signatureHeader: 'current' | 'legacy';
  /** Sends every notification twice. Default false. */
  duplicateNotifications: boolean;
  /** `auto` delivers immediately and retries by itself; `held` waits for flushDeliveries. Default `auto`. */
  deliveries: 'auto' | 'held';
  /** Accepts http endpoints of this machine for notifications. Default true; the real service needs https. */
  loopbackEndpoints: boolean;
  /** Answers a refresh with a new refresh token, after which the old one is dead. Default false. */
  rotateRefreshTokens: boolean;
}
