import { listProviderTerms, updateProviderSettings } from '@healthd/contract';
import type { ProviderId } from '@healthd/model';
import type { Passed, ProviderTermsResponse, SchemasOf } from '@healthd/schemas';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { client } from '../session.js';
import { queryKeys } from './query-keys.js';
import { useProviders } from './use-providers.js';

/** Returns the terms of all vendors. */
export function useVendorTerms() {
  return useQuery({
    queryKey: queryKeys.vendorTerms(),
    queryFn: async ({ signal }) => (await client.call(listProviderTerms, { signal })).items,
  });
}

/** Provider terms that wait for the operator's answer. */
export interface TermQuestions {
  provider: string;
  name: string;
  terms: ProviderTermsResponse['terms'];
}

/**
 * Returns the terms that wait for the operator's answer. Includes only vendors whose cloud is configured or whose data
 * is stored.
 */
export function useTermQuestions() {
  const terms = useVendorTerms();
  const providers = useProviders({ includeUnconfigured: true });
  const isUsed = (provider: string) =>
    providers.data?.some((one) => one.provider === provider && one.is_configured) ?? false;
  const data = terms.data?.flatMap(({ provider, name, terms: all }): TermQuestions[] => {
    const undecided = all.filter(({ state, rows }) => state === 'asks' && (isUsed(provider) || (rows ?? 0) > 0));
    return undecided.length === 0 ? [] : [{ provider, name, terms: undecided }];
  });
  return { data, isPending: terms.isPending || providers.isPending };
}

export type TermsChange = Passed<SchemasOf<typeof updateProviderSettings>, 'body'>['terms'];

/** Saves a provider's overrides and answers. */
export function useChangeTerms(provider: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (terms: TermsChange) =>
      client.call(updateProviderSettings, { params: { provider: provider as ProviderId }, body: { terms } }),
    onSuccess: (changed) => {
      queries.setQueryData(queryKeys.vendorTerms(), (all: ProviderTermsResponse[] | undefined) =>
        all?.map((one) => (one.provider === provider ? changed : one)),
      );
      // Terms change the figures and attributions of summaries.
      void queries.invalidateQueries({ queryKey: queryKeys.everyUser() });
    },
  });
}
