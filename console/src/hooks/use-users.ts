import {
  createUser,
  deleteUser,
  exportUser,
  getUser,
  listUsers,
  type UserConnectionState,
  type UserSortColumn,
  updateUser,
} from '@healthd/contract';
import type { ProviderId } from '@healthd/model';
import type { UserResponse } from '@healthd/schemas';
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { readPages } from '../read-pages.js';
import { saveFile } from '../save-file.js';
import { client } from '../session.js';
import { queryKeys } from './query-keys.js';
import { usePaused } from './use-paused.js';

const PAGE_SIZE = 50;
/** Maximum page size of the route. */
const LARGEST_PAGE = 100;
const SUGGESTIONS = 8;
const TYPING_PAUSE_MS = 200;

/** User filters and order. Omitted members do not filter; pages count from 1. */
export interface UserFilter {
  search?: string | undefined;
  provider?: ProviderId | undefined;
  connection?: UserConnectionState | undefined;
  sort_by?: UserSortColumn | undefined;
  sort_order?: 'asc' | 'desc' | undefined;
  page?: number | string | undefined;
}

/** Returns one page of matching users. */
export function useUsers(filter: UserFilter) {
  return useQuery({
    queryKey: queryKeys.userPage(filter),
    queryFn: ({ signal }) => client.call(listUsers, { query: { ...filter, limit: PAGE_SIZE }, signal }),
    placeholderData: keepPreviousData,
  });
}

/** Reads all matching users in order of creation. An order by changing values could skip or repeat users. */
export function readUsers(
  { page: _, sort_by, sort_order, ...filter }: UserFilter,
  signal: AbortSignal,
): AsyncIterable<readonly UserResponse[]> {
  const order = sort_by === undefined || sort_by === 'created_at' ? sort_order : undefined;
  return readPages(async (cursor) => {
    const query = { ...filter, sort_by: 'created_at', sort_order: order, after: cursor, limit: LARGEST_PAGE } as const;
    const { items, next_cursor } = await client.call(listUsers, { query, signal });
    return { data: items, pagination: { next_cursor } };
  });
}

/** First users that match a search. */
interface UserSuggestions {
  /** Matches of the current text only. Empty if the text has fewer than two characters. */
  users: readonly UserResponse[];
  /** True while searching. */
  isSearching: boolean;
}

/** Searches users when typing pauses. */
export function useUserSuggestions(typed: string): UserSuggestions {
  const searchText = typed.trim();
  const search = usePaused(searchText, TYPING_PAUSE_MS);
  const found = useQuery({
    queryKey: queryKeys.userPage({ search, suggestions: SUGGESTIONS }),
    queryFn: ({ signal }) => client.call(listUsers, { query: { search, limit: SUGGESTIONS }, signal }),
    enabled: search.length > 1,
  });
  if (searchText.length < 2) return { users: [], isSearching: false };
  // A match of an earlier text must not be selectable.
  if (search !== searchText) return { users: [], isSearching: true };
  return { users: found.data?.items ?? [], isSearching: found.isPending };
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

/**
 * Deletes a user.
 * @param leave navigates away with the erasure id, before the user's cached data is removed
 */
export function useDeleteUser(userId: string, leave: (erasureId: string) => Promise<void> | void) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => client.call(deleteUser, { params: { user_id: userId } }),
    onSuccess: async ({ erasure_id: erasureId }) => {
      await leave(erasureId);
      queries.removeQueries({ queryKey: queryKeys.user(userId) });
      await queries.invalidateQueries();
    },
  });
}

/** Refetches all data of a user. */
export function useRefreshUser(): (userId: string) => Promise<void> {
  const queries = useQueryClient();
  return useCallback((userId) => queries.invalidateQueries({ queryKey: queryKeys.user(userId) }), [queries]);
}

/** Sets a user's home time zone. */
export function useSetTimeZone(userId: string, onSuccess: () => void) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (timeZone: string) =>
      client.call(updateUser, { params: { user_id: userId }, query: {}, body: { time_zone: timeZone } }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: queryKeys.user(userId) });
      onSuccess();
    },
  });
}

/** Downloads all data of a user. */
export function useExportUser(userId: string) {
  return useMutation({
    mutationFn: async () => {
      const response = await client.send(exportUser, { params: { user_id: userId } });
      saveFile(await response.blob(), `${userId}.zip`);
    },
  });
}
