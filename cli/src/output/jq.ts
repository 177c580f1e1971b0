/// <reference path="./jqjs.d.ts" />
import { EXIT } from '../exit-codes.js';
import { CliError } from '../failure.js';

type Program = (value: unknown) => Iterable<unknown>;

/**
 * Filters a command's JSON through a jq program. Filters a stream line by line as the lines arrive. Filters all other
 * output at the end, as one document.
 */
export class JqFilter {
  #text = '';
  #isStream: boolean | undefined;

  constructor(
    private readonly program: Program,
    private readonly write: (text: string) => Promise<void>,
  ) {}

  async take(text: string): Promise<void> {
    this.#text += text;
    this.#isStream ??= this.#firstLineIsDocument();
    if (!this.#isStream) return;
    const lines = this.#text.split('\n');
    this.#text = lines.pop() ?? '';
    for (const line of lines) await this.#apply(line);
  }

  async end(): Promise<void> {
    if (this.#text.trim() !== '') await this.#apply(this.#text);
  }

  #firstLineIsDocument(): boolean | undefined {
    const end = this.#text.indexOf('\n');
    if (end < 0) return undefined;
    try {
      JSON.parse(this.#text.slice(0, end));
      return true;
    } catch {
      return false;
    }
  }

  /** Writes strings without quotes, for scripts, and everything else as JSON. */
  async #apply(json: string): Promise<void> {
    let results: unknown[];
    try {
      results = [...this.program(JSON.parse(json))];
    } catch (error) {
      throw new CliError('jq_failed', `--jq: ${messageOf(error)}`, { exitCode: EXIT.usage, cause: error });
    }
    for (const result of results) {
      if (result === undefined) continue;
      await this.write(`${typeof result === 'string' ? result : JSON.stringify(result)}\n`);
    }
  }
}

/** Reads a jq program. @throws CliError `jq_invalid` */
export async function compileJq(text: string): Promise<Program> {
  const { compile } = await import('@michaelhomer/jqjs');
  try {
    return compile(text);
  } catch (error) {
    const reason = isCutShort(error) ? 'the expression is not complete' : `invalid syntax: ${messageOf(error)}`;
    throw new CliError('jq_invalid', `--jq: ${reason}`, {
      hint: "Examples: --jq '.[].id', --jq 'map(select(.email != null)) | length'",
      exitCode: EXIT.usage,
      cause: error,
    });
  }
}

/** True if the program is incomplete. */
function isCutShort(error: unknown): boolean {
  return /<end-of-program>|unterminated/.test(messageOf(error));
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
