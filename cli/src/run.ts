import { CommanderError } from 'commander'
import { ApiProblem, Unreachable } from './client/problem.ts'
import { AnswerNotUnderstood } from './client/shape.ts'
import { createContext } from './commands/context.ts'
import { CommandFailed, messageOf } from './errors.ts'
import { exitCode, exitCodeOfStatus } from './exit-codes.ts'
import { escapeText } from './output/escape.ts'
import { renderJson } from './output/json.ts'
import { createPaint, usesColour } from './output/style.ts'
import { buildProgram } from './program.ts'
import type { Surroundings } from './surroundings.ts'

/** Runs one command line; answers the exit code. Throws nothing. */
export async function run(args: readonly string[], surroundings: Surroundings): Promise<number> {
  let ended = exitCode('success')
  const context = createContext(surroundings, (code) => {
    ended = code
  })
  const program = buildProgram(context)
  try {
    await program.parseAsync([...args], { from: 'user' })
    return ended
  } catch (error) {
    return report(error, args.includes('--json'), surroundings)
  }
}

/** Says what went wrong and answers the exit code for it. */
function report(error: unknown, json: boolean, { env, err }: Surroundings): number {
  const paint = createPaint(usesColour(env, err.isTerminal))
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
    say(escapeText(error.message), '  Are the command and the control plane of the same version?')
    return exitCode('unexpected')
  }
  say(error instanceof Error && error.stack ? error.stack : messageOf(error))
  return exitCode('unexpected')
}

function says(sentence: string, part: string): boolean {
  return sentence.includes(part.replace(/\.$/, ''))
}

function describe(problem: ApiProblem): readonly string[] {
  const fields = problem.errors
    // What the sentence says already is not said again.
    .filter(({ message }) => message !== problem.message)
    .filter(({ field, message }) => ![' ', ': '].some((gap) => says(problem.message, `${field}${gap}${message}`)))
    .map(({ field, message }) => escapeText(`${field}: ${message}`))
  const remedy =
    problem.status === 401 ? ['Sign in with `signalbox login`, or set SIGNALBOX_TOKEN to a token that is valid.'] : []
  const request = problem.requestId === undefined ? '' : `, request ${problem.requestId}`
  return [...fields, ...remedy, escapeText(`${problem.code} (${problem.status}${request})`)]
}
