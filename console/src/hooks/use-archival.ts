import { getArchivalSettings, previewArchival, runArchival, setArchivalSettings } from '@healthd/contract';
import type { Archival } from '@healthd/schemas';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { client } from '../session.js';
import { queryKeys } from './query-keys.js';

/** How long samples are kept, in days; null is for ever. */
export type ArchivalSettings = Archival['settings'];

/** How long samples are kept, and how much space they take. */
export function useArchival() {
  return useQuery({
    queryKey: queryKeys.archival(),
    queryFn: ({ signal }) => client.call(getArchivalSettings, { signal }),
  });
}

/**
 * What settings would archive and delete now, without doing it. Nothing is asked while both are off, and the answer is of
 * exactly these settings: it costs a look at every user, so ask once they are typed.
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

/** Sets how long samples are kept; the work begins immediately. */
export function useSetArchival(onSuccess: () => void) {
  return useArchivalChange((body: ArchivalSettings) => client.call(setArchivalSettings, { body }), onSuccess);
}

/** Archives and deletes now what the settings say. */
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
