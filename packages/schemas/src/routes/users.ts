import { USER_CONNECTION_STATES, USER_SORT_COLUMNS } from '@healthd/contract';
import { z } from 'zod';
import { daySchema, instantSchema, uuidSchema } from '../envelope.js';
import { boolParam, enumParam, intParam, userParams } from '../parameters.js';
import { defineRoute } from '../route.js';
import { emailField, textField, timeZoneField } from '../text.js';
import { providerSchema } from '../words.js';
import { cursorParam } from './reading/cursor.js';

export const userSchema = z
  .object({
    id: uuidSchema,
    created_at: instantSchema,
    first_name: z.string().nullable(),
    last_name: z.string().nullable(),
    email: z.string().nullable(),
    external_user_id: z.string().nullable().meta({ deprecated: true }),
    time_zone: z.string().nullable().meta({
      description:
        'IANA name of the time zone for items without an offset, if the surrounding data has no offset either. If null, a connection’s time zone applies',
    }),
    last_synced_at: instantSchema
      .nullable()
      .meta({ description: 'End of the newest run that stored data; null before the first' }),
    last_synced_provider: z.string().nullable(),
    has_active_connection: z.boolean(),
  })
  .meta({ id: 'User' });
export type UserResponse = z.infer<typeof userSchema>;

export const userListSchema = z
  .object({
    items: z.array(userSchema),
    total: z.int(),
    page: z.int(),
    limit: z.int(),
    pages: z.int(),
    has_next: z.boolean(),
    has_prev: z.boolean(),
    next_cursor: z
      .string()
      .nullable()
      .meta({ description: 'Value for `after` to get the next page; null on the last page' }),
  })
  .meta({ id: 'UserList' });
export type UserListResponse = z.infer<typeof userListSchema>;

const userFields = z.object({
  first_name: textField(100).nullish(),
  last_name: textField(100).nullish(),
  email: emailField.nullish(),
  external_user_id: textField(255).nullish().meta({ deprecated: true }),
  time_zone: timeZoneField.nullish().meta({ description: 'IANA name, for example `Europe/Warsaw`' }),
});
export type UserFields = z.output<typeof userFields>;

export const updatedUserSchema = userSchema
  .extend({
    moved_days: z
      .object({ count: z.int(), first_date: daySchema.nullable(), last_date: daySchema.nullable() })
      .nullable()
      .meta({
        description:
          'Local days that change because of the new time zone, with the first and last of them; null if `time_zone` does not change. The service updates them within seconds to minutes',
      }),
  })
  .meta({ id: 'UpdatedUser' });
export type UpdatedUserResponse = z.infer<typeof updatedUserSchema>;

export const deletedUserSchema = userSchema
  .extend({ erasure_id: uuidSchema.meta({ description: 'ID of the erasure receipt' }) })
  .meta({ id: 'DeletedUser' });
export type DeletedUserResponse = z.infer<typeof deletedUserSchema>;

export const createUser = defineRoute({
  id: 'createUser',
  method: 'POST',
  path: '/api/v1/users',
  tag: 'Users',
  summary: 'Create a user',
  description:
    'All fields and the body are optional. Users are not deduplicated: sending the same email twice creates two users.',
  auth: 'key',
  scope: 'write',
  audit: { resource: 'user', action: 'create' },
  status: 201,
  errors: [409],
  body: userFields.nullish(),
  response: userSchema,
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
  query: z.object({
    page: intParam({ min: 1, max: 10_000_000, default: 1 }),
    limit: intParam({ min: 1, max: 100, default: 20 }),
    sort_by: enumParam(USER_SORT_COLUMNS, 'created_at'),
    sort_order: enumParam(['asc', 'desc'], 'desc'),
    search: textField(255)
      .optional()
      .describe(
        'Words in any order. Each must match a part of the email, name or external ID, or the start of the ID. Case and accents are ignored',
      ),
    email: emailField.optional().describe('Only return users with this exact email'),
    provider: providerSchema
      .optional()
      .describe('Only return users with a connection to this provider; with `connection=none`, users without one'),
    connection: z
      .enum(USER_CONNECTION_STATES)
      .optional()
      .describe(
        'Only return users with a connection in this state: `active`, `failing` (active, with an error since the last success) or `ended`; `none`: users without a connection',
      ),
    external_user_id: textField(255).optional().meta({ deprecated: true }),
    after: cursorParam.describe(
      '`next_cursor` of the previous page, with the same order and filters. Returns the users after that page; `page` is always 1. Users are neither skipped nor repeated when others are created or deleted. Only a user whose sort value changes between pages may be skipped or repeated. `total` and `pages` describe the whole list',
    ),
  }),
  response: userListSchema,
});

export const getUser = defineRoute({
  id: 'getUser',
  method: 'GET',
  path: '/api/v1/users/{user_id}',
  tag: 'Users',
  summary: 'Get a user',
  auth: 'key',
  scope: 'read',
  forAssistants: true,
  audit: { resource: 'user', action: 'read' },
  status: 200,
  params: userParams,
  response: userSchema,
});

export const updateUser = defineRoute({
  id: 'updateUser',
  method: 'PATCH',
  path: '/api/v1/users/{user_id}',
  tag: 'Users',
  summary: 'Update a user',
  description:
    'Omitted fields do not change; null clears a field. A new `time_zone` moves data that arrived without an offset. Pass `dry_run=true` to list the affected days without a change.',
  auth: 'developer',
  audit: { resource: 'user', action: 'update' },
  status: 200,
  errors: [409],
  params: userParams,
  query: z.object({
    dry_run: boolParam(false).meta({ description: 'Change nothing; only return the affected days' }),
  }),
  body: userFields.prefault({}),
  response: updatedUserSchema,
});

export const deleteUser = defineRoute({
  id: 'deleteUser',
  method: 'DELETE',
  path: '/api/v1/users/{user_id}',
  tag: 'Users',
  summary: 'Delete a user and all their data',
  description:
    'Returns the deleted user and the `erasure_id`. `GET /api/v1/erasures/{erasure_id}` returns the erasure receipt.',
  auth: 'developer',
  audit: { resource: 'user', action: 'delete' },
  status: 200,
  params: userParams,
  response: deletedUserSchema,
});

export const exportUser = defineRoute({
  id: 'exportUser',
  method: 'GET',
  path: '/api/v1/users/{user_id}/export',
  tag: 'Users',
  summary: 'Export all data of a user as a zip archive',
  description:
    'Contains newline-delimited JSON files: profile, sources, samples by series, sessions, scores, runs, audit records and the vendors’ attribution texts. README.txt inside explains them. Only a complete download is a valid archive.',
  auth: 'developer',
  audit: { resource: 'user', action: 'export' },
  status: 200,
  produces: 'application/zip',
  responseHeaders: ['Content-Disposition'],
  params: userParams,
});
