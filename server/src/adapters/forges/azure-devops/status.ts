import { callForge } from '../api-client.ts'
import type { ForgeStatus, StatusState } from '../port.ts'
import { callOf } from './api.ts'

/** A canceled run is an error, not "notApplicable": that one satisfies a branch policy that asks for the status. */
const STATES: Readonly<Record<StatusState, string>> = {
  pending: 'pending',
  running: 'pending',
  success: 'succeeded',
  failure: 'failed',
  canceled: 'error',
}

/** Ours: no limit is documented, and a status is one line of a list. */
const MAX_DESCRIPTION = 255

export const status: ForgeStatus = {
  async report(connection, { repository, commitSha, state, context, description, targetUrl }) {
    const path = `/commits/${encodeURIComponent(commitSha)}/statuses?api-version=7.1`
    const call = callOf(connection, repository, path)
    if (call.outcome !== 'found') return call
    const answer = await callForge(connection, {
      ...call.value,
      method: 'POST',
      body: {
        state: STATES[state],
        description: [...description].slice(0, MAX_DESCRIPTION).join(''),
        targetUrl,
        context: contextOf(context),
      },
    })
    return answer.outcome === 'found' ? { outcome: 'found', value: null } : answer
  },
}

/** A context is a name, and before its last slash the genre that groups such names. */
function contextOf(context: string): { readonly name: string; readonly genre?: string } {
  const cut = context.lastIndexOf('/')
  return cut < 1 ? { name: context } : { genre: context.slice(0, cut), name: context.slice(cut + 1) }
}
