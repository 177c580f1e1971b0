import {
  acceptInvitation,
  changePassword,
  createInvitation,
  currentDeveloper,
  deleteDeveloper,
  getDeveloper,
  listDevelopers,
  listInvitations,
  resendInvitation,
  revokeInvitation,
  updateCurrentDeveloper,
  updateDeveloper,
} from '@healthd/schemas';
import type { Accounts } from '../../accounts/index.js';
import { type Binding, bind } from '../binding.js';
import { developerIn } from '../developer-in.js';

/** Routes for developer accounts and invitations. */
export function developerRoutes(accounts: Accounts): Binding[] {
  return [...profileRoutes(accounts), ...teamRoutes(accounts), ...invitationRoutes(accounts)];
}

function profileRoutes({ developers }: Accounts): Binding[] {
  return [
    bind(currentDeveloper, ({ caller }) => developers.show(developerIn(caller).developerId)),
    bind(updateCurrentDeveloper, ({ body, caller, request }) => {
      const { developerId } = developerIn(caller);
      return developers.update(developerId, body, { developerId, address: request.ip });
    }),
    bind(changePassword, async ({ body, caller, request }) => {
      const { developerId, sessionId } = developerIn(caller);
      const passwords = { currentPassword: body.current_password, newPassword: body.new_password };
      await developers.changePassword({ developerId, address: request.ip, sessionId, ...passwords });
      return { message: 'Password updated successfully' };
    }),
  ];
}

function teamRoutes({ developers }: Accounts): Binding[] {
  return [
    bind(listDevelopers, () => developers.list()),
    bind(getDeveloper, ({ params }) => developers.show(params.developer_id)),
    bind(updateDeveloper, ({ params, body, caller, request }) => {
      const { developerId } = developerIn(caller);
      return developers.update(params.developer_id, body, { developerId, address: request.ip });
    }),
    bind(deleteDeveloper, ({ params }) => developers.remove(params.developer_id)),
  ];
}

function invitationRoutes({ invitations }: Accounts): Binding[] {
  return [
    bind(listInvitations, () => invitations.list()),
    bind(createInvitation, ({ body, caller }) => invitations.create(body.email, developerIn(caller).developerId)),
    bind(resendInvitation, ({ params }) => invitations.resend(params.invitation_id)),
    bind(revokeInvitation, ({ params }) => invitations.revoke(params.invitation_id)),
    bind(acceptInvitation, async ({ body, note }) => {
      const { token, first_name: firstName, last_name: lastName, password } = body;
      const developer = await invitations.accept({ token, firstName, lastName, password });
      note({ caller: { kind: 'developer', developerId: developer.id, email: developer.email, sessionId: '' } });
      return developer;
    }),
  ];
}
