import { type Answer, json } from '../response.js';
import { bearer, type Call, type VendorCore } from '../vendor/index.js';
import { isVisible, type StravaAccount } from './account.js';
import type { StravaActivity } from './wire-types.js';

export const ROOT = '/api/v3';
/** Scopes for public and for private activities. */
const READ = 'activity:read';
export const READ_ALL = 'activity:read_all';
const MAX_PAGE = 200;
const DEFAULT_PAGE = 30;

/** Handles a data API request for the token's account. */
export function handleApiRequest(core: VendorCore<StravaAccount>, call: Call): Answer {
  const grant = core.grants.opened(bearer(call));
  const account = grant && core.accounts.find(grant.account);
  if (!grant || !account) {
    const owner = core.accounts.find(core.grants.ofToken(bearer(call))?.account);
    return failure(401, 'Authorization Error', owner?.forms.deadToken ?? 'Athlete', 'access_token', 'invalid');
  }
  if (call.method !== 'GET') return notFound('Path');
  const path = call.path.slice(ROOT.length);
  if (path === '/athlete') return json(200, athlete(account));
  const seesPrivate = grant.scopes.includes(READ_ALL);
  if (!seesPrivate && !grant.scopes.includes(READ)) {
    return failure(401, 'Authorization Error', 'AccessToken', 'activity:read_permission', 'missing');
  }
  const all = [...account.activities.values()];
  const canSee = (activity: StravaActivity) => isVisible(activity, seesPrivate);
  if (path === '/athlete/activities') return list(all, canSee, call.query);
  const [, id, part] = /^\/activities\/(\d+)(\/streams)?$/.exec(path) ?? [];
  const found = all.find((activity) => activity.id === Number(id) && canSee(activity));
  // Some of the vendor's 404 responses have no body.
  if (!found) return { status: 404, headers: {}, body: '' };
  return part === undefined ? json(200, { ...found, resource_state: 3 }) : streams(account, found, call.query);
}

function athlete({ facts }: StravaAccount): object {
  return { id: Number(facts.userId), username: null, firstname: facts.id, lastname: 'Example', resource_state: 2 };
}

/**
 * Lists activities newest first, or oldest first if only `after` is set. Hidden activities shorten a page, so only an
 * empty page marks the end.
 */
function list(
  all: readonly StravaActivity[],
  canSee: (activity: StravaActivity) => boolean,
  query: URLSearchParams,
): Answer {
  const perPage = Number(query.get('per_page') ?? DEFAULT_PAGE);
  const page = Number(query.get('page') ?? 1);
  if (!(perPage >= 1 && perPage <= MAX_PAGE))
    return failure(400, 'Bad Request', 'Application', 'per page', 'limit exceeded');
  if (!Number.isInteger(page) || page < 1) return failure(400, 'Bad Request', 'Application', 'page', 'invalid');
  const after = Number(query.get('after') ?? Number.NEGATIVE_INFINITY);
  const before = Number(query.get('before') ?? Number.POSITIVE_INFINITY);
  const found = all
    .filter((activity) => secondsOf(activity) > after && secondsOf(activity) < before)
    .sort((a, b) => secondsOf(b) - secondsOf(a));
  if (query.has('after') && !query.has('before')) found.reverse();
  const items = found.slice((page - 1) * perPage, page * perPage);
  return json(200, items.filter(canSee).map(summary));
}

const secondsOf = ({ start_date }: StravaActivity) => Date.parse(start_date) / 1000;

/** Omits members that only details contain. */
function summary({ calories: _, description: __, ...activity }: StravaActivity): object {
  return { ...activity, resource_state: 2 };
}

/** Returns the requested streams; without `keys`, only the distance. Sensors that were not worn have no stream. */
function streams({ streams: all }: StravaAccount, { id }: StravaActivity, query: URLSearchParams): Answer {
  const own = all.get(id);
  if (!own) return notFound('Stream');
  const keys = (query.get('keys') ?? 'distance').split(',');
  const found = Object.entries(own).filter(([key]) => keys.includes(key));
  const members = found.map(([key, data]) => [
    key,
    { data, series_type: 'distance', original_size: data.length, resolution: 'high' },
  ]);
  return query.get('key_by_type') === 'true'
    ? json(200, Object.fromEntries(members))
    : json(
        200,
        found.map(([type, data]) => ({ type, data })),
      );
}

function notFound(resource: string): Answer {
  return failure(404, 'Record Not Found', resource, 'id', 'invalid');
}

/** Returns an error in the vendor's format. */
export function failure(status: number, message: string, resource: string, field: string, code: string): Answer {
  return json(status, { message, errors: [{ resource, field, code }] });
}
