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

/** All settings, typed; those without a default may be undefined. Sizes are in bytes. */
export type Settings = { readonly [Name in keyof Table]: Value<Table[Name]> } & {
  /** Settings of each provider with a cloud. */
  readonly providers: Readonly<Partial<Record<ProviderId, ProviderSettings>>>;
};

/** Exit code of a program with wrong settings (EX_CONFIG of sysexits). */
export const EXIT_WRONG_SETTINGS = 78;

/**
 * Reads the settings from the environment. An empty variable counts as unset. Ignores unknown variables.
 * @param clouds providers whose settings are also read
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
  /** Texts read so far, by variable. */
  texts: Record<string, string | undefined>;
  problems: string[];
}

function readAll(
  definitions: Readonly<Record<string, SettingDefinition>>,
  { env, texts, problems }: Reading,
): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const [name, definition] of Object.entries(definitions)) {
    const variable = variableIn(env, definition);
    const given = env[variable]?.trim() || undefined;
    const text = given ?? defaultOf(definition, texts, env);
    texts[definition.variable] = text;
    if (text === undefined) continue;
    const parsed = definition.type.safeParse(text);
    if (parsed.success) {
      values[name] = parsed.data;
      // Derived settings start from the parsed value, e.g. an absolute directory.
      if (typeof parsed.data === 'string') texts[definition.variable] = parsed.data;
    } else if (given !== undefined || problems.length === 0) {
      // A computed default can only be wrong because of an earlier setting, which was already reported.
      const allowed = parsed.error.issues[0]?.message ?? 'something else';
      problems.push(
        definition.secret
          ? `${variable} is not usable (its value is not shown): it must be ${allowed}`
          : `${variable} is "${text}" but must be ${allowed}`,
      );
    }
  }
  return values;
}

/** Returns the effective variable: the earlier one if only that is set. */
function variableIn(env: NodeJS.ProcessEnv, { variable, earlierVariable }: SettingDefinition): string {
  return !env[variable]?.trim() && earlierVariable && env[earlierVariable]?.trim() ? earlierVariable : variable;
}

/** Returns the settings part of `healthd --help`. */
export function settingsHelp(clouds: readonly CloudOf[] = PROVIDERS): string {
  const definitions = [SETTINGS_TABLE, ...clouds.map(providerDefinitions)].flatMap((table) =>
    Object.values<SettingDefinition>(table),
  );
  const lines = definitions.map((definition) => {
    const { variable, help } = definition;
    const shown = definition.defaultShown ?? (typeof definition.default === 'string' ? definition.default : 'none');
    return `  ${variable}\n      ${help}\n      Default: ${shown}`;
  });
  return `Settings (environment variables):\n\n${lines.join('\n')}\n`;
}

function defaultOf(
  definition: SettingDefinition,
  earlier: Record<string, string | undefined>,
  env: NodeJS.ProcessEnv,
): string | undefined {
  return typeof definition.default === 'function' ? definition.default(earlier, env) : definition.default;
}

/** Returns contradictions between several settings. */
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

/** Simulated data and a consent page without a password must never reach a real installation or its network. */
function sandboxContradictions({ host }: Partial<Settings>, texts: Record<string, string | undefined>): string[] {
  const found: string[] = [];
  if (texts.DATABASE_URL !== undefined) {
    found.push('SANDBOX needs the embedded database: it cannot be used with DATABASE_URL');
  }
  if (host !== undefined && !LOOPBACK_HOSTS.includes(host)) {
    found.push(`SANDBOX needs a HOST that only this machine reaches, such as 127.0.0.1; it is "${host}"`);
  }
  for (const [variable, text] of Object.entries(texts)) {
    if (variable.endsWith('_CLIENT_ID') && text !== undefined) {
      found.push(`SANDBOX stands in for the real vendors: it cannot be used with ${variable}`);
    }
  }
  return found;
}
