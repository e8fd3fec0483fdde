import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import { freePort } from '../../runner/src/testing/free-port.ts'
import { type GitHost, startGitHost } from '../house/git-host.ts'
import { type House, type HouseOptions, makeDataDir, startHouse } from '../house/house.ts'
import { listAll } from '../house/pages.ts'
import { deliver, send } from '../house/story/deliver.ts'
import { play } from '../house/story/play.ts'
import { type Stage, setStage } from '../house/story/stage.ts'
import { waitFor } from '../house/wait.ts'

const MANIFEST = `version: 1
triggers:
  - { name: own, events: [push], pipeline: killed/build, scope: killed/test }
`
const PIPELINE = 'name: build\nsteps:\n  - name: s\n    tasks:\n      - { name: t, checkout: false, run: "true" }\n'
const SOURCES = { hook: { provider: 'github', read_repository: true } }

describe('what a repository says is read by a job, after the answer', () => {
  const dataDir = makeDataDir()
  let options: HouseOptions
  let house: House
  let git: GitHost
  let stage: Stage
  before(async () => {
    git = await startGitHost()
    options = { dataDir, ports: { port: await freePort(), runnerPort: await freePort() } }
    house = await startHouse(armed('events.before_read'))
    const { api } = house
    stage = await setStage(
      { api, git, slug: 'killed', pipelines: [PIPELINE], words: {} },
      { says: '', sources: SOURCES, story: [] },
    )
  })
  after(async () => {
    await house.stop()
    git.close()
    rmSync(dataDir, { recursive: true, force: true })
  })
  const armed = (point: string): HouseOptions => ({
    ...options,
    env: { PROVIDER_HOSTS: '127.0.0.1', FAIL_POINT: point },
  })
  const runs = () => listAll<{ run_id: string; commit_sha: string }>(house.api, '/v1/runs')

  test('killed before it reads, before it commits and after that: each start goes on, and in the end there is one run', async () => {
    await play(stage, { commit: 'first', files: { '.signalbox/triggers.yaml': MANIFEST } })
    const first = stage.words.get('first')
    const answered = await send(stage, { deliver: 'push', tells: { commit: first } }).then(
      ({ status }) => status,
      () => 'no answer',
    )
    assert.ok(answered === 202 || answered === 'no answer', `it was answered with ${answered}`)
    assert.equal(await house.ended, 'SIGKILL', `the fail point was not reached; ${house.output()}`)

    for (const point of ['events.before_commit', 'events.after_commit']) {
      // The control plane may die before it says that it is ready.
      const how = await startHouse(armed(point)).then(
        ({ ended }) => ended,
        (error: Error) => error.message,
      )
      assert.match(how, /SIGKILL/, `${point} was not reached`)
    }

    house = await startHouse(armed(''))
    const path = `/v1/git-webhook-sources/${stage.words.get('source.hook')}/deliveries`
    const [record] = await house.api.get<{ run_ids: string[]; result: string }[]>(path)
    assert.deepEqual([record?.result, record?.run_ids.length], ['accepted', 1], 'committed before the last death')
    // The unfinished job comes again, before jobs that are added from now on.
    await waitFor(
      'the jobs of the dead to be free again',
      async () => house.output(),
      (output) => output.includes('free again'),
    )
    await play(stage, { commit: 'second', onto: '<first>', files: { '.signalbox/triggers.yaml': MANIFEST } })
    const second = stage.words.get('second')
    await deliver(stage, {
      deliver: 'push',
      tells: { commit: second, before: first },
      status: 202,
      record: { result: 'accepted' },
      starts: ['later'],
    })
    const [later, earlier, ...more] = await runs()
    assert.deepEqual([later?.commit_sha, earlier?.commit_sha, more], [second, first, []])
    assert.deepEqual(record?.run_ids, [earlier?.run_id])
  })

  test('a provider that is down is asked again, and the run starts once it is back', async () => {
    git.breakDown(true)
    await play(stage, { commit: 'third', onto: '<second>', files: { '.signalbox/triggers.yaml': MANIFEST } })
    const tells = { commit: stage.words.get('third'), before: stage.words.get('second') }
    await deliver(stage, { deliver: 'push', tells, status: 202, record: { reason: '/being read/' }, starts: [] })
    await waitFor(
      'the job to fail',
      async () => house.output(),
      (output) => output.includes('Failed task') && output.includes('events.resolve'),
    )
    git.breakDown(false)
    const path = `GET /v1/git-webhook-sources/<source.hook>/deliveries?limit=1`
    await play(stage, { until: path, answer: [{ result: 'accepted', run_ids: ['/./'] }], keep: { run: '0.run_ids.0' } })
    const run = await house.api.get<{ commit_sha: string }>(`/v1/runs/${stage.words.get('run')}`)
    assert.equal(run.commit_sha, tells.commit)
  })
})
