import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type ExpectedCall, openForgeDouble } from '../testing.ts'
import { azureDevops } from './index.ts'

/** Service hooks of Azure DevOps on a strict double: a webhook here is one subscription for each event. */

const SOURCE = '01a200e0-77a3-7000-a92b-1507a62890ce'
const URL_NOW = `https://ci.example.com/v1/git/webhooks/${SOURCE}`
const REPOSITORY_ID = '11111111-1111-4111-8111-111111111111'
const PROJECT_ID = '22222222-2222-4222-8222-222222222222'
const headers = {
  authorization: `Basic ${Buffer.from(':a-token').toString('base64')}`,
  'x-tfs-fedauthredirect': 'Suppress',
}
const SUBSCRIPTIONS = '/acme/_apis/hooks/subscriptions'

const KINDS = [
  ['git.push', { branch: '' }],
  ['git.pullrequest.created', { branch: '' }],
  ['git.pullrequest.updated', { branch: '', notificationType: 'PushNotification' }],
  ['git.pullrequest.updated', { branch: '', notificationType: 'StatusUpdateNotification' }],
  ['ms.vss-code.git-pullrequest-comment-event', {}],
] as const

const IDS = KINDS.map((_kind, place) => `s${place}`)
const HOOK_ID = IDS.join(',')

function hooksOf() {
  assert.ok(azureDevops.hooks)
  return azureDevops.hooks
}

function wanted(holder: string | null = null) {
  return {
    repository: 'acme/My Project/widgets',
    url: URL_NOW,
    isOwn: (url: string) => url.endsWith(SOURCE),
    authMode: 'basic' as const,
    secret: 'signalbox:the:password',
    holder,
  }
}

/** A subscription as it is listed; `fields` are laid over it. */
function held(place: number, fields: object = {}) {
  const [eventType, inputs] = KINDS[place] ?? []
  return {
    id: IDS[place],
    status: 'enabled',
    eventType,
    publisherInputs: { projectId: PROJECT_ID, repository: REPOSITORY_ID.toUpperCase(), ...inputs },
    consumerInputs: { url: URL_NOW, basicAuthUsername: 'signalbox', basicAuthPassword: '********' },
    ...fields,
  }
}

const ALL = KINDS.map((_kind, place) => held(place))

function listing(subscriptions: readonly object[]): readonly ExpectedCall[] {
  return [
    {
      method: 'GET',
      path: '/acme/My%20Project/_apis/git/repositories/widgets?api-version=7.1',
      headers,
      reply: { status: 200, body: { id: REPOSITORY_ID, project: { id: PROJECT_ID } } },
    },
    {
      method: 'GET',
      path: `${SUBSCRIPTIONS}?publisherId=tfs&consumerId=webHooks&consumerActionId=httpRequest&api-version=7.1`,
      headers,
      reply: { status: 200, body: { count: subscriptions.length, value: subscriptions } },
    },
  ]
}

/** Made where `known` is false, else written anew. */
function placing(place: number, known: boolean): ExpectedCall {
  const [eventType, inputs] = KINDS[place] ?? []
  return {
    method: known ? 'PUT' : 'POST',
    path: `${SUBSCRIPTIONS}${known ? `/${IDS[place]}` : ''}?api-version=7.1`,
    headers,
    body: {
      publisherId: 'tfs',
      eventType,
      resourceVersion: '1.0',
      consumerId: 'webHooks',
      consumerActionId: 'httpRequest',
      status: 'enabled',
      publisherInputs: { projectId: PROJECT_ID, repository: REPOSITORY_ID, ...inputs },
      consumerInputs: {
        url: URL_NOW,
        basicAuthUsername: 'signalbox',
        basicAuthPassword: 'the:password',
        resourceDetailsToSend: 'all',
        messagesToSend: 'none',
        detailedMessagesToSend: 'none',
      },
    },
    reply: { status: 200, body: { id: IDS[place] } },
  }
}

const removal = (id: string, status = 204): ExpectedCall => ({
  method: 'DELETE',
  path: `${SUBSCRIPTIONS}/${id}?api-version=7.1`,
  headers,
  reply: { status },
})

const OTHERS = [
  held(0, { id: 'elsewhere', publisherInputs: { projectId: PROJECT_ID, repository: 'another' } }),
  held(0, { id: 'else', consumerInputs: { url: 'https://other.example.com/hook' } }),
]

describe('service hooks', () => {
  const open = async (t: Parameters<typeof openForgeDouble>[0], calls: readonly ExpectedCall[]) => {
    const double = await openForgeDouble(t, calls)
    return { ...double.connection('a-token'), baseUrl: `${double.url}/acme` }
  }

  test('are made one for each event; those of other repositories and senders stay', async (t) => {
    const connection = await open(t, [...listing(OTHERS), ...KINDS.map((_kind, place) => placing(place, false))])
    assert.deepEqual(await hooksOf().place(connection, wanted()), {
      outcome: 'found',
      value: { hookId: HOOK_ID, done: 'created', differences: [] },
    })
  })

  test('that are as they must be are left alone', async (t) => {
    const connection = await open(t, listing([...OTHERS, ...ALL]))
    assert.deepEqual(await hooksOf().place(connection, wanted(HOOK_ID)), {
      outcome: 'found',
      value: { hookId: HOOK_ID, done: 'unchanged', differences: [] },
    })
  })

  test('that nobody knows to hold the password are written anew', async (t) => {
    const connection = await open(t, [...listing(ALL), ...KINDS.map((_kind, place) => placing(place, true))])
    assert.deepEqual(await hooksOf().place(connection, wanted()), {
      outcome: 'found',
      value: { hookId: HOOK_ID, done: 'repaired', differences: ['secret'] },
    })
  })

  test('that are disabled, missing, doubled or sent to a former address are repaired', async (t) => {
    const former = { url: `https://old.example.com/v1/git/webhooks/${SOURCE}` }
    const subscriptions = [
      held(0, { status: 'disabledBySystem' }),
      held(1, { consumerInputs: former }),
      held(2, { status: 'onProbation' }),
      held(2, { id: 'double' }),
      held(4),
    ]
    const connection = await open(t, [
      ...listing(subscriptions),
      ...listing(subscriptions),
      ...KINDS.map((_kind, place) => placing(place, place !== 3)),
      removal('double', 404),
    ])
    const holder = 's0,s1,s2,s4'
    const differences = ['disabled', 'events', 'address', 'doubled']
    assert.deepEqual(await hooksOf().find(connection, wanted(holder)), {
      outcome: 'found',
      value: { hookId: holder, differences },
    })
    assert.deepEqual(await hooksOf().place(connection, wanted(holder)), {
      outcome: 'found',
      value: { hookId: HOOK_ID, done: 'repaired', differences },
    })
  })

  test('are removed, all that send to the source', async (t) => {
    const connection = await open(t, [...listing([...OTHERS, ...ALL]), ...IDS.map((id) => removal(id))])
    assert.deepEqual(await hooksOf().remove(connection, wanted()), { outcome: 'found', value: 5 })
  })

  test('that could be made only in part are completed by the next call', async (t) => {
    const connection = await open(t, [
      ...listing([]),
      placing(0, false),
      { ...placing(1, false), reply: { status: 503 } },
      ...listing([held(0)]),
      placing(0, true),
      ...[1, 2, 3, 4].map((place) => placing(place, false)),
    ])
    assert.equal((await hooksOf().place(connection, wanted())).outcome, 'failed')
    const again = await hooksOf().place(connection, wanted())
    assert.equal(again.outcome === 'found' && again.value.hookId, HOOK_ID)
  })

  for (const [status, outcome] of [
    [401, 'failed'],
    [403, 'failed'],
    [404, 'not_found'],
    [500, 'failed'],
  ] as const) {
    test(`are not made where the repository is answered ${status}`, async (t) => {
      const [repository] = listing([])
      assert.ok(repository)
      const connection = await open(t, [{ ...repository, reply: { status } }])
      assert.equal((await hooksOf().place(connection, wanted())).outcome, outcome)
    })
  }

  test('of another organisation are not asked for', async (t) => {
    const connection = await open(t, [])
    const other = { ...wanted(), repository: 'other/My Project/widgets' }
    assert.deepEqual(await hooksOf().place(connection, other), { outcome: 'not_found' })
  })
})
