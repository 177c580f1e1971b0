import { z } from 'zod';
import { instantSchema, uuidSchema } from '../envelope.js';
import { defineRoute } from '../route.js';
import { textField } from '../text.js';

export const applicationSchema = z
  .object({ id: uuidSchema, app_id: z.string(), name: z.string(), created_at: instantSchema })
  .meta({ id: 'Application' });
export type ApplicationResponse = z.infer<typeof applicationSchema>;

export const applicationWithSecretSchema = applicationSchema
  .extend({ app_secret: z.string().meta({ description: 'Returned only once; store it on your server' }) })
  .meta({ id: 'ApplicationWithSecret' });
export type ApplicationWithSecret = z.infer<typeof applicationWithSecretSchema>;

const applicationParams = z.object({ app_id: z.string().max(255) });

export const listApplications = defineRoute({
  id: 'listApplications',
  method: 'GET',
  path: '/api/v1/applications',
  tag: 'Applications',
  summary: 'List your applications, newest first',
  description: 'Includes applications of deleted developers, which belong to all developers.',
  auth: 'developer',
  audit: { exempt: 'names of applications without secrets, no user data' },
  status: 200,
  response: z.array(applicationSchema),
});

export const createApplication = defineRoute({
  id: 'createApplication',
  method: 'POST',
  path: '/api/v1/applications',
  tag: 'Applications',
  summary: 'Create an application that issues user tokens',
  auth: 'developer',
  audit: { resource: 'application', action: 'create' },
  status: 201,
  body: z.object({ name: textField(100) }),
  response: applicationWithSecretSchema,
});

export const rotateApplicationSecret = defineRoute({
  id: 'rotateApplicationSecret',
  method: 'POST',
  path: '/api/v1/applications/{app_id}/rotate-secret',
  tag: 'Applications',
  summary: 'Rotate an application’s secret',
  description: 'The old secret stops working immediately. Issued tokens keep working.',
  auth: 'developer',
  audit: { resource: 'application', action: 'update' },
  status: 200,
  errors: [404],
  params: applicationParams,
  response: applicationWithSecretSchema,
});

export const deleteApplication = defineRoute({
  id: 'deleteApplication',
  method: 'DELETE',
  path: '/api/v1/applications/{app_id}',
  tag: 'Applications',
  summary: 'Delete an application',
  description: 'All tokens that it issued stop working within a second.',
  auth: 'developer',
  audit: { resource: 'application', action: 'delete' },
  status: 204,
  errors: [404],
  params: applicationParams,
});
