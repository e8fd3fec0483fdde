import { textOf } from '../fields.ts'
import type { Answer } from '../http/call.ts'
import type { Dialect } from './dialect.ts'
import { FLAGS, shapes } from './gitlab-shapes.ts'
import { tellings } from './gitlab-tellings.ts'

const PROJECT = '/projects/{project}'
const NOTES = `${PROJECT}/merge_requests/{number}/notes`
const NOTE = `${NOTES}/{comment}`
const HOOK = `${PROJECT}/hooks/{hook}`

function say(status: number, message: string): Answer {
  return { status, body: { message } }
}

/** GitLab: groups and projects, notes and award emoji; scopes api and read_api. */
export const gitlab: Dialect = {
  id: 'gitlab',
  api: '/api/v4',
  operations: {
    account: { method: 'GET', path: '/user' },
    tokenScopes: { method: 'GET', path: '/personal_access_tokens/self' },
    owners: { method: 'GET', path: '/groups' },
    owner: { method: 'GET', path: '/groups/{owner}' },
    person: { method: 'GET', path: '/users' },
    ownerRepositories: { method: 'GET', path: '/groups/{owner}/projects' },
    personRepositories: { method: 'GET', path: '/users/{owner}/projects' },
    repository: { method: 'GET', path: PROJECT },
    branches: { method: 'GET', path: `${PROJECT}/repository/branches` },
    pulls: { method: 'GET', path: `${PROJECT}/merge_requests` },
    pull: { method: 'GET', path: `${PROJECT}/merge_requests/{number}` },
    pullFiles: { method: 'GET', path: `${PROJECT}/merge_requests/{number}/diffs` },
    createStatus: { method: 'POST', path: `${PROJECT}/statuses/{sha}` },
    statuses: { method: 'GET', path: `${PROJECT}/repository/commits/{sha}/statuses` },
    createComment: { method: 'POST', path: NOTES },
    comments: { method: 'GET', path: NOTES },
    comment: { method: 'GET', path: NOTE },
    updateComment: { method: 'PUT', path: NOTE },
    deleteComment: { method: 'DELETE', path: NOTE },
    react: { method: 'POST', path: `${NOTE}/award_emoji` },
    reactions: { method: 'GET', path: `${NOTE}/award_emoji` },
    permission: { method: 'GET', path: `${PROJECT}/members/all/{user}` },
    hooks: { method: 'GET', path: `${PROJECT}/hooks` },
    createHook: { method: 'POST', path: `${PROJECT}/hooks` },
    hook: { method: 'GET', path: HOOK },
    updateHook: { method: 'PUT', path: HOOK },
    deleteHook: { method: 'DELETE', path: HOOK },
    testHook: { method: 'POST', path: `${HOOK}/test/{trigger}` },
    hookEvents: { method: 'GET', path: `${HOOK}/events` },
    resendHookEvent: { method: 'POST', path: `${HOOK}/events/{event}/resend` },
  },
  paging: { size: 'per_page', usual: 20, most: 100 },
  pageHeaders: (total, page, last) => ({
    'x-page': String(page),
    'x-next-page': page < last ? String(page + 1) : '',
    'x-total': String(total),
    'x-total-pages': String(last),
  }),
  tokenHeader: 'private-token',
  admits: (scopes, { access }) => scopes.includes('api') || (access === 'read' && scopes.includes('read_api')),
  unauthorized: say(401, '401 Unauthorized'),
  notFound: say(404, '404 Project Not Found'),
  forbidden: say(403, '403 Forbidden'),
  lacksScope: () => ({
    status: 403,
    body: {
      error: 'insufficient_scope',
      error_description: 'The request requires higher privileges than provided by the access token.',
      scope: 'api',
    },
  }),
  wrong: (message) => say(400, message),
  states: ['pending', 'running', 'success', 'failed', 'canceled', 'skipped'],
  findStatusFault(latest, { state, context, description }) {
    if ([...context].length > 255 || [...(description ?? '')].length > 255) return 'name or description is too long'
    const same = latest?.state === state
    const back = latest !== undefined && latest.state !== 'pending' && state === 'pending'
    if (!same && !back) return undefined
    return `Cannot transition status via :enqueue from :${latest?.state} (Reason(s): Status cannot transition via "enqueue")`
  },
  readContext: (body) => textOf(body, 'name') ?? textOf(body, 'context') ?? 'default',
  readReaction(body) {
    const name = textOf(body, 'name') ?? ''
    return /^[a-z0-9_+-]{1,60}$/.test(name) ? name : undefined
  },
  readHook(body, before) {
    const signing = textOf(body, 'signing_token')
    const plain = textOf(body, 'token')
    const events = FLAGS.filter((flag) => (typeof body[flag] === 'boolean' ? body[flag] : before.events.includes(flag)))
    return {
      url: textOf(body, 'url') ?? before.url,
      secret: signing ?? plain ?? before.secret,
      signs: signing === undefined ? (plain === undefined ? (before.signs ?? false) : false) : true,
      active: before.active,
      events,
    }
  },
  shapes,
  tellings,
}
