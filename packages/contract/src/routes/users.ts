import { defineRoute } from '../route.js';
import { CONNECTION_STATES } from './connections.js';

export const USER_SORT_COLUMNS = ['created_at', 'email', 'first_name', 'last_name', 'last_synced_at'] as const;
export type UserSortColumn = (typeof USER_SORT_COLUMNS)[number];

/** How users are found by their connections; `none` is the lack of one. */
export const USER_CONNECTION_STATES = [...CONNECTION_STATES, 'none'] as const;
export type UserConnectionState = (typeof USER_CONNECTION_STATES)[number];

export const createUser = defineRoute({
  id: 'createUser',
  method: 'POST',
  path: '/api/v1/users',
  tag: 'Users',
  summary: 'Create a user',
  description:
    'Every field is optional; no body at all is fine. Users are not de-duplicated: the same email twice makes two users.',
  auth: 'key',
  scope: 'write',
  audit: { resource: 'user', action: 'create' },
  status: 201,
  errors: [409],
});

export const listUsers = defineRoute({
  id: 'listUsers',
  method: 'GET',
  path: '/api/v1/users',
  tag: 'Users',
  summary: 'List users',
  auth: 'key',
  scope: 'read',
  forAssistants: true,
  audit: { resource: 'user', action: 'read' },
  status: 200,
});

export const getUser = defineRoute({
  id: 'getUser',
  method: 'GET',
  path: '/api/v1/users/{user_id}',
  tag: 'Users',
  summary: 'One user',
  auth: 'key',
  scope: 'read',
  forAssistants: true,
  audit: { resource: 'user', action: 'read' },
  status: 200,
});

export const updateUser = defineRoute({
  id: 'updateUser',
  method: 'PATCH',
  path: '/api/v1/users/{user_id}',
  tag: 'Users',
  summary: 'Change a user',
  description:
    'A field that is left out stays; null clears it. Another `time_zone` moves what came without an offset: `dry_run=true` changes nothing and answers which days that would be.',
  auth: 'developer',
  audit: { resource: 'user', action: 'update' },
  status: 200,
  errors: [409],
});

export const deleteUser = defineRoute({
  id: 'deleteUser',
  method: 'DELETE',
  path: '/api/v1/users/{user_id}',
  tag: 'Users',
  summary: 'Delete a user and everything held about them',
  description:
    'Answers the user as they were, and `erasure_id`: `GET /api/v1/erasures/{erasure_id}` says how much was erased.',
  auth: 'developer',
  audit: { resource: 'user', action: 'delete' },
  status: 200,
});

export const exportUser = defineRoute({
  id: 'exportUser',
  method: 'GET',
  path: '/api/v1/users/{user_id}/export',
  tag: 'Users',
  summary: 'Everything held about a user, as a zip archive',
  description:
    'Newline-delimited JSON files: profile, sources, samples by series, sessions, scores, runs, audit records, and the attribution that vendors demand. README.txt inside explains them. Only a whole download is a valid archive.',
  auth: 'developer',
  audit: { resource: 'user', action: 'export' },
  status: 200,
  produces: 'application/zip',
  responseHeaders: ['Content-Disposition'],
});
