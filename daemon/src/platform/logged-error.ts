/** An error as it is logged. */
export interface LoggedError {
  type: string;
  message: string;
  code?: string | number;
  stack: string;
  cause?: LoggedError;
}

/**
 * Error serializer of every log. Keeps details that help to find a bug, and drops everything that may contain a health
 * value, an email or a secret. Database errors quote rows in `detail`, `where` and `parameters`, and in the message if
 * data is unreadable (SQLSTATE class 22). The JSON parser quotes its input.
 */
export function loggedError(error: unknown): LoggedError {
  if (!(error instanceof Error))
    return { type: typeof error, message: 'a value that is not an error was thrown', stack: '' };
  const message = quotesData(error) ? error.message.replace(/".*"/s, '"…"') : error.message;
  const logged: LoggedError = {
    type: error.name === 'Error' ? error.constructor.name : error.name,
    message,
    stack: (error.stack ?? '').replace(error.message, () => message),
  };
  const code = codeOf(error);
  if (code !== undefined) logged.code = code;
  if (error.cause !== undefined) logged.cause = loggedError(error.cause);
  return logged;
}

function quotesData(error: Error): boolean {
  return error instanceof SyntaxError || /^22[0-9A-Z]{3}$/.test(String(codeOf(error)));
}

/** Returns an error's code. Sequelize keeps the driver's error, with the code, in `parent`. */
function codeOf(error: Error): string | number | undefined {
  const { code, parent } = error as { code?: unknown; parent?: { code?: unknown } };
  const found = code ?? parent?.code;
  return typeof found === 'string' || typeof found === 'number' ? found : undefined;
}
