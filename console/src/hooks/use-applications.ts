import { createApplication, deleteApplication, listApplications, rotateApplicationSecret } from '@healthd/contract';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { client } from '../session.js';
import { queryKeys } from './query-keys.js';

/** Returns applications without their secrets, newest first. */
export function useApplications() {
  return useQuery({
    queryKey: queryKeys.applications(),
    queryFn: ({ signal }) => client.call(listApplications, { signal }),
  });
}

/** Creates an application. Only this response contains its secret. */
export function useCreateApplication() {
  return useApplicationChange((name: string) => client.call(createApplication, { body: { name } }));
}

/** Rotates an application's secret. Only this response contains the new secret. */
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
