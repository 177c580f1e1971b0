import type { ProviderId } from '@healthd/model';
import { type AcceptedTermName, needsAcceptance, type Provider, TERM_NAMES, type TermName } from '@healthd/providers';

export type TermValue = string | number;

/** An operator's override of a vendor's term. */
export interface TermOverride {
  /** Null if the term does not apply. */
  value: TermValue | null;
  reason: string;
  by: string;
  at: string;
}

/** An operator's decision on a term that deletes or hides data. Applies only to the term's value at that time. */
export interface TermAnswer {
  answer: 'accepted' | 'declined';
  value: TermValue;
  by: string;
  at: string;
}

/** The operator's overrides and decisions for a provider's terms. */
export interface StoredTerms {
  overrides: Partial<Record<TermName, TermOverride>>;
  answers: Partial<Record<AcceptedTermName, TermAnswer>>;
}

/** State of one term. */
export interface TermState {
  name: TermName;
  declared: Provider['terms'][TermName];
  override: TermOverride | undefined;
  /** Effective value: the override, or the vendor's. */
  value: TermValue | undefined;
  answer: TermAnswer | undefined;
  state: 'unknown' | 'allows' | 'acts' | 'asks' | 'declined';
}

/**
 * Returns the states of a provider's terms. A term that deletes or hides data acts only after it was accepted with its
 * value.
 */
export function termStates(provider: Provider, stored: StoredTerms): TermState[] {
  return TERM_NAMES.map((name) => {
    const declared = provider.terms[name];
    const override = stored.overrides[name];
    const value = override ? (override.value ?? undefined) : declared?.value;
    const common = { name, declared, override, value };
    if (value === undefined) return { ...common, answer: undefined, state: override ? 'allows' : 'unknown' };
    if (needsAcceptance(name, value)) {
      const storedAnswer = stored.answers[name];
      const response = storedAnswer?.value === value ? storedAnswer : undefined;
      const state = response === undefined ? 'asks' : response.answer === 'accepted' ? 'acts' : 'declined';
      return { ...common, answer: response, state };
    }
    const isHarmless = value === 'allow' || value === 'keep';
    return { ...common, answer: undefined, state: isHarmless ? 'allows' : 'acts' };
  });
}

/** Effective terms of all providers. */
export interface TermsInForce {
  /** Providers whose data is withheld from assistants. */
  withheldFromAssistants: ReadonlySet<string>;
  /** Providers whose figures are hidden from summaries. */
  hiddenFromSummaries: ReadonlySet<string>;
  /** Providers whose cloud data is never archived. */
  neverArchived: readonly ProviderId[];
  /** Maximum age in days of a provider's stored cloud data. */
  cacheDays: ReadonlyMap<ProviderId, number>;
  /** Providers whose cloud data is deleted when the user's connection ends. */
  deletedOnDisconnect: readonly ProviderId[];
  /** Attribution text to show next to a provider's data. */
  attribution: ReadonlyMap<string, string>;
}

/** Returns the effective terms from the states of all providers' terms. */
export function termsInForce(all: ReadonlyMap<ProviderId, readonly TermState[]>): TermsInForce {
  const acting = [...all].flatMap(([provider, states]) =>
    states.filter(({ state }) => state === 'acts').map(({ name, value }) => ({ provider, name, value })),
  );
  const of = (name: TermName) => acting.filter((term) => term.name === name);
  return {
    withheldFromAssistants: new Set(of('assistants').map(({ provider }) => provider)),
    hiddenFromSummaries: new Set(of('combine').map(({ provider }) => provider)),
    neverArchived: of('archive').map(({ provider }) => provider),
    cacheDays: new Map(of('cacheDays').map(({ provider, value }) => [provider, Number(value)])),
    deletedOnDisconnect: of('onDisconnect').map(({ provider }) => provider),
    attribution: new Map(of('attribution').map(({ provider, value }) => [provider, String(value)])),
  };
}
