import { callForge, type ForgeReply } from '../api-client.ts'
import { isObject } from '../json-object.ts'
import type { CommitStatus, ForgeStatus, StatusState } from '../port.ts'
import { callOf, projectPath } from './api.ts'

const STATES: Readonly<Record<StatusState, string>> = {
  pending: 'pending',
  running: 'running',
  success: 'success',
  failure: 'failed',
  canceled: 'canceled',
}

/** GitLab refuses longer names, descriptions and addresses. */
const MAX_TEXT = 255

export const status: ForgeStatus = {
  async report(connection, reported) {
    const path = `${projectPath(reported.repository)}/statuses/${encodeURIComponent(reported.commitSha)}`
    const body = describe(reported)
    const call = { ...callOf(connection), method: 'POST', path, body, expect: [400] } as const
    const answer = await callForge(connection, call)
    if (answer.outcome !== 'found' || answer.value.status !== 400) {
      return answer.outcome === 'found' ? { outcome: 'found', value: null } : answer
    }
    // The state was told before, or a later state was: telling it again would change nothing.
    if (isStateAlready(answer.value)) return { outcome: 'found', value: null }
    return { outcome: 'failed', reason: 'The provider answered 400.', retry: false }
  },
}

function describe({ ref, state, context, description, targetUrl }: CommitStatus) {
  const bare = bareRef(ref)
  return {
    state: STATES[state],
    name: cut(context),
    description: cut(description),
    ...(bare === undefined ? {} : { ref: bare }),
    ...(targetUrl.length > MAX_TEXT ? {} : { target_url: targetUrl }),
  }
}

/** GitLab files a status under a branch or a tag; for any other ref it finds a branch with that commit itself. */
function bareRef(ref: string | null): string | undefined {
  return ref === null ? undefined : /^refs\/(?:heads|tags)\/(.+)$/.exec(ref)?.[1]
}

function cut(value: string): string {
  return [...value].slice(0, MAX_TEXT).join('')
}

function isStateAlready({ body }: ForgeReply): boolean {
  const message = isObject(body) ? body['message'] : undefined
  return typeof message === 'string' && message.startsWith('Cannot transition status')
}
