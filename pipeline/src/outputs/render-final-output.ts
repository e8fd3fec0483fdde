import type { GraphFinalOutput } from '../graph/graph.ts'
import type { OutputReference, ValuePart } from '../graph/values.ts'
import type { RunState } from '../status/state.ts'
import { type FindOutput, outputFinder } from './find-output.ts'
import { createJsonCursor } from './json-cursor.ts'
import { OUTPUT_LIMITS } from './limits.ts'
import { formatReference } from './template.ts'

export type FinalOutput =
  | {
      readonly ok: true
      readonly content: string
      /** References whose task wrote no such output; each stands for nothing, or null in JSON. */
      readonly missing: readonly string[]
    }
  | { readonly ok: false; readonly message: string }

/**
 * Makes a final output of a run that is over. In JSON, a value inside a text adds its characters, and a value elsewhere
 * stays JSON. Values therefore never change the text around them. All instances of a task with a matrix are a JSON
 * array. Never throws; what cannot be made is a sentence.
 */
export function renderFinalOutput(output: GraphFinalOutput, state: RunState): FinalOutput {
  const find = outputFinder(state)
  const missing = new Set<string>()
  const cursor = output.format === 'json' ? createJsonCursor() : undefined
  let content = ''
  for (const part of output.template) {
    if (typeof part === 'string') {
      content += part
      cursor?.read(part)
    } else {
      const value = valueOf(part, find, missing)
      if (value.secret !== undefined) {
        return failed(output, `\`${value.secret}\` is sensitive and may not be shown`)
      }
      const written = cursor === undefined ? (value.text ?? '') : writeJson(value.text, cursor.insideText)
      if (written === undefined) {
        const shown = JSON.stringify((value.text ?? '').slice(0, 60))
        return failed(output, `\`${nameOf(part)}\` gives ${shown}, which is no JSON: put quotes around the reference`)
      }
      content += written
    }
    if (content.length > OUTPUT_LIMITS.finalBytes) return failed(output, TOO_LARGE)
  }
  if (new TextEncoder().encode(content).length > OUTPUT_LIMITS.finalBytes) return failed(output, TOO_LARGE)
  if (output.format === 'json' && !isJson(content)) return failed(output, 'what the template gives is no JSON')
  return { ok: true, content, missing: [...missing] }
}

const TOO_LARGE = `it has more than ${OUTPUT_LIMITS.finalBytes} bytes: write an artifact instead`

function failed({ name }: GraphFinalOutput, what: string): FinalOutput {
  return { ok: false, message: `The final output ${name} cannot be made: ${what}.` }
}

interface Value {
  /** Undefined: it was not written. */
  readonly text: string | undefined
  /** The reference, where its value is masked. */
  readonly secret?: string
}

function valueOf(part: Exclude<ValuePart, string>, find: FindOutput, missing: Set<string>): Value {
  const read = (reference: OutputReference) => {
    const found = find(reference)
    if (found === undefined) missing.add(formatReference(reference))
    return found
  }
  if (!('tasks' in part)) {
    const found = read(part)
    return found?.sensitive ? { text: undefined, secret: formatReference(part) } : { text: found?.value }
  }
  const { step, output } = part
  const all = part.tasks.map((task) => read({ step, task, output }))
  const secret = all.findIndex((one) => one?.sensitive)
  if (secret !== -1)
    return { text: undefined, secret: formatReference({ step, task: part.tasks[secret] ?? '', output }) }
  return { text: JSON.stringify(all.map((one) => one?.value ?? null)) }
}

/** Undefined: it is no JSON, and stands where only JSON can. */
function writeJson(text: string | undefined, insideText: boolean): string | undefined {
  if (insideText) return JSON.stringify(text ?? '').slice(1, -1)
  if (text === undefined) return 'null'
  return isJson(text) ? text : undefined
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

function nameOf(part: Exclude<ValuePart, string>): string {
  return formatReference('tasks' in part ? { step: part.step, task: '*', output: part.output } : part)
}
