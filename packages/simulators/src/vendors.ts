import { DAYS_PER_WEEK, MINUTES_PER_DAY, type ProviderId } from '@healthd/model';
import { startGarminSimulator } from './garmin/index.js';
import { startGoogleSimulator } from './google/index.js';
import { startOuraSimulator } from './oura/index.js';
import { startPolarSimulator } from './polar/index.js';
import { startStravaSimulator } from './strava/index.js';
import { startSuuntoSimulator } from './suunto/index.js';
import { startUltrahumanSimulator } from './ultrahuman/index.js';
import { startWhoopSimulator } from './whoop/index.js';

/** Start options of a simulated vendor. */
interface StartOptions {
  /** Loopback port. Default 0, which selects a free port. */
  port?: number;
  /** Redirects from the authorize page immediately, without the consent form. Default false. */
  autoConsent?: boolean;
  /** Requests per minute that the vendor allows; default the real limit. */
  requestsPerMinute?: number;
}

/** Amount of generated data. */
interface LifeOptions {
  seed: number;
  /** Local days including the current one. */
  days: number;
  /** For vendors that support densities. */
  density?: 'light' | 'full';
}

/** A running simulated vendor, with the common members. */
export interface RunningVendor {
  urls: Readonly<Record<string, string>> & { origin: string };
  client: { id: string; secret: string };
  /** Values of vendor-specific client settings, by name without the prefix. */
  settings?: Readonly<Record<string, string>>;
  /** For vendors whose developers have a project in the vendor's cloud. */
  projectNumber?: string;
  control: {
    addAccount(account: { id: string; timeZone: string }): Promise<unknown>;
    accounts(): Promise<readonly { id: string }[]>;
    seedHistory(account: string, life: LifeOptions): Promise<unknown>;
    growHistory(account: string): Promise<unknown>;
    /** Sets the event URL, at vendors whose developers enter it in a portal. */
    setWebhook?(target: { url: string }): Promise<void>;
    setPushTarget?(target: { url: string }): Promise<void>;
    /** Returns the key of a service account at the vendor. */
    serviceAccountKey?(): Promise<unknown>;
  };
  close(): Promise<void>;
}

/** A vendor that can be simulated. */
export interface SimulatedVendor {
  id: ProviderId;
  /** Display name. */
  name: string;
  /** Prefix of the settings that connect healthd to the vendor. */
  settingsPrefix: string;
  start(options: StartOptions): Promise<RunningVendor>;
}

/** Every vendor that can be simulated, for the sandbox and for `simulator`. */
export const SIMULATED_VENDORS: readonly SimulatedVendor[] = [
  { id: 'google', name: 'Google Health', settingsPrefix: 'CLOUDHEALTH', start: startGoogle },
  { id: 'whoop', name: 'WHOOP', settingsPrefix: 'WHOOP', start: startWhoop },
  { id: 'garmin', name: 'Garmin', settingsPrefix: 'GARMIN', start: startGarmin },
  { id: 'polar', name: 'Polar', settingsPrefix: 'POLAR', start: startPolar },
  { id: 'strava', name: 'Strava', settingsPrefix: 'STRAVA', start: startStrava },
  { id: 'suunto', name: 'Suunto', settingsPrefix: 'SUUNTO', start: startSuunto },
  { id: 'oura', name: 'Oura', settingsPrefix: 'OURA', start: startOura },
  { id: 'ultrahuman', name: 'Ultrahuman', settingsPrefix: 'ULTRAHUMAN', start: startUltrahumanSimulator },
];

/**
 * Returns the control method that sets the event URL; undefined if clients subscribe through the API or the vendor
 * sends no events.
 */
export function eventTargetMethod(control: RunningVendor['control']): 'setWebhook' | 'setPushTarget' | undefined {
  return (['setWebhook', 'setPushTarget'] as const).find((name) => control[name] !== undefined);
}

function startGoogle({ requestsPerMinute, ...options }: StartOptions) {
  return startGoogleSimulator({ ...options, quota: requestsPerMinute ? { perUser: requestsPerMinute } : {} });
}

function startWhoop({ requestsPerMinute, ...options }: StartOptions) {
  const limits = requestsPerMinute ? { perMinute: requestsPerMinute, perDay: requestsPerMinute * MINUTES_PER_DAY } : {};
  return startWhoopSimulator({ ...options, limits });
}

function startGarmin({ requestsPerMinute, ...options }: StartOptions) {
  return startGarminSimulator({ ...options, limits: requestsPerMinute ? { requestsPerMinute } : {} });
}

function startOura({ requestsPerMinute, ...options }: StartOptions) {
  return startOuraSimulator({ ...options, limits: requestsPerMinute ? { perFiveMinutes: 5 * requestsPerMinute } : {} });
}

function startStrava({ requestsPerMinute, ...options }: StartOptions) {
  if (!requestsPerMinute) return startStravaSimulator(options);
  const perQuarter = 15 * requestsPerMinute;
  const perDay = MINUTES_PER_DAY * requestsPerMinute;
  const limits = { perQuarter, perDay, readsPerQuarter: perQuarter, readsPerDay: perDay };
  return startStravaSimulator({ ...options, limits });
}

function startPolar({ requestsPerMinute, ...options }: StartOptions) {
  if (!requestsPerMinute) return startPolarSimulator(options);
  const limits = { perQuarter: 15 * requestsPerMinute, perDay: MINUTES_PER_DAY * requestsPerMinute };
  return startPolarSimulator({ ...options, limits });
}

async function startSuunto({ requestsPerMinute, ...options }: StartOptions) {
  if (!requestsPerMinute) return startSuuntoSimulator(options);
  const limits = { perMinute: requestsPerMinute, perWeek: requestsPerMinute * MINUTES_PER_DAY * DAYS_PER_WEEK };
  const simulator = await startSuuntoSimulator({ ...options, limits });
  // Returns the quota as settings, because the client otherwise uses the developer tier's quota.
  const quota = { APPLICATION_REQUESTS_PER_MINUTE: String(requestsPerMinute), APPLICATION_REQUESTS_PER_WEEK: '0' };
  return { ...simulator, settings: { ...simulator.settings, ...quota } };
}
