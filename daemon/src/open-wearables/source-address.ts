import { Failure } from '../platform/failures.js';

/** Text that replaces the password in a displayed URL. */
const PASSWORD = 'PASSWORD';

/** A source's URL and its displayable form without the password. */
export interface SourceAddress {
  url: string;
  shown: string;
}

/** Parses the source's URL. @throws Failure `bad_request`, which does not repeat the input */
export function parseSourceAddress(text: string): SourceAddress {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^postgres(ql)?:$/.test(url.protocol)) {
    throw new Failure('bad_request', 'The URL must have the form postgres://user:password@host:port/database.');
  }
  const shown = new URL(url);
  if (shown.password !== '') shown.password = PASSWORD;
  if (shown.searchParams.has('password')) shown.searchParams.set('password', PASSWORD);
  return { url: text, shown: shown.href };
}
