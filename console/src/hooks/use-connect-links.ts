import { createConnectLink, listConnectLinks, renewConnectLink, revokeConnectLink } from '@healthd/contract';
import type { ConnectLinkInput, NewConnectLink } from '@healthd/schemas';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { client } from '../session.js';
import { queryKeys } from './query-keys.js';

/** While a person may be on their way to the consent. */
const AWAITED_MS = 4_000;

/** Links of a user to connect, newest first; read again and again while one is open. */
export function useConnectLinks(userId: string) {
  return useQuery({
    queryKey: queryKeys.connectLinks(userId),
    queryFn: ({ signal }) => client.call(listConnectLinks, { params: { user_id: userId }, signal }),
    refetchInterval: ({ state }) => (state.data?.items.some(({ status }) => status === 'open') ? AWAITED_MS : false),
  });
}

/** Makes a link; its address is in the answer and nowhere else. */
export function useCreateConnectLink(userId: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: ConnectLinkInput) => client.call(createConnectLink, { params: { user_id: userId }, body }),
    onSuccess: () => queries.invalidateQueries({ queryKey: queryKeys.connectLinks(userId) }),
  });
}

/** Replaces a link by a new one. @param onSuccess gets the new one; its address is there and nowhere else */
export function useRenewConnectLink(userId: string, onSuccess: (link: NewConnectLink) => void) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (linkId: string) => client.call(renewConnectLink, { params: { user_id: userId, link_id: linkId } }),
    onSuccess,
    onSettled: () => queries.invalidateQueries({ queryKey: queryKeys.connectLinks(userId) }),
  });
}

/** Ends a link. */
export function useRevokeConnectLink(userId: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (linkId: string) => client.call(revokeConnectLink, { params: { user_id: userId, link_id: linkId } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: queryKeys.connectLinks(userId) }),
  });
}
