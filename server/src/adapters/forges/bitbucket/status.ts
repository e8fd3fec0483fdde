import { createHash } from 'node:crypto'
import { callForge } from '../api-client.ts'
import type { ForgeStatus, StatusState } from '../port.ts'
import { callOf } from './api.ts'

const STATES: Readonly<Record<StatusState, string>> = {
  pending: 'INPROGRESS',
  running: 'INPROGRESS',
  success: 'SUCCESSFUL',
  failure: 'FAILED',
  canceled: 'STOPPED',
}

/** Bitbucket refuses longer ones. */
const MAX_KEY = 40
const MAX_NAME = 255

export const status: ForgeStatus = {
  async report(connection, { repository, commitSha, state, context, description, targetUrl }) {
    const answer = await callForge(connection, {
      ...callOf(connection, repository, `/commit/${encodeURIComponent(commitSha)}/statuses/build`),
      method: 'POST',
      body: {
        key: keyOf(context),
        name: cut(context),
        state: STATES[state],
        description: cut(description),
        url: targetUrl,
      },
    })
    return answer.outcome === 'found' ? { outcome: 'found', value: null } : answer
  },
}

/** A long context becomes its digest: cut, two of them could become the same status. */
function keyOf(context: string): string {
  if (context.length <= MAX_KEY) return context
  return createHash('sha256').update(context).digest('hex').slice(0, MAX_KEY)
}

function cut(text: string): string {
  return [...text].slice(0, MAX_NAME).join('')
}
