import type { CloudProvider } from '../cloud/index.js';
import { SUUNTO_DELIVERIES } from './deliveries.js';
import { SUUNTO_OAUTH } from './oauth.js';
import { configuredPull, SUUNTO_PULL } from './pull/index.js';
import { readSuuntoError } from './read-error.js';
import { configuredQuotas, DEVELOPER_TIER, requestHeaders, SUUNTO_SETTINGS } from './settings.js';
import { SUUNTO_WORKOUTS } from './vendor-workouts.js';

/** The vendor's Cloud API: workouts, version 3, and what a watch measures day and night. */
export const SUUNTO_CLOUD: CloudProvider = {
  settingsPrefix: 'SUUNTO',
  settings: SUUNTO_SETTINGS,
  addresses: {
    api: 'https://cloudapi.suunto.com',
    authorize: 'https://cloudapi-oauth.suunto.com/oauth/authorize',
    token: 'https://cloudapi-oauth.suunto.com/oauth/token',
    revoke: 'https://cloudapi-oauth.suunto.com/oauth/deauthorize',
  },
  quotas: DEVELOPER_TIER,
  configuredQuotas,
  requestHeaders,
  // Four weeks of records of ten minutes, or a page of 100 workouts.
  maxResponseBytes: 16 * 1024 * 1024,
  readError: readSuuntoError,
  oauth: SUUNTO_OAUTH,
  pull: SUUNTO_PULL,
  configuredPull,
  workouts: SUUNTO_WORKOUTS,
  deliveries: SUUNTO_DELIVERIES,
};
