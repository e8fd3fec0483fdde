import type { Caller } from '#platform/http'
import { StateRefused } from '#platform/mcp'
import { digestOf } from '#platform/planning'
import type { Means } from '../means.ts'

/** The call that a state belongs to: it is made again with the same arguments. */
export interface StatedCall {
  readonly tool: string
  readonly input: unknown
}

/**
 * The state of a call that the client makes again. It opens for this caller, this tool and these arguments alone, on every
 * server of the house, and until then. It allows nothing: it says that the page was shown.
 */
export function sealState({ sealer }: Pick<Means, 'sealer'>, caller: Caller, call: StatedCall, until: Date): string {
  return sealer.seal(until.toISOString(), placeOf(caller, call)).toString('base64url')
}

/** Throws StateRefused for a state that is made up, of another caller or call, or over. */
export function requireState(
  { sealer, clock }: Pick<Means, 'sealer' | 'clock'>,
  caller: Caller,
  call: StatedCall,
  state: string,
): void {
  let until: string
  try {
    until = sealer.open(Buffer.from(state, 'base64url'), placeOf(caller, call))
  } catch (cause) {
    throw new StateRefused('the state does not open here', { cause })
  }
  if (new Date(until) <= clock.now()) throw new StateRefused('the state is over')
}

function placeOf({ kind, id, token }: Caller, { tool, input }: StatedCall): string {
  return `mcp-state:${JSON.stringify([kind, id, token?.id ?? null, tool, digestOf(input)])}`
}
