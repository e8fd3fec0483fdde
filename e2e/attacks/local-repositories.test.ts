import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { makeGitFolder, makeRepository } from '../house/git.ts'
import { startHouse } from '../house/house.ts'
import { startRunner } from '../house/runner.ts'
import { runEnd, runLog } from '../house/runs.ts'
import { deliverPush, REPOSITORY } from '../house/team.ts'
import { makeWorld } from '../house/world.ts'

// An editor of one team wants what only root may read: the token of the first administrator, the secret key. Git reads
// whatever a repository names as its own, and quotes what it does not understand.

const gitFolder = makeGitFolder()
const house = await startHouse({ env: { LOCAL_REPOSITORIES: gitFolder } })
const world = await makeWorld(house, 'north')
const { editor } = world.members
const runner = await startRunner(house, { name: 'shared', flags: ['--local-repositories', gitFolder] })
after(async () => {
  await runner.stop()
  await house.stop()
  rmSync(gitFolder, { recursive: true, force: true })
})

const COMMIT = 'c'.repeat(40)
const REFUSED = [
  'file:///tmp/trap.git',
  '/tmp/trap.git',
  `file://${gitFolder}/../trap.git`,
  `file://${gitFolder}/%2e%2e/trap.git`,
  `file://${gitFolder}more/trap.git`,
  'file://localhost/tmp/trap.git',
  'ext::sh -c id',
  'git://127.0.0.1/trap.git',
  '../trap.git',
  '--upload-pack=id',
]
const runs = `/v1/pipelines/${encodeURIComponent(world.pipeline)}/runs`

const starting = (cloneUrl: string) => ({ scope: world.team.scope, commit_sha: COMMIT, clone_url: cloneUrl })

const errorsOf = (body: unknown): { field: string; message: string }[] =>
  typeof body === 'object' && body !== null && 'errors' in body && Array.isArray(body.errors) ? body.errors : []

describe('an address that leads to a folder of the machine', () => {
  for (const url of REFUSED) {
    test(`is refused when a run is started: ${url.replace(gitFolder, '<allowed>')}`, async () => {
      const { status, body } = await editor.ask('POST', runs, starting(url))
      assert.equal(status, 400, JSON.stringify(body))
      assert.equal(errorsOf(body)[0]?.field, 'clone_url')
    })

    test(`is refused in a posted event: ${url.replace(gitFolder, '<allowed>')}`, async () => {
      const event = {
        kind: 'push',
        provider: 'github',
        repository: { full_name: REPOSITORY, clone_url: url },
        ref: 'refs/heads/main',
        after: COMMIT,
      }
      const { status, body } = await editor.ask('POST', '/v1/git/events', event)
      assert.equal(status, 400, JSON.stringify(body))
      assert.equal(errorsOf(body)[0]?.field, 'repository.clone_url')
    })
  }

  test('starts nothing in a delivery, which says why', async () => {
    const pushed = { before: '1'.repeat(40), after: COMMIT }
    const { deliveryId } = await deliverPush(world.admin, world.team, 'file:///tmp/trap.git', pushed)
    const source = `/v1/git-webhook-sources/${world.team.sourceId}/deliveries`
    const deliveries = await world.admin.get<{ id: string; delivery_id: string; run_ids: string[] }[]>(source)
    const ours = deliveries.find((delivery) => delivery.delivery_id === deliveryId)
    assert.deepEqual(ours?.run_ids, [])
    const detail = await world.admin.get(`${source}/${ours?.id}`)
    assert.match(JSON.stringify(detail), /repository\.clone_url names a folder that is in none of local_repositories/)
  })

  test('is no field of a document', async () => {
    const document = `name: trap\nclone_url: file:///tmp/trap.git\nsteps:\n  - name: s\n    tasks:\n      - { name: t, run: 'true' }\n`
    const { status, body } = await editor.ask('POST', '/v1/pipelines', { team_path: 'north', document })
    assert.equal(status, 400, JSON.stringify(body))
  })

  test('gives one answer for what is there and what is not', async () => {
    const answers = await Promise.all(
      ['file:///etc', 'file:///no/such/folder'].map(
        async (url) => (await editor.ask('POST', runs, starting(url))).body,
      ),
    )
    assert.equal(new Set(answers.map((body) => JSON.stringify(errorsOf(body)))).size, 1)
  })
})

describe('a repository that the operator allows', {
  skip: process.getuid?.() !== 0 && 'needs a runner that is root',
}, () => {
  test('is read as the account of tasks: a file of root that it names stays unread', async () => {
    const closed = mkdtempSync(join(tmpdir(), 'signalbox-closed-'))
    const secret = join(closed, 'bootstrap-token')
    writeFileSync(secret, 'sbxb-never-shown\n', { mode: 0o600 })
    const folder = join(gitFolder, 'acme')
    const repository = makeRepository(folder)
    const { after: commit } = repository.push({ greeting: 'hello' }, 'first')
    symlinkSync(secret, join(folder, 'origin.git/objects/info/alternates'))
    const body = { ...starting(repository.cloneUrl), commit_sha: commit, ref: 'main' }
    const { run_id: runId } = await editor.send<{ run_id: string }>('POST', runs, body)
    const run = await runEnd(world.admin, runId)
    const log = await runLog(world.admin, runId)
    assert.doesNotMatch(JSON.stringify([run, log]), /never-shown/)
    rmSync(closed, { recursive: true, force: true })
  })
})
