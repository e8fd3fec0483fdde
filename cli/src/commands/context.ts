import { Command } from 'commander'
import type { Client } from '../client/client.ts'
import { connect } from '../config/connection.ts'
import { escapeText } from '../output/escape.ts'
import { renderJson } from '../output/json.ts'
import { createPaint, type Paint, type Tone, usesColour } from '../output/style.ts'
import { type Cell, type Row, renderFields, renderTable } from '../output/table.ts'
import type { Surroundings } from '../surroundings.ts'
import { type ApiOptions, apiOptions, takeApiOptions } from './api-options.ts'

export type { ApiOptions } from './api-options.ts'

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

/** A command that speaks to the API. */
export function apiCommand(name: string, description: string): Command {
  const command = new Command(name).description(description)
  for (const option of apiOptions()) command.addOption(option)
  return command
}

export function clientOf(context: Context, options: ApiOptions): Client {
  return connect(context.surroundings, options)
}

export function printJson(context: Context, value: unknown): void {
  context.surroundings.out.write(`${renderJson(value, 2)}\n`)
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

/** A remark for the person that is no part of the output. It may hold names from anywhere: they are escaped here. */
export function printNote(context: Context, line: string, tone: Tone = 'plain'): void {
  context.surroundings.err.write(`${context.paintError(tone, escapeText(line))}\n`)
}

/** The command is a name for those below it and does nothing by itself. */
export function group(name: string, description: string, commands: readonly Command[]): Command {
  const parent = new Command(name).description(description)
  for (const command of commands) parent.addCommand(command)
  return takeApiOptions(parent)
}
