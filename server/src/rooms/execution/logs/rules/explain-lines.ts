import type { Evidence, Finding } from '@signalbox/contracts/http'
import type { RelevantLines } from '@signalbox/contracts/logs'

interface Place {
  readonly runId: string
  readonly step: string
  readonly task: string
}

/** What the lines of a failed task tell, without quoting one. */
export function explainLines({ runId, step, task }: Place, lines: RelevantLines): Finding[] {
  const evidence = (line?: number): Evidence[] => [
    { kind: 'log_line', id: `${step}/${task}`, run_id: runId, ...(line === undefined ? {} : { line }) },
  ]
  const findings: Finding[] = []
  const error = lines.lines.find((each) => each.error && (each.new || lines.how !== 'new_lines'))?.number
  const fresh = lines.lines.find((each) => each.new)?.number
  if (lines.how === 'new_lines') {
    const at = error ?? fresh
    const sentence =
      error === undefined
        ? `Line ${at} is the first that no recent success had.`
        : `Line ${at} is the first error that no recent success had.`
    findings.push({ code: 'log.new_lines', sentence, evidence: evidence(at) })
  } else if (lines.how === 'error_lines') {
    const sentence = `Line ${error} is the first that looks like an error.`
    findings.push({ code: 'log.error_lines', sentence, evidence: evidence(error) })
  } else {
    findings.push({ code: `log.${lines.how}`, sentence: REST[lines.how], evidence: evidence() })
  }
  if (lines.searched_from > 0) {
    const sentence = `The log is long: lines before ${lines.searched_from} were not looked at.`
    findings.push({ code: 'log.searched_from', sentence, evidence: evidence(lines.searched_from) })
  }
  return findings
}

const REST = {
  tail: 'No line looks like an error, so these are the last ones.',
  none: 'The log of this attempt has no lines, or they are kept no longer.',
} as const
