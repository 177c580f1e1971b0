import { z } from 'zod';
import { instantSchema, uuidSchema } from '../envelope.js';
import { textField } from '../text.js';

export const applicationSchema = z
  .object({ id: uuidSchema, app_id: z.string(), name: z.string(), created_at: instantSchema })
  .meta({ id: 'Application' });
export type ApplicationResponse = z.infer<typeof applicationSchema>;

export const applicationWithSecretSchema = applicationSchema
  .extend({ app_secret: z.string().meta({ description: 'Shown here and never again; keep it on your server' }) })
  .meta({ id: 'ApplicationWithSecret' });
export type ApplicationWithSecret = z.infer<typeof applicationWithSecretSchema>;

const applicationParams = z.object({ app_id: z.string().max(255) });

export const applicationsRouteSchemas = {
  listApplications: {
    response: z.array(applicationSchema),
  },
  createApplication: {
    body: z.object({ name: textField(100) }),
    response: applicationWithSecretSchema,
  },
  rotateApplicationSecret: {
    params: applicationParams,
    response: applicationWithSecretSchema,
  },
  deleteApplication: {
    params: applicationParams,
  },
};
