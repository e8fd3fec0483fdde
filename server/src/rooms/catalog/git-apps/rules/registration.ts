import { type Static, Type } from 'typebox'
import { Value } from 'typebox/value'

/** What a registration asked for, between its start and the way back. */
const Registration = Type.Object({
  /** As it stands in the address of its callback. */
  baseUrl: Type.String(),
  publicUrl: Type.String(),
  organization: Type.String(),
  name: Type.String(),
  teamPath: Type.Union([Type.String(), Type.Null()]),
  permissions: Type.Record(Type.String(), Type.String()),
  events: Type.Array(Type.String()),
})
export type Registration = Static<typeof Registration>

/** Undefined where the document is none of this version. */
export function readRegistration(document: unknown): Registration | undefined {
  return Value.Check(Registration, document) ? document : undefined
}

/** How long a person has between the start and the way back. */
export const FLOW_MS = 600_000

const ORGANIZATION = /^[A-Za-z0-9](?:[A-Za-z0-9-]{0,98}[A-Za-z0-9])?$/

/** Whether the text can be the name of an organization: it becomes a part of an address. */
export function isOrganization(text: string): boolean {
  return ORGANIZATION.test(text)
}

export interface TakeableFlow {
  readonly flow: string
  readonly provider: string
  readonly expiresAt: Date
  readonly consumedAt: Date | null
}

/** Why a flow does not fit the way back; undefined: it does. */
export function findFlowFault(
  flow: TakeableFlow | undefined,
  back: { readonly flow: string; readonly provider: string; readonly now: Date },
): 'state_mismatch' | 'expired' | undefined {
  if (!flow || flow.flow !== back.flow || flow.provider !== back.provider) return 'state_mismatch'
  if (flow.consumedAt !== null) return 'state_mismatch'
  return flow.expiresAt <= back.now ? 'expired' : undefined
}
