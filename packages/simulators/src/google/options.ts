import type { SimulatedClient, VendorOptions } from '../vendor/index.js';

/** Start options of a Google Health simulator. All have defaults. */
export interface GoogleSimulatorOptions extends VendorOptions {
  /** Default: `sim-client.apps.googleusercontent.com` with the secret `sim-client-secret`. */
  client?: SimulatedClient;
  /** Lifetime of access tokens. Default 3600. */
  accessTokenSeconds?: number;
  /** Lifetime of refresh tokens, which is limited for applications in testing. Default: unlimited. */
  refreshTokenSeconds?: number;
  quota?: Partial<SimulatedQuota>;
  /** Number of the cloud project. In subscriber paths, only the number is valid. */
  projectNumber?: string;
  /** Id of the cloud project. Subscriber paths reject the id. */
  projectId?: string;
  behaviour?: Partial<GoogleBehaviour>;
}

/** Requests per minute, counted over the last 60 s of the simulator's clock. */
export interface SimulatedQuota {
  /** Default 300. */
  perUser: number;
  /** Default 120,000. */
  perProject: number;
}

/** Behavior that differs between the vendor's documentation and its live service, or between versions. */
export interface GoogleBehaviour {
  /** Format of an empty page: `{}`, with an empty list, or with an empty list and an empty token. Default `bare`. */
  emptyPage: 'bare' | 'list' | 'token';
  /** Excludes or includes the last civil date of dailyRollUp. Default `exclusive`. */
  dailyRollUpEnd: 'exclusive' | 'inclusive';
  /** True if rollUp applies `pageSize` to its windows. The live service returns all windows. Default false. */
  rollUpPages: boolean;
  /** True if the limit on windows × page size assumes 1440 for a missing `pageSize`. Default true. */
  defaultPageSizeCounts: boolean;
  /** Some accounts reject the documented filter on the end of sleep. Default `accepted`. */
  sleepEndFilter: 'accepted' | 'refused';
  /** True if the intervals of sleep and exercise include civil times. Default false, like the live service. */
  sessionCivilTimes: boolean;
  /** Member that contains the name of a reconciled point. Default `dataPointName`. */
  reconciledName: 'dataPointName' | 'name';
  /** Default `operation`. */
  subscriberAnswer: 'operation' | 'subscriber';
  /** Default `array`, like the live service. */
  notificationBody: 'array' | 'object';
  /** Formats of the intervals in notifications. Default: all three. */
  notificationIntervals: readonly ('physical' | 'civil' | 'iso')[];
  /** `current` GOOGLE-HEALTH-API-SIGNATURE, `legacy` X-HEALTHAPI-SIGNATURE. Default `current`. */
  signatureHeader: 'current' | 'legacy';
  /** True if every notification is sent twice. Default false. */
  duplicateNotifications: boolean;
  /** `auto` delivers immediately and retries automatically. `held` waits for `flushDeliveries`. Default `auto`. */
  deliveries: 'auto' | 'held';
  /** True if loopback http endpoints are accepted for notifications. The live service requires https. Default true. */
  loopbackEndpoints: boolean;
  /** True if a refresh returns a new refresh token and revokes the old token. Default false. */
  rotateRefreshTokens: boolean;
}
