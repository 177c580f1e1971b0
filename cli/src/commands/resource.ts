import type { CallInput } from '@healthd/client';
import type { DeclaredRoute } from '@healthd/contract';
import type { ResponseOf, SchemasOf } from '@healthd/schemas';
import type { Command, Option } from 'commander';
import type { Cli } from '../cli.js';
import { type FieldPath, NO_FIELDS } from '../output/fields.js';
import type { Cell, Column } from '../output/table.js';
import { type RecordShape, writeRecord, writeRows } from '../output/writer.js';
import { type Choice, pickId } from '../service/pick.js';
import { confirmByTyping } from '../ui/confirm.js';
import type { Bind } from './bind.js';
import { withExamples } from './examples.js';

/** Calls a route of the service. Opens the session at the first call. */
type Call = <R extends DeclaredRoute>(route: R, input: CallInput<SchemasOf<R>>) => Promise<ResponseOf<SchemasOf<R>>>;

interface Words {
  name: string;
  description: string;
  summary: string;
}

interface CommandWords extends Words {
  options?: readonly Option[];
  examples?: readonly string[];
}

/** Column of a list and line of a single record. `only` limits the field to the list's table or the record. */
interface Line<T> extends Column<T> {
  only?: 'table' | 'record';
}

/** A type of object that commands work on, and how an argument names such an object. */
interface Items<T> {
  /** Argument that names an object. */
  noun: string;
  /** Help of the argument. */
  reference: string;
  fields: readonly FieldPath<T>[];
  lines: readonly Line<T>[];
  /** @param user value of --user, for objects that belong to a user */
  load(call: Call, user: string): Promise<readonly T[]>;
  choice(item: T): Choice;
  /** Value and description in shell completions. */
  completion?(item: T): readonly [value: string, about: string];
}

interface ListWords extends CommandWords {
  /** Hint for an empty list. */
  none?(user: string): string;
}

interface Context<I, O> {
  cli: Cli;
  call: Call;
  item: I;
  /** Arguments after the item. */
  args: readonly string[];
  options: O;
}

/** A command that sends a request and writes the response. `I` is the object that its first argument names. */
interface Action<I, O, R> extends CommandWords {
  arguments?: readonly (readonly [flags: string, help: string])[];
  /** Output. Undefined if the command writes only messages. */
  shape?: RecordShape<R>;
  send(context: Context<I, O>): Promise<R>;
  /** Writes messages and hints after the output. */
  after?(context: Context<I, O>, result: R): void | Promise<void>;
}

/** A command that revokes or deletes an object. */
interface Ending<T, O, R> extends CommandWords {
  /** Consequence to show, and text to type. Without it, the command does not ask. */
  confirmation?: { verb: string; answer(item: T): string; consequence(response: string): string };
  send(context: Context<T, O>): Promise<R>;
  done(result: R, item: T): string;
  /** Returns the object to write after the message. */
  ended(result: R, context: Context<T, O>): T | undefined | Promise<T | undefined>;
}

interface CommonOptions {
  user?: string;
  yes?: boolean;
}

/** Returns the layout of a record from its lines in a table. */
export function recordShape<T>(
  fields: readonly FieldPath<T>[],
  lines: Readonly<Record<string, (record: T) => Cell>>,
): RecordShape<T> {
  return { fields, pairs: (record) => Object.entries(lines).map(([name, cell]) => [name, cell(record)] as const) };
}

/** A group of commands on one type of object. Each method declares one command, in the order of the help. */
export class Resource<T = never> {
  readonly #commands: ((group: Command, bind: Bind) => void)[] = [];

  constructor(
    private readonly words: Words,
    private readonly items?: Items<T>,
  ) {}

  get noun(): string | undefined {
    return this.items?.noun;
  }

  /** Layout of a list and of a single object. */
  get shape() {
    const { fields, lines } = this.#items;
    return {
      fields,
      columns: lines.filter(({ only }) => only !== 'record'),
      pairs: (item: T) =>
        lines.filter(({ only }) => only !== 'table').map(({ header, cell }) => [header, cell(item)] as const),
    };
  }

  list({ none, ...words }: ListWords): this {
    const action = async (cli: Cli, { user = '' }: CommonOptions) => {
      cli.willWrite(this.shape);
      const count = await writeRows(cli.sink, this.shape, await this.#items.load(callerOf(cli), user));
      if (count === 0 && none) cli.hint(none(user));
    };
    return this.#add(words, (command, bind) => command.action(bind(action)));
  }

  /** Declares a command that names no object. */
  create<R, O = unknown>(action: Action<undefined, O, R>): this {
    return this.#act(
      action,
      (command) => command,
      async () => undefined,
    );
  }

  /** Declares a command on one object. */
  change<R, O = unknown>(action: Action<T, O, R>): this {
    const pick = (cli: Cli, text: string, options: CommonOptions) => this.#pick(cli, text, options);
    return this.#act(action, (command) => this.#takeItem(command), pick);
  }

  /** Declares a command on one object. Without an argument, it acts on the caller's own object. */
  changeOrOwn<R, O = unknown>(action: Action<T | undefined, O, R> & { check?(options: O): void }): this {
    const pick = async (cli: Cli, text: string | undefined, options: CommonOptions) => {
      action.check?.(options as O);
      return text === undefined ? undefined : this.#pick(cli, text, options);
    };
    return this.#act(action, (command) => command.argument(`[${this.noun}]`, this.#items.reference), pick);
  }

  /** Declares a command that revokes or deletes one object. */
  end<R, O = unknown>({ confirmation, send, done, ended, ...words }: Ending<T, O, R>): this {
    const action = async (cli: Cli, text: string, options: O & CommonOptions) => {
      const { fields } = this.shape;
      cli.willWrite({ fields });
      const item = await this.#pick(cli, text, options);
      if (confirmation && !options.yes) {
        const response = confirmation.answer(item);
        await confirmByTyping(cli, confirmation.consequence(response), response, confirmation.verb);
      }
      const context = { cli, call: callerOf(cli), item, args: [], options };
      const result = await send(context);
      cli.say(done(result, item));
      const written = await ended(result, context);
      if (written) await writeRecord(cli.sink, { fields }, written);
    };
    return this.#add(words, (command, bind) => {
      if (confirmation) command.option('-y, --yes', 'skip the confirmation');
      this.#takeItem(command).action(bind(action));
    });
  }

  /** Returns values and descriptions for shell completions. */
  async completions(cli: Cli): Promise<(readonly [value: string, about: string])[]> {
    const { load, completion } = this.#items;
    return completion ? (await load(callerOf(cli), '')).map(completion) : [];
  }

  /** Adds the command group to the program. */
  readonly add = (program: Command, bind: Bind): void => {
    const { name, description, summary } = this.words;
    const group = program.command(name).helpCommand(false).description(description).summary(summary);
    for (const add of this.#commands) add(group, bind);
  };

  get #items(): Items<T> {
    if (!this.items) throw new Error(`${this.words.name} has no items`);
    return this.items;
  }

  #add(words: CommandWords, complete: (command: Command, bind: Bind) => void): this {
    this.#commands.push((group, bind) => {
      const command = group.command(words.name).description(words.description).summary(words.summary);
      for (const option of words.options ?? []) command.addOption(option);
      complete(command, bind);
      if (words.examples) withExamples(command, ...words.examples);
    });
    return this;
  }

  /** @param pick returns the object that the first argument names, if `take` declares that argument */
  #act<I, O, R>(
    action: Action<I, O, R>,
    take: (command: Command) => Command,
    pick: (cli: Cli, text: string, options: CommonOptions) => Promise<I>,
  ): this {
    const { shape, send, after, arguments: more = [], ...words } = action;
    const run = async (cli: Cli, ...input: unknown[]) => {
      cli.willWrite(shape ?? NO_FIELDS);
      // Commander appends the options and the command to the arguments.
      const options = input.at(-2) as O & CommonOptions;
      const args = input.slice(0, -2) as string[];
      const item = await pick(cli, args[0] as string, options);
      const context = { cli, call: callerOf(cli), item, args: args.slice(args.length - more.length), options };
      const result = await send(context);
      if (shape) await writeRecord(cli.sink, shape, result);
      await after?.(context, result);
    };
    return this.#add(words, (command, bind) => {
      take(command);
      for (const [flags, help] of more) command.argument(flags, help);
      command.action(bind(run));
    });
  }

  #takeItem(command: Command): Command {
    return command.argument(`<${this.noun}>`, this.#items.reference);
  }

  async #pick(cli: Cli, text: string, { user = '', yes }: CommonOptions): Promise<T> {
    const { noun, load, choice } = this.#items;
    const items = await load(callerOf(cli), user);
    const id = await pickId(cli, noun, text, items.map(choice), { withoutPrompt: yes });
    return items.find((item) => choice(item).id === id) as T;
  }
}

function callerOf(cli: Cli): Call {
  return async (route, input) => (await cli.client()).call(route, { ...input, signal: cli.signal });
}
