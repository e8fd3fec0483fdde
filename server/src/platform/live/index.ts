import type { Caller } from '#platform/http'

/** A kind of topic that pages follow at GET /v1/live, such as `runs:<team path>`; a room contributes it. */
export interface LiveTopic {
  /** The part before the colon, and the name of the events. */
  readonly kind: string
  /** The part behind the colon; `nothing`: the kind is the whole topic, and its name is empty. */
  readonly of: 'nothing' | 'team' | 'id'
  /** The channels of NOTIFY that tell of changes. */
  readonly channels: readonly string[]
  /** `isFor` of its changes asks for permissions alone: it is asked once for all who hold the same roles. */
  readonly isByPermissions?: true
  /** Whether the caller may follow the topic of this name. False for an absent thing, after the same work. */
  mayFollow(caller: Caller, name: string): Promise<boolean>
  /** The changes behind the payloads that came together, in their order. */
  read(payloads: readonly string[]): Promise<readonly LiveChange[]>
}

/** `many`: several things at once, which are not named. */
export type LiveChangeKind = 'created' | 'changed' | 'gone' | 'many'

export interface LiveChange {
  /** Null where `change` is many. */
  readonly id: string | null
  readonly change: LiveChangeKind
  /** The names of the topics of this kind that the change concerns. */
  readonly names: readonly string[]
  /** Whether the viewer, with the rights of now, could read the changed thing. */
  isFor(viewer: Caller): boolean
}

/** A payload of the form `<change> <place>[ <id>]`; without an id several things changed. */
export interface ToldChange {
  readonly change: LiveChangeKind
  /** A team path, or the id of the thing that holds the changed ones. */
  readonly place: string
  readonly id: string | null
}

export function readTold(payload: string): ToldChange {
  const [word = '', place = '', id] = payload.split(' ')
  if (id === undefined) return { change: 'many', place, id: null }
  return { change: word === 'created' || word === 'gone' ? word : 'changed', place, id }
}

/** The names of the team topics that a change at `teamPath` concerns: acme/web -> '/', acme, acme/web. */
export function teamNames(teamPath: string): readonly string[] {
  if (teamPath === '/') return ['/']
  const parts = teamPath.split('/')
  return ['/', ...parts.map((_, at) => parts.slice(0, at + 1).join('/'))]
}

/** Whether one who holds a permission at these prefixes may hear of anything at the team or below it. */
export function hearsTeam(prefixes: readonly string[], teamPath: string): boolean {
  if (teamPath === '/') return prefixes.length > 0
  return prefixes.some((prefix) => teamNames(teamPath).includes(prefix) || prefix.startsWith(`${teamPath}/`))
}
