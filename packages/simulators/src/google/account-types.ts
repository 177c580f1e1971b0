/**
 * `linked`: has a health profile. `not_linked`: a Google account without one (400). `legacy`: an old account that has
 * not been migrated (403). `no_profile`: the profile is not ready yet (412).
 */
export type AccountState = 'linked' | 'not_linked' | 'legacy' | 'no_profile';

export interface AccountInput {
  /** Name of the account in the control interface; default `account-<n>`. Its address is `<id>@example.org`. */
  id?: string;
  state?: AccountState;
  /** IANA zone of its settings and of the wall clocks of its points. Default `Europe/Berlin`. */
  timeZone?: string;
  /** Scopes this person ticks, of those asked for; default all. */
  grants?: string[];
}

export type AccountChange = Partial<Omit<AccountInput, 'id'>>;

export interface GoogleAccount {
  id: string;
  email: string;
  /** Subject of the identity token. */
  subject: string;
  healthUserId: string;
  legacyUserId: string;
  state: AccountState;
  timeZone: string;
  grants?: string[];
}
