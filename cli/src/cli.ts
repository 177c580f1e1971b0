import type { HealthdClient } from '@healthd/client';
import type { CliError } from './failure.js';
import type { Interrupt } from './interrupt.js';
import { NO_FIELDS, parseFields } from './output/fields.js';
import { chooseFormat, type Format } from './output/format.js';
import type { JqFilter } from './output/jq.js';
import type { Sink } from './output/writer.js';
import type { Connection } from './profile/connection.js';
import type { Session } from './service/session.js';
import { paint } from './ui/paint.js';
import type { ProgressBar } from './ui/progress-bar.js';
import { type ColorChoice, detectTerminal, type Terminal } from './ui/terminal.js';
import { hintForShell, withService } from './ui/typed-command.js';

/** Options that every command understands. */
export interface GlobalOptions {
  output?: Format;
  json?: string | true;
  color?: ColorChoice;
  context?: string;
  url?: string;
  debug?: boolean;
  utc?: boolean;
  quiet?: boolean;
  jq?: string;
  input?: boolean;
}

/** Context of a command: options, terminal, output and service. */
export class Cli {
  readonly terminal: Terminal;
  readonly sink: Sink;
  #connection: Promise<Connection> | undefined;
  #session: Promise<Session> | undefined;
  #filter: Promise<JqFilter> | undefined;
  #refusal: CliError | undefined;
  #fieldsAreChecked = false;

  /** @throws CliError `format_conflict` */
  constructor(
    readonly options: GlobalOptions,
    readonly interrupt: Interrupt,
    readonly env: NodeJS.ProcessEnv = process.env,
  ) {
    const terminal = detectTerminal(options);
    this.terminal = terminal;
    this.sink = {
      ...chooseFormat(options, terminal.stdoutTty),
      write: options.jq === undefined ? writeOut : (text) => this.#filterOut(text),
      width: terminal.width,
      utc: options.utc ?? false,
      heading: (text) => paint(terminal.colorOut, 'bold', text),
    };
  }

  /** True if the output is a table, for people to read. */
  get forPeople(): boolean {
    return this.sink.format === 'table';
  }

  get signal(): AbortSignal {
    return this.interrupt.signal;
  }

  /** Compiles the --jq program first, so an invalid program changes nothing. @throws CliError `jq_invalid` */
  async start(): Promise<void> {
    if (this.options.jq !== undefined) await this.#jqFilter();
  }

  /**
   * Checks the fields of --json. Each command calls it before its first request, so an unknown field changes nothing.
   * @param shape dotted paths of the command's output
   * @throws CliError `unknown_field`
   */
  willWrite(shape: { fields: readonly string[] }): void {
    if (this.sink.fieldText !== undefined) parseFields(this.sink.fieldText, shape.fields);
    this.#fieldsAreChecked = true;
  }

  /** Writes the remaining output when the command has ended. */
  async finish(): Promise<void> {
    await (await this.#filter)?.end();
  }

  async #filterOut(text: string): Promise<void> {
    await (await this.#jqFilter()).take(text);
  }

  #jqFilter(): Promise<JqFilter> {
    this.#filter ??= import('./output/jq.js').then(
      async ({ compileJq, JqFilter }) => new JqFilter(await compileJq(this.options.jq ?? '.'), writeOut),
    );
    return this.#filter;
  }

  /** Returns a copy without progress bars and messages, for concurrent work. */
  silenced(): Cli {
    const silent = new Cli({ ...this.options, quiet: true }, this.interrupt, this.env);
    silent.#connection = this.connection();
    silent.#session = this.session();
    return silent;
  }

  /** Returns service and credential. */
  connection(): Promise<Connection> {
    this.#connection ??= import('./service/session.js').then(({ connectionOf }) => connectionOf(this));
    return this.#connection;
  }

  session(): Promise<Session> {
    this.#session ??= import('./service/session.js').then(({ openSession }) => openSession(this));
    return this.#session;
  }

  /** Makes later requests that change something fail with this error. */
  refuseChanges(why: CliError): void {
    this.#refusal = why;
  }

  /** Called before each request that changes something. @throws CliError if the request is not allowed */
  checkChange(): void {
    if (!this.#fieldsAreChecked) this.willWrite(NO_FIELDS);
    if (this.#refusal) throw this.#refusal;
  }

  /** Returns a client that sends the credential that each route accepts. */
  async client(): Promise<HealthdClient> {
    return (await this.session()).client;
  }

  /** Prints a message to stderr, except with --quiet. */
  say(text: string): void {
    if (!this.options.quiet) this.insist(text);
  }

  /** Prints a message to stderr, even with --quiet: questions, warnings and requested output. */
  insist(text: string): void {
    process.stderr.write(`${text}\n`);
  }

  /** Prints a suggested next command on a terminal. Prints nothing for programs. */
  hint(text: string): void {
    if (this.forPeople) this.say(paint(this.terminal.colorErr, 'dim', hintForShell(withService(text, this.options))));
  }

  warn(text: string): void {
    this.insist(`${paint(this.terminal.colorErr, 'yellow', 'Warning:')} ${text}`);
  }

  debug(text: string): void {
    if (this.options.debug) this.insist(paint(this.terminal.colorErr, 'dim', text));
  }

  async progress(label: string): Promise<ProgressBar> {
    const { ProgressBar } = await import('./ui/progress-bar.js');
    return new ProgressBar({
      label,
      animate: this.terminal.animate && !this.options.quiet,
      color: this.terminal.colorErr,
      write: (text) => process.stderr.write(text),
    });
  }
}

function writeOut(text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    process.stdout.write(text, (error) => (error ? reject(error) : resolve()));
  });
}
