import { z } from 'zod';
import { problem } from './problem.js';

/** Text that a database column can hold: at most `limit` characters and no NUL. */
export function textField(limit: number) {
  return z
    .string()
    .max(limit)
    .superRefine((text, context) => {
      if (text.includes('\0')) problem(context, 'value_error', 'text must not contain NUL');
    });
}

/** An email address; the domain is lower-cased, the local part stays as sent. */
export const emailField = z
  .email()
  .max(320)
  .transform((email) => {
    const at = email.lastIndexOf('@');
    return `${email.slice(0, at)}@${email.slice(at + 1).toLowerCase()}`;
  });

/** A password to be set; how short it may be is a setting of the service. At most 256 characters. */
export const newPasswordField = textField(256);
