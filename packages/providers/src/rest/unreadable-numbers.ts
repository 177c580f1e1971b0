import type { Tally } from '../cloud/index.js';
import type { PayloadObject } from '../payload/index.js';
import { countUnreadable, membersOf } from './unreadable.js';

/**
 * Counts members of an item that should be numbers and hold something else. A member that is missing or null has no value.
 * @param path names of the members around them, with a dot at its end
 */
export function rejectUnreadableNumbers(
  record: PayloadObject,
  members: readonly string[],
  tally: Tally,
  index: number,
  path = '',
): void {
  countUnreadable(record, membersOf('number', members), (field) => tally.rejectUnreadable(index, `${path}${field}`));
}
