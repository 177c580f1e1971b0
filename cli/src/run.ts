import { type Command, CommanderError } from 'commander';
import { EXIT, type ExitCode } from './exit-codes.js';
import { CliError, type Failure, failureJson, failureOf } from './failure.js';
import { Interrupt } from './interrupt.js';
import { Outcome } from './outcome.js';
import { chooseFormat, type Format, isForPrograms } from './output/format.js';
import { buildProgram, isAnswered, operandsOf } from './program.js';
import { paint } from './ui/paint.js';
import { type ColorChoice, detectTerminal } from './ui/terminal.js';
import { hintForShell } from './ui/typed-command.js';

/** Runs one command line and returns the exit code. All failures are printed here. */
export async function run(argv: readonly string[]): Promise<ExitCode> {
  const interrupt = new Interrupt();
  interrupt.listen();
  exitWhenReaderCloses();
  const program = await buildProgram(interrupt, argv);
  try {
    if (argv.length <= 2) program.outputHelp();
    else await program.parseAsync(argv);
    return EXIT.done;
  } catch (error) {
    if (isAnswered(error)) return EXIT.done;
    if (error instanceof Outcome) return error.exitCode;
    const failure = interrupt.signal.aborted ? interruption(interrupt) : asFailure(error, program, argv);
    if (failure) show(failure, program.opts());
    if (failure && program.opts().debug && error instanceof Error) process.stderr.write(`${error.stack ?? ''}\n`);
    return failure?.exitCode ?? EXIT.usage;
  }
}

/** Converts an error to a failure. Undefined if commander printed help instead. */
function asFailure(error: unknown, program: Command, argv: readonly string[]): Failure | undefined {
  if (!(error instanceof CommanderError)) return failureOf(error);
  if (error.code === 'commander.help') return undefined;
  const message = error.message.replace(/^error: /, '').trim();
  return { code: 'usage', message: capitalized(message), hint: usageHint(program, argv), exitCode: EXIT.usage };
}

/** Returns a hint with the help of the deepest known command. */
export function usageHint(program: Command, argv: readonly string[]): string {
  const words = [program.name()];
  let at = program;
  for (const word of operandsOf(program, argv)) {
    const next = at.commands.find((command) => command.name() === word);
    if (!next) break;
    words.push(word);
    at = next;
  }
  return `See: ${words.join(' ')} --help`;
}

function interruption(interrupt: Interrupt): Failure {
  return { code: 'interrupted', message: 'Interrupted.', hint: interrupt.parting, exitCode: EXIT.interrupted };
}

interface ShowOptions {
  output?: Format;
  json?: string | true;
  color?: ColorChoice;
}

function show(failure: Failure, options: ShowOptions): void {
  const terminal = detectTerminal(options);
  if (isForPrograms(formatOf(options, terminal.stdoutTty))) {
    process.stderr.write(`${JSON.stringify(failureJson(failure))}\n`);
    return;
  }
  const label = failure.code === 'interrupted' ? '' : `${paint(terminal.colorErr, 'red', 'Error:')} `;
  const lines = [`${label}${failure.message}`];
  if (failure.hint) lines.push(hintForShell(failure.hint));
  if (failure.requestId) lines.push(paint(terminal.colorErr, 'dim', `Request id: ${failure.requestId}`));
  process.stderr.write(`${lines.join('\n')}\n`);
}

function formatOf(options: ShowOptions, stdoutTty: boolean): Format {
  try {
    return chooseFormat(options, stdoutTty).format;
  } catch (error) {
    if (error instanceof CliError) return 'json';
    throw error;
  }
}

/** Exits without an error when the reader closes the pipe, as in `healthctl … | head`. */
function exitWhenReaderCloses(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(EXIT.done);
    throw error;
  });
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
