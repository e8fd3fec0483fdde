import { type CallBase, callForge, encodeSegments } from '../api-client.ts'
import type { ForgeConnection, ForgeStatus, StatusState } from '../port.ts'
import { callOf } from './api.ts'

/** GitHub has no state for running, and none for a canceled run. */
const STATES: Readonly<Record<StatusState, string>> = {
  pending: 'pending',
  running: 'pending',
  success: 'success',
  failure: 'failure',
  canceled: 'error',
}

/** GitHub refuses longer ones. */
const MAX_DESCRIPTION = 140

export const status: ForgeStatus = statusOf(callOf)

/** Commit statuses as GitHub has them, and Gitea after it. */
export function statusOf(common: (connection: ForgeConnection) => CallBase): ForgeStatus {
  return {
    async report(connection, { repository, commitSha, state, context, description, targetUrl }) {
      const answer = await callForge(connection, {
        ...common(connection),
        method: 'POST',
        path: `/repos/${encodeSegments(repository)}/statuses/${encodeURIComponent(commitSha)}`,
        body: {
          state: STATES[state],
          target_url: targetUrl,
          description: [...description].slice(0, MAX_DESCRIPTION).join(''),
          context,
        },
      })
      return answer.outcome === 'found' ? { outcome: 'found', value: null } : answer
    },
  }
}
