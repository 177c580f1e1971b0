import { createApiKey, deleteApiKey, listApiKeys, rotateApiKey, type KeyScope } from '@healthd/contract';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { client } from '../session.js';
import { queryKeys } from './query-keys.js';

/** Returns API keys without their secrets, newest first. */
export function useApiKeys() {
  return useQuery({
    queryKey: queryKeys.apiKeys(),
    queryFn: ({ signal }) => client.call(listApiKeys, { signal }),
  });
}

/** Input of a new key. Null scopes mean full access; a null expiry means no expiry. */
export interface NewApiKey {
  name: string | null;
  scopes: KeyScope[] | null;
  expires_at: string | null;
}

/** Creates a key. Only this response contains the key itself. */
export function useCreateApiKey() {
  return useKeyChange((body: NewApiKey) => client.call(createApiKey, { body }));
}

/** Rotates a key. Only this response contains the new key. */
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
