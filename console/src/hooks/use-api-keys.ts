import { createApiKey, deleteApiKey, listApiKeys, rotateApiKey, type KeyScope } from '@healthd/contract';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { client } from '../session.js';
import { queryKeys } from './query-keys.js';

/** API keys, newest first; never the keys themselves. */
export function useApiKeys() {
  return useQuery({
    queryKey: queryKeys.apiKeys(),
    queryFn: ({ signal }) => client.call(listApiKeys, { signal }),
  });
}

/** What a new key is made with; null scopes are full access, and null is no expiry. */
export interface NewApiKey {
  name: string | null;
  scopes: KeyScope[] | null;
  expires_at: string | null;
}

/** Makes a key; the key itself is in the answer and nowhere else. */
export function useCreateApiKey() {
  return useKeyChange((body: NewApiKey) => client.call(createApiKey, { body }));
}

/** Replaces a key; the new one is in the answer and nowhere else. */
export function useRotateApiKey(keyId: string) {
  return useKeyChange((graceSeconds: number) =>
    client.call(rotateApiKey, { params: { key_id: keyId }, body: { grace_seconds: graceSeconds } }),
  );
}

export function useRevokeApiKey() {
  return useKeyChange((keyId: string) => client.call(deleteApiKey, { params: { key_id: keyId } }));
}

function useKeyChange<Input, Answer>(mutationFn: (input: Input) => Promise<Answer>) {
  const queries = useQueryClient();
  return useMutation({ mutationFn, onSuccess: () => queries.invalidateQueries({ queryKey: queryKeys.apiKeys() }) });
}
