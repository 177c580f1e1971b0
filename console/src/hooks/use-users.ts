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
/** The route gives no more. */
const LARGEST_PAGE = 100;
const SUGGESTIONS = 8;
const TYPING_PAUSE_MS = 200;

/** Which users are listed, and how. Members left out do not limit the list; pages count from 1. */
export interface UserFilter {
  search?: string | undefined;
  provider?: ProviderId | undefined;
  connection?: UserConnectionState | undefined;
  sort_by?: UserSortColumn | undefined;
  sort_order?: 'asc' | 'desc' | undefined;
  page?: number | string | undefined;
}

/** One page of the users that a filter finds. */
export function useUsers(filter: UserFilter) {
  return useQuery({
    queryKey: queryKeys.userPage(filter),
    queryFn: ({ signal }) => client.call(listUsers, { query: { ...filter, limit: PAGE_SIZE }, signal }),
    placeholderData: keepPreviousData,
  });
}

/**
 * Every user that a filter finds, by when they were created: in an order by what changes meanwhile, users would be left out
 * or read twice.
 */
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

/** The first users that a search finds. */
interface UserSuggestions {
  /** Only those of the words as they stand now; none for a single letter. */
  users: readonly UserResponse[];
  /** Whether they are still looked for. */
  isSearching: boolean;
}

/** Looks for users while words are typed, whenever the typing pauses. */
export function useUserSuggestions(typed: string): UserSuggestions {
  const wanted = typed.trim();
  const search = usePaused(wanted, TYPING_PAUSE_MS);
  const found = useQuery({
    queryKey: queryKeys.userPage({ search, suggestions: SUGGESTIONS }),
    queryFn: ({ signal }) => client.call(listUsers, { query: { search, limit: SUGGESTIONS }, signal }),
    enabled: search.length > 1,
  });
  if (wanted.length < 2) return { users: [], isSearching: false };
  // A user who was found for other words must not be chosen by these.
  if (search !== wanted) return { users: [], isSearching: true };
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
 * @param leave goes to a page that shows nothing of them, before cached answers about them are removed; it has the id of the
 * erasure
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

/** Has everything that is shown of a user read again. */
export function useRefreshUser(): (userId: string) => Promise<void> {
  const queries = useQueryClient();
  return useCallback((userId) => queries.invalidateQueries({ queryKey: queryKeys.user(userId) }), [queries]);
}

/** Sets the zone by which the days of a user begin. */
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

/** Downloads everything that is held about a user. */
export function useExportUser(userId: string) {
  return useMutation({
    mutationFn: async () => {
      const response = await client.send(exportUser, { params: { user_id: userId } });
      saveFile(await response.blob(), `${userId}.zip`);
    },
  });
}
