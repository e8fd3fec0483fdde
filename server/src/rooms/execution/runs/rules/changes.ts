import type { Evidence, Finding } from '@signalbox/contracts/http'
import { describeDuration } from './duration.ts'
import { counted, finding, runEvidence } from './finding.ts'

/** One of two runs, as far as its differences from the other tell something. */
export interface ChangeSide {
  readonly id: string
  readonly status: string
  readonly pipeline: string
  readonly version: number
  readonly scope: string
  readonly commit: string | null
  readonly branch: string | null
  readonly variables: Readonly<Record<string, string>>
  readonly secretVariables: readonly string[]
  readonly pins: ReadonlySet<string>
  readonly tookMs: number | null
}

/** A task of both runs; undefined: that run has none such. */
export interface ChangedTask {
  readonly step: string
  readonly task: string
  readonly was: TaskSide | undefined
  readonly is: TaskSide | undefined
}

export interface TaskSide {
  readonly status: string
  readonly tookMs: number | null
  readonly exitCode: number | null
  readonly runnerId: string | null
  readonly image: string | null
  readonly digest: string | null
}

/** Less is told by no clock of a shared machine. */
const SLOWER_BY_MS = 10_000
const SLOWER_TIMES = 2

export function isSlower(was: number | null, is: number | null): boolean {
  return was !== null && is !== null && is - was >= SLOWER_BY_MS && is >= was * SLOWER_TIMES
}

/** Whether a task is worth a line of its own. */
export function isChanged({ was, is }: ChangedTask): boolean {
  if (!was || !is) return true
  return (
    was.status !== is.status ||
    was.runnerId !== is.runnerId ||
    hasOtherImage({ was, is }) ||
    isSlower(was.tookMs, is.tookMs) ||
    isSlower(is.tookMs, was.tookMs)
  )
}

function hasOtherImage({ was, is }: { readonly was: TaskSide; readonly is: TaskSide }): boolean {
  if (was.digest !== null && is.digest !== null) return was.digest !== is.digest
  return was.image !== null && is.image !== null && was.image !== is.image
}

export function listChangedVariables(was: ChangeSide, is: ChangeSide): readonly string[] {
  const names = new Set([...Object.keys(was.variables), ...Object.keys(is.variables)])
  return [...names].filter((name) => was.variables[name] !== is.variables[name]).toSorted()
}

interface Changes {
  readonly was: ChangeSide
  readonly is: ChangeSide
  readonly sameDocument: boolean
  readonly tasks: readonly ChangedTask[]
}

/** What is different, the most telling first: what broke, then what people changed, then where it ran and how long. */
export function describeChanges(changes: Changes): readonly Finding[] {
  const { was, is, tasks } = changes
  const both = [runEvidence(is.id), runEvidence(was.id)]
  const found = [
    ...describeBroken(is, tasks),
    ...describeSource(changes, both),
    ...describePlaces(is, tasks),
    ...describeTimes(is, was, tasks),
  ]
  if (found.some(({ code }) => code !== 'changes.broken')) return found
  const same = 'Commit, document, variables, scope, knowledge, runners and images are the same.'
  return [...found, finding('changes.none', same, both)]
}

function describeBroken(is: ChangeSide, tasks: readonly ChangedTask[]): readonly Finding[] {
  const broken = tasks.filter((task) => task.was?.status === 'success' && isBad(task.is?.status))
  if (broken.length === 0) return []
  const sentence = `${counted(broken.length, 'task')} that succeeded then did not succeed now.`
  return [
    finding(
      'changes.broken',
      sentence,
      broken.map((task) => taskEvidence(is, task)),
    ),
  ]
}

function isBad(status: string | undefined): boolean {
  return status === 'failure' || status === 'timed_out' || status === 'lost'
}

function describeSource({ was, is, sameDocument }: Changes, both: readonly Evidence[]): readonly Finding[] {
  const variables = listChangedVariables(was, is)
  const secrets = new Set(was.secretVariables).symmetricDifference(new Set(is.secretVariables))
  const pins = was.pins.symmetricDifference(is.pins)
  return [
    ...(was.commit === is.commit
      ? []
      : [finding('changes.commit', 'The commit is another one: compare commit_sha.was with commit_sha.is.', both)]),
    ...(was.branch === is.branch ? [] : [finding('changes.branch', 'The branch is another one.', both)]),
    ...(was.pipeline === is.pipeline
      ? []
      : [finding('changes.pipeline', `The pipeline is ${is.pipeline}; it was ${was.pipeline}.`, both)]),
    ...(sameDocument
      ? []
      : [finding('changes.document', `The document is of version ${is.version}; it was of ${was.version}.`, both)]),
    ...(variables.length === 0
      ? []
      : [finding('changes.variables', `${counted(variables.length, 'variable')} differ; see variables.`, both)]),
    ...(secrets.size === 0
      ? []
      : [
          finding(
            'changes.secret_variables',
            `${counted(secrets.size, 'secret variable')} were given to one run only.`,
            both,
          ),
        ]),
    ...(was.scope === is.scope
      ? []
      : [finding('changes.scope', `The scope is ${is.scope}; it was ${was.scope}.`, both)]),
    ...(pins.size === 0
      ? []
      : [
          finding(
            'changes.knowledge',
            `${counted(pins.size, 'revision')} of policies or guardrails held for one run only.`,
            both,
          ),
        ]),
  ]
}

function describePlaces(is: ChangeSide, tasks: readonly ChangedTask[]): readonly Finding[] {
  const pairs = tasks.flatMap((task) => (task.was && task.is ? [{ task, was: task.was, is: task.is }] : []))
  const moved = pairs.filter((pair) => pair.was.runnerId !== pair.is.runnerId && pair.was.runnerId && pair.is.runnerId)
  const images = pairs.filter(hasOtherImage)
  const found: Finding[] = []
  if (images.length > 0) {
    const sentence = `${counted(images.length, 'task')} ran in another image, or in another digest of it.`
    found.push(
      finding(
        'changes.image',
        sentence,
        images.map(({ task }) => taskEvidence(is, task)),
      ),
    )
  }
  if (moved.length > 0) {
    const runners = new Set(moved.flatMap((pair) => pair.is.runnerId ?? []))
    const sentence = `${counted(moved.length, 'task')} ran on another runner than then.`
    const evidence = [...runners].map((id) => ({ kind: 'runner', id }) as const)
    found.push(
      finding('changes.runner', sentence, [
        ...moved.slice(0, 10).map(({ task }) => taskEvidence(is, task)),
        ...evidence,
      ]),
    )
  }
  return found
}

function describeTimes(is: ChangeSide, was: ChangeSide, tasks: readonly ChangedTask[]): readonly Finding[] {
  const slower = tasks.filter((task) => isSlower(task.was?.tookMs ?? null, task.is?.tookMs ?? null))
  const found: Finding[] = []
  if (was.tookMs !== null && is.tookMs !== null && isSlower(was.tookMs, is.tookMs)) {
    const sentence = `The run took ${describeDuration(is.tookMs)}; it took ${describeDuration(was.tookMs)} then.`
    found.push(finding('changes.slower', sentence, [runEvidence(is.id), runEvidence(was.id)]))
  }
  if (slower.length > 0) {
    const sentence = `${counted(slower.length, 'task')} took at least twice as long as then.`
    found.push(
      finding(
        'changes.slower_tasks',
        sentence,
        slower.map((task) => taskEvidence(is, task)),
      ),
    )
  }
  return found
}

function taskEvidence({ id }: ChangeSide, { step, task }: ChangedTask): Evidence {
  return { kind: 'task', id: `${step}/${task}`, run_id: id }
}
