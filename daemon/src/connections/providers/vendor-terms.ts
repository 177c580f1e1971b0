import type { ProviderId } from '@healthd/model';
import { type AcceptedTermName, PROVIDERS, type Provider, type TermName } from '@healthd/providers';
import type pg from 'pg';
import { storeEvent } from '../../feed/index.js';
import { type DatabaseChannels, type QueryPart, statementsWithin } from '../../platform/database/index.js';
import { Failure } from '../../platform/failures.js';
import { lockTerms, NO_TERMS, type ProviderSettingRow, termsSql } from './provider-setting-model.js';
import { firstStoredDay } from './term-rows.js';
import {
  type StoredTerms,
  type TermAnswer,
  type TermOverride,
  type TermState,
  type TermsInForce,
  type TermValue,
  termStates,
  termsInForce,
} from './term-states.js';

/** Database channel on which a process announces changed terms. */
const TERMS_CHANNEL = 'vendor_terms';
const MAX_AGE_MS = 5_000;

/** An operator's change of one term. Null removes the override. */
export type TermChange = { value: TermValue | null; reason: string } | { answer: TermAnswer['answer'] } | null;
export type TermChanges = Partial<Record<TermName, TermChange>>;

interface VendorTermsOptions {
  settings: typeof ProviderSettingRow;
  providers: readonly Provider[];
}

/** The vendors' terms with the operator's overrides and answers. */
export class VendorTerms {
  private cached: { readAt: number; terms: Promise<TermsInForce> } | undefined;

  constructor(private readonly options: VendorTermsOptions) {}

  /**
   * Returns the effective terms. Caches them until {@link forget}, which every process calls when they change, and for
   * at most five seconds, in case a process missed the notification.
   */
  current(): Promise<TermsInForce> {
    if (this.cached && performance.now() - this.cached.readAt < MAX_AGE_MS) return this.cached.terms;
    const read = { readAt: performance.now(), terms: this.states().then(termsInForce) };
    this.cached = read;
    // A failed read must not be cached.
    read.terms.catch(() => {
      if (this.cached === read) this.forget();
    });
    return read.terms;
  }

  /** Clears the cache, so that the next request of this process reads the terms again. */
  forget(): void {
    this.cached = undefined;
  }

  /** Clears the cached terms whenever any process changes them, while the channels are open. */
  async follow(channels: DatabaseChannels): Promise<void> {
    const forget = () => this.forget();
    await channels.listen(TERMS_CHANNEL, { onMessage: forget, onListening: forget }).attempted;
  }

  /** Returns the states of all providers' terms, read now. */
  async states(): Promise<ReadonlyMap<ProviderId, TermState[]>> {
    const { settings, providers } = this.options;
    const rows = new Map((await settings.findAll()).map((row) => [row.provider, row.terms]));
    return new Map(providers.map((provider) => [provider.id, termStates(provider, rows.get(provider.id) ?? NO_TERMS)]));
  }

  /**
   * Returns one provider's effective terms and locks them until the transaction ends. An operator's change waits for
   * the transaction, so no data is deleted under the old terms after the change's response.
   */
  async lockInForce(client: pg.ClientBase, id: ProviderId): Promise<TermsInForce> {
    const provider = this.options.providers.find((one) => one.id === id);
    const terms = await lockTerms(client, id);
    return termsInForce(new Map(provider ? [[id, termStates(provider, terms)]] : []));
  }

  /**
   * Stores one provider's overrides and answers in one transaction.
   * @param by the deciding developer
   * @returns the new states, and a description of the change for the audit trail
   * @throws Failure `bad_request` for an unknown provider and for an answer to a term that needs no answer
   */
  async change(id: ProviderId, changes: TermChanges, by: string): Promise<{ states: TermState[]; detail: string }> {
    const { settings, providers } = this.options;
    const provider = providers.find((one) => one.id === id);
    if (!provider) throw new Failure('bad_request', `Unknown provider: ${id}`);
    const sequelize = settings.sequelize!;
    const stored = await sequelize.transaction(async (transaction) => {
      await settings.bulkCreate([{ provider: id }], { ignoreDuplicates: true, transaction });
      const row = await settings.findByPk(id, { lock: true, transaction, rejectOnEmpty: true });
      const terms = changedTerms(provider, row.terms, changes, { by, at: new Date().toISOString() });
      // Keeps `updated_at`, because the poll schedule uses it as the time of the last settings change.
      await row.update({ terms }, { transaction, silent: true });
      const statements = statementsWithin(sequelize, transaction);
      await statements.query('select pg_notify($1, $2)', [TERMS_CHANNEL, id]);
      // Reports a changed selection, because terms may withhold a provider's figures from summaries.
      await storeEvent(statements, { kind: 'selection', body: { action: 'changed', cause: 'terms' } });
      return terms;
    });
    this.forget();
    return { states: termStates(provider, stored), detail: detailOf(id, changes) };
  }
}

/**
 * Returns a query for the first local day whose cloud data from a vendor may be stored. Its result is in days since
 * 1970-01-01; undefined if no cache limit applies.
 * @param parameter SQL parameter with the provider, or null
 */
export function firstStorableDay(
  parameter: `$${number}`,
): QueryPart<{ id: string; terms: StoredTerms | null }, number | undefined> {
  return {
    sql: termsSql(parameter),
    read: ([row]) => {
      const provider = PROVIDERS.find(({ id }) => id === row?.id);
      if (!row || !provider) return undefined;
      const states = new Map([[provider.id, termStates(provider, row.terms ?? NO_TERMS)]]);
      const cacheDays = termsInForce(states).cacheDays.get(provider.id);
      return cacheDays === undefined ? undefined : firstStoredDay(cacheDays, Date.now());
    },
  };
}

function changedTerms(
  provider: Provider,
  { overrides, answers }: StoredTerms,
  changes: TermChanges,
  who: { by: string; at: string },
): StoredTerms {
  const terms: StoredTerms = { overrides: { ...overrides }, answers: { ...answers } };
  const entries = Object.entries(changes) as [TermName, TermChange][];
  for (const [name, change] of entries) {
    if (change === null) delete terms.overrides[name];
    else if ('reason' in change) terms.overrides[name] = { ...change, ...who } satisfies TermOverride;
  }
  // Applies answers after overrides, because an answer applies to the effective value.
  const states = termStates(provider, terms);
  for (const [name, change] of entries) {
    if (change === null || !('answer' in change)) continue;
    const { value, state } = states.find((one) => one.name === name)!;
    if (value === undefined || state === 'allows' || state === 'unknown') {
      throw new Failure('bad_request', `The term ${name} of ${provider.id} does not need an answer`);
    }
    terms.answers[name as AcceptedTermName] = { answer: change.answer, value, ...who };
  }
  return terms;
}

function detailOf(provider: ProviderId, changes: TermChanges): string {
  const texts = (Object.entries(changes) as [TermName, TermChange][]).map(([name, change]) => {
    if (change === null) return `${name}: override removed`;
    if ('answer' in change) return `${name}: ${change.answer}`;
    return `${name} = ${change.value ?? 'does not apply'}: ${change.reason}`;
  });
  return `${provider}: ${texts.join('; ')}`;
}
