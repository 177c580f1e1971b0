export type ColorChoice = 'auto' | 'on' | 'off';

/** Capabilities of the terminal. Data goes to stdout, everything else to stderr. */
export interface Terminal {
  stdoutTty: boolean;
  /** Width of stdout in columns. Undefined if stdout is not a terminal. */
  width: number | undefined;
  colorOut: boolean;
  colorErr: boolean;
  /** True if lines on stderr can be redrawn. */
  animate: boolean;
  /** True if a prompt is possible. */
  interactive: boolean;
}

interface Surroundings {
  env: NodeJS.ProcessEnv;
  stdin: { isTTY?: boolean };
  stdout: { isTTY?: boolean; columns?: number };
  stderr: { isTTY?: boolean };
}

/** Detects the terminal by the streams and NO_COLOR, TERM and CI. */
export function detectTerminal(
  options: { color?: ColorChoice; input?: boolean },
  around: Surroundings = process,
): Terminal {
  const { env } = around;
  const stdoutTty = around.stdout.isTTY === true;
  const stderrTty = around.stderr.isTTY === true;
  const plain = Boolean(env.NO_COLOR) || env.TERM === 'dumb';
  const color = (tty: boolean) => options.color === 'on' || (options.color !== 'off' && tty && !plain);
  const attended = !isCi(env);
  return {
    stdoutTty,
    width: stdoutTty ? around.stdout.columns || 80 : undefined,
    colorOut: color(stdoutTty),
    colorErr: color(stderrTty),
    animate: stderrTty && env.TERM !== 'dumb' && attended,
    interactive: around.stdin.isTTY === true && stderrTty && attended && options.input !== false,
  };
}

function isCi(env: NodeJS.ProcessEnv): boolean {
  return Boolean(env.CI) && env.CI !== 'false' && env.CI !== '0';
}
