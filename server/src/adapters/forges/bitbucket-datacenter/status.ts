import { createHash } from 'node:crypto'
import { callForge } from '../api-client.ts'
import type { ForgeStatus, StatusState } from '../port.ts'
import { callOf } from './api.ts'

const STATES: Readonly<Record<StatusState, string>> = {
  pending: 'INPROGRESS',
  running: 'INPROGRESS',
  success: 'SUCCESSFUL',
  failure: 'FAILED',
  canceled: 'CANCELLED',
}

/** Bitbucket refuses longer ones. */
const MAX_TEXT = 255

export const status: ForgeStatus = {
  async report(connection, { repository, commitSha, ref, state, context, description, targetUrl }) {
    const answer = await callForge(connection, {
      ...callOf(connection, repository, `/commits/${encodeURIComponent(commitSha)}/builds`),
      method: 'POST',
      body: {
        key: context.length <= MAX_TEXT ? context : createHash('sha256').update(context).digest('hex'),
        name: cut(context),
        state: STATES[state],
        description: cut(description),
        url: targetUrl,
        ...(ref?.startsWith('refs/heads/') || ref?.startsWith('refs/tags/') ? { ref } : {}),
      },
    })
    return answer.outcome === 'found' ? { outcome: 'found', value: null } : answer
  },
}

function cut(text: string): string {
  return [...text].slice(0, MAX_TEXT).join('')
}
