import type { Evidence, Finding } from '@signalbox/contracts/http'
import { entriesOf } from '@signalbox/contracts/http/requests'
import { sha256 } from '#platform/crypto'
import type { Caller, RequestOrigin } from '#platform/http'

/** What a route is called with, as it stands on the wire. */
export interface PlannedCall {
  readonly params: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, string>>
  readonly body: unknown
}

/** An audit record of the write: what was done, by the words of the room that did it. */
export interface Deed {
  readonly action: string
  readonly resource: { readonly kind: string; readonly id: string }
  readonly teamPath: string
  readonly before: unknown
  readonly after: unknown
}

export interface Rehearsed {
  readonly call: PlannedCall
  /** Of the transaction that was rolled back, or that is about to be committed. */
  readonly deeds: readonly Deed[]
  /** The answer to `ask`; undefined without it, and when a write is about to be committed. */
  readonly asked: unknown
  /** The answer to `foresee`; undefined without it. */
  readonly foreseen?: Foreseen | undefined
}

/** A run that a write starts, now or later. */
export interface Start {
  readonly pipeline: string
  readonly scope: string
  /** Left out: the newest of whatever has this name then. */
  readonly pinned?: PinnedVersion | undefined
}

/** A version of one pipeline, whichever else has its name by now. */
export interface PinnedVersion {
  readonly pipelineId: string
  readonly version: number
}

/** What the house sees, also beyond the rights of the planner. Nothing of it is told. */
export interface Foreseen {
  /** Of what the plan counts on. The plan holds no more than a mark of it, by a key of the house. */
  readonly digest?: string | undefined
  readonly starts: readonly Start[]
  /** As in `Described`. */
  readonly patterns?: readonly (readonly string[])[]
  readonly needsPerson?: string | undefined
}

export interface Described {
  /** What it is done to, by a name or an id of ours: `pipeline acme/web/build`. */
  readonly target: string
  readonly effects: readonly Finding[]
  /** The scopes that it reaches. */
  readonly scopes: readonly string[]
  /** Teams all of whose scopes it may reach. */
  readonly teams?: readonly string[]
  /** The scopes of their steps and of their child pipelines are reached as well. */
  readonly starts?: readonly Start[]
  /** Documents that are saved: likewise. */
  readonly documents?: readonly string[]
  /** Lists of patterns of scopes: what they match is reached as well. */
  readonly patterns?: readonly (readonly string[])[]
  /** Why another person has to approve, whatever is protected; names nothing that the planner may not see. */
  readonly needsPerson?: string | undefined
}

export interface Precondition {
  readonly name: string
  readonly value: string
}

/**
 * How a room says what one of its writes would do. The write itself is done and rolled back, so that nothing has to be
 * judged twice; the planner puts its audit records into words.
 */
export interface Planner {
  /** The operationId of the route. */
  readonly operation: string
  /** A further question, asked as the planner of the write. */
  ask?(call: PlannedCall): { readonly operation: string; readonly parts: Partial<PlannedCall> }
  /** Looks beyond what the planner of the write may see, in process. Asked again when the plan is confirmed. */
  foresee?(origin: RequestOrigin, call: PlannedCall): Promise<Foreseen>
  /**
   * Where more than permissions decides who may do it: for each of the calls, whether a viewer may. A plan of another is shown
   * to those alone. It costs no more than a few queries, however many calls there are.
   */
  findDoers?(calls: readonly PlannedCall[]): Promise<readonly ((viewer: Caller) => boolean)[]>
  /** The write cannot be rolled back whole: `ask` alone judges and describes it. */
  readonly isAsked?: true
  describe(rehearsed: Rehearsed): Described
  /**
   * What the plan counts on. Computed again from the records of the real write, in its transaction: what differs rolls it
   * back. Of a planner that is asked, computed again just before the write.
   */
  preconditions(rehearsed: Rehearsed): readonly Precondition[]
}

export function definePlanner(planner: Planner): Planner {
  return planner
}

/** The field of a value from JSON; undefined where it has none. */
export function fieldOf(value: unknown, name: string): unknown {
  return Array.isArray(value) ? undefined : entriesOf(value).find(([each]) => each === name)?.[1]
}

/** A field that is a text, a number or a yes or no, as text; undefined otherwise. */
export function textIn(value: unknown, name: string): string | undefined {
  const field = fieldOf(value, name)
  return typeof field === 'string' || typeof field === 'number' || typeof field === 'boolean'
    ? String(field)
    : undefined
}

/** What states of JSON start, by their `pipeline`, `scope` and, where they have them, `pipeline_id` and `pipeline_version`. */
export function startsIn(...states: readonly unknown[]): readonly Start[] {
  return states.flatMap((state) => {
    const [pipeline, scope] = [textIn(state, 'pipeline'), textIn(state, 'scope')]
    const [pipelineId, version] = [textIn(state, 'pipeline_id'), textIn(state, 'pipeline_version')]
    if (pipeline === undefined || scope === undefined) return []
    if (pipelineId === undefined || version === undefined) return [{ pipeline, scope }]
    return [{ pipeline, scope, pinned: { pipelineId, version: Number(version) } }]
  })
}

/** The items of a field that is a list. */
export function listIn(value: unknown, name: string): readonly unknown[] {
  const field = fieldOf(value, name)
  return Array.isArray(field) ? field : []
}

const PLAIN = /^[\w./:+-]{1,700}$/

/** A precondition; what is not plain counts by its digest, so that no foreign text stands in it. */
export function precondition(name: string, value: string | undefined): Precondition {
  if (value === undefined) return { name, value: 'none' }
  return { name, value: PLAIN.test(value) ? value : digestOf(value) }
}

/** A short digest of a value from JSON, whatever the order of its fields. */
export function digestOf(value: unknown): string {
  return sha256(JSON.stringify(sorted(value)))
    .toString('hex')
    .slice(0, 32)
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  return entriesOf(value)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, field]) => [name, sorted(field)])
}

export function finding(code: string, sentence: string, evidence: readonly Evidence[] = []): Finding {
  return { code, sentence, evidence: [...evidence] }
}
