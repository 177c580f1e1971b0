import { createApplication, deleteApplication, listApplications, rotateApplicationSecret } from '@healthd/contract';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { client } from '../session.js';
import { queryKeys } from './query-keys.js';

/** Own applications, newest first; never their secrets. */
export function useApplications() {
  return useQuery({
    queryKey: queryKeys.applications(),
    queryFn: ({ signal }) => client.call(listApplications, { signal }),
  });
}

/** Makes an application; its secret is in the answer and nowhere else. */
export function useCreateApplication() {
  return useApplicationChange((name: string) => client.call(createApplication, { body: { name } }));
}

/** Replaces the secret of an application; the new one is in the answer and nowhere else. */
export function useRotateApplicationSecret() {
  return useApplicationChange((appId: string) => client.call(rotateApplicationSecret, { params: { app_id: appId } }));
}

export function useDeleteApplication() {
  return useApplicationChange((appId: string) => client.call(deleteApplication, { params: { app_id: appId } }));
}

function useApplicationChange<Answer>(mutationFn: (input: string) => Promise<Answer>) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn,
    onSuccess: () => queries.invalidateQueries({ queryKey: queryKeys.applications() }),
  });
}
