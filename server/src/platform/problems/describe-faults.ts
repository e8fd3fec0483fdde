import type { FieldError } from './problem.ts'

/** All that is wrong in one sentence: `team_path: there is no team acme; scope: you may not use it.` */
export function describeFaults(faults: readonly FieldError[]): string {
  return `${faults.map(({ field, message }) => `${field}: ${message.replace(/\.$/, '')}`).join('; ')}.`
}
