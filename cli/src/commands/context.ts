import { Command } from 'commander'
import type { Client } from '../client/client.ts'
import { connect } from '../config/connection.ts'
import { exitCode } from '../exit-codes.ts'
import { escapeText } from '../output/escape.ts'
import { renderJson } from '../output/json.ts'
import { createPaint, type Paint, type Tone, usesColour } from '../output/style.ts'
import { type Field, type Row, renderFields, renderTable } from '../output/table.ts'
import type { Surroundings } from '../surroundings.ts'
import { type ApiOptions, apiOptions, takeApiOptions } from './api-options.ts'

export type { ApiOptions } from './api-options.ts'

/** Every command is given this: the control plane that its options name, and ways to print. */
export class Context {
  readonly surroundings: Surroundings
  /** The colours for the standard output, and for the standard error. */
  readonly paint: Paint
  readonly paintError: Paint
  /** How the program ends. */
  exitCode = exitCode('success')
  /** The control planes that were asked. */
  readonly clients: Client[] = []

  constructor(surroundings: Surroundings) {
    const { env, out, err } = surroundings
    this.surroundings = surroundings
    this.paint = createPaint(usesColour(env, out.isTerminal))
    this.paintError = createPaint(usesColour(env, err.isTerminal))
  }

  finish(code: number): void {
    this.exitCode = code
  }

  connect(options: ApiOptions): Client {
    const client = connect(this.surroundings, options)
    this.clients.push(client)
    return client
  }

  printJson(value: unknown): void {
    this.surroundings.out.write(`${renderJson(value, 2)}\n`)
  }

  printLine(line: string): void {
    this.surroundings.out.write(`${line}\n`)
  }

  /** A document from anywhere: a terminal is not to obey it. */
  printText(text: string): void {
    for (const line of text.trimEnd().split('\n')) this.printLine(escapeText(line))
  }

  printTable(head: readonly string[], rows: readonly Row[]): void {
    const { out, err } = this.surroundings
    if (rows.length === 0 && out.isTerminal) err.write(`${this.paintError('quiet', 'Nothing to show.')}\n`)
    else out.write(renderTable(head, rows, out, this.paint))
  }

  printFields(fields: readonly Field[]): void {
    const { out } = this.surroundings
    out.write(renderFields(fields, out, this.paint))
  }

  /** A remark for the person that is no part of the output. The remark may hold names from anywhere: they are escaped. */
  printNote(line: string, tone: Tone = 'plain'): void {
    this.surroundings.err.write(`${this.paintError(tone, escapeText(line))}\n`)
  }
}

/** A command that speaks to the API. */
export function apiCommand(name: string, description: string): Command {
  const command = new Command(name).description(description)
  for (const option of apiOptions()) command.addOption(option)
  return command
}

/** The command is a name for those below it and does nothing by itself. */
export function group(name: string, description: string, commands: readonly Command[]): Command {
  const parent = new Command(name).description(description)
  for (const command of commands) parent.addCommand(command)
  return takeApiOptions(parent)
}
