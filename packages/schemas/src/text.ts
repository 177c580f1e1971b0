import { isZoneName } from '@healthd/model';
import { z } from 'zod';
import { problem } from './problem.js';

const CONTROL = /\p{Cc}/u;

/**
 * One line of text from a person or an application: at most `limit` characters, without control characters (NUL, tabs, line
 * breaks, escapes). Text from devices and vendors is cleaned instead of rejected.
 */
export function textField(limit: number) {
  return z
    .string()
    .max(limit)
    .superRefine((text, context) => {
      if (CONTROL.test(text)) problem(context, 'value_error', 'text must not contain control characters');
    });
}

/** Usual email pattern, extended to the letters and digits of every script (RFC 6531). */
const EMAIL =
  /^(?!\.)(?!.*\.\.)[\p{L}\p{N}\p{M}_'+.-]*[\p{L}\p{N}\p{M}_+-]@(?:[\p{L}\p{N}][\p{L}\p{N}\p{M}-]*\.)+(?:\p{L}[\p{L}\p{M}]+|xn--[a-z\d-]+)$/iu;

/**
 * Email address in any script. Normalizes the domain to lower case and letters to NFC, so that equal addresses are stored
 * as equal texts. Keeps the case of the local part.
 */
export const emailField = z
  .string()
  .meta({ format: 'email' })
  // Checked before the pattern, because a text of megabytes would overflow the regex stack.
  .max(320, { abort: true })
  .check((context) => {
    if (EMAIL.test(context.value)) return;
    context.issues.push({ code: 'invalid_format', format: 'email', input: context.value });
  })
  .transform((email) => {
    const at = email.lastIndexOf('@');
    return `${email.slice(0, at)}@${email.slice(at + 1).toLowerCase()}`.normalize('NFC');
  });

/** Time zone name from the IANA database, for example `Europe/Warsaw`. */
export const timeZoneField = textField(64).superRefine((text, context) => {
  if (!isZoneName(text)) problem(context, 'value_error', NO_ZONE);
});

/** Error message for an unknown time zone name. */
export const NO_ZONE = 'value is not the name of a time zone in the IANA database, such as Europe/Warsaw';

/** New password of at most 256 characters. A setting defines the minimum length. */
export const newPasswordField = textField(256);
