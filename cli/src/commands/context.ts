import { Command } from 'commander'
import type { Client } from '../client/client.ts'
import { connect } from '../config/connection.ts'
import { createPaint, type Paint, usesColour } from '../output/style.ts'
import { type Cell, type Row, renderFields, renderTable } from '../output/table.ts'
import type { Surroundings } from '../surroundings.ts'

/** What every command is given; `finish` says how the program ends where that is not 0. */
export interface Context {
  readonly surroundings: Surroundings
  /** For what goes to the standard output, and to the standard error. */
  readonly paint: Paint
  readonly paintError: Paint
  finish(exitCode: number): void
}

export function createContext(surroundings: Surroundings, finish: (exitCode: number) => void): Context {
  const { env, out, err } = surroundings
  return {
    surroundings,
    paint: createPaint(usesColour(env, out.isTerminal)),
    paintError: createPaint(usesColour(env, err.isTerminal)),
    finish,
  }
}

/** The options of every command that speaks to the API. */
export interface ApiOptions {
  readonly json?: boolean
  readonly url?: string
}

/** A command that speaks to the API: it takes --json and --url. */
export function apiCommand(name: string, description: string): Command {
  return new Command(name)
    .description(description)
    .option('--json', 'print the answer of the API as JSON')
    .option('--url <address>', 'address of the control plane (default: SIGNALBOX_URL, a local instance, the profile)')
}

export function clientOf(context: Context, options: ApiOptions): Client {
  return connect(context.surroundings, options.url === undefined ? {} : { url: options.url })
}

export function printJson(context: Context, value: unknown): void {
  context.surroundings.out.write(`${JSON.stringify(value, undefined, 2)}\n`)
}

export function printLine(context: Context, line: string): void {
  context.surroundings.out.write(`${line}\n`)
}

export function printTable(context: Context, head: readonly string[], rows: readonly Row[]): void {
  const { surroundings, paint, paintError } = context
  if (rows.length === 0 && surroundings.out.isTerminal) {
    surroundings.err.write(`${paintError('quiet', 'Nothing to show.')}\n`)
  } else surroundings.out.write(renderTable(head, rows, surroundings.out, paint))
}

export function printFields(context: Context, fields: readonly (readonly [string, string | Cell | undefined])[]): void {
  context.surroundings.out.write(renderFields(fields, context.surroundings.out, context.paint))
}

/** A remark for the person that is no part of the output. */
export function printNote(context: Context, line: string): void {
  context.surroundings.err.write(`${line}\n`)
}

/** The command is a name for those below it and does nothing by itself. */
export function group(name: string, description: string, commands: readonly Command[]): Command {
  const parent = new Command(name).description(description)
  for (const command of commands) parent.addCommand(command)
  return parent
}
