import { CommanderError } from 'commander'
import { nameOf } from './client/operations.ts'
import { ApiProblem, Unreachable } from './client/problem.ts'
import { AnswerNotUnderstood } from './client/shape.ts'
import { Context } from './commands/context.ts'
import { CommandFailed, messageOf } from './errors.ts'
import { exitCode, exitCodeOfStatus } from './exit-codes.ts'
import { escapeText } from './output/escape.ts'
import { renderJson } from './output/json.ts'
import { buildProgram } from './program.ts'
import type { Surroundings } from './surroundings.ts'
import { readVersion } from './version.ts'

/** Runs one command line; answers the exit code. Throws nothing. */
export async function run(args: readonly string[], surroundings: Surroundings): Promise<number> {
  const context = new Context(surroundings)
  try {
    await buildProgram(context).parseAsync([...args], { from: 'user' })
    return context.exitCode
  } catch (error) {
    return report(await explain(error, context), args.includes('--json'), context)
  }
}

/** The reason of an error that code throws when it reads a field which an answer lacks; any other error as it is. */
async function explain(error: unknown, { clients }: Context): Promise<unknown> {
  if (!(error instanceof TypeError) && !(error instanceof RangeError)) return error
  const { findMissingField } = await import('./client/missing-field.ts')
  for (const [operation, body] of clients.flatMap(({ answers }) => [...answers])) {
    const field = findMissingField(operation, body)
    if (field !== undefined) return new AnswerNotUnderstood(`${nameOf(operation)} has no field ${field}`)
  }
  return error
}

/** Says what went wrong and answers the exit code for it. */
async function report(error: unknown, json: boolean, context: Context): Promise<number> {
  const { paintError: paint } = context
  const { err } = context.surroundings
  const say = (message: string, ...further: readonly string[]): void =>
    err.write(`${[`${paint('bad', 'error')} ${message}`, ...further].join('\n')}\n`)
  if (error instanceof CommanderError) {
    // Commander has printed it already; help and version are no errors.
    return error.exitCode === 0 ? exitCode('success') : exitCode('usage')
  }
  if (error instanceof ApiProblem) {
    if (json) err.write(`${renderJson(error.document ?? { status: error.status, code: error.code })}\n`)
    else say(escapeText(error.message), ...describe(error).map((line) => `  ${paint('quiet', line)}`))
    return exitCodeOfStatus(error.status)
  }
  if (error instanceof CommandFailed) {
    say(escapeText(error.message), ...(error.remedy === undefined ? [] : [`  ${escapeText(error.remedy)}`]))
    return error.exitCode
  }
  if (error instanceof Unreachable) {
    say(escapeText(error.message), '  `signalbox doctor` looks for the reason.')
    return exitCode('unavailable')
  }
  if (error instanceof AnswerNotUnderstood) {
    say(escapeText(error.message), `  ${escapeText(await describeVersions(context))}`)
    return exitCode('unexpected')
  }
  say(error instanceof Error && error.stack ? error.stack : messageOf(error))
  return exitCode('unexpected')
}

async function describeVersions({ clients: [client] }: Context): Promise<string> {
  const theirs = (await client?.findVersion()) ?? 'unknown'
  return `The command has version ${readVersion()}, the control plane ${theirs}: use the same version of both.`
}

function says(sentence: string, part: string): boolean {
  return sentence.includes(part.replace(/\.$/, ''))
}

function describe(problem: ApiProblem): readonly string[] {
  const fields = problem.errors
    // A field that the sentence names already is not named again.
    .filter(({ message }) => message !== problem.message)
    .filter(({ field, message }) => ![' ', ': '].some((gap) => says(problem.message, `${field}${gap}${message}`)))
    .map(({ field, message }) => escapeText(`${field}: ${message}`))
  const remedy =
    problem.status === 401 ? ['Sign in with `signalbox login`, or set SIGNALBOX_TOKEN to a token that is valid.'] : []
  const request = problem.requestId === undefined ? '' : `, request ${problem.requestId}`
  return [...fields, ...remedy, escapeText(`${problem.code} (${problem.status}${request})`)]
}
