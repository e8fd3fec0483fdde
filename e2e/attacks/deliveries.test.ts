import assert from 'node:assert/strict'
import { createHmac, randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { after, describe, test } from 'node:test'
import fc from 'fast-check'
import { githubPush } from '../../cli/src/demo/github-push.ts'
import { mutate } from '../fuzz/from-schema.ts'
import { hostileText, spoil } from '../fuzz/hostile.ts'
import { judgeAnswer } from '../fuzz/judge.ts'
import { startHouse } from '../house/house.ts'
import { createRawClient, type RawAnswer, type RawRequest } from '../house/raw-http.ts'
import { startRunner } from '../house/runner.ts'
import { runEnd, runLog } from '../house/runs.ts'
import { makePipeline, makeTeam, makeTrigger, REPOSITORY } from '../house/team.ts'
import { waitFor } from '../house/wait.ts'

const seed = Number(process.env['FUZZ_SEED'] ?? 20_260_721)
const RUNS = Number(process.env['FUZZ_RUNS'] ?? 250)

const house = await startHouse()
const { api } = house
const team = await makeTeam(api, 'acme')
await api.send('PATCH', `/v1/git-webhook-sources/${team.sourceId}`, { rate_limit: { per_minute: 1_000_000 } })
await makeTrigger(api, team, 'on-push', await makePipeline(api, team, documentOf('build', 'echo ok')))
const client = createRawClient(house.url)
after(async () => {
  client.close()
  await house.stop()
})

const path = `/v1/git/webhooks/${team.sourceId}`
const STATUSES = [200, 202, 400, 403, 413, 415, 422]

function documentOf(name: string, run: string): string {
  return `name: ${name}\nsteps:\n  - name: s\n    tasks:\n      - { name: t, checkout: false, run: ${JSON.stringify(run)} }\n`
}

/** The expression that the trigger replaces by a value of the event. */
function expression(cel: string): string {
  return ['$', `{{ ${cel} }}`].join('')
}

function signed(body: Buffer, event = 'push', deliveryId: string = randomUUID()): RawRequest {
  return {
    method: 'POST',
    path,
    headers: {
      'content-type': 'application/json',
      'x-github-event': event,
      'x-github-delivery': deliveryId,
      'x-hub-signature-256': `sha256=${createHmac('sha256', team.webhookSecret).update(body).digest('hex')}`,
    },
    body,
  }
}

function pushOf(ref: string, message = 'a change'): Buffer {
  return githubPush({
    repository: {
      id: 4711,
      fullName: REPOSITORY,
      cloneUrl: 'https://git.example/acme/shop.git',
      defaultBranch: 'main',
    },
    ref,
    before: '1'.repeat(40),
    after: '2'.repeat(40),
    commits: [
      {
        id: '2'.repeat(40),
        message,
        timestamp: '2026-01-01T00:00:00Z',
        author: { name: message, email: 'ada@example.com' },
        added: [message],
        modified: [],
        removed: [],
      },
    ],
    secret: team.webhookSecret,
  }).body
}

async function deliver(raw: RawRequest): Promise<RawAnswer> {
  const answer = await client.send(raw)
  judgeAnswer(raw, answer, STATUSES, [team.webhookSecret])
  return answer
}

const runsOf = async (): Promise<{ run_id: string; branch: string | null }[]> => api.get('/v1/runs?limit=500')

describe('a signed delivery, whatever is in it', () => {
  const body: unknown = JSON.parse(pushOf('refs/heads/main').toString())
  const events = fc.oneof(
    { weight: 5, arbitrary: fc.constant('push') },
    { weight: 1, arbitrary: fc.constantFrom('pull_request', 'ping', 'create', 'delete', 'release', 'x', '__proto__') },
  )

  test(`with one thing in the payload changed is answered, never with 500 (seed ${seed})`, async () => {
    const property = fc.asyncProperty(mutate(body), events, async (payload, event) => {
      await deliver(signed(Buffer.from(JSON.stringify(payload) ?? 'null'), event))
    })
    await fc.assert(property, { seed, numRuns: RUNS })
  })

  test(`with hostile texts where names belong is stored as it is or refused (seed ${seed})`, async () => {
    const property = fc.asyncProperty(hostileText, hostileText, async (branch, message) => {
      await deliver(signed(pushOf(`refs/heads/${branch}`, message)))
    })
    await fc.assert(property, { seed, numRuns: RUNS })
  })

  test(`with a body spoiled on its way is answered (seed ${seed})`, async () => {
    const property = fc.asyncProperty(spoil(JSON.stringify(body)), events, async (bytes, event) => {
      await deliver(signed(bytes, event))
    })
    await fc.assert(property, { seed, numRuns: RUNS / 2 })
  })

  test('every record of them can be read', async () => {
    let next: string | undefined = `/v1/git-webhook-sources/${team.sourceId}/deliveries?limit=200`
    let count = 0
    while (next) {
      const answer = await api.ask('GET', next)
      assert.equal(answer.status, 200)
      for (const { id } of (answer.body as { id: string }[]).slice(0, 40)) {
        count += 1
        assert.equal((await api.ask('GET', `/v1/git-webhook-sources/${team.sourceId}/deliveries/${id}`)).status, 200)
      }
      next = /<([^>]+)>; rel="next"/.exec(answer.headers.get('link') ?? '')?.[1]
    }
    assert.ok(count > 50)
    for (const { run_id: id } of await runsOf()) assert.equal((await api.ask('GET', `/v1/runs/${id}`)).status, 200)
  })

  test('ids beyond 2^53 keep their digits', async () => {
    const text = pushOf('refs/heads/big')
      .toString()
      .replace(/"id":4711/, '"id":12345678901234567890')
    assert.equal((await deliver(signed(Buffer.from(text)))).status, 202)
    const [newest] = await runsOf()
    const run = await api.get<{ event: unknown }>(`/v1/runs/${newest?.run_id}`)
    assert.ok(!JSON.stringify(run).includes('12345678901234567000'), 'rounded')
  })
})

describe('forgeries', () => {
  const startedAt = performance.now()
  const body = pushOf('refs/heads/forged')
  const mac = (algorithm: string, key: string): string => createHmac(algorithm, key).update(body).digest('hex')
  const good = `sha256=${mac('sha256', team.webhookSecret)}`
  const forged: readonly Record<string, string>[] = [
    {},
    { 'x-hub-signature-256': '' },
    { 'x-hub-signature-256': 'sha256=' },
    { 'x-hub-signature-256': good.slice(7) },
    { 'x-hub-signature-256': good.slice(0, -1) },
    { 'x-hub-signature-256': `${good}00` },
    { 'x-hub-signature-256': `sha256=${'zz'.repeat(32)}` },
    { 'x-hub-signature-256': `${good}, sha256=${'0'.repeat(64)}` },
    { 'x-hub-signature-256': `sha256=${mac('sha256', '')}` },
    { 'x-hub-signature-256': `sha256=${mac('sha256', 'wrong')}` },
    { 'x-hub-signature-256': `sha1=${mac('sha1', team.webhookSecret)}` },
    { 'x-hub-signature': `sha1=${mac('sha1', team.webhookSecret)}` },
    { 'x-gitlab-token': team.webhookSecret },
    { authorization: `Bearer ${house.api.token}` },
  ]
  for (const headers of forged) {
    test(`${JSON.stringify(headers).slice(0, 60)} is 401 and starts nothing`, async () => {
      const before = (await runsOf()).length
      const { headers: right } = signed(body)
      const { 'x-hub-signature-256': _, ...rest } = right
      const answer = await client.send({ method: 'POST', path, headers: { ...rest, ...headers }, body })
      assert.equal(answer.status, 401, answer.body)
      assert.equal((await runsOf()).length, before)
    })
  }

  test('2,000 of them do not fill the table, and a good one passes among them', async () => {
    const listed = async (): Promise<number> =>
      (await api.get<unknown[]>(`/v1/git-webhook-sources/${team.sourceId}/deliveries?limit=500`)).length
    const { headers } = signed(body)
    const forge = () =>
      client.send({
        method: 'POST',
        path,
        headers: { ...headers, 'x-hub-signature-256': `sha256=${'0'.repeat(64)}` },
        body,
      })
    const answers = Promise.all(Array.from({ length: 2000 }, forge))
    assert.equal((await deliver(signed(pushOf('refs/heads/among')))).status, 202)
    assert.ok((await answers).every(({ status }) => status === 401 || status === 429))
    const records = await api.get<{ verification: string }[]>(
      `/v1/git-webhook-sources/${team.sourceId}/deliveries?limit=500`,
    )
    assert.ok((await listed()) > 0)
    // So many at once, and as many again in each minute.
    const minutes = (performance.now() - startedAt) / 60_000
    const recorded = records.filter(({ verification }) => verification === 'mismatch').length
    assert.ok(recorded <= 61 + 60 * minutes, `${recorded} are recorded`)
  })
})

describe('the same delivery many times at once', () => {
  test('20 deliveries, 15 copies each, all at the same time: 20 runs, and every copy is told the same', async () => {
    const copies = Array.from({ length: 20 }, (_, at) => {
      const raw = signed(pushOf(`refs/heads/copy-${at}`), 'push', randomUUID())
      return Array.from({ length: 15 }, () => raw)
    }).flat()
    const shuffled = copies
      .map((raw, at) => ({ raw, order: (at * 7919) % copies.length }))
      .sort((a, b) => a.order - b.order)
    const answers = await Promise.all(shuffled.map(({ raw }) => deliver(raw)))
    assert.deepEqual(
      [...new Set(answers.map(({ status, body }) => `${status} ${body}`))],
      ['202 {"status":"accepted"}'],
    )
    const branches = (await runsOf()).map(({ branch }) => branch ?? '').filter((branch) => branch.startsWith('copy-'))
    assert.equal(branches.length, 20)
    assert.equal(new Set(branches).size, 20)
  })

  test('after a refused first one, the second is processed', async () => {
    const id = randomUUID()
    const body = pushOf('refs/heads/second-chance')
    const wrong = signed(body, 'push', id)
    const refused = await client.send({
      ...wrong,
      headers: { ...wrong.headers, 'x-hub-signature-256': `sha256=${'0'.repeat(64)}` },
    })
    assert.ok([401, 429].includes(refused.status))
    assert.equal((await deliver(signed(body, 'push', id))).status, 202)
  })
})

describe('hostile names, end to end', () => {
  test('a branch reaches a task through its environment as text, and its author reaches the terminal harmless', async () => {
    const pipeline = await makePipeline(
      api,
      team,
      `name: show
variables: { BRANCH: none, MESSAGE: none }
steps:
  - name: s
    tasks:
      - { name: t, checkout: false, run: 'printf "branch [%s] message [%s]\\n" "$BRANCH" "$MESSAGE"; ls' }
`,
    )
    await api.send('POST', '/v1/triggers', {
      name: 'show',
      team_path: team.path,
      source_id: team.sourceId,
      repositories: [REPOSITORY],
      events: ['push'],
      branches: ['hostile/**'],
      pipeline,
      scope: team.scope,
      variables: { BRANCH: expression('event.branch'), MESSAGE: expression('event.commits[0].message') },
    })
    const names = [
      'zzz";touch${IFS}owned;#',
      '$(touch${IFS}owned)',
      '`id>owned`',
      '-oProxyCommand=x',
      'é\u202egnp',
      "a'b",
    ]
    const runner = await startRunner(house, { name: 'hostile', capacity: 6 })
    try {
      for (const name of names) {
        const branch = `hostile/${name}`
        const answer = await deliver(signed(pushOf(`refs/heads/${branch}`, `msg $(touch owned) ${name}`)))
        assert.equal(answer.status, 202, `${branch}: ${answer.body}`)
        const run = await waitFor(
          `a run of ${branch}`,
          async () =>
            (await api.get<{ run_id: string; branch: string; pipeline: string }[]>('/v1/runs?limit=20')).find(
              (one) => one.branch === branch && one.pipeline === pipeline,
            ),
          (found) => found !== undefined,
        )
        const ended = await runEnd(api, run?.run_id ?? '')
        assert.equal(ended.status, 'success')
        const lines = (await runLog(api, ended.run_id)).map(({ line }) => line)
        assert.ok(
          lines.some((line) => line.startsWith(`branch [${branch}]`)),
          lines.join('\n'),
        )
        assert.ok(!lines.includes('owned'), lines.join('\n'))
      }
    } finally {
      await runner.stop()
    }
  })

  test('nobody logged an error, and memory stayed small', () => {
    assert.deepEqual(
      house
        .output()
        .split('\n')
        .filter((line) => /"level":"(error|fatal)"/.test(line)),
      [],
    )
    const resident = Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${house.pid}/status`, 'utf8'))?.[1] ?? 0) / 1024
    assert.ok(resident < 500, `${resident} MB`)
  })
})
