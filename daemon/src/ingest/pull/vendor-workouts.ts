import { MS_PER_SECOND, PROVIDER_NAMES, type ProviderId } from '@healthd/model';
import { type VendorApi, VendorError, type VendorWorkouts, type VendorWorkoutsQuery } from '@healthd/providers';
import { type Connection, isGranted, pullBlockerText } from '../../connections/index.js';
import { Failure } from '../../platform/failures.js';
import type { ConnectedServices } from './enqueue-pull.js';
import { requirePullable } from './request-sync.js';

type Services = Pick<ConnectedServices, 'cloudOf' | 'connections'>;

/** Request priority of a read-only key, which must not use up the quota of requested or reported syncs. */
const PRIORITY = 'live';

/** The user whose workouts are requested in the vendor's format. */
interface WorkoutRequester {
  userKey: number;
  provider: ProviderId;
  signal: AbortSignal;
}

/** Returns one page of workouts in the vendor's format. @throws Failure as {@link readFromVendor} */
export function listVendorWorkouts(
  services: Services,
  asker: WorkoutRequester,
  query: VendorWorkoutsQuery,
): Promise<unknown> {
  return readFromVendor(services, asker, (workouts, api) => workouts.list(api, query));
}

/** Returns one workout in the vendor's format. @throws Failure as {@link readFromVendor}, `not_found` */
export function getVendorWorkout(services: Services, asker: WorkoutRequester, id: string): Promise<unknown> {
  return readFromVendor(services, asker, (workouts, api) => workouts.get(api, id));
}

/**
 * @throws Failure `not_implemented` if the provider offers no workouts in its own format, `not_found` and `conflict` as
 * {@link requirePullable}, `unavailable` if the vendor does not respond or its quota is used up
 */
async function readFromVendor(
  services: Services,
  { userKey, provider, signal }: WorkoutRequester,
  read: (workouts: VendorWorkouts, api: VendorApi) => Promise<unknown>,
): Promise<unknown> {
  const workouts = services.cloudOf(provider)?.workouts;
  if (!workouts) {
    throw new Failure('not_implemented', `Provider '${provider}' does not offer workouts in the vendor's format`);
  }
  const connection = await requirePullable(services, userKey, provider);
  requireConsent(services, connection, workouts);
  try {
    return (await read(workouts, services.connections.vendorApiOf(connection, signal, PRIORITY))) ?? null;
  } catch (error) {
    if (!(error instanceof VendorError)) throw error;
    // If the grant was revoked, throws the same error that the next caller will get.
    await requirePullable(services, userKey, provider);
    throw failureOf(error, provider);
  }
}

function requireConsent({ cloudOf }: Services, { provider, grantedScopes }: Connection, { dataType }: VendorWorkouts) {
  const type = cloudOf(provider)?.pull?.dataTypes.find(({ id }) => id === dataType);
  if (type && !isGranted(type.scopes, grantedScopes)) throw scopeMissing(provider);
}

function failureOf(error: VendorError, provider: ProviderId): Failure {
  const name = PROVIDER_NAMES[provider];
  switch (error.code) {
    case 'not_found':
      return new Failure('not_found', `${name} has no such workout of this user`, { cause: error });
    case 'invalid_request':
      return new Failure('bad_request', `${name} does not accept these parameters`, { cause: error });
    case 'unauthorized':
      return new Failure('conflict', pullBlockerText('refresh_failed', provider), { cause: error });
    case 'scope_missing':
      return scopeMissing(provider);
    case 'account_not_linked':
    case 'account_not_ready':
      return new Failure('conflict', `The account at ${name} has no health data yet`, { cause: error });
    case 'rate_limited':
      return new Failure('unavailable', `The rate limit of ${name} is reached. Retry later.`, retryAfter(error));
    default:
      return new Failure('unavailable', `${name} did not respond`, retryAfter(error));
  }
}

function scopeMissing(provider: ProviderId): Failure {
  return new Failure('conflict', `The user did not consent to workouts at ${PROVIDER_NAMES[provider]}`);
}

function retryAfter(error: VendorError) {
  if (error.retryAfterMs === undefined) return { cause: error };
  return { cause: error, headers: { 'Retry-After': String(Math.ceil(error.retryAfterMs / MS_PER_SECOND)) } };
}
