import { MS_PER_DAY } from '@healthd/model';
import { type Answer, json } from '../response.js';
import { type AccountForms, bearer, type Call, type VendorCore } from '../vendor/index.js';
import type { OuraAccount } from './account.js';
import type { OuraForms } from './forms.js';
import { COLLECTIONS, type OuraCollection, type OuraDocument } from './wire-types.js';

const PAGE_SIZE = 25;
const HEART_RATES_PER_PAGE = 1_000;
const LONGEST_HEART_RATE_MS = 30 * MS_PER_DAY;

const SCOPES: Readonly<Record<OuraCollection | 'heartrate', string>> = {
  sleep: 'daily',
  workout: 'workout',
  daily_activity: 'daily',
  daily_sleep: 'daily',
  daily_readiness: 'daily',
  daily_spo2: 'spo2',
  daily_stress: 'daily',
  daily_resilience: 'stress',
  daily_cardiovascular_age: 'heart_health',
  vO2_max: 'heart_health',
  heartrate: 'heartrate',
};

/** True if the start date or the end date of a range is inclusive, by collection. */
const ENDS: Readonly<Record<OuraCollection, { start: boolean; end: boolean }>> = {
  sleep: { start: false, end: false },
  workout: { start: true, end: false },
  daily_activity: { start: true, end: false },
  daily_sleep: { start: true, end: true },
  daily_readiness: { start: true, end: true },
  daily_spo2: { start: true, end: true },
  daily_stress: { start: true, end: true },
  daily_resilience: { start: true, end: true },
  daily_cardiovascular_age: { start: true, end: true },
  vO2_max: { start: true, end: true },
};

const ROOT = '/v2/usercollection/';

/** Handles a data API request for the token's account. */
export function handleApiRequest(core: VendorCore<OuraAccount>, call: Call, forms: AccountForms<OuraForms>): Answer {
  const grant = core.grants.opened(bearer(call));
  const account = grant && core.accounts.find(grant.account);
  if (!grant || !account) return failure(401, 'Unauthorized');
  if (call.method !== 'GET' || !call.path.startsWith(ROOT)) return failure(404, 'Not Found');
  const [name = '', id] = call.path.slice(ROOT.length).split('/');
  if (name === 'personal_info') return json(200, personalInfo(account, grant.scopes));
  if (name !== 'heartrate' && !isCollection(name)) return failure(404, 'Not Found');
  if (!grant.scopes.includes(`extapi:${SCOPES[name]}`)) {
    return failure(forms.of(grant.account).missingScope, 'The scope was not granted');
  }
  if (name === 'heartrate') return heartRates(account, call.query);
  const document = id === undefined ? undefined : account.documents[name].get(id);
  if (id !== undefined) return document ? json(200, document) : failure(404, 'Not Found');
  return documents([...account.documents[name].values()], call.query, ENDS[name]);
}

function isCollection(name: string): name is OuraCollection {
  return (COLLECTIONS as readonly string[]).includes(name);
}

/** Every token may read the id. Other members depend on the granted scopes. */
function personalInfo({ facts, info }: OuraAccount, scopes: readonly string[]): object {
  const { age, weight, height, biological_sex } = info;
  const own = scopes.includes('extapi:personal') ? { age, weight, height, biological_sex } : {};
  return { id: facts.userId, ...own, email: scopes.includes('extapi:email') ? facts.email : null };
}

function documents(all: OuraDocument[], query: URLSearchParams, ends: { start: boolean; end: boolean }): Answer {
  const start = dateIn(query, 'start_date');
  const end = dateIn(query, 'end_date');
  if (start === null || end === null) return failure(422, 'Invalid date');
  const found = all
    .filter(({ day }) => start === undefined || day > start || (ends.start && day === start))
    .filter(({ day }) => end === undefined || day < end || (ends.end && day === end))
    .sort((a, b) => (a.day < b.day ? -1 : 1));
  return page(found, query, PAGE_SIZE);
}

function heartRates({ heartRates: rows }: OuraAccount, query: URLSearchParams): Answer {
  const startMs = Date.parse(query.get('start_datetime') ?? '');
  const endMs = Date.parse(query.get('end_datetime') ?? '');
  if (Number.isNaN(startMs) || Number.isNaN(endMs)) return failure(422, 'Invalid datetime');
  if (endMs - startMs > LONGEST_HEART_RATE_MS) return failure(400, 'At most 30 days');
  const found = [...rows.values()]
    .filter(({ timestamp }) => Date.parse(timestamp) >= startMs && Date.parse(timestamp) < endMs)
    .sort((a, b) => Date.parse(a.timestamp) - Date.parse(b.timestamp));
  return page(found, query, HEART_RATES_PER_PAGE);
}

/** Undefined if missing. Null if invalid. */
function dateIn(query: URLSearchParams, name: string): string | null | undefined {
  const text = query.get(name);
  if (text === null) return undefined;
  return /^\d{4}-\d\d-\d\d(T.*)?$/.test(text) && !Number.isNaN(Date.parse(text.slice(0, 10)))
    ? text.slice(0, 10)
    : null;
}

function page(items: readonly object[], query: URLSearchParams, size: number): Answer {
  const token = query.get('next_token');
  const skip = token === null ? 0 : Number(Buffer.from(token, 'base64url').toString());
  if (!Number.isInteger(skip)) return failure(422, 'Invalid next_token');
  const end = skip + size;
  const next_token = end < items.length ? Buffer.from(String(end)).toString('base64url') : null;
  return json(200, { data: items.slice(skip, end), next_token });
}

/** Returns a page whose token requests the same page again. */
export function repeatedPage(call: Call, response: Answer): Answer {
  const body: unknown = JSON.parse(response.body);
  const own = call.query.get('next_token') ?? Buffer.from('0').toString('base64url');
  return json(response.status, { ...(body as object), next_token: own });
}

function failure(status: number, detail: string): Answer {
  return json(status, { title: 'Error', detail });
}
