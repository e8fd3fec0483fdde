import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Forge, ForgeHooks, HookDifference, WantedHook } from './port.ts'
import { FORGES, findForge } from './registry.ts'
import { type ExpectedCall, type ForgeDoubleReply, openForgeDouble } from './testing.ts'

/** The webhooks of each provider's API on a strict double: what every one of them must do. */

const SOURCE = '01a200e0-77a3-7000-a92b-1507a62890ce'
const URL_NOW = `https://ci.example.com/v1/git/webhooks/${SOURCE}`
const FORMER = `https://old.example.com/v1/git/webhooks/${SOURCE}`
const OTHER = 'https://other.example.com/hook'
const TOKEN = 'a-token'

/** A webhook as a provider holds it. */
interface Held {
  readonly id: number
  readonly url?: string
  readonly active?: boolean
  readonly events?: readonly string[]
  readonly form?: boolean
}

/** How one provider writes what the tests below speak of. */
interface Protocol {
  readonly id: Forge['id']
  readonly authMode?: WantedHook['authMode']
  readonly secret?: string
  readonly repository?: string
  readonly headers: Readonly<Record<string, string>>
  /** The differences that only a new webhook in place of the old one mends. */
  readonly replacedFor: readonly HookDifference[]
  readonly hasContentType: boolean
  list(hooks: readonly Held[]): readonly ExpectedCall[]
  create(reply?: ForgeDoubleReply): ExpectedCall
  update(hook: Held): ExpectedCall
  remove(id: number, status?: number): ExpectedCall
  readonly test: ((id: number) => ExpectedCall) | null
}

const GITHUB_EVENTS = ['push', 'pull_request', 'issue_comment', 'pull_request_review_comment', 'release', 'repository']

const github: Protocol = (() => {
  const path = '/api/v3/repos/acme/widgets/hooks'
  const headers = { authorization: `Bearer ${TOKEN}` }
  const config = { url: URL_NOW, content_type: 'json', secret: 'the-secret', insecure_ssl: '0' }
  const show = ({ id, url = URL_NOW, active = true, events = GITHUB_EVENTS, form = false }: Held) => ({
    type: 'Repository',
    id,
    name: 'web',
    active,
    events,
    config: { content_type: form ? 'form' : 'json', insecure_ssl: '0', secret: '********', url },
  })
  return {
    id: 'github',
    headers,
    replacedFor: [],
    hasContentType: true,
    list: (hooks) => [
      { method: 'GET', path: `${path}?per_page=100`, headers, reply: { status: 200, body: hooks.map(show) } },
    ],
    create: (reply = { status: 201, body: show({ id: 7 }) }) => ({
      method: 'POST',
      path,
      headers,
      body: { name: 'web', active: true, events: GITHUB_EVENTS, config },
      reply,
    }),
    update: (hook) => ({
      method: 'PATCH',
      path: `${path}/${hook.id}`,
      headers,
      body: { active: true, events: [...new Set([...GITHUB_EVENTS, ...(hook.events ?? [])])], config },
      reply: { status: 200, body: show({ id: hook.id }) },
    }),
    remove: (id, status = 204) => ({ method: 'DELETE', path: `${path}/${id}`, headers, reply: { status } }),
    test: (id) => ({ method: 'POST', path: `${path}/${id}/pings`, headers, reply: { status: 204 } }),
  }
})()

/** `written` are the events as they are sent, `listed` as they are answered. */
function family(id: 'gitea' | 'forgejo' | 'gogs', written: readonly string[], listed: readonly string[]): Protocol {
  const path = '/api/v1/repos/acme/widgets/hooks'
  const headers = { authorization: `token ${TOKEN}` }
  const show = ({ id: hookId, url = URL_NOW, active = true, events = listed, form = false }: Held) => ({
    id: hookId,
    type: id,
    config: { content_type: form ? 'form' : 'json', url },
    events,
    active,
    branch_filter: 'main',
    authorization_header: '',
  })
  return {
    id,
    headers,
    replacedFor: ['secret'],
    hasContentType: true,
    list: (hooks) => [
      { method: 'GET', path: `${path}?limit=50&page=1`, headers, reply: { status: 200, body: hooks.map(show) } },
    ],
    create: (reply = { status: 201, body: show({ id: 7 }) }) => ({
      method: 'POST',
      path,
      headers,
      body: {
        type: id,
        active: true,
        events: written,
        config: { url: URL_NOW, content_type: 'json', secret: 'the-secret' },
      },
      reply,
    }),
    update: (hook) => ({
      method: 'PATCH',
      path: `${path}/${hook.id}`,
      headers,
      body: {
        active: true,
        events: written,
        config: { url: URL_NOW, content_type: 'json' },
        branch_filter: 'main',
        authorization_header: '',
      },
      reply: { status: 200, body: show({ id: hook.id }) },
    }),
    remove: (hookId, status = 204) => ({ method: 'DELETE', path: `${path}/${hookId}`, headers, reply: { status } }),
    test:
      id === 'gogs'
        ? null
        : (hookId) => ({ method: 'POST', path: `${path}/${hookId}/tests`, headers, reply: { status: 204 } }),
  }
}

const PULLS = ['pull_request_sync', 'pull_request_label', 'pull_request_comment', 'release', 'repository']
const GITEA = [
  ['push', 'delete', 'pull_request_only', ...PULLS],
  ['push', 'delete', 'pull_request', ...PULLS],
] as const
const GOGS = ['create', 'delete', 'push', 'pull_request', 'issue_comment', 'release']

const GITLAB_EVENTS = ['push_events', 'tag_push_events', 'merge_requests_events', 'note_events', 'releases_events']

function gitlab(authMode: 'signature' | 'token'): Protocol {
  const path = '/api/v4/projects/acme%2Fwidgets/hooks'
  const headers = { authorization: `Bearer ${TOKEN}` }
  const all = Object.fromEntries(GITLAB_EVENTS.map((event) => [event, true]))
  const show = ({ id, url = URL_NOW, active = true, events = GITLAB_EVENTS }: Held) => ({
    id,
    url,
    ...Object.fromEntries(GITLAB_EVENTS.map((event) => [event, events.includes(event)])),
    enable_ssl_verification: true,
    alert_status: active ? 'executable' : 'disabled',
  })
  const body = { url: URL_NOW, ...all, [authMode === 'token' ? 'token' : 'signing_token']: 'the-secret' }
  return {
    id: 'gitlab',
    authMode,
    headers,
    replacedFor: ['disabled'],
    hasContentType: false,
    list: (hooks) => [
      { method: 'GET', path: `${path}?per_page=100`, headers, reply: { status: 200, body: hooks.map(show) } },
    ],
    create: (reply = { status: 201, body: show({ id: 7 }) }) => ({
      method: 'POST',
      path,
      headers,
      body: { ...body, enable_ssl_verification: true },
      reply,
    }),
    update: ({ id }) => ({
      method: 'PUT',
      path: `${path}/${id}`,
      headers,
      body,
      reply: { status: 200, body: show({ id }) },
    }),
    remove: (id, status = 204) => ({ method: 'DELETE', path: `${path}/${id}`, headers, reply: { status } }),
    test: (id) => ({
      method: 'POST',
      path: `${path}/${id}/test/resource_access_token_events`,
      headers,
      reply: { status: 201, body: { message: '201 Created' } },
    }),
  }
}

const BITBUCKET_EVENTS = [
  'repo:push',
  'repo:updated',
  'repo:transfer',
  'pullrequest:created',
  'pullrequest:updated',
  'pullrequest:fulfilled',
  'pullrequest:rejected',
  'pullrequest:comment_created',
  'pullrequest:comment_updated',
  'pullrequest:comment_deleted',
]

const bitbucket: Protocol = (() => {
  const path = '/2.0/repositories/acme/widgets/hooks'
  const headers = { authorization: `Bearer ${TOKEN}` }
  const at = (id: number) => `${path}/%7Buuid-${id}%7D`
  const show = ({ id, url = URL_NOW, active = true, events = BITBUCKET_EVENTS }: Held) => ({
    uuid: `{uuid-${id}}`,
    url,
    description: 'Ours',
    subject_type: 'repository',
    active,
    events,
    skip_cert_verification: false,
    secret_set: true,
  })
  const body = { url: URL_NOW, active: true, secret: 'the-secret', events: BITBUCKET_EVENTS }
  return {
    id: 'bitbucket',
    headers,
    replacedFor: [],
    hasContentType: false,
    // In two pages.
    list: (hooks) => [
      {
        method: 'GET',
        path: `${path}?pagelen=100`,
        headers,
        reply: (url) => ({ status: 200, body: { values: [], next: `${url}${path}?pagelen=100&page=2` } }),
      },
      {
        method: 'GET',
        path: `${path}?pagelen=100&page=2`,
        headers,
        reply: { status: 200, body: { values: hooks.map(show) } },
      },
    ],
    create: (reply = { status: 201, body: show({ id: 7 }) }) => ({
      method: 'POST',
      path,
      headers,
      body: { ...body, description: 'Signalbox' },
      reply,
    }),
    update: ({ id }) => ({
      method: 'PUT',
      path: at(id),
      headers,
      body: { ...body, description: 'Ours', skip_cert_verification: false },
      reply: { status: 200, body: show({ id }) },
    }),
    remove: (id, status = 204) => ({ method: 'DELETE', path: at(id), headers, reply: { status } }),
    test: null,
  }
})()

const DATACENTER_EVENTS = [
  'repo:refs_changed',
  'repo:modified',
  'pr:opened',
  'pr:from_ref_updated',
  'pr:modified',
  'pr:merged',
  'pr:declined',
  'pr:deleted',
  'pr:comment:added',
  'pr:comment:edited',
  'pr:comment:deleted',
]

function datacenter(authMode: 'signature' | 'basic'): Protocol {
  const path = '/rest/api/latest/projects/acme/repos/widgets/webhooks'
  const headers = { authorization: `Bearer ${TOKEN}` }
  const show = ({ id, url = URL_NOW, active = true, events = DATACENTER_EVENTS }: Held) => ({
    id,
    name: 'Ours',
    url,
    active,
    events,
    configuration: {},
    sslVerificationRequired: false,
  })
  const proof =
    authMode === 'basic'
      ? { configuration: {}, credentials: { username: 'signalbox', password: 'the:secret' } }
      : { configuration: { secret: 'the-secret' } }
  const body = { url: URL_NOW, active: true, ...proof, events: DATACENTER_EVENTS }
  return {
    id: 'bitbucket_datacenter',
    authMode,
    secret: authMode === 'basic' ? 'signalbox:the:secret' : 'the-secret',
    headers,
    replacedFor: [],
    hasContentType: false,
    // In two pages; the next one need not begin a page further.
    list: (hooks) => [
      {
        method: 'GET',
        path: `${path}?limit=100&start=0`,
        headers,
        reply: { status: 200, body: { values: [], isLastPage: false, nextPageStart: 3 } },
      },
      {
        method: 'GET',
        path: `${path}?limit=100&start=3`,
        headers,
        reply: { status: 200, body: { values: hooks.map(show), isLastPage: true, nextPageStart: null } },
      },
    ],
    create: (reply = { status: 201, body: show({ id: 7 }) }) => ({
      method: 'POST',
      path,
      headers,
      body: { name: 'Signalbox', ...body, sslVerificationRequired: true },
      reply,
    }),
    update: ({ id }) => ({
      method: 'PUT',
      path: `${path}/${id}`,
      headers,
      body: { name: 'Ours', ...body, sslVerificationRequired: false },
      reply: { status: 200, body: show({ id }) },
    }),
    remove: (id, status = 204) => ({ method: 'DELETE', path: `${path}/${id}`, headers, reply: { status } }),
    test: (id) => ({
      method: 'POST',
      path: `${path}/test?webhookId=${id}&url=${encodeURIComponent(URL_NOW)}`,
      headers,
      body: {},
      reply: { status: 200, body: { response: { statusCode: 422 } } },
    }),
  }
}

const PROTOCOLS: readonly Protocol[] = [
  github,
  family('gitea', ...GITEA),
  family('forgejo', ...GITEA),
  family('gogs', GOGS, GOGS),
  gitlab('signature'),
  gitlab('token'),
  bitbucket,
  datacenter('signature'),
  datacenter('basic'),
]

/** A webhook's id as the service knows it. */
const idIn =
  ({ id }: Protocol) =>
  (held: number) =>
    id === 'bitbucket' ? `{uuid-${held}}` : String(held)

function hooksOf(id: string): ForgeHooks {
  const hooks = findForge(id)?.hooks
  assert.ok(hooks)
  return hooks
}

function wanted(protocol: Protocol, holder: string | null = null): WantedHook {
  return {
    repository: protocol.repository ?? 'acme/widgets',
    url: URL_NOW,
    isOwn: (url) => url.endsWith(SOURCE),
    authMode: protocol.authMode ?? 'signature',
    secret: protocol.secret ?? 'the-secret',
    holder,
  }
}

test('every forge that makes webhooks is tested here; the generic one has nobody to ask', () => {
  const makers = FORGES.filter(({ hooks }) => hooks !== null).map(({ id }) => id)
  const tested = new Set([...PROTOCOLS.map(({ id }) => id), 'azure_devops'])
  assert.deepEqual(makers.toSorted(), [...tested].toSorted())
  assert.equal(findForge('generic')?.hooks, null)
})

for (const protocol of PROTOCOLS) {
  const { id } = protocol
  const hooks = hooksOf(id)
  const idOf = idIn(protocol)
  describe(`the webhooks of ${id}${protocol.authMode ? ` in the mode ${protocol.authMode}` : ''}`, () => {
    test('one is made where none sends to the source; those of others stay', async (t) => {
      const double = await openForgeDouble(t, [...protocol.list([{ id: 3, url: OTHER }]), protocol.create()])
      assert.deepEqual(await hooks.place(double.connection(TOKEN), wanted(protocol)), {
        outcome: 'found',
        value: { hookId: idOf(7), done: 'created', differences: [] },
      })
    })

    test('one that is as it must be is left alone', async (t) => {
      const double = await openForgeDouble(t, [...protocol.list([{ id: 7 }, { id: 3, url: OTHER }])])
      assert.deepEqual(await hooks.place(double.connection(TOKEN), wanted(protocol, idOf(7))), {
        outcome: 'found',
        value: { hookId: idOf(7), done: 'unchanged', differences: [] },
      })
    })

    for (const [difference, hook] of [
      ['address', { id: 7, url: FORMER }],
      ['disabled', { id: 7, active: false }],
      ['events', { id: 7, events: [] }],
      ...(protocol.hasContentType ? ([['content_type', { id: 7, form: true }]] as const) : []),
    ] as const) {
      test(`${difference} is seen and repaired`, async (t) => {
        const listed = protocol.list([hook])
        const replaced = protocol.replacedFor.includes(difference)
        const given = replaced ? [protocol.create(), protocol.remove(7)] : [protocol.update(hook)]
        const double = await openForgeDouble(t, [...listed, ...listed, ...given])
        const connection = double.connection(TOKEN)
        assert.deepEqual(await hooks.find(connection, wanted(protocol, idOf(7))), {
          outcome: 'found',
          value: { hookId: idOf(7), differences: [difference] },
        })
        assert.deepEqual(await hooks.place(connection, wanted(protocol, idOf(7))), {
          outcome: 'found',
          value: { hookId: idOf(7), done: 'repaired', differences: [difference] },
        })
      })
    }

    test('one that nobody knows to hold the secret is given it', async (t) => {
      const hook = { id: 4 }
      const given = !protocol.replacedFor.includes('secret')
        ? [protocol.update(hook)]
        : // Made before the other goes, so that nothing goes untold.
          [protocol.create(), protocol.remove(4)]
      const double = await openForgeDouble(t, [...protocol.list([hook]), ...given])
      assert.deepEqual(await hooks.place(double.connection(TOKEN), wanted(protocol)), {
        outcome: 'found',
        value: {
          hookId: idOf(protocol.replacedFor.includes('secret') ? 7 : 4),
          done: 'repaired',
          differences: ['secret'],
        },
      })
    })

    test('of several that send to the source one stays', async (t) => {
      const both = [{ id: 5, url: FORMER }, { id: 7 }]
      const double = await openForgeDouble(t, [
        ...protocol.list(both),
        protocol.update({ id: 7 }),
        protocol.remove(5, 404),
      ])
      assert.deepEqual(await hooks.place(double.connection(TOKEN), wanted(protocol, idOf(7))), {
        outcome: 'found',
        value: { hookId: idOf(7), done: 'repaired', differences: ['doubled'] },
      })
    })

    test('one that somebody else made at the same moment is taken, not doubled', async (t) => {
      const hook = { id: 9 }
      const given = !protocol.replacedFor.includes('secret')
        ? [protocol.update(hook)]
        : [protocol.create(), protocol.remove(9)]
      const refused = { status: 422, body: { message: 'Hook already exists on this repository' } }
      const double = await openForgeDouble(t, [
        ...protocol.list([]),
        protocol.create(refused),
        ...protocol.list([hook]),
        ...given,
      ])
      const answer = await hooks.place(double.connection(TOKEN), wanted(protocol))
      assert.equal(answer.outcome === 'found' && answer.value.done, 'repaired')
    })

    test('all that send to the source are removed', async (t) => {
      const held = [{ id: 3, url: OTHER }, { id: 5, url: FORMER }, { id: 7 }]
      const removals = protocol.list(held)
      const double = await openForgeDouble(t, [...removals, protocol.remove(5), protocol.remove(7)])
      const { repository, isOwn } = wanted(protocol)
      const answer = await hooks.remove(double.connection(TOKEN), { repository, isOwn })
      assert.deepEqual(answer, { outcome: 'found', value: 2 })
    })

    for (const [status, outcome, retry] of [
      [401, 'failed', false],
      [403, 'failed', false],
      [404, 'not_found', undefined],
      [429, 'failed', true],
      [503, 'failed', true],
    ] as const) {
      test(`an answer of ${status} is told, and nothing is made`, async (t) => {
        const [first] = protocol.list([])
        assert.ok(first)
        const double = await openForgeDouble(t, [{ ...first, reply: { status, body: { message: 'the-secret' } } }])
        const answer = await hooks.place(double.connection(TOKEN), wanted(protocol))
        assert.equal(answer.outcome, outcome)
        if (answer.outcome !== 'failed') return
        assert.equal(answer.retry, retry)
        assert.doesNotMatch(answer.reason, /the-secret|a-token/)
      })
    }

    test('a redirect is not followed: the token goes nowhere else', async (t) => {
      const [first] = protocol.list([])
      assert.ok(first)
      const double = await openForgeDouble(t, [
        { ...first, reply: (url) => ({ status: 307, headers: { location: `${url}/elsewhere` } }) },
      ])
      assert.equal((await hooks.place(double.connection(TOKEN), wanted(protocol))).outcome, 'failed')
    })

    const { test: sends } = protocol
    test('a test is asked for where there is a call for it', async (t) => {
      assert.equal(hooks.test === null, sends === null)
      if (!sends) return
      const double = await openForgeDouble(t, [sends(7)])
      const answer = await hooks.test?.(double.connection(TOKEN), wanted(protocol), idOf(7))
      assert.equal(answer?.outcome, 'found')
    })
  })
}

test('GitHub lists webhooks in pages, and those of another host are not asked for', async (t) => {
  const [first] = github.list([])
  assert.ok(first)
  const hook = { id: 7, active: true, events: ['*'], config: { url: URL_NOW, content_type: 'json', insecure_ssl: '1' } }
  const next = `${first.path}&page=2`
  const double = await openForgeDouble(t, [
    { ...first, reply: (url) => ({ status: 200, headers: { link: `<${url}${next}>; rel="next"` }, body: [] }) },
    {
      ...first,
      path: next,
      reply: { status: 200, headers: { link: '<https://evil.example/x>; rel="next"' }, body: [hook] },
    },
  ])
  assert.deepEqual(await hooksOf('github').find(double.connection(TOKEN), wanted(github, '7')), {
    outcome: 'found',
    value: { hookId: '7', differences: [] },
  })
})
