import { fieldsOf, textOf, textsOf } from '../fields.ts'
import type { Answer } from '../http/call.ts'
import type { Dialect } from './dialect.ts'
import { shapes } from './gitea-shapes.ts'
import { tellings } from './gitea-tellings.ts'

const REPO = '/repos/{owner}/{repo}'
const ISSUE = `${REPO}/issues/{number}/comments`
const COMMENT = `${REPO}/issues/comments/{comment}`
const HOOK = `${REPO}/hooks/{hook}`

function say(status: number, message: string): Answer {
  return { status, body: { message, url: '/api/swagger' } }
}

/** Gitea: scopes such as write:repository; a write holds its read. */
export const gitea: Dialect = {
  id: 'gitea',
  api: '/api/v1',
  operations: {
    account: { method: 'GET', path: '/user' },
    tokenScopes: null,
    owners: { method: 'GET', path: '/user/orgs' },
    owner: { method: 'GET', path: '/orgs/{owner}' },
    person: { method: 'GET', path: '/users/{owner}' },
    ownerRepositories: { method: 'GET', path: '/orgs/{owner}/repos' },
    personRepositories: { method: 'GET', path: '/users/{owner}/repos' },
    repository: { method: 'GET', path: REPO },
    branches: { method: 'GET', path: `${REPO}/branches` },
    pulls: { method: 'GET', path: `${REPO}/pulls` },
    pull: { method: 'GET', path: `${REPO}/pulls/{number}` },
    pullFiles: { method: 'GET', path: `${REPO}/pulls/{number}/files` },
    createStatus: { method: 'POST', path: `${REPO}/statuses/{sha}` },
    statuses: { method: 'GET', path: `${REPO}/statuses/{sha}` },
    createComment: { method: 'POST', path: ISSUE },
    comments: { method: 'GET', path: ISSUE },
    comment: { method: 'GET', path: COMMENT },
    updateComment: { method: 'PATCH', path: COMMENT },
    deleteComment: { method: 'DELETE', path: COMMENT },
    react: { method: 'POST', path: `${COMMENT}/reactions` },
    reactions: { method: 'GET', path: `${COMMENT}/reactions` },
    permission: { method: 'GET', path: `${REPO}/collaborators/{login}/permission` },
    hooks: { method: 'GET', path: `${REPO}/hooks` },
    createHook: { method: 'POST', path: `${REPO}/hooks` },
    hook: { method: 'GET', path: HOOK },
    updateHook: { method: 'PATCH', path: HOOK },
    deleteHook: { method: 'DELETE', path: HOOK },
    testHook: { method: 'POST', path: `${HOOK}/tests` },
    hookEvents: null,
    resendHookEvent: null,
  },
  paging: { size: 'limit', usual: 30, most: 50 },
  pageHeaders: (total) => ({ 'x-total-count': String(total) }),
  tokenHeader: null,
  admits: (scopes, { kind, access }) =>
    [`write:${kind}`, 'all', ...(access === 'read' ? [`read:${kind}`] : [])].some((scope) => scopes.includes(scope)),
  unauthorized: say(401, 'invalid username, password or token'),
  notFound: say(404, "The target couldn't be found."),
  forbidden: say(403, 'user should have a permission to do this'),
  lacksScope: ({ kind, access }) =>
    say(403, `token does not have at least one of required scope(s), required=[${access}:${kind}], token scope=`),
  wrong: (sentence) => say(422, sentence),
  states: ['pending', 'success', 'error', 'failure', 'warning'],
  findStatusFault: () => undefined,
  readContext: (body) => textOf(body, 'context') ?? 'default',
  readReaction(body) {
    const content = textOf(body, 'content') ?? ''
    return ['+1', '-1', 'laugh', 'hooray', 'confused', 'heart', 'rocket', 'eyes'].find((one) => one === content)
  },
  readHook(body, before) {
    const config = fieldsOf(body, 'config')
    return {
      url: textOf(config, 'url') ?? before.url,
      // An update leaves the secret as it is.
      secret: before.url === '' ? (textOf(config, 'secret') ?? null) : before.secret,
      active: typeof body['active'] === 'boolean' ? body['active'] : before.active,
      events: body['events'] === undefined ? before.events : textsOf(body, 'events'),
    }
  },
  shapes,
  tellings,
}

/** Forgejo sends its own headers beside Gitea's. */
export const forgejo: Dialect = {
  ...gitea,
  id: 'forgejo',
  shapes: { ...shapes, hook: (world, hook) => ({ ...shapes.hook(world, hook), type: 'forgejo' }) },
  tellings: {
    ...tellings,
    headers(letter, sending) {
      const headers = tellings.headers(letter, sending)
      const own = Object.entries(headers).filter(([name]) => name.startsWith('x-gitea-'))
      return {
        ...headers,
        ...Object.fromEntries(own.map(([name, value]) => [name.replace('gitea', 'forgejo'), value])),
      }
    },
  },
}
