import { readFileSync } from 'node:fs';
import type { ProviderId } from '@healthd/model';
import { PROVIDERS } from '@healthd/providers';
import type { z } from 'zod';
import { SettingsError } from '../../platform/settings-error.js';
import {
  type CloudOf,
  type ProviderSettings,
  providerContradictions,
  providerDefinitions,
  providerSettings,
} from './provider-settings.js';
import { SETTINGS_TABLE, type SettingDefinition } from './settings-table.js';

type Table = typeof SETTINGS_TABLE;
type Value<Definition extends SettingDefinition> = Definition extends { default: unknown }
  ? z.output<Definition['type']>
  : z.output<Definition['type']> | undefined;

/** All parsed settings. A setting without a default may be undefined. Sizes are in bytes. */
export type Settings = { readonly [Name in keyof Table]: Value<Table[Name]> } & {
  /** Settings of each cloud provider. */
  readonly providers: Readonly<Partial<Record<ProviderId, ProviderSettings>>>;
};

/** Exit code for invalid settings (EX_CONFIG in sysexits). */
export const EXIT_WRONG_SETTINGS = 78;

/**
 * Reads the settings from the environment. Empty variables count as unset; other variables are ignored. A secret can
 * also be in a file, which the variable with `_FILE` at its end names.
 * @param clouds providers whose settings are included
 * @throws SettingsError
 */
export function readSettings(env: NodeJS.ProcessEnv, clouds: readonly CloudOf[] = PROVIDERS): Settings {
  const problems: string[] = [];
  const texts: Record<string, string | undefined> = {};
  const values = readAll(SETTINGS_TABLE, { env, texts, problems });
  const providers: Record<string, ProviderSettings> = {};
  for (const { id, cloud } of clouds) {
    if (!cloud) continue;
    const definitions = providerDefinitions({ id, cloud });
    const own = readAll(definitions, { env, texts, problems });
    problems.push(...providerContradictions(definitions, own));
    providers[id] = providerSettings(own);
  }
  problems.push(...contradictions(values as Partial<Settings>, texts));
  if (problems.length > 0) throw new SettingsError(problems);
  return Object.freeze({ ...values, providers }) as Settings;
}

interface Reading {
  env: NodeJS.ProcessEnv;
  /** Values read so far, by variable. */
  texts: Record<string, string | undefined>;
  problems: string[];
}

function readAll(
  definitions: Readonly<Record<string, SettingDefinition>>,
  { env, texts, problems }: Reading,
): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const [name, definition] of Object.entries(definitions)) {
    const { variable, text: setText, problem } = setTextOf(definition, env);
    if (problem !== undefined) {
      problems.push(problem);
      // Counts as set, so that no other problem says that it is unset.
      texts[definition.variable] = '';
      continue;
    }
    const text = setText ?? defaultOf(definition, texts, env);
    texts[definition.variable] = text;
    if (text === undefined) continue;
    const parsed = definition.type.safeParse(text);
    if (parsed.success) {
      values[name] = parsed.data;
      // Stores the parsed value, because computed defaults need it, for example an absolute directory.
      if (typeof parsed.data === 'string') texts[definition.variable] = parsed.data;
    } else if (setText !== undefined || problems.length === 0) {
      // Skips an invalid computed default if another setting is invalid, because that setting caused it.
      const allowed = parsed.error.issues[0]?.message ?? 'something else';
      problems.push(
        definition.secret
          ? `${variable} is invalid (its value is not shown): it must be ${allowed}`
          : `${variable} is "${text}" but must be ${allowed}`,
      );
    }
  }
  return values;
}

/**
 * Returns the text of a setting and the variable that it is from: the current name if it is set, otherwise the earlier
 * name.
 */
function setTextOf(
  { variable: current, earlierVariable, secret }: SettingDefinition,
  env: NodeJS.ProcessEnv,
): { variable: string; text?: string | undefined; problem?: string } {
  const textIn = (variable: string) => env[variable]?.trim() || undefined;
  const pathIn = (variable: string) => (secret ? textIn(`${variable}_FILE`) : undefined);
  const isSet = (variable: string) => (textIn(variable) ?? pathIn(variable)) !== undefined;
  const variable = !isSet(current) && earlierVariable && isSet(earlierVariable) ? earlierVariable : current;
  const [text, path] = [textIn(variable), pathIn(variable)];
  if (path === undefined) return { variable, text };
  if (text !== undefined)
    return { variable, problem: `${variable} and ${variable}_FILE are both set; unset one of them` };
  const content = contentOf(path);
  if (content) return { variable: `${variable}_FILE`, text: content };
  // Does not show the value, because it may be the secret itself.
  return { variable, problem: `${variable}_FILE must be the path of a readable file that contains the secret` };
}

/** Returns a file's content without the blanks and line breaks around it; undefined if it cannot be read. */
function contentOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    return undefined;
  }
}

/** Formats the settings for `healthd --help`. */
export function settingsHelp(clouds: readonly CloudOf[] = PROVIDERS): string {
  const definitions = [SETTINGS_TABLE, ...clouds.map(providerDefinitions)].flatMap((table) =>
    Object.values<SettingDefinition>(table),
  );
  const lines = definitions.map((definition) => {
    const { variable, help } = definition;
    const shown = definition.defaultShown ?? (typeof definition.default === 'string' ? definition.default : 'none');
    return `  ${variable}\n      ${help}\n      Default: ${shown}`;
  });
  const files =
    'A secret can also be in a file: name it in the variable with _FILE at its end, such as SIGNING_KEY_FILE.';
  return `Settings (environment variables):\n\n${files}\n\n${lines.join('\n')}\n`;
}

function defaultOf(
  definition: SettingDefinition,
  earlier: Record<string, string | undefined>,
  env: NodeJS.ProcessEnv,
): string | undefined {
  return typeof definition.default === 'function' ? definition.default(earlier, env) : definition.default;
}

/** Returns conflicts between settings. */
function contradictions(values: Partial<Settings>, texts: Record<string, string | undefined>): string[] {
  const found: string[] = [];
  if (texts.DATABASE_URL !== undefined) {
    for (const variable of ['SECRET_KEY', 'ENCRYPTION_KEY', 'SIGNING_KEY']) {
      if (texts[variable] === undefined) {
        found.push(`${variable} is unset but is required with DATABASE_URL; \`healthd keys\` prints new keys`);
      }
    }
  }
  const { adminPassword, minPasswordLength = 0 } = values;
  if (adminPassword !== undefined && adminPassword.length < minPasswordLength) {
    found.push(`ADMIN_PASSWORD must have at least ${minPasswordLength} characters (MIN_PASSWORD_LENGTH)`);
  }
  if (values.port !== undefined && values.port !== 0 && values.port === values.metricsPort) {
    found.push(`METRICS_PORT is "${values.metricsPort}" but must differ from PORT`);
  }
  if (values.sandbox) found.push(...sandboxContradictions(values, texts));
  return found;
}

const LOOPBACK_HOSTS = ['127.0.0.1', 'localhost', '::1'];

/**
 * Returns conflicts that would mix simulated data with a real installation, or expose the sandbox's consent page, which
 * has no password, to a network.
 */
function sandboxContradictions({ host }: Partial<Settings>, texts: Record<string, string | undefined>): string[] {
  const found: string[] = [];
  if (texts.DATABASE_URL !== undefined) {
    found.push('SANDBOX requires the embedded database and cannot be used with DATABASE_URL');
  }
  if (host !== undefined && !LOOPBACK_HOSTS.includes(host)) {
    found.push(`SANDBOX requires a HOST on the loopback interface, such as 127.0.0.1; it is "${host}"`);
  }
  for (const [variable, text] of Object.entries(texts)) {
    if (variable.endsWith('_CLIENT_ID') && text !== undefined) {
      found.push(`SANDBOX replaces the real vendors and cannot be used with ${variable}`);
    }
  }
  return found;
}
