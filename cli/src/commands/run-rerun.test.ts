import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { answer } from '../testing/fake-api.ts'
import { stage } from '../testing/stage.ts'

const ID = '01a1fc1f-ca69-7000-b9c9-fea95f691d0b'
const OTHER = '01a1fc1f-ca69-7000-b9c9-fea95f691d0c'

describe('run rerun', () => {
  test('says what is to be done again, and prints the id of the new run', async () => {
    await using here = await stage((_request, response) => answer(response, 202, { runId: OTHER }))
    const sent = async (...words: string[]) => {
      const { code, out } = await here.run(['run', 'rerun', ID, ...words])
      assert.deepEqual([code, out], [0, `${OTHER}\n`])
      return JSON.parse(here.api.seen.at(-1)?.body ?? '')
    }
    assert.deepEqual(await sent(), {})
    assert.deepEqual(await sent('--from-failed', '--newest'), { mode: 'failed', document: 'newest' })
    assert.deepEqual(await sent('--from-step', 'deploy', '--variable', 'A=1', '--var', 'B=2=3'), {
      mode: 'step',
      step: 'deploy',
      variables: { A: '1', B: '2=3' },
    })
  })

  test('begins in one place', async () => {
    await using here = await stage((_request, response) => answer(response, 202, { runId: OTHER }))
    const { code, err } = await here.run(['run', 'rerun', ID, '--from-failed', '--from-step', 'deploy'])
    assert.notEqual(code, 0)
    assert.match(err, /--from-failed or --from-step, not both/)
    assert.equal(here.api.seen.length, 0)
  })
})

describe('run outputs', () => {
  test('prints each with its name, and one alone as it is', async () => {
    const output = { name: 'summary', format: 'markdown', content: '# Done\n\u001b[31mred' }
    await using here = await stage((request, response) =>
      answer(response, 200, request.path.endsWith('/summary') ? output : [output]),
    )
    const all = await here.run(['run', 'outputs', ID])
    assert.match(all.out, /^summary \(markdown\)\n# Done\n/)
    assert.doesNotMatch(all.out, /\u001b\[31m/)
    assert.equal((await here.run(['run', 'outputs', ID, 'summary'])).out, `${output.content}\n`)
    assert.deepEqual(
      here.api.seen.map(({ path }) => path),
      [`/v1/runs/${ID}/final-outputs`, `/v1/runs/${ID}/final-outputs/summary`],
    )
  })
})

describe('run compare', () => {
  test('shows both runs beside each other, then their tasks and documents', async () => {
    const side = (id: string, status: string) => ({
      run_id: id,
      pipeline_version: 1,
      status,
      scope: 'acme/test',
      took_ms: 1500,
    })
    const task = (status: string, runner: string) => ({ status, took_ms: 900, attempts: 1, runner })
    const body = {
      left: side(ID, 'failure'),
      right: side(OTHER, 'success'),
      document: { same: false, diff: '--- a\n+++ b\n-old\n+new' },
      variables: [{ name: 'COLOUR', left: 'red', right: null }],
      tasks: [{ step: 'test', task: 'unit', left: task('failure', 'one'), right: task('success', 'two') }],
    }
    await using here = await stage((_request, response) => answer(response, 200, body))
    const { code, out } = await here.run(['run', 'compare', ID, OTHER])
    assert.equal(code, 0)
    for (const line of [
      /status\tfailure\tsuccess/,
      /COLOUR\tred/,
      /test\/unit\tfailure\t900 ms\tone\tsuccess/,
      /^\+new$/m,
    ]) {
      assert.match(out, line)
    }
    assert.equal(here.api.seen[0]?.path, `/v1/runs/${ID}/compare/${OTHER}`)
  })
})
