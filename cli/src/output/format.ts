import { EXIT } from '../exit-codes.js';
import { CliError } from '../failure.js';

export const FORMATS = ['table', 'json', 'ndjson', 'csv', 'yaml'] as const;
export type Format = (typeof FORMATS)[number];

/** Output settings. */
export interface OutputChoice {
  format: Format;
  /** Text after `--json`: the fields to write. */
  fieldText?: string;
}

/**
 * Selects the format by the options. Default: a table on a terminal, JSON in a pipe.
 * @throws CliError `format_conflict`
 */
export function chooseFormat(
  options: { output?: Format; json?: string | true; jq?: string },
  stdoutIsTty: boolean,
): OutputChoice {
  if (options.jq !== undefined && options.output !== undefined && !isForPrograms(options.output)) {
    throw new CliError('format_conflict', `--jq and --output ${options.output} contradict each other.`, {
      exitCode: EXIT.usage,
    });
  }
  if (options.jq !== undefined && options.json === undefined) return { format: options.output ?? 'json' };
  if (options.json === undefined) return { format: options.output ?? (stdoutIsTty ? 'table' : 'json') };
  const format = options.output ?? 'json';
  if (format !== 'json' && format !== 'ndjson') {
    throw new CliError('format_conflict', `--json and --output ${format} contradict each other.`, {
      exitCode: EXIT.usage,
    });
  }
  return { format, fieldText: options.json === true ? undefined : options.json };
}

/** True if programs read the output, so errors are JSON too. */
export function isForPrograms(format: Format): boolean {
  return format === 'json' || format === 'ndjson';
}
