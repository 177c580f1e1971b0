import { MS_PER_SECOND } from '@healthd/model';
import { type ExportAdapter, VendorError } from '../cloud/index.js';
import type { Provider } from '../provider.js';
import { coverageOf } from '../rest/index.js';
import { vendorTerms } from '../terms.js';
import { GARMIN_DELIVERIES, WEBHOOK_TOKEN } from './deliveries.js';
import { GARMIN_OAUTH, PERMISSIONS } from './oauth.js';
import { readGarminError } from './read-error.js';
import { SUMMARY_TYPES } from './summaries/types.js';

/** Summary types that can be exported. */
const EXPORTED = SUMMARY_TYPES.flatMap(({ key, segment }) =>
  segment === undefined ? [] : [{ id: segment, delivered: key }],
);

/** Historical exports by summary type. The vendor responds with 202 and delivers the data minutes to hours later. */
const GARMIN_EXPORTS: ExportAdapter = {
  types: EXPORTED,
  scope: PERMISSIONS.history,
  windowDays: 30,
  async request(api, type, { startMs, endMs }) {
    if (!EXPORTED.some(({ id }) => id === type)) {
      throw new VendorError({ code: 'invalid_request', reason: 'unknown_data_type' });
    }
    await api.call({
      path: `/backfill/${type}`,
      query: {
        summaryStartTimeInSeconds: Math.ceil(startMs / MS_PER_SECOND),
        summaryEndTimeInSeconds: Math.floor(endMs / MS_PER_SECOND),
      },
      // The vendor accepts each window once. The client must not repeat a request whose response was lost.
      repeatable: false,
    });
  },
};

/**
 * Garmin: watches and scales. The vendor's partner program pushes data, exports history on request, and offers no
 * reads.
 */
export const GARMIN: Provider = {
  id: 'garmin',
  displayName: 'Garmin',
  capabilities: { oauth: true, pull: false, push: false, file: false, webhook: true },
  terms: vendorTerms({
    attribution: { value: 'Garmin', basis: 'read', source: 'developer.garmin.com, brand guidelines' },
  }),
  maxHistoricalDays: 30,
  coverage: coverageOf(SUMMARY_TYPES),
  cloud: {
    settingsPrefix: 'GARMIN',
    settings: [
      {
        name: WEBHOOK_TOKEN,
        kind: 'text',
        secret: true,
        help: "Token in the vendor's deliveries, as the query parameter token; include it in the URLs that you enter in the vendor’s portal. If unset, the service rejects all deliveries with 503",
      },
    ],
    addresses: {
      api: 'https://apis.garmin.com/wellness-api/rest',
      user: 'https://apis.garmin.com/partner-gateway/rest/user',
      authorize: 'https://connect.garmin.com/oauth2Confirm',
      token: 'https://diauth.garmin.com/di-oauth2-service/oauth/token',
    },
    // The vendor allows applications under evaluation 100 requests per minute for all users.
    quotas: { perUserAndMinute: 60, perApplicationAndMinute: 90 },
    maxResponseBytes: 64 * 1024,
    readError: readGarminError,
    oauth: GARMIN_OAUTH,
    deliveries: GARMIN_DELIVERIES,
    exports: GARMIN_EXPORTS,
  },
};
