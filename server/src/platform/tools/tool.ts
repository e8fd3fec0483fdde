import type { Permission } from '@signalbox/contracts/access'
import type { RequestPart } from '@signalbox/contracts/http/requests'
import type { Operation, SuccessOf } from '@signalbox/contracts/http/routes'
import type { Static, TObject } from 'typebox'
import type { Caller, CallOrigin, CallParts, RouteCalls } from '#platform/http'
import { holdsSomewhere } from './places.ts'
import { askRoute, type ToldAnswer } from './route-client.ts'
import type { Told, Words } from './words.ts'

/** What a tool does: it reads, it plans a write, or it confirms a plan, which is the only way to write. */
export type ToolEffect = 'read' | 'plan' | 'confirm'

/** A call that the agent may make next: it shows more, goes on, or does what an answer proposes. */
export interface NextCall {
  readonly tool: string
  readonly arguments: Readonly<Record<string, unknown>>
  /** What it brings, in a few constant words. */
  readonly brings: string
}

/** Lines of others that belong together, such as those of a log. */
export interface Quote {
  /** What they are, in our words: `log of task build/test`. */
  readonly source: string
  /** `label` is ours, such as a number and a time. */
  readonly lines: readonly { readonly label: string; readonly text: Words }[]
}

/** A page that a person has to open, for a client that can show one. What came of it, the page's own routes say. */
export interface PersonPage {
  /** Below the address of the pages: `#/plans/<id>`. */
  readonly place: string
  /** Why, in constant words and ids. */
  readonly message: string
  /** An instant as on the wire: nobody needs to open it from then on. */
  readonly until: string
}

export interface ToolAnswer {
  /** Anything that JSON can hold, with `Words` in it. Fields that are null are left out of what the agent reads. */
  readonly facts: unknown
  readonly quotes?: readonly Quote[]
  readonly next?: readonly NextCall[]
  /** The answer for people stands in `facts` as well: most clients show no page. */
  readonly opens?: PersonPage
  /** Permissions that the answer would have needed to say more. */
  readonly leftOut?: readonly string[]
}

/** What a called route answered, with the shape of its body. */
export type ToldBody<Body> = Omit<ToldAnswer, 'body'> & { readonly body: Told<Body> }

/** The parts of a request to a stated route. */
export type PartsOf<O> = RequestPart<O, 'params'> &
  RequestPart<O, 'query'> &
  RequestPart<O, 'body'> & { readonly headers?: Readonly<Record<string, string>> }

/** Calls a stated route in process, as the caller. Throws the Problem that HTTP would answer. */
export type RouteClient<O> = (parts: PartsOf<O>) => Promise<ToldBody<SuccessOf<O>>>

export type StatedRoutes = Readonly<Record<string, Operation>>

export type RouteClients<R> = { readonly [Name in keyof R]: RouteClient<R[Name]> }

export interface ToolCall<Input, R, O> {
  readonly input: Input
  readonly caller: Caller
  readonly routes: RouteClients<R>
  /** Those of the optional routes whose permission the caller holds somewhere. */
  readonly optional: Partial<RouteClients<O>>
  readonly signal: AbortSignal
}

interface ToolHead {
  /** `verb_noun`, at most 30 characters. */
  readonly name: string
  /** For people, in three or four words. */
  readonly title: string
  /** The family of tools, which a token or the configuration may leave out. */
  readonly family: string
  readonly does: ToolEffect
  /** For the agent: what it answers and when to use it, in at most 300 constant characters. */
  readonly description: string
  /** Permissions that the actions ask at the same team besides those of their routes: who plans a change of a thing sees it. */
  readonly needs?: readonly Permission[]
  /** Permissions that the actions ask at other teams, such as that of the scope: those of one list together at one team. */
  readonly needsElsewhere?: readonly (readonly Permission[])[]
  /** The only kind of caller whom it serves, whatever others hold. */
  readonly onlyFor?: 'service_account'
}

export interface ToolDefinition<R extends StatedRoutes, O extends StatedRoutes, I extends TObject> extends ToolHead {
  readonly input: I
  /** By operationId, the routes without which the tool is of no use; by them the tool is shown or hidden. */
  readonly routes: R
  /** Routes that let it say more. */
  readonly optional?: O
  handle(call: ToolCall<Static<I>, R, O>): Promise<ToolAnswer>
}

/** The parts of one call that the endpoint knows. */
export interface ToolRun {
  readonly calls: RouteCalls
  readonly origin: CallOrigin
  /** Checked against the tool's own schema. */
  readonly input: unknown
}

/** A tool as the endpoint knows it. */
export interface Tool extends ToolHead {
  readonly input: TObject
  readonly routes: StatedRoutes
  readonly optional: StatedRoutes
  run(call: ToolRun): Promise<ToolAnswer>
}

/**
 * Declares a tool in its room: `defineTool({ name: 'list_runs', …, routes: { listRuns: runRoutes.listRuns }, handle })`.
 * It can do what its routes do and nothing else: permission, validation and audit are theirs.
 */
export function defineTool<I extends TObject, R extends StatedRoutes, O extends StatedRoutes = Record<never, never>>(
  definition: ToolDefinition<R, O, I>,
): Tool
export function defineTool({ handle, ...head }: LooseDefinition): Tool {
  const optional = head.optional ?? {}
  return {
    ...head,
    optional,
    run({ calls, origin, input }) {
      const clientsOf = (operations: StatedRoutes, isWanted: (operation: Operation) => boolean): LooseClients =>
        Object.fromEntries(
          Object.entries(operations)
            .filter(([, operation]) => isWanted(operation))
            .map(([name]) => [name, (parts: CallParts) => askRoute({ calls, origin }, name, parts)]),
        )
      return handle({
        input,
        caller: origin.caller,
        routes: clientsOf(head.routes, () => true),
        optional: clientsOf(optional, (operation) => isHeld(operation, origin.caller)),
        signal: origin.signal,
      })
    },
  }
}

type LooseClients = Readonly<Record<string, (parts: CallParts) => Promise<ToldAnswer>>>

/** A definition as the implementation sees it: the types of its parts hold for whoever declares it. */
interface LooseDefinition extends ToolHead {
  readonly input: TObject
  readonly routes: StatedRoutes
  readonly optional?: StatedRoutes
  handle(call: {
    readonly input: unknown
    readonly caller: Caller
    readonly routes: LooseClients
    readonly optional: LooseClients
    readonly signal: AbortSignal
  }): Promise<ToolAnswer>
}

/** Whether the caller could use the tool somewhere. */
export function isUsable(tool: Tool, caller: Caller): boolean {
  return isForKind(tool, caller) && holdsNeeds(tool, caller)
}

/** Whether it serves callers of this kind at all. */
export function isForKind({ onlyFor }: Tool, { kind }: Caller): boolean {
  return onlyFor === undefined || onlyFor === kind
}

function holdsNeeds(tool: Tool, caller: Caller): boolean {
  return [permissionsOf(tool), ...(tool.needsElsewhere ?? [])].every((needed) => holdsSomewhere(needed, caller))
}

/** The permissions without which the tool is of no use. */
export function permissionsOf(tool: Tool): readonly Permission[] {
  const ofRoutes = Object.values(tool.routes).flatMap((operation) =>
    'permission' in operation ? [operation.permission] : [],
  )
  return [...ofRoutes, ...(tool.needs ?? [])]
}

function isHeld(operation: Operation, caller: Caller): boolean {
  return !('permission' in operation) || caller.prefixes(operation.permission).length > 0
}
