import type { AccountFacts } from '../vendor/index.js';
import {
  COLLECTIONS,
  type OuraCollection,
  type OuraDocument,
  type OuraEvent,
  type OuraHeartRate,
  type OuraInput,
  type OuraPersonalInfo,
} from './wire-types.js';

/** All data of one account at the vendor. */
export class OuraAccount {
  readonly documents: Readonly<Record<OuraCollection, Map<string, OuraDocument>>>;
  /** Heart rates by time and source, because these rows have no ids. */
  readonly heartRates = new Map<string, OuraHeartRate>();
  info: OuraPersonalInfo = { age: 36, weight: 72.4, height: 1.74, biological_sex: 'female' };

  constructor(readonly facts: AccountFacts) {
    const empty = COLLECTIONS.map((name) => [name, new Map<string, OuraDocument>()]);
    this.documents = Object.fromEntries(empty) as OuraAccount['documents'];
  }

  /** Stores new and changed documents. @returns the events of the changes */
  put({ heartrate = [], ...documents }: OuraInput, at: string): OuraEvent[] {
    for (const row of heartrate) this.heartRates.set(`${row.timestamp} ${row.source}`, row);
    return COLLECTIONS.flatMap((name) =>
      (documents[name] ?? []).flatMap((document) => {
        const before = this.documents[name].get(document.id);
        if (JSON.stringify(before) === JSON.stringify(document)) return [];
        this.documents[name].set(document.id, document);
        return [this.event(before ? 'update' : 'create', name, document.id, at)];
      }),
    );
  }

  /** Deletes a document. @returns the events of the change */
  remove(name: OuraCollection, id: string, at: string): OuraEvent[] {
    return this.documents[name].delete(id) ? [this.event('delete', name, id, at)] : [];
  }

  private event(event_type: OuraEvent['event_type'], name: OuraCollection, object_id: string, at: string): OuraEvent {
    return { event_type, data_type: name.toLowerCase(), object_id, event_time: at, user_id: this.facts.userId };
  }
}
