import { defineRoute } from '../route.js';

export const currentDeveloper = defineRoute({
  id: 'currentDeveloper',
  method: 'GET',
  path: '/api/v1/auth/me',
  tag: 'Sessions',
  summary: 'The developer who is logged in',
  auth: 'developer',
  audit: { exempt: 'a developer reads their own account' },
  status: 200,
});

export const updateCurrentDeveloper = defineRoute({
  id: 'updateCurrentDeveloper',
  method: 'PATCH',
  path: '/api/v1/auth/me',
  tag: 'Sessions',
  summary: 'Change the own name or email',
  description:
    'Another email needs the current password, because it is what one logs in with; the present one does not.',
  auth: 'developer',
  audit: { resource: 'developer', action: 'update' },
  status: 200,
  errors: [400, 409, 429],
});

export const changePassword = defineRoute({
  id: 'changePassword',
  method: 'POST',
  path: '/api/v1/auth/change-password',
  tag: 'Sessions',
  summary: 'Change the own password',
  description: 'All other sessions of the developer end; the one that asks goes on.',
  auth: 'developer',
  audit: { resource: 'developer', action: 'update' },
  limit: 'login',
  status: 200,
  errors: [400],
});

export const listDevelopers = defineRoute({
  id: 'listDevelopers',
  method: 'GET',
  path: '/api/v1/developers',
  tag: 'Developers',
  summary: 'List developers, oldest first',
  auth: 'developer',
  audit: { exempt: 'accounts of the team, no data of a person who is measured' },
  status: 200,
});

export const getDeveloper = defineRoute({
  id: 'getDeveloper',
  method: 'GET',
  path: '/api/v1/developers/{developer_id}',
  tag: 'Developers',
  summary: 'One developer',
  auth: 'developer',
  audit: { exempt: 'accounts of the team, no data of a person who is measured' },
  status: 200,
  errors: [404],
});

export const updateDeveloper = defineRoute({
  id: 'updateDeveloper',
  method: 'PATCH',
  path: '/api/v1/developers/{developer_id}',
  tag: 'Developers',
  summary: 'Change the name of a developer',
  description:
    'Emails are changed by their owners only, with their password: changing the email of another developer would take over the account.',
  auth: 'developer',
  audit: { resource: 'developer', action: 'update' },
  status: 200,
  errors: [400, 403, 404, 409, 429],
});

export const deleteDeveloper = defineRoute({
  id: 'deleteDeveloper',
  method: 'DELETE',
  path: '/api/v1/developers/{developer_id}',
  tag: 'Developers',
  summary: 'Delete a developer',
  description:
    'Their sessions end. API keys, applications, invitations and codes that they made stay. The last developer cannot be deleted.',
  auth: 'developer',
  audit: { resource: 'developer', action: 'delete' },
  status: 200,
  errors: [404, 409],
});
