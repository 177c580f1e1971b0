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
        'IANA name of the zone that dates items without an offset, where the data around them show none; null: that of a connection',
    }),
    last_synced_at: instantSchema
      .nullable()
      .meta({ description: 'End of the newest run that brought data; null before the first' }),
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
      .meta({ description: 'Goes into `after` for the next page; null on the last one' }),
  })
  .meta({ id: 'UserList' });
export type UserListResponse = z.infer<typeof userListSchema>;

const userFields = z.object({
  first_name: textField(100).nullish(),
  last_name: textField(100).nullish(),
  email: emailField.nullish(),
  external_user_id: textField(255).nullish().meta({ deprecated: true }),
  time_zone: timeZoneField.nullish().meta({ description: 'IANA name, e.g. `Europe/Warsaw`' }),
});
export type UserFields = z.output<typeof userFields>;

export const updatedUserSchema = userSchema
  .extend({
    moved_days: z
      .object({ count: z.int(), first_date: daySchema.nullable(), last_date: daySchema.nullable() })
      .nullable()
      .meta({
        description:
          'Local days that gain or lose items by the new time zone, and the first and last of them; null where `time_zone` stays. They are brought up to date within seconds to minutes',
      }),
  })
  .meta({ id: 'UpdatedUser' });
export type UpdatedUserResponse = z.infer<typeof updatedUserSchema>;

export const deletedUserSchema = userSchema
  .extend({ erasure_id: uuidSchema.meta({ description: 'Under which the receipt of the erasure can be read' }) })
  .meta({ id: 'DeletedUser' });
export type DeletedUserResponse = z.infer<typeof deletedUserSchema>;

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
        'Words in any order, each part of the email, a name or the external id, or the beginning of the id; case and accents do not matter',
      ),
    email: emailField.optional().describe('Exactly this email'),
    provider: providerSchema
      .optional()
      .describe('Only users with a connection to this provider; with `connection=none`, those without one'),
    connection: z
      .enum(USER_CONNECTION_STATES)
      .optional()
      .describe(
        'Only users with a connection in this state: `active`, `failing` (active, and something has failed since the last success) or `ended`; `none`: without a connection',
      ),
    external_user_id: textField(255).optional().meta({ deprecated: true }),
    after: cursorParam.describe(
      '`next_cursor` of the page before, with the same order and filters: only users who come after that page. With it `page` stays 1, and while users are created or deleted the others are neither left out nor listed twice; in an order by a value that changes, a user whose value changes in between may be. `total` and `pages` are of the whole list',
    ),
  }),
  response: userListSchema,
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
  params: userParams,
  response: userSchema,
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
  params: userParams,
  query: z.object({
    dry_run: boolParam(false).meta({ description: 'Change nothing, only report which days would move' }),
  }),
  body: userFields.prefault({}),
  response: updatedUserSchema,
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
  params: userParams,
  response: deletedUserSchema,
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
  params: userParams,
});
