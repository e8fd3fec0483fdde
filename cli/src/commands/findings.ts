import type { Finding } from '@signalbox/contracts/http'
import { escapeText } from '../output/escape.ts'
import type { Context } from './context.ts'

/** One line for each sentence, with the ids that it does not name itself. */
export function printFindings(context: Context, findings: readonly Finding[]): void {
  for (const { sentence, evidence } of findings) {
    const proof = evidence.filter(({ id }) => !sentence.includes(id)).map(({ kind, id }) => `${kind} ${id}`)
    context.printLine(escapeText(proof.length === 0 ? sentence : `${sentence} (${proof.join(', ')})`))
  }
}
