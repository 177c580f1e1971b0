import type pg from 'pg';

/** What a batch changes in tables that other folders write, each in the transaction of the batch. */
export interface BatchHooks {
  /** Gives a place in the order of providers to those that have none yet. */
  rankProviders(client: pg.ClientBase, providers: readonly string[]): Promise<void>;
  /**
   * Keeps with the user's connections to the providers the zone that their phones are at home in.
   * @returns whether that changed a connection
   */
  storePhoneZone(
    client: pg.ClientBase,
    phones: { userKey: number; providers: readonly string[]; zone: string },
  ): Promise<boolean>;
}
