import { accessSync, constants } from 'node:fs';
import { isIP } from 'node:net';
import { isAbsolute, resolve } from 'node:path';
import { MS_PER_DAY, MS_PER_HOUR, MS_PER_MINUTE } from '@healthd/model';
import { z } from 'zod';

/** Parses an environment variable. Its error message completes "must be …". */
function textTo<T>(allowed: string, read: (text: string) => T | undefined) {
  return z.string().transform((text, context): T => {
    const value = read(text);
    if (value !== undefined) return value;
    context.addIssue({ code: 'custom', message: allowed });
    return z.NEVER;
  });
}

export function integer(minimum: number, maximum: number) {
  return textTo(`a whole number from ${minimum} to ${maximum}`, (text) => {
    const value = Number(text);
    return /^\d+$/.test(text) && value >= minimum && value <= maximum ? value : undefined;
  });
}

/** Digits of an identifier, such as a project number. Kept as text, because it may exceed the safe integer range. */
export function digits() {
  return textTo('a number (digits only)', (text) => (/^\d{1,20}$/.test(text) ? text : undefined));
}

export function oneOf<const Choice extends string>(...choices: Choice[]) {
  return textTo(`one of ${choices.join(', ')}`, (text) => choices.find((choice) => choice === text));
}

const BOOLEANS: Record<string, boolean> = { true: true, false: false, 1: true, 0: false, yes: true, no: false };

export function boolean() {
  return textTo('true or false', (text) => BOOLEANS[text.toLowerCase()]);
}

/** A type that also accepts `off`, which parses to undefined. */
export function offOr<Type extends z.ZodType>(type: Type) {
  return z.string().transform((text, context): z.output<Type> | undefined => {
    if (text.toLowerCase() === 'off') return undefined;
    const read = type.safeParse(text);
    if (read.success) return read.data;
    context.addIssue({ code: 'custom', message: `off or ${read.error.issues[0]?.message ?? 'something else'}` });
    return z.NEVER;
  });
}

const DURATION_UNITS_MS: Record<string, number> = { d: MS_PER_DAY, h: MS_PER_HOUR, m: MS_PER_MINUTE };

/** Duration in days, hours and minutes such as `1d12h`, in either case and any order. Parses to milliseconds. */
export function compactDuration() {
  return textTo('a duration such as 2d, 20h, 90m or 1d12h', (text) => {
    if (!/^(\d{1,6}[dhm])+$/i.test(text)) return undefined;
    const parts = text.toLowerCase().matchAll(/(\d+)([dhm])/g);
    let ms = 0;
    for (const [, count, unit = ''] of parts) ms += Number(count) * (DURATION_UNITS_MS[unit] ?? 0);
    return ms;
  });
}

const SIZE_UNITS: Record<string, number> = {
  B: 1,
  KB: 1e3,
  MB: 1e6,
  GB: 1e9,
  TB: 1e12,
  KIB: 2 ** 10,
  MIB: 2 ** 20,
  GIB: 2 ** 30,
  TIB: 2 ** 40,
};

/** Size in bytes. */
export function size() {
  return textTo('a size such as 500MB, 10GiB or a number of bytes, at least 1', (text) => {
    const [, amount, unit = 'B'] = /^(\d+(?:\.\d+)?) ?([A-Za-z]+)?$/.exec(text) ?? [];
    const bytes = Math.floor(Number(amount) * (SIZE_UNITS[unit.toUpperCase()] ?? Number.NaN));
    return Number.isSafeInteger(bytes) && bytes >= 1 ? bytes : undefined;
  });
}

export function text(minimumLength: number, what = 'a text') {
  const allowed = minimumLength > 1 ? `${what} of at least ${minimumLength} characters` : what;
  return textTo(allowed, (value) => (value.length >= minimumLength ? value : undefined));
}

/**
 * Directory as an absolute path. Expands `~` to the home directory and resolves relative paths against the working
 * directory.
 */
export function directory() {
  return textTo('a directory', (value) => {
    const path = value.replace(/^~(?=\/|$)/, process.env.HOME ?? '~');
    return isAbsolute(path) ? path : resolve(path);
  });
}

/** Path of a readable file. */
export function file() {
  return textTo('a file that can be read', (value) => {
    const path = resolve(value);
    try {
      accessSync(path, constants.R_OK);
      return path;
    } catch {
      return undefined;
    }
  });
}

/** Redirect URLs of any scheme, separated by commas. */
export function addresses() {
  return textTo('absolute URLs such as https://app.example.com/connected, separated by commas', (value) => {
    const list = value.split(',').map((item) => item.trim());
    const unsafe = ['javascript:', 'data:', 'vbscript:', 'file:', 'blob:'];
    return list.every((item) => URL.canParse(item) && !unsafe.includes(new URL(item).protocol)) ? list : undefined;
  });
}

export function url(...schemes: string[]) {
  return textTo(`a URL that starts with ${schemes.map((scheme) => `${scheme}//`).join(' or ')}`, (value) =>
    URL.canParse(value) && schemes.includes(new URL(value).protocol) ? value : undefined,
  );
}

/** HTTP URL without a trailing slash, so that paths can be appended. */
export function baseUrl() {
  return url('http:', 'https:').transform((value) => value.replace(/\/+$/, ''));
}

export function emailAddress() {
  return textTo('an email address', (value) => (/^[^\s@\p{C}]+@[^\s@\p{C}]+$/u.test(value) ? value : undefined));
}

/** Part of a header name. */
export function headerWord() {
  return textTo('letters, digits and hyphens', (value) =>
    /^[A-Za-z0-9][A-Za-z0-9-]*$/.test(value) ? value : undefined,
  );
}

/** Color as `#rrggbb`. */
export function color() {
  return textTo('a color such as #1f5fbf', (value) =>
    /^#[0-9a-f]{6}$/i.test(value) ? value.toLowerCase() : undefined,
  );
}

/** Origins, separated by commas or as a JSON list; `*` allows every origin. */
export function origins() {
  return textTo('origins such as https://app.example.com, separated by commas, or *', (value) => {
    const list = value.startsWith('[') ? parseList(value) : value.split(',').map((item) => item.trim());
    return list?.every((item) => item === '*' || isOrigin(item)) ? list : undefined;
  });
}

/** Number or IP addresses of trusted proxies; `false` for none. Passed to Express as `trust proxy`. */
export function trustedProxies() {
  const names = ['loopback', 'linklocal', 'uniquelocal'];
  const allowed = `false, the number of proxies, or IP addresses separated by commas (also ${names.join(', ')})`;
  return textTo<number | false | string[]>(allowed, (value) => {
    if (value === 'false') return false;
    if (/^\d{1,2}$/.test(value)) return Number(value);
    const list = value.split(',').map((item) => item.trim());
    return list.every((item) => names.includes(item) || isNetwork(item)) ? list : undefined;
  });
}

/** Keys of 32 bytes, separated by commas: the first key encrypts, all keys decrypt. */
export function encryptionKeys() {
  return textTo('32 random bytes in base64 or hex; separate several keys by commas, newest first', (value) => {
    const keys = value.split(',').map((item) => readKey(item.trim()));
    return keys.every((key) => key !== undefined) ? (keys as Buffer[]) : undefined;
  });
}

function readKey(value: string): Buffer | undefined {
  if (/^[0-9a-f]{64}$/i.test(value)) return Buffer.from(value, 'hex');
  if (!/^[A-Za-z0-9+/_-]{43}=?$/.test(value)) return undefined;
  return Buffer.from(value, 'base64');
}

function parseList(value: string): string[] | undefined {
  try {
    const list: unknown = JSON.parse(value);
    return Array.isArray(list) && list.every((item) => typeof item === 'string') ? list : undefined;
  } catch {
    return undefined;
  }
}

function isOrigin(value: string): boolean {
  return URL.canParse(value) && new URL(value).origin === value;
}

function isNetwork(value: string): boolean {
  const [address = '', prefix] = value.split('/');
  const version = isIP(address);
  if (version === 0) return false;
  return prefix === undefined || (/^\d+$/.test(prefix) && Number(prefix) <= (version === 4 ? 32 : 128));
}
