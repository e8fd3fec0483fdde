import type { CompiledTiming } from './timing.ts'

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
  return [...findKindFaults(given), ...findCheckoutFaults(given)]
}

/** A field of the other kind would be stored and never read. */
export function findKindFaults({
  scheduleKind,
  cronExpression,
  runAt,
}: Pick<DefinitionFields, 'scheduleKind' | 'cronExpression' | 'runAt'>): DefinitionFault[] {
  if (scheduleKind === 'recurring' && runAt !== null) {
    return [{ field: 'run_at', message: 'belongs to a one_time schedule: write null' }]
  }
  if (scheduleKind === 'one_time' && cronExpression !== null) {
    return [{ field: 'cron_expression', message: 'belongs to a recurring schedule: write null' }]
  }
  return []
}

const BRANCH_OR_TAG = /^refs\/(heads|tags)\/./

function findCheckoutFaults({ repository, ref }: DefinitionFields): DefinitionFault[] {
  const faults: DefinitionFault[] = []
  if (repository !== null && ref === null) {
    faults.push({ field: 'ref', message: 'give it with repository: a branch or a tag' })
  }
  if (repository === null && ref !== null) {
    faults.push({ field: 'repository', message: 'give it with ref, such as acme/shop' })
  }
  if (repository !== null && !isRepositoryName(repository)) {
    faults.push({ field: 'repository', message: 'must be owner/name, such as acme/shop' })
  }
  // The code of a pull request is run by its events alone: whoever opened it wrote it.
  if (ref?.startsWith('refs/') && !BRANCH_OR_TAG.test(ref)) {
    faults.push({ field: 'ref', message: 'must be a branch or a tag, such as main or refs/tags/v1' })
  }
  return faults
}

function isRepositoryName(text: string): boolean {
  const parts = text.split('/')
  return parts.length > 1 && parts.every((part) => part !== '' && part !== '.' && part !== '..')
}

/** The last instant that RFC 3339 can write. */
const LAST = new Date('9999-12-31T23:59:59.999Z')

/** When a timing must fire. */
export interface Expected {
  readonly now: Date
  /** Not before now: what is planned up to here was decided. */
  readonly after: Date
}

/**
 * Why a timing never fires after an instant, by the field that is at fault: it would wait for nothing, and tell nobody.
 * Undefined: it does fire. Without an instant it may be over, or excluded.
 */
export function findSilence(compiled: CompiledTiming, expected: Expected | undefined): DefinitionFault | undefined {
  return expected ? findSilenceAfter(compiled, expected) : findSilenceEver(compiled)
}

function findSilenceEver(compiled: CompiledTiming): DefinitionFault | undefined {
  if (compiled.timing.kind === 'one_time') return undefined
  return compiled.list(EPOCH, LAST, { limit: 1, withExcluded: true }).length > 0 ? undefined : NO_INSTANT
}

const EPOCH = new Date(0)
const NO_INSTANT = { field: 'cron_expression', message: 'names no instant: nothing would ever fire' }

function findSilenceAfter(compiled: CompiledTiming, { now, after }: Expected): DefinitionFault | undefined {
  const next = compiled.next(after)
  if (next && next.planned <= LAST) return undefined
  const { kind, notBefore, notAfter } = compiled.timing
  const isBounded = notBefore !== null || notAfter !== null
  if (notAfter && notAfter <= now) return { field: 'not_after', message: 'lies in the past: nothing would ever fire' }
  const field = kind === 'one_time' ? 'run_at' : 'cron_expression'
  const from = new Date(after.getTime() + 1)
  const [excluded] = compiled.list(from, LAST, { limit: 1, withExcluded: true })
  if (excluded) {
    const by = `excluded, by ${excluded.excludedBy}`
    return { field, message: kind === 'one_time' ? `is ${by}` : `names only instants that are ${by} and others` }
  }
  if (kind === 'recurring')
    return isBounded ? { field, message: 'names no instant within not_before and not_after' } : NO_INSTANT
  return { field, message: isBounded ? 'lies in the past, or not within not_before and not_after' : 'lies in the past' }
}
