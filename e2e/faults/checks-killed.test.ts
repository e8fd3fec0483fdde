import assert from 'node:assert/strict'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { freePort } from '../../runner/src/testing/free-port.ts'
import { type GithubForge, startGithub } from '../forge/github/index.ts'
import { type House, makeDataDir, startHouse } from '../house/house.ts'
import { type RunnerProcess, startRunner } from '../house/runner.ts'
import { runEnd } from '../house/runs.ts'
import { waitFor } from '../house/wait.ts'

const REPOSITORY = 'acme/shop'
/** More marks than one call takes. */
const MARKS = 60
const POINTS = ['reports.after_check', 'sources.after_report', 'reports.after_annotations'] as const

/** Its task ends when the gate is open, so that a check is told of while the run goes on. */
const documentBehind = (gate: string): string =>
  `name: build
steps:
  - name: s
    tasks:
      - name: t
        checkout: false
        run: |
          until [ -e ${gate} ]; do sleep 0.05; done
          for i in $(seq ${MARKS}); do echo "::warning file=word.txt,line=$i::odd"; done
`

describe('killed with SIGKILL while a check is written, the next start goes on with it', () => {
  const dataDir = makeDataDir()
  const armed = join(dataDir, 'armed')
  const gate = join(dataDir, 'gate')
  let forge: GithubForge
  let ports: { port: number; runnerPort: number }
  let house: House
  let runner: RunnerProcess
  // A start that fails leaves nothing behind either.
  const ends = new AsyncDisposableStack()
  const start = (life: number): Promise<House> => {
    const point = POINTS[life]
    const env = { BASE_URL: `http://127.0.0.1:${ports.port}` }
    return startHouse({
      dataDir,
      ports,
      env: point === undefined ? env : { ...env, FAIL_POINT: `${point}@${armed}` },
    })
  }

  before(async () => {
    ends.defer(() => rmSync(dataDir, { recursive: true, force: true }))
    forge = await startGithub()
    ends.defer(() => forge.close())
    await forge.addRepository(REPOSITORY, { files: { 'word.txt': 'first\n' } })
    forge.permit(REPOSITORY, 'grace', 'write')
    ports = { port: await freePort(), runnerPort: await freePort() }
    house = await start(0)
    ends.defer(() => house.stop())
    runner = await startRunner(house)
    ends.defer(() => runner.stop())
    await house.api.send('POST', '/v1/teams', { path: 'shop' })
    await house.api.send('POST', '/v1/teams/shop/environments', { name: 'test' })
    await house.api.send('POST', '/v1/pipelines', { team_path: 'shop', document: documentBehind(gate) })
    await connect()
  })
  after(() => ends.disposeAsync())

  async function connect(): Promise<void> {
    const begun = await house.api.send<{ url: string; manifest: unknown }>(
      'POST',
      '/v1/git-apps/github/register/start',
      { organization: 'acme', team_path: 'shop', base_url: forge.url, callback_url: house.url },
    )
    await fetch(await forge.confirmRegistration(begun.url, begun.manifest), { redirect: 'manual' })
    const installing = await house.api.send<{ url: string }>('POST', '/v1/git-apps/github/install/start')
    const back = await forge.confirmInstallation(installing.url, { account: 'acme', repositories: ['shop'] })
    await fetch(back, { redirect: 'manual' })
    const id = back.searchParams.get('installation_id') ?? ''
    await house.api.send('POST', `/v1/git-apps/github/installations/${id}/refresh`)
    const app = await house.api.get<{ source_id: string }>('/v1/git-apps/github')
    await house.api.send('POST', '/v1/triggers', {
      name: 'pushes',
      team_path: 'shop',
      source_id: app.source_id,
      repositories: [REPOSITORY],
      events: ['push'],
      pipeline: 'shop/build',
      scope: 'shop/test',
    })
  }

  const checksOf = async (sha: string) =>
    [...(forge.world.byName.get(REPOSITORY)?.checkRuns.values() ?? [])].filter(({ headSha }) => headSha === sha)
  async function runOf(sha: string): Promise<string> {
    const listed = await waitFor(
      'the run of the push',
      () => house.api.get<{ run_id: string; commit_sha: string }[]>('/v1/runs'),
      (runs) => runs.some(({ commit_sha: commit }) => commit === sha),
    )
    return listed.find(({ commit_sha: commit }) => commit === sha)?.run_id ?? ''
  }

  for (const [life, point] of POINTS.entries()) {
    test(`at ${point}: one check, whose end nothing older follows, and each mark once`, async () => {
      rmSync(gate, { force: true })
      const isFirst = point === 'reports.after_check'
      if (isFirst) writeFileSync(armed, '')
      const { after: sha } = await forge.push(REPOSITORY, { files: { 'word.txt': `${point}\n` }, by: 'grace' })
      // What is told next is the end: it is one more report, whatever was told together before.
      await Promise.race([
        house.ended,
        waitFor(
          'the check',
          () => checksOf(sha),
          (checks) => checks.some(({ status }) => status === 'in_progress'),
        ),
      ])
      writeFileSync(armed, '')
      writeFileSync(gate, '')
      assert.equal(await house.ended, 'SIGKILL', `the fail point was not reached; ${house.output()}`)
      rmSync(armed)
      house = await start(life + 1)
      const run = await runOf(sha)
      assert.equal((await runEnd(house.api, run)).status, 'success')
      const [check, ...more] = await waitFor(
        'the check to be complete',
        () => checksOf(sha),
        (checks) => checks[0]?.conclusion === 'success' && checks[0].annotations.length >= MARKS,
        120_000,
      )
      assert.deepEqual(more, [], 'one check of one run')
      assert.ok(check)
      assert.equal(check.externalId, run)
      assert.deepEqual(
        check.annotations.map(({ start_line: line }) => line).toSorted((a, b) => a - b),
        Array.from({ length: MARKS }, (_, at) => at + 1),
      )
      const told = forge.calls
        .filter(({ line }) => line.startsWith(`PATCH /api/v3/repos/${REPOSITORY}/check-runs/${check.id}`))
        .map(({ body }) => body['status'])
      const end = told.indexOf('completed')
      assert.ok(
        told.slice(end).every((status) => status === 'completed' || status === undefined),
        told.join(', '),
      )
    })
  }
})
