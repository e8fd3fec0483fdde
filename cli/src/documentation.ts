import { RUNNER_FLAGS } from '@signalbox/runner'
import { apiOptions } from './commands/api-options.ts'
import { Context } from './commands/context.ts'
import { type CommandOutline, leavesOf, outlineOf } from './commands/outline.ts'
import { EXIT_CODES } from './exit-codes.ts'
import { buildProgram } from './program.ts'
import type { Output } from './surroundings.ts'

const NOWHERE: Output = { write: () => undefined, isTerminal: false, columns: 80 }

/** The tree of all commands, for documentation. */
export function outlineOfProgram(): CommandOutline {
  const context = new Context({
    env: {},
    cwd: '/',
    home: '/',
    out: NOWHERE,
    err: NOWHERE,
    stdinIsTerminal: false,
    readLine: async () => '',
    stdin: () => new Blob([]).stream(),
    readStdin: async () => '',
    onInterrupt: () => ({ [Symbol.dispose]: () => undefined }),
  })
  return outlineOf(buildProgram(context))
}

const OPTIONS_OF_THE_API = [
  ['`--url <address>`', 'Address of the control plane.'],
  [
    '`--token-file <file>`',
    'File with the token, which wins over `SIGNALBOX_TOKEN`; other users must not be able to read it.',
  ],
  ['`--json`', "Print the answer of the API as JSON; errors as the API's problem document."],
]

const INTRODUCTION = `# The command line

\`signalbox\` uses the public API and nothing else. This page is made from the command tree (\`cli/src/program.ts\`);
\`npm run generate\` renews it.

In the checkout, write \`npx signalbox\`. To write \`signalbox\` in every folder, put a link to \`cli/bin/signalbox.mjs\`
into a folder of your \`PATH\`; completion works for that name.

## Which control plane

A command takes the first address of this list:

1. \`--url\`;
2. \`SIGNALBOX_URL\`;
3. the instance that runs on the data folder of the working directory (its \`address.json\` and \`bootstrap-token\`);
4. the profile of \`signalbox login\` (\`$XDG_CONFIG_HOME/signalbox/config.json\`, mode 0600).

\`SIGNALBOX_TOKEN\` wins over every stored token. A command sends a stored token only to the address that belongs to it.

Every command that uses the API takes these options, before or after its words: \`signalbox --url ... run list\` is
\`signalbox run list --url ...\`.

${renderTable(['Option', 'Meaning'], OPTIONS_OF_THE_API).join('\n')}

## Output

On a terminal a list is a table; a table that is too wide becomes a few lines for each row. In a pipe the same columns
are separated by tabs, without a head. \`--json\` prints the answer of the API as it is; while a command follows a run, it
prints one document per line. Errors go to the standard error, with \`--json\` as the API's problem document. Colours are
off in a pipe and with \`NO_COLOR\`. Control characters in names and log lines are escaped, also in JSON.

A list shows its newest items, as many as \`--limit\` says, and tells when there are more; \`--all\` lists all of them. A
deletion asks a person first. Without a terminal it needs \`--yes\`.
`

/** docs/cli.md. */
export function renderCommandLinePage(root: CommandOutline = outlineOfProgram()): string {
  const codes = Object.values(EXIT_CODES).map(({ code, meaning }) => [String(code), meaning])
  return [
    INTRODUCTION,
    ['## Exit codes', '', ...renderTable(['Code', 'Meaning'], codes), ''].join('\n'),
    '## Commands\n',
    ...leavesOf(root).map(renderCommand),
  ].join('\n')
}

function renderCommand({ words, usage, description, arguments: args, options }: CommandOutline): string {
  const rows = [
    ...args.map(({ name, description: text, choices }) => [
      name,
      [text, ...choices.map((each) => `\`${each}\``)].join(' '),
    ]),
    ...options.filter(({ names }) => !isOfEvery(names)).map((option) => [option.flags, option.description]),
  ].map(([name = '', text = '']) => [`\`${name}\``, text])
  const table = rows.length === 0 ? [] : [...renderTable(['Argument', 'Meaning'], rows), '']
  const sentence = `${description.charAt(0).toUpperCase()}${description.slice(1)}.`.replace(/\?\.$/, '?')
  const further = words.join(' ') === 'runner start' ? renderRunnerFlags() : []
  return [`### signalbox ${words.join(' ')}`, '', sentence, '', '```', usage, '```', '', ...table, ...further].join(
    '\n',
  )
}

function isOfEvery(names: readonly string[]): boolean {
  return apiOptions().some(({ long }) => names.some((name) => name === long))
}

/** The runner reads its flags itself: it is a program of its own, too. */
function renderRunnerFlags(): string[] {
  const rows = Object.entries(RUNNER_FLAGS).map(([flag, meaning]) => [`\`--${flag}\``, meaning])
  const environment = 'Each has an environment form: `SIGNALBOX_RUNNER_WORK_DIR` for `--work-dir`.'
  return [...renderTable(['Flag', 'Meaning'], rows), '', environment, '']
}

/** A table of Markdown with even columns, as the formatter of the repository lays it out. */
function renderTable(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const cells = [head, ...rows].map((row) => row.map((cell) => cell.replaceAll('|', '\\|')))
  const widths = head.map((_title, at) => Math.max(3, ...cells.map((row) => row[at]?.length ?? 0)))
  const line = (row: readonly string[]): string =>
    `| ${row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(' | ')} |`
  const [title = [], ...body] = cells
  return [line(title), line(widths.map((width) => '-'.repeat(width))), ...body.map(line)]
}
