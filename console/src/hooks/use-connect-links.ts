import { createConnectLink, listConnectLinks, renewConnectLink, revokeConnectLink } from '@healthd/contract';
import type { ConnectLinkInput, NewConnectLink } from '@healthd/schemas';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { client } from '../session.js';
import { queryKeys } from './query-keys.js';

/** Refetch interval while a consent may be in progress. */
const AWAITED_MS = 4_000;

/** Returns a user's connect links, newest first. Refetches while a link is open. */
export function useConnectLinks(userId: string) {
  return useQuery({
    queryKey: queryKeys.connectLinks(userId),
    queryFn: ({ signal }) => client.call(listConnectLinks, { params: { user_id: userId }, signal }),
    refetchInterval: ({ state }) => (state.data?.items.some(({ status }) => status === 'open') ? AWAITED_MS : false),
  });
}

/** Creates a link. Only this response contains its URL. */
export function useCreateConnectLink(userId: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: ConnectLinkInput) => client.call(createConnectLink, { params: { user_id: userId }, body }),
    onSuccess: () => queries.invalidateQueries({ queryKey: queryKeys.connectLinks(userId) }),
  });
}

/**
 * Replaces a link.
 * @param onSuccess receives the new link, the only response with its URL
 */
export function useRenewConnectLink(userId: string, onSuccess: (link: NewConnectLink) => void) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (linkId: string) => client.call(renewConnectLink, { params: { user_id: userId, link_id: linkId } }),
    onSuccess,
    onSettled: () => queries.invalidateQueries({ queryKey: queryKeys.connectLinks(userId) }),
  });
}

/** Revokes a link. */
export function useRevokeConnectLink(userId: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (linkId: string) => client.call(revokeConnectLink, { params: { user_id: userId, link_id: linkId } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: queryKeys.connectLinks(userId) }),
  });
}
