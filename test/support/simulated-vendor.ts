import type { GarminSimulator, GoogleSimulator, StravaSimulator, SuuntoSimulator } from '@healthd/simulators';

/** A simulator's limit per user and minute, for tests that do not test quotas. */
export const AMPLE_QUOTA = { perUser: 6_000 };

/** Returns settings that make a service use this simulator as the vendor. */
export function vendorSettings({ urls, client }: GoogleSimulator): Record<string, string> {
  return {
    CLOUDHEALTH_CLIENT_ID: client.id,
    CLOUDHEALTH_CLIENT_SECRET: client.secret,
    CLOUDHEALTH_API_URL: urls.api,
    CLOUDHEALTH_AUTHORIZE_URL: urls.authorize,
    CLOUDHEALTH_TOKEN_URL: urls.token,
    CLOUDHEALTH_REVOKE_URL: urls.revoke,
    CLOUDHEALTH_USER_INFO_URL: urls.userInfo,
    CLOUDHEALTH_KEYSET_URL: urls.keyset,
  };
}

/** Returns {@link vendorSettings} with the request limit of AMPLE_QUOTA. */
export function ampleVendorSettings(simulator: GoogleSimulator): Record<string, string> {
  return { ...vendorSettings(simulator), CLOUDHEALTH_REQUESTS_PER_MINUTE: String(AMPLE_QUOTA.perUser) };
}

/** Returns settings that make a service use this simulated Garmin as the vendor. */
export function garminSettings({ urls, client, settings }: GarminSimulator): Record<string, string> {
  return {
    GARMIN_CLIENT_ID: client.id,
    GARMIN_CLIENT_SECRET: client.secret,
    GARMIN_WEBHOOK_TOKEN: settings.WEBHOOK_TOKEN,
    GARMIN_API_URL: urls.api,
    GARMIN_USER_URL: urls.user,
    GARMIN_AUTHORIZE_URL: urls.authorize,
    GARMIN_TOKEN_URL: urls.token,
  };
}

/** Returns settings that make a service use this simulated Strava as the vendor. */
export function stravaSettings({ urls, client }: StravaSimulator): Record<string, string> {
  return {
    STRAVA_CLIENT_ID: client.id,
    STRAVA_CLIENT_SECRET: client.secret,
    STRAVA_API_URL: urls.api,
    STRAVA_AUTHORIZE_URL: urls.authorize,
    STRAVA_TOKEN_URL: urls.token,
    STRAVA_REVOKE_URL: urls.revoke,
  };
}

/**
 * Returns settings that make a service use this simulated Suunto as the vendor, with an effectively unlimited quota.
 */
export function suuntoSettings({ urls, client, settings }: SuuntoSimulator): Record<string, string> {
  return {
    SUUNTO_CLIENT_ID: client.id,
    SUUNTO_CLIENT_SECRET: client.secret,
    SUUNTO_SUBSCRIPTION_KEY: settings.SUBSCRIPTION_KEY,
    SUUNTO_WEBHOOK_SECRET: settings.WEBHOOK_SECRET,
    SUUNTO_API_URL: urls.api,
    SUUNTO_AUTHORIZE_URL: urls.authorize,
    SUUNTO_TOKEN_URL: urls.token,
    SUUNTO_REVOKE_URL: urls.revoke,
    SUUNTO_REQUESTS_PER_MINUTE: String(AMPLE_QUOTA.perUser),
    SUUNTO_APPLICATION_REQUESTS_PER_MINUTE: String(AMPLE_QUOTA.perUser),
    SUUNTO_APPLICATION_REQUESTS_PER_WEEK: '0',
  };
}
