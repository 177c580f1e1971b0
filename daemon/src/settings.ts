import type { z } from 'zod';
import { SETTINGS_TABLE, type SettingDefinition } from './settings-table.js';

type Table = typeof SETTINGS_TABLE;
type Value<Definition extends SettingDefinition> = Definition extends { default: unknown }
  ? z.output<Definition['type']>
  : z.output<Definition['type']> | undefined;

/** All settings, typed; what has no default may be undefined. Sizes are bytes. */
export type Settings = { readonly [Name in keyof Table]: Value<Table[Name]> };

/** What a program exits with when it cannot run with its settings (EX_CONFIG of sysexits). */
export const EXIT_WRONG_SETTINGS = 78;

/** Thrown once with every wrong setting; the message has one line for each and never holds a secret. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
  readonly code = 'wrong_settings';

  constructor(readonly problems: readonly string[]) {
    super(problems.join('\n'));
  }
}

/**
 * Reads the settings from the environment. An empty variable counts as unset; others than the settings are ignored.
 * @throws SettingsError
 */
export function readSettings(env: NodeJS.ProcessEnv): Settings {
  const problems: string[] = [];
  const texts: Record<string, string | undefined> = {};
  const values: Record<string, unknown> = {};
  for (const [name, definition] of Object.entries<SettingDefinition>(SETTINGS_TABLE)) {
    const given = env[definition.variable]?.trim() || undefined;
    const text = given ?? defaultOf(definition, texts, env);
    texts[definition.variable] = text;
    if (text === undefined) continue;
    const parsed = definition.type.safeParse(text);
    if (parsed.success) {
      values[name] = parsed.data;
      // What is derived from it starts from the value as it was read, a directory made absolute for example.
      if (typeof parsed.data === 'string') texts[definition.variable] = parsed.data;
    } else if (given !== undefined || problems.length === 0) {
      // A computed default is wrong only because of a setting above it, which was told.
      const allowed = parsed.error.issues[0]?.message ?? 'something else';
      problems.push(
        definition.secret
          ? `${definition.variable} is not usable (its value is not shown): it must be ${allowed}`
          : `${definition.variable} is "${text}" but must be ${allowed}`,
      );
    }
  }
  problems.push(...contradictions(values as Partial<Settings>, texts));
  if (problems.length > 0) throw new SettingsError(problems);
  return Object.freeze(values) as Settings;
}

/** What `healthd --help` says about the settings. */
export function settingsHelp(): string {
  const lines = Object.values<SettingDefinition>(SETTINGS_TABLE).map((definition) => {
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

/** What only several settings together can get wrong. */
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
  return found;
}
