import type { Evidence, Finding } from '@signalbox/contracts/http'

/** Of a list of evidence: the most. */
const MOST = 20

export function finding(code: string, sentence: string, evidence: readonly Evidence[]): Finding {
  return { code, sentence, evidence: evidence.slice(0, MOST) }
}

export function runEvidence(id: string): Evidence {
  return { kind: 'run', id }
}

/** `3 runs`, `1 run`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}
