import { COMMAND_VERBS, type CommandVerb } from '@signalbox/contracts/commands'
import { commandLinesOf } from './command-lines.ts'

export type Command =
  | {
      readonly verb: 'run'
      /** Whole, or the name alone: then of the source's team. */
      readonly pipeline: string
      readonly scope: string | undefined
      readonly variables: Readonly<Record<string, string>>
    }
  | { readonly verb: 'rerun'; readonly failed: boolean }
  | { readonly verb: 'cancel' | 'why' | 'help' }
  | { readonly verb: 'approve'; readonly step: string; readonly sha: string }
  | { readonly verb: 'ok-to-test'; readonly sha: string }

/**
 * `none`: nothing for this service. `unknown`: the comment is one line, of a word that this service does not know.
 * `malformed`: a command that cannot be read; `fault` is a sentence.
 */
export type ParsedComment =
  | { readonly kind: 'none' }
  | { readonly kind: 'unknown'; readonly line: string }
  | { readonly kind: 'malformed'; readonly verb: CommandVerb; readonly line: string; readonly fault: string }
  | { readonly kind: 'command'; readonly line: string; readonly command: Command }

const LONGEST_LINE = 2_000
const LONGEST_SHOWN = 200
const MOST_VARIABLES = 50
const VERB = /^\/([a-z][a-z-]*)(?=$|[ \t])/
/** Control characters, what turns or hides text, and every blank that is no plain space. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}]|(?! )\p{Zs}/u
const PATH = /^[a-z0-9][a-z0-9_-]*(?:\/[a-z0-9][a-z0-9_-]*){0,8}$/
const VARIABLE = /^([A-Za-z_][A-Za-z0-9_]{0,99})=(.*)$/s
const STEP = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,199}$/
const SHA = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/
const WHOLE_SHA = 'Name the whole commit, all 40 or 64 digits in lower case: others can be made that begin alike.'

/** The first line of a comment that is a command; the others do not count. Takes any text and never throws. */
export function parseComment(body: string): ParsedComment {
  const lines = commandLinesOf(body)
  for (const line of lines) {
    const verb = verbOf(line)
    if (verb) return parseLine(verb, line)
  }
  const [only] = lines
  return only !== undefined && body.trim() === only.trim() ? { kind: 'unknown', line: shown(only) } : { kind: 'none' }
}

function verbOf(line: string): CommandVerb | undefined {
  const word = VERB.exec(line)?.[1]
  return COMMAND_VERBS.find((verb) => verb === word)
}

/** As it is stored and shown: no character in it hides or turns others. */
function shown(line: string): string {
  return Array.from(line.slice(0, 10 * LONGEST_SHOWN))
    .map((character) => (UNSEEN.test(character) ? ' ' : character))
    .slice(0, LONGEST_SHOWN)
    .join('')
}

function parseLine(verb: CommandVerb, line: string): ParsedComment {
  const malformed = (fault: string): ParsedComment => ({ kind: 'malformed', verb, line: shown(line), fault })
  if (line.length > LONGEST_LINE) return malformed(`A command has at most ${LONGEST_LINE} characters.`)
  const text = line.replaceAll('\t', ' ')
  if (UNSEEN.test(text)) return malformed('The line holds characters that cannot be seen: write it anew.')
  const read = readCommand(
    verb,
    text
      .split(' ')
      .filter((word) => word !== '')
      .slice(1),
  )
  return typeof read === 'string' ? malformed(read) : { kind: 'command', line: shown(line), command: read }
}

function readCommand(verb: CommandVerb, words: readonly string[]): Command | string {
  switch (verb) {
    case 'run':
      return readRun(words)
    case 'rerun':
      if (words.length === 0) return { verb, failed: false }
      return words.length === 1 && words[0] === 'failed' ? { verb, failed: true } : 'Write /rerun or /rerun failed.'
    case 'cancel':
    case 'why':
    case 'help':
      return words.length === 0 ? { verb } : `Write /${verb} alone on its line.`
    case 'approve': {
      const [step = '', sha = '', ...rest] = words
      if (words.length < 2 || rest.length > 0 || !STEP.test(step)) return 'Write /approve <step> <commit>.'
      return SHA.test(sha) ? { verb, step, sha } : WHOLE_SHA
    }
    case 'ok-to-test': {
      const [sha = '', ...rest] = words
      if (sha === '' || rest.length > 0) return 'Write /ok-to-test <commit>.'
      return SHA.test(sha) ? { verb, sha } : WHOLE_SHA
    }
    default:
      return verb satisfies never
  }
}

const RUN_FORM = 'Write /run <pipeline> [on <scope>] [NAME=value ...].'

function readRun([pipeline = '', ...words]: readonly string[]): Command | string {
  if (!PATH.test(pipeline)) return RUN_FORM
  const named = words[0] === 'on'
  const scope = named ? words[1] : undefined
  if (named && (scope === undefined || !PATH.test(scope))) return RUN_FORM
  const given = named ? words.slice(2) : words
  if (given.length > MOST_VARIABLES) return `A command sets at most ${MOST_VARIABLES} variables.`
  const variables = new Map<string, string>()
  for (const word of given) {
    const [, name, value = ''] = VARIABLE.exec(word) ?? []
    if (name === undefined) return RUN_FORM
    if (variables.has(name)) return `The variable ${name} is set twice.`
    variables.set(name, value)
  }
  return { verb: 'run', pipeline, scope, variables: Object.fromEntries(variables) }
}
