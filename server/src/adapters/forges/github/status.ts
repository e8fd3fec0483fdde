import { callForge, encodeSegments } from '../api-client.ts'
import type { ForgeStatus, StatusState } from '../port.ts'
import { callOf } from './api.ts'

/** GitHub has no state for running or canceled: it shows one that is not over as pending, and no other as a neutral end. */
const STATES: Readonly<Record<StatusState, string>> = {
  pending: 'pending',
  running: 'pending',
  success: 'success',
  failure: 'failure',
  canceled: 'error',
}

/** GitHub refuses longer ones. */
const MAX_DESCRIPTION = 140

export const status: ForgeStatus = {
  async report(connection, { repository, commitSha, state, context, description, targetUrl }) {
    const answer = await callForge(connection, {
      ...callOf(connection),
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
