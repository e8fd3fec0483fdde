import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { TASK_VARIABLES } from '@signalbox/pipeline/facts'
import { createTestDatabase } from '#platform/testing'
import type { NewRun } from '#rooms/execution/runs'
import { anEvent } from '../../../../../contracts/src/event/testing.ts'
import { aRunnablePipeline, openStage, type Stage, startRun } from './testing/index.ts'

let stage: Stage
let runnable: Omit<NewRun, 'cause'>

// Registered before the database's own: hooks run in that order.
after(() => stage.close())

const { database } = await createTestDatabase()

before(async () => {
  stage = await openStage(database)
  runnable = await aRunnablePipeline(stage.house, 'known', 'steps: [{ name: a, tasks: [{ name: t, run: "true" }] }]\n')
})

const COMMIT = 'c'.repeat(40)
const SHOP = { repository: 'acme/shop', cloneUrl: 'https://git.example/acme/shop.git', commitSha: COMMIT }

/** The variables of the control plane that tell the task about its run. */
async function toldOf(run: Partial<NewRun>): Promise<Record<string, string>> {
  const id = await startRun(stage.house, { ...runnable, ...SHOP, ...run })
  const { environment } = await stage.done(id, 't')
  const { SIGNALBOX_RUN_URL: url, ...rest } = environment
  assert.ok(url?.endsWith(`/v1/runs/${id}`), url)
  const known: readonly string[] = TASK_VARIABLES.map(({ name }) => name)
  return Object.fromEntries(Object.entries(rest).filter(([name]) => known.includes(name)))
}

describe('a task', () => {
  test('of a branch knows branch, commit and repository; of a tag the tag', async () => {
    const common = { SIGNALBOX_CAUSE: 'request', SIGNALBOX_REPOSITORY: 'acme/shop', SIGNALBOX_COMMIT: COMMIT }
    assert.deepEqual(await toldOf({ ref: 'refs/heads/main', branch: 'main' }), {
      ...common,
      SIGNALBOX_REF: 'refs/heads/main',
      SIGNALBOX_BRANCH: 'main',
    })
    assert.deepEqual(await toldOf({ ref: 'refs/tags/v1' }), {
      ...common,
      SIGNALBOX_REF: 'refs/tags/v1',
      SIGNALBOX_TAG: 'v1',
    })
  })

  test('of a pull request knows both of its branches, and none as its own', async () => {
    const end = { sha: COMMIT, repository: 'acme/shop' }
    const pullRequest = {
      number: 7,
      title: '',
      draft: false,
      labels: [],
      head: { ...end, ref: '$(id)\nmain' },
      base: { ...end, ref: 'main' },
      from_fork: false,
      merged: false,
      author: null,
      web_url: null,
    }
    const event = anEvent({ kind: 'pull_request', branch: 'main', pull_request: pullRequest })
    const told = await toldOf({ event, ref: 'refs/pull/7/head', branch: 'main', pullRequest: 7 })
    const [listed] = (await stage.call('GET', '/v1/runs')).body
    const { pull_request: number, base_ref, head_ref, tag } = listed
    assert.deepEqual([number, base_ref, head_ref, tag], [7, 'main', '$(id)\nmain', null])
    assert.deepEqual(told, {
      SIGNALBOX_CAUSE: 'request',
      SIGNALBOX_REPOSITORY: 'acme/shop',
      SIGNALBOX_COMMIT: COMMIT,
      SIGNALBOX_REF: 'refs/pull/7/head',
      SIGNALBOX_PULL_REQUEST: '7',
      SIGNALBOX_BASE_REF: 'main',
      SIGNALBOX_HEAD_REF: '$(id)\nmain',
    })
  })

  test('of a repository without a clone address fails: an empty folder would pass', async () => {
    const id = await startRun(stage.house, { ...runnable, repository: 'acme/shop', commitSha: COMMIT })
    const ended = await stage.reaches(id, 'failure')
    const [task] = ended.steps[0]?.tasks ?? []
    assert.match(task?.reason ?? '', /^The repository acme\/shop cannot be checked out: its clone address is unknown/)
    assert.equal(
      stage.runner.assigns.some(({ runId }) => runId === id),
      false,
    )
  })
})
