import {
  createInvitation,
  currentDeveloper,
  deleteDeveloper,
  listDevelopers,
  listInvitations,
  resendInvitation,
  revokeInvitation,
} from '@healthd/contract';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { client } from '../session.js';
import { queryKeys } from './query-keys.js';

/** Returns all developers. */
export function useDevelopers() {
  return useQuery({
    queryKey: queryKeys.developers(),
    queryFn: ({ signal }) => client.call(listDevelopers, { signal }),
  });
}

/** Returns the current developer. */
export function useCurrentDeveloper() {
  return useQuery({
    queryKey: queryKeys.currentDeveloper(),
    queryFn: ({ signal }) => client.call(currentDeveloper, { signal }),
  });
}

/** Returns pending and expired invitations, newest first. */
export function useInvitations() {
  return useQuery({
    queryKey: queryKeys.invitations(),
    queryFn: ({ signal }) => client.call(listInvitations, { signal }),
  });
}

/** Invites a developer. The response contains the invitation token. */
export function useInvite() {
  return useDeveloperMutation((email: string) => client.call(createInvitation, { body: { email } }));
}

/** Renews an invitation's token and expiry. */
export function useResendInvitation() {
  return useDeveloperMutation((id: string) => client.call(resendInvitation, { params: { invitation_id: id } }));
}

export function useRevokeInvitation() {
  return useDeveloperMutation((id: string) => client.call(revokeInvitation, { params: { invitation_id: id } }));
}

export function useDeleteDeveloper() {
  return useDeveloperMutation((id: string) => client.call(deleteDeveloper, { params: { developer_id: id } }));
}

function useDeveloperMutation<Answer>(mutationFn: (input: string) => Promise<Answer>) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn,
    onSuccess: () =>
      Promise.all([
        queries.invalidateQueries({ queryKey: queryKeys.developers() }),
        queries.invalidateQueries({ queryKey: queryKeys.invitations() }),
      ]),
  });
}
