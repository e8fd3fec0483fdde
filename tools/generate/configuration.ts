import { OPTIONS, type Option } from '../../server/src/platform/config/options.ts'
import type { Generator } from './generator.ts'
import { writeOutput } from './write.ts'

const OUTPUT = 'docs/operations/configuration.md'

/** The page of all options of the control plane, out of the table that the program itself reads. */
export const configuration: Generator = {
  name: 'configuration page',
  outputs: [OUTPUT],
  run: (into) => writeOutput(into, OUTPUT, renderConfiguration(OPTIONS)),
}

const INTRODUCTION = `# Configuration

This page lists every option of the control plane. Give an option as an environment variable, or by its key in
\`signalbox.yaml\` in the working directory; the variable wins. If a value is wrong, the start ends with one line that names
the key. \`signalbox config\` prints the values that a start here would take, and their origins. \`signalbox settings\` and the page
\`#/system/settings\` show those in force at a control plane that runs; of a secret only that it is set.

This page is generated from \`server/src/platform/config/options.ts\`; \`npm run generate\` renews it.
`

/** The whole page, as Markdown; options keep the order of the table. */
export function renderConfiguration(options: Readonly<Record<string, Option>>): string {
  const sections = Object.entries(options).map(([name, option]) => renderOption(name, option))
  return [INTRODUCTION, ...sections].join('\n')
}

function renderOption(name: string, option: Option): string {
  const facts = [
    `Variable \`${name.toUpperCase()}\``,
    `type ${option.type}`,
    option.default === undefined || option.default === '' ? 'no default' : `default \`${option.default}\``,
    ...renderRange(option),
    ...(option.secret ? ['secret: never printed or logged'] : []),
  ]
  return `## ${name}\n\n${option.text}\n\n${facts.join('; ')}.\n`
}

function renderRange({ min, max, minLength }: Option): readonly string[] {
  const length = minLength === undefined ? [] : [`at least ${minLength} characters`]
  if (min !== undefined && max !== undefined) return [`${min} to ${max}`, ...length]
  if (min !== undefined) return [`at least ${min}`, ...length]
  if (max !== undefined) return [`at most ${max}`, ...length]
  return length
}
