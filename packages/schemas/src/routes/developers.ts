import { z } from 'zod';
import { instantSchema, uuidSchema } from '../envelope.js';
import { uuidParam } from '../parameters.js';
import { problem } from '../problem.js';
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
  first_name: textField(100).nullish().describe('null clears it'),
  last_name: textField(100).nullish().describe('null clears it'),
  email: emailField.nullish().describe('null leaves it as it is; a new one needs `current_password`'),
  current_password: z.string().nullish().describe('The own password, to change the own email'),
  password: z
    .unknown()
    .optional()
    .describe('Refused: a password is changed with the current one, at /api/v1/auth/change-password')
    .superRefine((value, context) => {
      if (value === undefined || value === null) return;
      problem(context, 'value_error', 'a password is changed at /api/v1/auth/change-password');
    }),
});
export type ProfileFields = Omit<z.output<typeof profileFields>, 'password'>;

export const developersRouteSchemas = {
  currentDeveloper: {
    response: developerSchema,
  },
  updateCurrentDeveloper: {
    body: profileFields.prefault({}),
    response: developerSchema,
  },
  changePassword: {
    body: z
      .object({ current_password: z.string(), new_password: newPasswordField, confirm_password: z.string() })
      .superRefine(({ new_password, confirm_password }, context) => {
        if (new_password === confirm_password) return;
        const params = { type: 'value_error' };
        context.addIssue({ code: 'custom', path: ['confirm_password'], message: 'passwords do not match', params });
      }),
    response: messageSchema,
  },
  listDevelopers: {
    response: z.array(developerSchema),
  },
  getDeveloper: {
    params: developerParams,
    response: developerSchema,
  },
  updateDeveloper: {
    params: developerParams,
    body: profileFields.prefault({}),
    response: developerSchema,
  },
  deleteDeveloper: {
    params: developerParams,
    response: developerSchema,
  },
};
