import { isZoneName } from '@healthd/model';
import { z } from 'zod';
import { problem } from './problem.js';

const CONTROL = /\p{Cc}/u;

/**
 * One line of text that a person enters or an application sends: at most `limit` characters, none of them a control
 * character (NUL, tabs, line ends, escapes). What devices and vendors send is cleaned instead and never refused.
 */
export function textField(limit: number) {
  return z
    .string()
    .max(limit)
    .superRefine((text, context) => {
      if (CONTROL.test(text)) problem(context, 'value_error', 'text must not contain control characters');
    });
}

/** The usual rule for addresses, with the letters and digits of every script (RFC 6531). */
const EMAIL =
  /^(?!\.)(?!.*\.\.)[\p{L}\p{N}\p{M}_'+.-]*[\p{L}\p{N}\p{M}_+-]@(?:[\p{L}\p{N}][\p{L}\p{N}\p{M}-]*\.)+(?:\p{L}[\p{L}\p{M}]+|xn--[a-z\d-]+)$/iu;

/**
 * An email address, in any script. The domain is lower-cased and letters are composed (NFC), so that one address is
 * stored and looked up as one text; the local part otherwise stays as sent.
 */
export const emailField = z
  .string()
  .meta({ format: 'email' })
  // Before the pattern, which a text of megabytes would overflow the stack with
  .max(320, { abort: true })
  .check((context) => {
    if (EMAIL.test(context.value)) return;
    context.issues.push({ code: 'invalid_format', format: 'email', input: context.value });
  })
  .transform((email) => {
    const at = email.lastIndexOf('@');
    return `${email.slice(0, at)}@${email.slice(at + 1).toLowerCase()}`.normalize('NFC');
  });

/** Name of a zone in the IANA database, e.g. `Europe/Warsaw`. */
export const timeZoneField = textField(64).superRefine((text, context) => {
  if (!isZoneName(text)) problem(context, 'value_error', NO_ZONE);
});

/** The message for a name that is none of {@link timeZoneField}. */
export const NO_ZONE = 'value is not the name of a time zone in the IANA database, such as Europe/Warsaw';

/** A password to be set; how short it may be is a setting of the service. At most 256 characters. */
export const newPasswordField = textField(256);
