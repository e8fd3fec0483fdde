/** What of a definition its fields must agree about. */
export interface DefinitionFields {
  readonly scheduleKind: 'recurring' | 'one_time'
  readonly cronExpression: string | null
  readonly runAt: string | null
  readonly repository: string | null
  readonly ref: string | null
}

export interface DefinitionFault {
  readonly field: string
  readonly message: string
}

/** Fields that contradict each other, but for what is wrong with the timing itself. */
export function findDefinitionFaults(given: DefinitionFields): DefinitionFault[] {
  const faults: DefinitionFault[] = []
  if (given.scheduleKind === 'recurring' && given.runAt !== null) {
    faults.push({ field: 'run_at', message: 'belongs to a one_time schedule: leave it out, or write null' })
  }
  if (given.scheduleKind === 'one_time' && given.cronExpression !== null) {
    faults.push({ field: 'cron_expression', message: 'belongs to a recurring schedule: leave it out, or write null' })
  }
  if (given.repository !== null && given.ref === null) {
    faults.push({ field: 'ref', message: 'give it with repository: a branch or a tag' })
  }
  if (given.repository === null && given.ref !== null) {
    faults.push({ field: 'repository', message: 'give it with ref, such as acme/shop' })
  }
  return faults
}
