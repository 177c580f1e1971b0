import { z } from 'zod';
import { instantSchema, uuidSchema } from '../envelope.js';
import { uuidParam } from '../parameters.js';
import { problem } from '../problem.js';
import { defineRoute } from '../route.js';
import { emailField, newPasswordField, textField } from '../text.js';
import { messageSchema } from './sessions.js';

export const developerSchema = z
  .object({
    id: uuidSchema,
    first_name: z.string().nullable(),
    last_name: z.string().nullable(),
    email: z.string(),
    created_at: instantSchema,
    updated_at: instantSchema,
  })
  .meta({ id: 'Developer' });
export type DeveloperResponse = z.infer<typeof developerSchema>;

const developerParams = z.object({ developer_id: uuidParam });

const profileFields = z.object({
  first_name: textField(100).nullish().describe('Null clears the name'),
  last_name: textField(100).nullish().describe('Null clears the name'),
  email: emailField.nullish().describe('null changes nothing; a new email requires `current_password`'),
  current_password: z.string().nullish().describe('Your current password, required to change your email'),
  password: z
    .unknown()
    .optional()
    .describe('Always rejected: change the password at /api/v1/auth/change-password')
    .superRefine((value, context) => {
      if (value === undefined || value === null) return;
      problem(context, 'value_error', 'change the password at /api/v1/auth/change-password');
    }),
});
export type ProfileFields = Omit<z.output<typeof profileFields>, 'password'>;

export const currentDeveloper = defineRoute({
  id: 'currentDeveloper',
  method: 'GET',
  path: '/api/v1/auth/me',
  tag: 'Sessions',
  summary: 'Get your account',
  auth: 'developer',
  audit: { exempt: 'a developer reads their own account' },
  status: 200,
  response: developerSchema,
});

export const updateCurrentDeveloper = defineRoute({
  id: 'updateCurrentDeveloper',
  method: 'PATCH',
  path: '/api/v1/auth/me',
  tag: 'Sessions',
  summary: 'Update your name or email',
  description: 'A different email requires your current password.',
  auth: 'developer',
  audit: { resource: 'developer', action: 'update' },
  status: 200,
  errors: [400, 409, 429],
  body: profileFields.prefault({}),
  response: developerSchema,
});

export const changePassword = defineRoute({
  id: 'changePassword',
  method: 'POST',
  path: '/api/v1/auth/change-password',
  tag: 'Sessions',
  summary: 'Change your password',
  description: 'Ends all your other sessions.',
  auth: 'developer',
  audit: { resource: 'developer', action: 'update' },
  limit: 'login',
  status: 200,
  errors: [400],
  body: z
    .object({ current_password: z.string(), new_password: newPasswordField, confirm_password: z.string() })
    .superRefine(({ new_password, confirm_password }, context) => {
      if (new_password === confirm_password) return;
      const params = { type: 'value_error' };
      context.addIssue({ code: 'custom', path: ['confirm_password'], message: 'passwords do not match', params });
    }),
  response: messageSchema,
});

export const listDevelopers = defineRoute({
  id: 'listDevelopers',
  method: 'GET',
  path: '/api/v1/developers',
  tag: 'Developers',
  summary: 'List developers, oldest first',
  auth: 'developer',
  audit: { exempt: 'accounts of the team, no user data' },
  status: 200,
  response: z.array(developerSchema),
});

export const getDeveloper = defineRoute({
  id: 'getDeveloper',
  method: 'GET',
  path: '/api/v1/developers/{developer_id}',
  tag: 'Developers',
  summary: 'Get a developer',
  auth: 'developer',
  audit: { exempt: 'accounts of the team, no user data' },
  status: 200,
  errors: [404],
  params: developerParams,
  response: developerSchema,
});

export const updateDeveloper = defineRoute({
  id: 'updateDeveloper',
  method: 'PATCH',
  path: '/api/v1/developers/{developer_id}',
  tag: 'Developers',
  summary: 'Update a developer’s name',
  description: 'Only developers themselves can change their email, with their password.',
  auth: 'developer',
  audit: { resource: 'developer', action: 'update' },
  status: 200,
  errors: [400, 403, 404, 409, 429],
  params: developerParams,
  body: profileFields.prefault({}),
  response: developerSchema,
});

export const deleteDeveloper = defineRoute({
  id: 'deleteDeveloper',
  method: 'DELETE',
  path: '/api/v1/developers/{developer_id}',
  tag: 'Developers',
  summary: 'Delete a developer',
  description:
    'Ends their sessions. API keys, applications, invitations and codes that they created keep working. The last developer cannot be deleted.',
  auth: 'developer',
  audit: { resource: 'developer', action: 'delete' },
  status: 200,
  errors: [404, 409],
  params: developerParams,
  response: developerSchema,
});
