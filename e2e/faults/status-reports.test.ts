import assert from 'node:assert/strict'
import { once } from 'node:events'
import { rmSync, writeFileSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { freePort } from '../../runner/src/testing/free-port.ts'
import { type House, makeDataDir, startHouse } from '../house/house.ts'
import { type RunnerProcess, startRunner } from '../house/runner.ts'
import { runEnd } from '../house/runs.ts'
import { deliverPush, makePipeline, makeTeam, makeTrigger, REPOSITORY, type Team } from '../house/team.ts'
import { waitFor } from '../house/wait.ts'

/** Its task ends when the gate is open, so that a test can tell the report of its start from that of its end. */
const pipelineBehind = (gate: string): string =>
  `name: build\nsteps:\n  - name: s\n    tasks:\n      - { name: t, checkout: false, run: "until [ -e ${gate} ]; do sleep 0.05; done" }\n`
const TOKEN = 'a-token-that-writes-statuses'

interface Told {
  readonly commit: string
  readonly state: string
  readonly context: string
}

/** The API of a provider as far as it takes statuses; `silent`: it takes calls and never answers. */
async function startProvider() {
  const told: Told[] = []
  const unanswered: ServerResponse[] = []
  let silent = false
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(Buffer.from(chunk))
    const commit = /^\/api\/v3\/repos\/acme\/shop\/statuses\/([0-9a-f]{40})$/.exec(request.url ?? '')?.[1]
    if (commit === undefined || request.headers.authorization !== `Bearer ${TOKEN}`)
      return response.writeHead(404).end()
    if (silent) return unanswered.push(response)
    const { state, context } = JSON.parse(Buffer.concat(chunks).toString('utf8'))
    told.push({ commit, state, context })
    return response.writeHead(201, { 'content-type': 'application/json' }).end('{}')
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = server.address()
  assert.ok(typeof address === 'object' && address)
  return {
    url: `http://127.0.0.1:${address.port}`,
    told: (commit: string) => told.filter((one) => one.commit === commit).map(({ state }) => state),
    all: () =>
      Map.groupBy(told, ({ commit }) => commit)
        .values()
        .map((ones) => ones.map(({ state }) => state)),
    count: () => told.length,
    contexts: () => [...new Set(told.map(({ context }) => context))],
    unanswered: () => unanswered.length,
    beSilent(be: boolean) {
      silent = be
    },
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}

describe('a provider is told what becomes of its commits', () => {
  const dataDir = makeDataDir()
  let provider: Awaited<ReturnType<typeof startProvider>>
  let ports: { port: number; runnerPort: number }
  let house: House
  let runner: RunnerProcess
  let team: Team
  let pushes = 0
  /** The provider's calls before the present control plane was started. */
  let toldBefore = 0

  const points = ['sources.after_report', 'sources.before_report:2']
  /** Where this file is, the house dies at the point that its life was given. */
  const armed = join(dataDir, 'armed')
  const gate = join(dataDir, 'gate')
  const start = (life: number) => {
    const point = points[life]
    toldBefore = provider.count()
    return startHouse({ dataDir, ports, env: point === undefined ? {} : { FAIL_POINT: `${point}@${armed}` } })
  }

  before(async () => {
    provider = await startProvider()
    ports = { port: await freePort(), runnerPort: await freePort() }
    house = await start(0)
    const made = await makeTeam(house.api, 'statuses')
    await house.api.send('POST', '/v1/secrets', { team_path: made.path, name: 'reporter', value: TOKEN })
    const source = await house.api.send<{ id: string }>('POST', '/v1/git-webhook-sources', {
      name: 'reporting',
      provider: 'github',
      team_path: made.path,
      credential_ref: `secret:${made.path}/webhook`,
      repository_allowlist: [REPOSITORY],
      base_url: provider.url,
      checkout_credential_ref: `secret:${made.path}/reporter`,
      report_status: true,
    })
    team = { ...made, sourceId: source.id }
    await makeTrigger(house.api, team, 'on-push', await makePipeline(house.api, team, pipelineBehind(gate)))
    runner = await startRunner(house)
    writeFileSync(gate, '')
  })
  after(async () => {
    await runner.stop()
    await house.stop()
    provider.close()
    rmSync(dataDir, { recursive: true, force: true })
  })

  async function push(): Promise<string> {
    pushes += 1
    const commit = pushes.toString(16).padStart(40, 'c')
    const cloneUrl = `${provider.url}/${REPOSITORY}.git`
    const { status } = await deliverPush(house.api, team, cloneUrl, { before: '1'.repeat(40), after: commit })
    assert.equal(status, 202)
    return commit
  }

  async function endOf(commit: string): Promise<string> {
    const runs = await house.api.get<{ run_id: string; commit_sha: string }[]>('/v1/runs?limit=500')
    const ours = runs.filter((run) => run.commit_sha === commit)
    assert.equal(ours.length, 1)
    return (await runEnd(house.api, ours[0]?.run_id ?? '')).status
  }

  const untilTold = (commit: string, state: string) =>
    waitFor(
      `the provider to be told ${state} last`,
      async () => provider.told(commit),
      (states) => states.at(-1) === state,
    )

  /** A caller hears the answer before the teller records it. */
  const untilNoted = () =>
    waitFor(
      'all that was told to be noted',
      async () => {
        const { body } = await house.api.ask('GET', '/metrics')
        const series = /signalbox_status_reports_total\{provider="github",outcome="reported"\} (\d+)/
        return Number(series.exec(String(body))?.[1] ?? 0)
      },
      (noted) => noted === provider.count() - toldBefore,
    )

  test('and the last that it is told is the end of the run', async () => {
    const commit = await push()
    assert.equal(await endOf(commit), 'success')
    await untilTold(commit, 'success')
    assert.deepEqual(provider.contexts(), ['signalbox/statuses/build (test)'])
  })

  for (const [at, point] of points.entries()) {
    test(`killed at ${point}: the next start tells it, and nothing older after it`, async () => {
      // The earlier report must not reach the point.
      await untilNoted()
      writeFileSync(armed, '')
      rmSync(gate)
      const commit = await push()
      // Two reports: told together, they would be one, and the second point would not be reached.
      await Promise.race([house.ended, untilTold(commit, 'pending')])
      writeFileSync(gate, '')
      assert.equal(await house.ended, 'SIGKILL', `the fail point was not reached; ${house.output()}`)
      rmSync(armed)
      house = await start(at + 1)
      assert.equal(await endOf(commit), 'success')
      await untilTold(commit, 'success')
    })
  }

  test('a provider that never answers holds up neither deliveries nor runs, and is told once it answers', async () => {
    provider.beSilent(true)
    const commits: string[] = []
    for (let at = 0; at < 8; at++) commits.push(await push())
    await waitFor(
      'the provider to be asked',
      async () => provider.unanswered(),
      (asked) => asked >= 4,
    )
    for (const commit of commits) assert.equal(await endOf(commit), 'success')
    assert.ok(provider.unanswered() > 0)
    assert.deepEqual(
      commits.flatMap((commit) => provider.told(commit)),
      [],
    )
    provider.beSilent(false)
    for (const commit of commits) await untilTold(commit, 'success')
    for (const states of provider.all()) {
      assert.ok(!states.slice(states.indexOf('success')).includes('pending'), states.join(', '))
    }
    assert.ok(!house.output().includes(TOKEN))
  })
})
