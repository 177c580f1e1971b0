// Writes docs/healthctl.md from the commands themselves: `node scripts/healthctl-docs.mjs`, after a build.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from './checkout.mjs';

const COLUMNS = 100;

const INTRODUCTION = `# healthctl

Everything that the API does, from the command line. This page is made from the commands: \`node scripts/healthctl-docs.mjs\`.

## Get it

From a checkout it is \`npm run -s healthctl --\`. For any other machine with Node 20.19 or later a running service hands out
the version that fits it, as one file:

    curl -o healthctl.mjs https://health.example.org/healthctl.mjs
    node healthctl.mjs login --url https://health.example.org

\`npm pack\` in \`cli/\` makes a package of it that \`npm install --global\` takes and that needs nothing else. Completion is
loaded with \`source <(healthctl completion bash)\`, the same with \`zsh\`, or
\`healthctl completion fish > ~/.config/fish/completions/healthctl.fish\`.

## From nothing to data

\`\`\`sh
healthctl users create --email anna@example.org --first-name Anna
healthctl connections connect google --user anna@example.org
healthctl sync historical --user anna@example.org --provider google --days 30 --no-wait
healthctl sync watch --user anna@example.org
healthctl data activity --user anna@example.org --from 7d
healthctl subscribers register google https://health.example.org/api/v1/providers/google/webhooks
healthctl import export.zip --user anna@example.org --dry-run
healthctl import export.zip --user anna@example.org
healthctl users export anna@example.org --out anna.zip
healthctl users delete anna@example.org --yes
\`\`\`

## What scripts may rely on

- Data goes to stdout, everything else to stderr. On a terminal data is a table, in a pipe JSON; \`--output\` chooses. \`--json
  id,email\` picks fields, \`--jq\` puts the JSON through a jq program. Fields are added, never renamed or taken away.
  A field that is not there, or a jq program that cannot be read, is refused before anything is changed; commands that
  write events have no fields to pick.
- Commands that follow something write one JSON object a line, and last, exactly once, one with \`"event": "result"\`.
- Failures are JSON on stderr then: \`code\`, \`message\`, \`hint\`, \`request_id\`. \`healthctl help exit-codes\` has the exit codes.
- A user is named by the id, the e-mail or the external id; a run, key, application, developer, invitation or link by its
  id or name. The beginning of an id is enough to look at something: at least 4 characters, of a user's 8, that fit one
  only. Where several fit, a person at a terminal chooses, and a script gets code \`ambiguous\` with the ids; what is too
  short is \`id_too_short\`. A script that changes something, and \`--yes\`, take no beginning: the code is
  \`whole_id_needed\`.
- Nothing is asked where no one can answer: in a pipe, with \`--no-input\`, or where \`CI\` is set. What needs a yes takes \`--yes\`.
- A flag takes precedence over the environment, the environment over \`.healthctl.json\` of the folder or one above it, and that
  file over the profile.
  \`healthctl config --show-origin\` says where each value comes from.
- Secrets are never arguments: they are asked for, read from stdin, or come from HEALTHCTL_TOKEN.
`;

/** @returns {Promise<string>} the text of docs/healthctl.md */
export async function healthctlDocument() {
  const { buildProgram } = await import(pathToFileURL(join(root, 'cli/dist/program.js')).href);
  const program = await buildProgram(undefined);
  const parts = [INTRODUCTION, '## Options of every command\n', optionsOf(program)];
  for (const command of shown(program)) parts.push(`\n## ${command.name()}\n`, ...sectionsOf(command, 'healthctl'));
  return parts.join('\n').replaceAll(/\n{3,}/g, '\n\n');
}

function shown(command) {
  return command
    .createHelp()
    .visibleCommands(command)
    .filter((one) => one.name() !== 'help');
}

/** One section for each command that does something. */
function sectionsOf(command, parent) {
  const name = `${parent} ${command.name()}`;
  const children = shown(command);
  if (children.length === 0) return [helpOf(command)];
  const own = [`${command.description()}\n`];
  for (const child of children)
    own.push(`### ${name.replace('healthctl ', '')} ${child.name()}\n`, ...sectionsOf(child, name));
  return own;
}

function helpOf(command) {
  let text = '';
  command.configureHelp({ showGlobalOptions: false, helpWidth: COLUMNS });
  command.configureOutput({ writeOut: (part) => (text += part) });
  command.outputHelp();
  // Every command has it.
  const lines = text.split('\n').filter((line) => !/^ {2}-h, --help /.test(line));
  return `\`\`\`text\n${lines
    .join('\n')
    .replace(/\nOptions:\n(?=\n|$)/, '\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim()}\n\`\`\`\n`;
}

function optionsOf(program) {
  const help = program.createHelp();
  const rows = help
    .visibleOptions(program)
    .map((option) => `- \`${help.optionTerm(option)}\`: ${help.optionDescription(option)}`);
  return `${rows.join('\n')}\n`;
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  writeFileSync(join(root, 'docs/healthctl.md'), await healthctlDocument());
}
