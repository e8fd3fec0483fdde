import type { FindKind, SearchKind } from '@signalbox/contracts/search'
import type { Config, Role } from '#platform/config'
import type { Sealer } from '#platform/crypto'
import type { Database, FoundByText, TextWish } from '#platform/database'
import type { Facts, Reaction } from '#platform/facts'
import type { FailPoints } from '#platform/fail-points'
import type { GrpcService } from '#platform/grpc'
import type { Caller, Route } from '#platform/http'
import type { Ids } from '#platform/ids'
import type { JobDefinition, Jobs } from '#platform/jobs'
import type { LiveTopic } from '#platform/live'
import type { Log } from '#platform/log'
import type { Metrics } from '#platform/metrics'
import type { Planner } from '#platform/planning'
import type { Problems } from '#platform/problems'
import type { Clock } from '#platform/time'
import type { Tool } from '#platform/tools'

/** The tools that every room is given; no room reaches for any of them by itself. */
export interface Kit {
  readonly config: Config
  readonly database: Database
  readonly clock: Clock
  readonly ids: Ids
  readonly log: Log
  readonly facts: Facts
  readonly jobs: Jobs
  readonly sealer: Sealer
  readonly metrics: Metrics
  readonly failPoints: FailPoints
}

/** A question whose answer tells whether the house is well: readiness asks all of them. */
export interface Probe {
  readonly name: string
  /** Resolves when well; rejects with a sentence for an operator. */
  check(): Promise<void>
  /**
   * The code and remedy that preflight adds to the sentence of an unhealthy probe, where an operator has to mend
   * something.
   */
  readonly blocker?: { readonly code: string; readonly remedy: string }
}

/** A background loop of one role; it ends soon after the signal aborts. */
export interface Loop {
  readonly name: string
  readonly role: Role
  run(signal: AbortSignal): Promise<void>
}

/** How people find the things of one kind: the room search asks all of them. */
export interface Search {
  readonly kind: SearchKind
  /** The closest first, only what the caller may see, and at most `limit`. */
  find(caller: Caller, wish: SearchWish): Promise<readonly FoundByText[]>
}

export interface SearchWish extends TextWish {
  /** Path of a team: only its things, and those of the teams below it. */
  readonly within: string | undefined
}

/** What somebody pasted may mean, as the room search read it. */
export type Clue =
  /** A uuid, in lower case. */
  | { readonly kind: 'id'; readonly id: string }
  /** The first digits of a commit, in lower case: seven or more. */
  | { readonly kind: 'commit'; readonly commit: string }
  /** `owner/name`, as it was typed. */
  | { readonly kind: 'repository'; readonly repository: string }
  | { readonly kind: 'branch'; readonly branch: string; readonly repository: string | undefined }
  | { readonly kind: 'pull_request'; readonly repository: string; readonly number: number }

/** A thing that a clue leads to. */
export interface FoundByClue {
  readonly kind: FindKind
  readonly id: string
  /** A name of Signalbox, such as that of the pipeline of a run; null: it has none. */
  readonly name: string | null
  /** '/' is the platform; null: of no team. */
  readonly teamPath: string | null
  /** Of a delivery its source, of an event its delivery. */
  readonly parentId?: string | null
  /** A constant sentence. */
  readonly why: string
  /** Words of others by which a reader knows it: repository, branch, commit. */
  readonly told: string | null
}

/** How a room recognises what people paste: the room search asks all of them. */
export interface Finder {
  /** The newest first, only what the caller may see, and at most `limit`; none for a clue that says nothing here. */
  find(caller: Caller, clue: Clue, limit: number): Promise<readonly FoundByClue[]>
}

/** The parts that one room adds to the house. */
export interface RoomParts<Door> {
  readonly door: Door
  readonly routes?: readonly Route[]
  /** What agents may do here, over the routes; `POST /v1/mcp` offers them. */
  readonly tools?: readonly Tool[]
  /** The problems of the room's routes beyond those of every route: the tables of its errors.ts. */
  readonly problems?: readonly Problems[]
  readonly services?: readonly GrpcService[]
  readonly jobs?: readonly JobDefinition[]
  readonly reactions?: readonly Reaction[]
  readonly loops?: readonly Loop[]
  readonly probes?: readonly Probe[]
  /** Topics that pages may follow at GET /v1/live. */
  readonly live?: readonly LiveTopic[]
  readonly searches?: readonly Search[]
  readonly finders?: readonly Finder[]
  /** What writes of the room would do, for plans. */
  readonly planners?: readonly Planner[]
  /** Resolves when what the room has in hand is done; called once, after requests have ended, roof to cellar. */
  readonly close?: () => Promise<void>
}

/**
 * A room: `open` gets the kit and the doors of lower rooms. `open` must not start anything by itself: the house starts
 * the loops that the roles of the process need.
 */
export interface Room<Door, Needs> {
  readonly name: string
  open(kit: Kit, needs: Needs): RoomParts<Door> | Promise<RoomParts<Door>>
}

/** Of the means of a room, which are the kit and the doors it asks, the doors alone: what the house hands in. */
export type Doors<Means extends Kit> = Omit<Means, keyof Kit>

export function defineRoom<Door, Needs = Record<never, never>>(room: Room<Door, Needs>): Room<Door, Needs> {
  return room
}
