import { defineRoute } from '../route.js';

/** Orders of the users of a group: by what happened to their connection last, or by when it was made. */
export const TROUBLED_ORDERS = ['latest', 'created_at'] as const;
export type TroubledOrder = (typeof TROUBLED_ORDERS)[number];

const common = { method: 'GET', tag: 'Connections', auth: 'key', scope: 'read', status: 200 } as const;

export const listTrouble = defineRoute({
  ...common,
  id: 'listTrouble',
  path: '/api/v1/diagnosis',
  summary: 'Why data do not arrive, over all users: connections grouped by cause',
  description:
    'The verdicts of `/api/v1/users/{user_id}/diagnosis`, counted by provider and cause, the worst first. Of all causes those ' +
    'are found that show without a look at a person’s data: `nothing_recorded`, `archived`, `zone_unknown` and ' +
    '`never_connected` are left out, and connections that have one of them count as working. A vendor counts as silent after ' +
    'three times WEBHOOK_SILENCE_SECONDS, regardless of the account’s usual pause. At most 20 seconds old.',
  audit: { exempt: 'counts over all users, no data of a person' },
});

export const listTroubledUsers = defineRoute({
  ...common,
  id: 'listTroubledUsers',
  path: '/api/v1/diagnosis/users',
  summary: 'Users of one group of `/api/v1/diagnosis`',
  description: 'As it is now, the newest first; with `after` page by page.',
  audit: { resource: 'connection', action: 'read' },
});
