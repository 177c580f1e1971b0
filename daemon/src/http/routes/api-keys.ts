import {
  createApiKey,
  createApplication,
  deleteApiKey,
  deleteApplication,
  listApiKeys,
  listApplications,
  renameApiKey,
  rotateApiKey,
  rotateApplicationSecret,
} from '@healthd/schemas';
import type { Accounts } from '../../accounts/index.js';
import { type Binding, bind } from '../binding.js';
import { developerIn } from '../developer-in.js';

/** Routes for the credentials of other programs: API keys and applications. */
export function apiKeyRoutes({ apiKeys, applications }: Accounts): Binding[] {
  return [
    bind(listApiKeys, () => apiKeys.list()),
    bind(createApiKey, ({ body, caller }) => apiKeys.create(body ?? {}, developerIn(caller).developerId)),
    bind(renameApiKey, ({ params, body }) => apiKeys.rename(params.key_id, body.name ?? undefined)),
    bind(deleteApiKey, ({ params }) => apiKeys.remove(params.key_id)),
    bind(rotateApiKey, ({ params, body, caller }) =>
      apiKeys.rotate(params.key_id, body?.grace_seconds ?? 0, developerIn(caller).developerId),
    ),
    bind(listApplications, ({ caller }) => applications.list(developerIn(caller).developerId)),
    bind(createApplication, ({ body, caller }) => applications.create(body.name, developerIn(caller).developerId)),
    bind(rotateApplicationSecret, ({ params, caller }) =>
      applications.rotateSecret(params.app_id, developerIn(caller).developerId),
    ),
    bind(deleteApplication, async ({ params, caller }) => {
      await applications.remove(params.app_id, developerIn(caller).developerId);
      return undefined;
    }),
  ];
}
