import { getArchivalSettings, previewArchival, runArchival, setArchivalSettings } from '@healthd/contract';
import type { Archival } from '@healthd/schemas';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { client } from '../session.js';
import { queryKeys } from './query-keys.js';

/** Retention in days; null means forever. */
export type ArchivalSettings = Archival['settings'];

/** Returns the retention settings and the storage use. */
export function useArchival() {
  return useQuery({
    queryKey: queryKeys.archival(),
    queryFn: ({ signal }) => client.call(getArchivalSettings, { signal }),
  });
}

/**
 * Previews what settings would archive and delete. Disabled while both settings are off. The preview scans all users,
 * so call it after typing has paused.
 */
export function useArchivalPreview({ archive_after_days: archive, delete_after_days: remove }: ArchivalSettings) {
  return useQuery({
    queryKey: queryKeys.archivalPreview({ archive, remove }),
    queryFn: ({ signal }) =>
      client.call(previewArchival, {
        query: { archive_after_days: archive ?? undefined, delete_after_days: remove ?? undefined },
        signal,
      }),
    enabled: archive !== null || remove !== null,
  });
}

/** Sets the retention. Archiving starts immediately. */
export function useSetArchival(onSuccess: () => void) {
  return useArchivalChange((body: ArchivalSettings) => client.call(setArchivalSettings, { body }), onSuccess);
}

/** Applies the retention settings now. */
export function useRunArchival() {
  return useArchivalChange(() => client.call(runArchival, {}));
}

function useArchivalChange<Input, Answer>(mutationFn: (input: Input) => Promise<Answer>, onSuccess?: () => void) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn,
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: queryKeys.archival() });
      onSuccess?.();
    },
  });
}
