import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { answer, refuse } from '../testing/fake-api.ts'
import { anAttempt, anEntry, aRun, aStep, aTask } from '../testing/run-samples.ts'
import { stage } from '../testing/stage.ts'

const ID = '01a1fc1f-ca69-7000-b9c9-fea95f691d0b'
const DIGEST = `sha256:${'1'.repeat(64)}`

test('run show names the images that the latest attempts really ran, by digest', async () => {
  const images = [
    { service: null, image: 'node:24', digest: DIGEST },
    { service: 'db', image: 'localhost/db', digest: DIGEST.replaceAll('1', '2') },
  ]
  const former = anAttempt({ images: [{ service: null, image: 'node:22', digest: DIGEST }] })
  const task = aTask({ attempt: 2, attempts: [former, anAttempt({ attempt: 2, images })] })
  const onHost = aTask({ name: 'lint', attempts: [anAttempt()] })
  const run = aRun({ run_id: ID, steps: [aStep({ tasks: [task, onHost] })] })
  await using here = await stage((_request, response) => answer(response, 200, run))
  const { out } = await here.run(['run', 'show', ID])
  assert.match(out, new RegExp(`test/unit\\s+node:24\\s+${DIGEST}\\n`))
  assert.match(out, /test\/unit db\s+localhost\/db\s+sha256:2{64}\n/)
  assert.doesNotMatch(out, /node:22|test\/lint\s+\n/)
})

describe('run show of a run that failed', () => {
  const RUNNER = '01a1fc1f-ca69-7000-b9c9-fea95f691d0c'
  const attempts = [anAttempt({ exit_code: 7 }), anAttempt({ attempt: 2, runner_id: RUNNER, exit_code: 1 })]
  const failing = (name: string) => aTask({ name, status: 'failure', attempt: 2, attempts })
  const run = (...names: readonly string[]) => {
    const tasks = [...names.map(failing), aTask({ name: 'lint', status: 'skipped', attempt: 0 })]
    return aRun({ run_id: ID, status: 'failure', steps: [aStep({ status: 'failure', tasks })] })
  }
  const line = (number: number, text: string) => anEntry({ attempt: 2, number, line: text })
  const found = {
    id: RUNNER,
    name: 'builder-7',
    team_path: '/',
    scopes: [],
    labels: [],
    offered_labels: [],
    executors: [],
    capacity: 1,
    version: '1',
    enabled: true,
    draining: false,
    leaving: false,
    connected: true,
    created_at: '2026-11-21T03:00:00.000Z',
  }

  test('names the runner of the failing task, and its last lines, without what would steer the terminal', async () => {
    await using here = await stage((request, response) => {
      if (request.path.startsWith('/v1/runners/')) return answer(response, 200, found)
      if (request.path.includes('/logs'))
        return answer(response, 200, [line(4, 'expected 1'), line(5, '\u001b[2Jgot 2')])
      return answer(response, 200, run('unit'))
    })
    const { out, err } = await here.run(['run', 'show', ID])
    assert.match(
      out,
      /\ntest\/unit failed on the runner builder-7 with exit code 1 in attempt 2\n {2}expected 1\n {2}got 2\n$/,
    )
    assert.match(err, new RegExp(`All lines: signalbox run logs ${ID}`))
    const asked = here.api.seen.map(({ path }) => path).filter((path) => path.includes('/logs'))
    assert.deepEqual(asked, [`/v1/runs/${ID}/logs?step=test&task=unit&attempt=2&tail=10`])
  })

  test('is shown without lines and by the id of its runner to callers who may see neither', async () => {
    await using here = await stage((request, response) =>
      request.path === `/v1/runs/${ID}`
        ? answer(response, 200, run('unit'))
        : refuse(response, 403, 'forbidden', 'This needs a permission that you do not have.'),
    )
    const { code, out, err } = await here.run(['run', 'show', ID])
    assert.equal(code, 0)
    assert.match(out, new RegExp(`test/unit failed on the runner ${RUNNER} with exit code 1 in attempt 2\n$`))
    assert.doesNotMatch(err, /permission/)
  })

  test('shows the first three of many', async () => {
    await using here = await stage((request, response) => {
      if (request.path.startsWith('/v1/runners/')) return answer(response, 200, found)
      return answer(response, 200, request.path.includes('/logs') ? [] : run('a', 'b', 'c', 'd', 'e'))
    })
    const { out, err } = await here.run(['run', 'show', ID])
    assert.equal(out.match(/failed on the runner/g)?.length, 3)
    assert.match(err, /2 more tasks failed\./)
  })
})

test('run list asks for all that it is told, and knows how long ago something was', async () => {
  await using here = await stage((_request, response) => answer(response, 200, []))
  const args = ['--commit', 'ABCD12', '--scope', 'acme/test', '--repository', 'acme/shop', '--status', 'failure']
  assert.equal((await here.run(['run', 'list', ...args, '--since', '2h', '--until', '2027-01-01T00:00:00Z'])).code, 0)
  const query = new URL(here.api.seen[0]?.path ?? '', here.api.url).searchParams
  const since = Date.now() - Date.parse(query.get('since') ?? '')
  assert.ok(since >= 7_200_000 && since < 7_260_000, query.get('since') ?? 'nothing')
  query.delete('since')
  assert.deepEqual(Object.fromEntries(query), {
    commit: 'abcd12',
    scope: 'acme/test',
    repository: 'acme/shop',
    status: 'failure',
    until: '2027-01-01T00:00:00Z',
    limit: '20',
  })
  const wrong = await here.run(['run', 'list', '--since', 'yesterday'])
  assert.deepEqual([wrong.code, /how long ago: 30m, 2h, 7d/.test(wrong.err)], [2, true])
})
