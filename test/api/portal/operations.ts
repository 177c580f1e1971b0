/** Expected shape of a response: members with their shapes, a list, or a value type. */
export type Shape =
  | 'string'
  | 'number'
  | 'boolean'
  | 'any'
  | 'string or null'
  | 'number or null'
  | readonly Shape[]
  | { readonly [name: string]: Shape };

/** One call of the portal. The test replaces names in braces with prepared values. */
export interface Operation {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  path: string;
  query?: Record<string, string>;
  body?: unknown;
  status: number;
  answer?: Shape;
}

const day = { start_date: '2026-11-01', end_date: '2026-11-30' };
const text: Shape = 'string';
const maybe: Shape = 'string or null';

const DEVELOPER = { id: text, first_name: maybe, last_name: maybe, email: text, created_at: text, updated_at: text };
const MESSAGE = { message: text };
const APPLICATION = { id: text, app_id: text, name: text, created_at: text };
const KEY = { id: text, name: text, created_at: text };
const INVITATION = { id: text, email: text, token: maybe, status: text, expires_at: text, created_at: text };
const PROVIDER = {
  provider: text,
  name: text,
  has_cloud_api: 'boolean',
  is_enabled: 'boolean',
  icon_url: text,
} as const;
const USER = { id: text, created_at: text, first_name: maybe, last_name: maybe, email: maybe, external_user_id: maybe };
const USERS = { items: [USER], total: 'number', page: 'number', limit: 'number', pages: 'number' } as const;
const CONNECTION = { id: text, user_id: text, provider: text, status: text, last_synced_at: maybe, created_at: text };
const RUN = { run_id: text, user_id: text, provider: text, source: text, stage: text, status: text, message: maybe };
const PAGE = {
  pagination: { next_cursor: maybe, previous_cursor: maybe, has_more: 'boolean', total_count: 'number or null' },
  metadata: { resolution: maybe, sample_count: 'number or null', start_time: maybe, end_time: maybe },
} as const;
const list = (item: Shape): Shape => ({ data: [item], ...PAGE });
const SOURCE = { provider: text, device: maybe };
const ARCHIVAL = {
  settings: { archive_after_days: 'number or null', delete_after_days: 'number or null' },
  storage: 'any',
} as const;

/** Every operation of the compatible API's web portal, in an order in which no operation breaks a later operation. */
export const OPERATIONS: readonly Operation[] = [
  {
    method: 'POST',
    path: '/api/v1/auth/login',
    body: 'form',
    status: 200,
    answer: { access_token: text, token_type: text },
  },
  { method: 'GET', path: '/api/v1/auth/me', status: 200, answer: DEVELOPER },
  {
    method: 'GET',
    path: '/api/v1/config',
    status: 200,
    answer: {
      outgoing_webhooks_enabled: 'boolean',
      api_key_header: text,
      pull_sync_lookback_seconds: 'number or null',
    },
  },
  { method: 'GET', path: '/api/v1/dashboard/stats', status: 200, answer: 'any' },
  { method: 'GET', path: '/api/v1/developers', status: 200, answer: [DEVELOPER] },
  { method: 'GET', path: '/api/v1/meta/coverage', status: 200, answer: 'any' },

  {
    method: 'POST',
    path: '/api/v1/applications',
    body: { name: 'Phone' },
    status: 201,
    answer: { ...APPLICATION, app_secret: text },
  },
  { method: 'GET', path: '/api/v1/applications', status: 200, answer: [APPLICATION] },
  {
    method: 'POST',
    path: '/api/v1/applications/{app_id}/rotate-secret',
    status: 200,
    answer: { ...APPLICATION, app_secret: text },
  },
  { method: 'DELETE', path: '/api/v1/applications/{app_id}', status: 204 },
  { method: 'POST', path: '/api/v1/developer/api-keys', body: { name: 'Reports' }, status: 201, answer: KEY },
  { method: 'GET', path: '/api/v1/developer/api-keys', status: 200, answer: [KEY] },
  { method: 'PATCH', path: '/api/v1/developer/api-keys/{key_id}', body: { name: 'Charts' }, status: 200, answer: KEY },
  { method: 'DELETE', path: '/api/v1/developer/api-keys/{key_id}', status: 200, answer: KEY },

  {
    method: 'POST',
    path: '/api/v1/invitations',
    body: { email: 'joan@clinic.example' },
    status: 201,
    answer: INVITATION,
  },
  { method: 'GET', path: '/api/v1/invitations', status: 200, answer: [INVITATION] },
  { method: 'POST', path: '/api/v1/invitations/{invitation_id}/resend', status: 200, answer: INVITATION },
  { method: 'DELETE', path: '/api/v1/invitations/{invitation_id}', status: 200, answer: INVITATION },
  {
    method: 'POST',
    path: '/api/v1/invitations/accept',
    body: { token: '{invitation_token}', first_name: 'Grace', last_name: 'Hopper', password: 'horse battery staple' },
    status: 201,
    answer: DEVELOPER,
  },
  { method: 'DELETE', path: '/api/v1/developers/{developer_id}', status: 200, answer: DEVELOPER },

  {
    method: 'GET',
    path: '/api/v1/oauth/providers',
    query: { enabled_only: 'true', cloud_only: 'false' },
    status: 200,
    answer: [PROVIDER],
  },
  {
    method: 'PUT',
    path: '/api/v1/oauth/providers',
    body: { providers: { google: true } },
    status: 200,
    answer: [PROVIDER],
  },
  {
    method: 'PUT',
    path: '/api/v1/oauth/providers/google',
    body: { live_sync_mode: 'pull' },
    status: 200,
    answer: PROVIDER,
  },
  {
    method: 'GET',
    path: '/api/v1/priorities/providers',
    status: 200,
    answer: { items: [{ provider: text, priority: 'number' }] },
  },
  {
    method: 'PUT',
    path: '/api/v1/priorities/providers',
    body: { priorities: [{ provider: 'apple', priority: 1 }] },
    status: 200,
    answer: { items: [{ provider: text, priority: 'number' }] },
  },
  {
    method: 'GET',
    path: '/api/v1/priorities/device-types',
    status: 200,
    answer: { items: [{ device_type: text, priority: 'number' }] },
  },
  {
    method: 'PUT',
    path: '/api/v1/priorities/device-types',
    body: { priorities: [{ device_type: 'watch', priority: 1 }] },
    status: 200,
    answer: { items: [{ device_type: text, priority: 'number' }] },
  },

  {
    method: 'POST',
    path: '/api/v1/users',
    body: { external_user_id: 'p-1', first_name: 'Anna', last_name: 'Nowak', email: 'anna@clinic.example' },
    status: 201,
    answer: USER,
  },
  {
    method: 'GET',
    path: '/api/v1/users',
    query: { limit: '10', page: '1', search: 'anna', sort_by: 'created_at', sort_order: 'desc' },
    status: 200,
    answer: USERS,
  },
  { method: 'GET', path: '/api/v1/users/{user_id}', status: 200, answer: USER },
  {
    method: 'PATCH',
    path: '/api/v1/users/{user_id}',
    body: { first_name: 'Ann', last_name: 'Nowak', email: 'ann@clinic.example', external_user_id: null },
    status: 200,
    answer: USER,
  },
  {
    method: 'POST',
    path: '/api/v1/users/{user_id}/invitation-code',
    status: 201,
    answer: { id: text, code: text, user_id: text, expires_at: text, created_at: text },
  },
  { method: 'DELETE', path: '/api/v1/users/{user_id}', status: 200, answer: USER },

  {
    method: 'GET',
    path: '/api/v1/oauth/google/authorize',
    query: { user_id: '{user_id}', redirect_uri: 'https://portal.clinic.example/users' },
    status: 200,
    answer: { authorization_url: text, state: text },
  },
  {
    method: 'GET',
    path: '/api/v1/oauth/google/callback',
    query: { state: '{state}', code: '{code}', scope: 'openid profile', authuser: '0', prompt: 'consent' },
    status: 303,
  },
  { method: 'GET', path: '/api/v1/users/{connected_user_id}/connections', status: 200, answer: [CONNECTION] },
  {
    method: 'POST',
    path: '/api/v1/providers/google/users/{connected_user_id}/sync',
    status: 200,
    answer: { success: 'boolean', async: 'boolean', run_id: text, task_id: text, message: text },
  },
  {
    method: 'POST',
    path: '/api/v1/providers/google/users/{connected_user_id}/sync/historical',
    query: { days: '30' },
    status: 200,
    answer: { success: 'boolean', provider: text, user_id: text, run_id: text, message: text, days: 'number' },
  },
  { method: 'DELETE', path: '/api/v1/users/{connected_user_id}/connections/google', status: 204 },
  { method: 'DELETE', path: '/api/v1/users/{connected_user_id}/connections/google/data', status: 204 },

  {
    method: 'POST',
    path: '/api/v1/users/{user_id}/import/apple/xml/direct',
    body: 'file',
    status: 200,
    answer: { status: text, run_id: text, task_id: text, user_id: text },
  },
  {
    method: 'POST',
    path: '/api/v1/users/{user_id}/import/apple/xml/s3',
    body: { filename: 'export.xml', max_file_size: 20_971_520 },
    status: 200,
    answer: {
      upload_url: text,
      form_fields: { key: text },
      file_key: text,
      expires_in: 'number',
      max_file_size: 'number',
      bucket: text,
    },
  },
  {
    method: 'GET',
    path: '/api/v1/sync/runs',
    query: { limit: '50', user_id: '{measured_user_id}', provider: 'apple', source: 'xml_import', status: 'success' },
    status: 200,
    answer: [RUN],
  },
  {
    method: 'GET',
    path: '/api/v1/users/{measured_user_id}/sync/runs',
    query: { limit: '20' },
    status: 200,
    answer: [RUN],
  },
  { method: 'GET', path: '/api/v1/users/{measured_user_id}/sync/stream', query: { replay: '20' }, status: 200 },

  {
    method: 'GET',
    path: '/api/v1/users/{measured_user_id}/summaries/activity',
    query: { ...day, limit: '50', sort_order: 'desc' },
    status: 200,
    answer: list({ date: text, source: SOURCE, steps: 'number or null' }),
  },
  {
    method: 'GET',
    path: '/api/v1/users/{measured_user_id}/summaries/sleep',
    query: { ...day, limit: '50' },
    status: 200,
    answer: list({ date: text, source: SOURCE, duration_minutes: 'number or null' }),
  },
  {
    method: 'GET',
    path: '/api/v1/users/{measured_user_id}/summaries/body',
    query: { average_period: '7', latest_window_hours: '4' },
    status: 200,
    answer: 'any',
  },
  { method: 'GET', path: '/api/v1/users/{measured_user_id}/summaries/data', query: day, status: 200, answer: 'any' },
  {
    method: 'GET',
    path: '/api/v1/users/{measured_user_id}/health-scores',
    query: { ...day, limit: '50' },
    status: 200,
    answer: PAGE,
  },
  {
    method: 'GET',
    path: '/api/v1/users/{measured_user_id}/timeseries',
    query: {
      start_time: '2026-11-01T00:00:00Z',
      end_time: '2026-11-30T00:00:00Z',
      types: 'steps',
      resolution: '1hour',
      limit: '100',
    },
    status: 200,
    answer: list({ timestamp: text, type: text, value: 'number', unit: text }),
  },
  {
    method: 'GET',
    path: '/api/v1/users/{measured_user_id}/events/sleep',
    query: { ...day, limit: '50', filter_by_priority: 'true' },
    status: 200,
    answer: list({ id: text, start_time: text, end_time: text, source: SOURCE }),
  },
  {
    method: 'GET',
    path: '/api/v1/users/{measured_user_id}/events/workouts',
    query: { ...day, limit: '50', sort_order: 'desc' },
    status: 200,
    answer: list({ id: text, type: text, start_time: text, end_time: text, source: SOURCE }),
  },
  { method: 'DELETE', path: '/api/v1/users/{measured_user_id}/events/sleep/{sleep_id}', status: 204 },
  { method: 'DELETE', path: '/api/v1/users/{measured_user_id}/events/workouts/{workout_id}', status: 204 },

  { method: 'GET', path: '/api/v1/settings/archival', status: 200, answer: ARCHIVAL },
  {
    method: 'PUT',
    path: '/api/v1/settings/archival',
    body: { archive_after_days: 90, delete_after_days: null },
    status: 200,
    answer: ARCHIVAL,
  },
  {
    method: 'POST',
    path: '/api/v1/settings/archival/run',
    body: {},
    status: 202,
    answer: { task_id: text, status: text },
  },
  { method: 'GET', path: '/api/v1/settings/seed/presets', status: 404 },
  { method: 'GET', path: '/api/v1/settings/seed/sleep-profiles', status: 404 },
  { method: 'POST', path: '/api/v1/settings/seed', body: {}, status: 404 },

  {
    method: 'POST',
    path: '/api/v1/auth/change-password',
    body: {
      current_password: '{password}',
      new_password: 'another horse battery',
      confirm_password: 'another horse battery',
    },
    status: 200,
    answer: MESSAGE,
  },
  { method: 'POST', path: '/api/v1/auth/logout', status: 200, answer: MESSAGE },
];

/** Failure cases of the portal: the same operations with other inputs. */
export const REFUSALS: readonly Operation[] = [
  { method: 'POST', path: '/api/v1/users', body: { external_user_id: 'taken', email: 'nobody' }, status: 400 },
  { method: 'GET', path: '/api/v1/sync/runs', query: { limit: '50', provider: 'nobody' }, status: 400 },
  { method: 'GET', path: '/api/v1/users', query: { limit: '1000' }, status: 400 },
];
