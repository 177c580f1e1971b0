import type { VendorTermName } from '@healthd/contract';
import type { ProviderId } from '@healthd/model';
import { PROVIDERS, type TermName } from '@healthd/providers';
import {
  listProviderTerms,
  type ProviderTermsResponse,
  updateProviderSettings,
  type VendorTermResponse,
} from '@healthd/schemas';
import type { TermChange, TermChanges, TermRows, TermState, VendorTerms } from '../../connections/index.js';
import { type Binding, bind } from '../binding.js';

export interface ProviderTermsServices {
  terms: Pick<VendorTerms, 'states' | 'change'>;
  termRows: Pick<TermRows, 'of'>;
  /** Called after an operator changed terms. */
  onTermsChanged(): Promise<unknown>;
}

/** Routes for vendor terms: list, override, accept. */
export function providerTermsRoutes({ terms, termRows, onTermsChanged }: ProviderTermsServices): Binding[] {
  const response = async (provider: ProviderId, states: readonly TermState[]): Promise<ProviderTermsResponse> => ({
    provider,
    name: PROVIDERS.find(({ id }) => id === provider)?.displayName ?? provider,
    terms: await Promise.all(states.map(async (state) => termResponse(state, await termRows.of(provider, state)))),
  });
  return [
    bind(listProviderTerms, async () => ({
      items: await Promise.all([...(await terms.states())].map(([provider, states]) => response(provider, states))),
    })),
    bind(updateProviderSettings, async ({ params: { provider }, body, caller, note }) => {
      const by = caller.kind === 'developer' ? caller.email : caller.kind;
      const { states, detail } = await terms.change(provider, changesIn(body.terms), by);
      note({ resourceId: provider, detail });
      const result = await response(provider, states);
      await onTermsChanged();
      return result;
    }),
  ];
}

/** Names of the terms in the API. */
const CODES = {
  assistants: 'assistants',
  combine: 'combine',
  cacheDays: 'cache_days',
  onDisconnect: 'on_disconnect',
  archive: 'archive',
  attribution: 'attribution',
  research: 'research',
} as const satisfies Record<TermName, VendorTermName>;

function changesIn(sent: { [Name in VendorTermName]?: TermChange | undefined }): TermChanges {
  return Object.fromEntries(
    Object.entries(CODES).flatMap(([name, code]) => (sent[code] === undefined ? [] : [[name, sent[code]]])),
  );
}

function termResponse(term: TermState, rows: number | undefined): VendorTermResponse {
  const { name, declared, override, value, answer: response, state } = term;
  return {
    term: CODES[name],
    value: value ?? null,
    state,
    declared,
    override: override
      ? { value: override.value, reason: override.reason, changed_by: override.by, changed_at: override.at }
      : null,
    answer: response ? { answer: response.answer, answered_by: response.by, answered_at: response.at } : null,
    rows: rows ?? null,
  };
}
