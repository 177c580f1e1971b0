import { bind } from '@healthd/daemon/http';
import { userParams } from '@healthd/schemas';

/** A route that accepts device data and ignores it. */
export const deviceRoute = bind(
  {
    id: 'deviceRouteOfTest',
    method: 'POST',
    path: '/api/v1/sdk/users/{user_id}/test',
    tag: 'Meta',
    summary: 'Test',
    auth: 'sdk',
    scope: 'push',
    audit: { exempt: 'test' },
    status: 204,
    params: userParams,
  },
  async () => undefined,
);
