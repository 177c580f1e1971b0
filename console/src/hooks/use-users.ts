import { createUser, deleteUser, getUser, listUsers } from '@healthd/contract';
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { client } from '../session.js';
import { queryKeys } from './query-keys.js';

const PAGE_SIZE = 50;

/** One page of the users that a search finds; pages count from 1, as the address names them. */
export function useUsers(search: string, page: number | string) {
  return useQuery({
    queryKey: queryKeys.userPage(search, page),
    queryFn: ({ signal }) =>
      client.call(listUsers, { query: { search: search || undefined, page, limit: PAGE_SIZE }, signal }),
    placeholderData: keepPreviousData,
  });
}

export function useUser(userId: string) {
  return useQuery({
    queryKey: queryKeys.profile(userId),
    queryFn: ({ signal }) => client.call(getUser, { params: { user_id: userId }, signal }),
  });
}

export function useCreateUser(onSuccess: (userId: string) => void) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: Record<string, string>) => client.call(createUser, { body }),
    onSuccess: ({ id }) => {
      void queries.invalidateQueries({ queryKey: queryKeys.users() });
      onSuccess(id);
    },
  });
}

/** Deletes a user. @param leave goes to a page that shows nothing of them, before what is kept of them is removed */
export function useDeleteUser(userId: string, leave: () => Promise<void> | void) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => client.call(deleteUser, { params: { user_id: userId } }),
    onSuccess: async () => {
      await leave();
      queries.removeQueries({ queryKey: queryKeys.user(userId) });
      await queries.invalidateQueries();
    },
  });
}

/** Has everything that is shown of a user read again. */
export function useRefreshUser(): (userId: string) => Promise<void> {
  const queries = useQueryClient();
  return useCallback((userId) => queries.invalidateQueries({ queryKey: queryKeys.user(userId) }), [queries]);
}
