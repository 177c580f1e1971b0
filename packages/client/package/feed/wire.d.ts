import type { components } from '../openapi.js';

export type Change = components['schemas']['Change'];
export type ChangePage = components['schemas']['ChangePage'];

/** Digests of a user's data in the service. */
export interface DigestPage {
  user_id: string;
  position: number;
  key_id: string;
  stored: { from: string; to: string } | null;
  expired: { type: string; before: string }[];
  items: {
    day: string;
    kind: string;
    type: string | null;
    provider: string;
    state: 'current' | 'archived' | 'expired';
    rows: number | null;
    digest: string | null;
  }[];
}
