import type { ArrivingSession, IdentityRule, SessionFacts, SessionKind } from '../facts/events/session-kind.js';
import { storableText } from '../facts/storable-text.js';

/** A stored session, or a new session that starts with its first item. */
export interface KnownSession<Stored> {
  stored: Stored | undefined;
  externalId: string | undefined;
}

interface Entry<Stored> extends KnownSession<Stored> {
  facts: SessionFacts;
}

/** Sessions that the rule cannot distinguish, in order of arrival. */
interface Alike<Stored> {
  named: Set<Entry<Stored>>;
  unnamed: Set<Entry<Stored>>;
}

/**
 * Matches each arriving item to a session, in this order: (1) the session with its ID; (2) a session with equal source,
 * variant, start and end, whatever the IDs; (3) if the item or the session has no ID, a session that the rule considers
 * the same; (4) a session with the same start that may be corrected. Compares whole seconds, because exports have no
 * fractions.
 */
export class SessionMatcher<Stored extends SessionFacts> {
  readonly #named = new Map<string, Entry<Stored>>();
  readonly #exact = new Map<string, Entry<Stored>>();
  readonly #alike = new Map<string, Alike<Stored>>();
  readonly #corrected = new Map<string, Entry<Stored>>();

  constructor(private readonly rule: IdentityRule) {}

  /** Adds a stored session. @param isCorrected true if an item may be a later version that ends at another time */
  addStored(session: Stored, isCorrected = false): void {
    const entry = { stored: session, externalId: session.externalId, facts: session };
    this.#add(entry);
    if (isCorrected) this.#corrected.set(startKey(session), entry);
  }

  /**
   * Returns the session of the next item and updates its span. Updates its ID if the session had no ID or the rule
   * requires the new ID.
   * @param knownOnly true if no session may be created
   */
  match(facts: SessionFacts): KnownSession<Stored>;
  match(facts: SessionFacts, knownOnly: boolean): KnownSession<Stored> | undefined;
  match(facts: SessionFacts, knownOnly = false): KnownSession<Stored> | undefined {
    const found = this.#find(facts);
    if (!found) {
      if (knownOnly) return undefined;
      const added = { stored: undefined, externalId: facts.externalId, facts };
      this.#add(added);
      return added;
    }
    this.#remove(found);
    if (this.rule.takesLaterId) found.externalId = facts.externalId ?? found.externalId;
    else found.externalId ??= facts.externalId;
    found.facts = facts;
    this.#add(found);
    return found;
  }

  #find(facts: SessionFacts): Entry<Stored> | undefined {
    const named = facts.externalId === undefined ? undefined : this.#named.get(nameKey(facts, facts.externalId));
    const same = named ?? this.#exact.get(exactKey(facts));
    if (same) return same;
    const alike = this.#alike.get(this.#alikeKey(facts));
    const unnamed = firstOf(alike?.unnamed);
    const found = facts.externalId === undefined ? (unnamed ?? firstOf(alike?.named)) : unnamed;
    return found ?? this.#correctedBy(facts);
  }

  #correctedBy(facts: SessionFacts): Entry<Stored> | undefined {
    const found = this.#corrected.get(startKey(facts));
    this.#corrected.delete(startKey(facts));
    return found;
  }

  #add(entry: Entry<Stored>): void {
    const { facts, externalId } = entry;
    if (externalId !== undefined) this.#named.set(nameKey(facts, externalId), entry);
    this.#exact.set(exactKey(facts), entry);
    const key = this.#alikeKey(facts);
    const alike = this.#alike.get(key) ?? { named: new Set(), unnamed: new Set() };
    this.#alike.set(key, alike);
    (externalId === undefined ? alike.unnamed : alike.named).add(entry);
  }

  #remove(entry: Entry<Stored>): void {
    if (this.#exact.get(exactKey(entry.facts)) === entry) this.#exact.delete(exactKey(entry.facts));
    const alike = this.#alike.get(this.#alikeKey(entry.facts));
    alike?.named.delete(entry);
    alike?.unnamed.delete(entry);
  }

  #alikeKey(facts: SessionFacts): string {
    return this.rule.differsByEnd ? exactKey(facts) : startKey(facts);
  }
}

function firstOf<Item>(items: ReadonlySet<Item> | undefined): Item | undefined {
  return items?.values().next().value;
}

/** Returns a key that is equal for sessions of one source and variant that start in the same second. */
export function startKey({ sourceId, variant, startMs }: SessionFacts): string {
  return `${sourceId} ${variant} ${second(startMs)}`;
}

function nameKey({ sourceId }: SessionFacts, externalId: string): string {
  return `${sourceId} ${externalId}`;
}

function exactKey(facts: SessionFacts): string {
  return `${startKey(facts)} ${second(facts.endMs)}`;
}

/** Returns a key that is equal for sessions of one source that start in the same second. */
export function secondKey({ sourceId, startMs }: Pick<SessionFacts, 'sourceId' | 'startMs'>): string {
  return `${sourceId} ${second(startMs)}`;
}

function second(ms: number): number {
  return Math.floor(ms / 1000);
}

/** Returns the stored facts that identity depends on. */
export function factsOf<Row extends ArrivingSession>(kind: SessionKind<Row>, row: Row): SessionFacts {
  const { sourceId, startMs, endMs, externalId } = row;
  const name = externalId === undefined ? undefined : storableText(externalId);
  return { sourceId, startMs, endMs, externalId: name, variant: kind.variant(row) };
}
