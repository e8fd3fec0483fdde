import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { answer } from '../testing/fake-api.ts'
import { stage } from '../testing/stage.ts'

const ID = '01900000-0000-7000-8000-000000000001'
const OTHER = '01900000-0000-7000-8000-000000000002'
const finding = (code: string, sentence: string, id = ID) => ({ code, sentence, evidence: [{ kind: 'run', id }] })

describe('why run', () => {
  const explanation = {
    run_id: ID,
    findings: [finding('run.waits_for_turn', `The run waits for its turn, behind run ${OTHER}.`, OTHER)],
    what_to_do: [finding('do.end_run_before', 'Wait, or cancel that one.', OTHER)],
    runners: [{ verdict: 'The runner is disabled.', count: 7, runners: [{ id: ID, name: 'box' }] }],
    quotes: [{ about: 'run.waits_for_turn', text: 'deploy \u001b[31mred' }],
    left_out: ['knowledge.read'],
  }

  test('tells the sentences, the words of others beside them, and what to do', async () => {
    await using here = await stage((_, response) => answer(response, 200, explanation))
    const { out, err, code } = await here.run(['why', 'run', `https://ci.example/#/runs/${ID.toUpperCase()}?tab=log`])
    assert.equal(code, 0, err)
    assert.equal(here.api.seen[0]?.path, `/v1/explain/run?run_id=${ID}`)
    assert.equal(out.includes('\u001b'), false)
    // An id that the sentence names is not said twice.
    assert.equal(out.split('\n')[0], `The run waits for its turn, behind run ${OTHER}.`)
    assert.match(out, /run\.waits_for_turn\tdeploy .*red/)
    assert.match(out, /7\tbox\tThe runner is disabled\./)
    assert.ok(out.includes(`What to do:\nWait, or cancel that one. (run ${OTHER})`))
    assert.match(err, /Left out, for lack of a permission: knowledge\.read/)
    assert.deepEqual(JSON.parse((await here.run(['why', 'run', ID, '--json'])).out), explanation)
    assert.equal((await here.run(['why', 'run', 'nonsense'])).code, 2)
  })
})

describe('why changes', () => {
  const side = {
    status: 'success',
    took_ms: 1500,
    exit_code: 0,
    runner_id: ID,
    runner: 'box',
    image: null,
    digest: null,
  }
  const changes = {
    run_id: ID,
    with: OTHER,
    match: 'other_branch',
    findings: [finding('changes.commit', 'The commit is another one.')],
    commit_sha: { was: 'aaa', is: 'bbb' },
    variables: [{ name: 'COLOUR', was: 'red', is: null }],
    document_diff: '-a\n+b',
    tasks: [{ step: 'one', task: 'do', was: side, is: { ...side, status: 'failure' } }],
  }

  test('tells what differs, and the values beside it', async () => {
    await using here = await stage((_, response) => answer(response, 200, changes))
    const { out, err, code } = await here.run(['why', 'changes', ID, '--with', OTHER])
    assert.equal(code, 0, err)
    assert.equal(here.api.seen[0]?.path, `/v1/explain/changes?run_id=${ID}&with=${OTHER}`)
    for (const line of [/beside\t\S+ \(other branch\)/, /commit\tbbb, was aaa/, /COLOUR\t\(unset\), was red/]) {
      assert.match(out, line)
    }
    assert.match(out, /one\/do\tsuccess\t1\.5 s\tbox\tfailure/)
    assert.ok(out.endsWith('-a\n+b\n'), out)
  })
})

describe('a write that is tried', () => {
  const dry = {
    action: 'start',
    pipeline: 'acme/build',
    pipeline_version: 3,
    scope: 'acme/production',
    protected: true,
    status: 'queued',
    reason: null,
    commit_sha: null,
    concurrency_group: null,
    variables: { COLOUR: 'red' },
    secret_variables: ['TOKEN'],
    others: [{ run_id: OTHER, status: 'running', becomes: 'canceling' }],
    effects: [finding('dry_run.queued', 'A new run would be queued at once.')],
  }

  test('prints what would happen, and that nothing was changed', async () => {
    await using here = await stage((_, response) => answer(response, 200, dry))
    for (const [words, path] of [
      [['pipeline', 'run', 'acme/build', '--wait'], '/v1/pipelines/acme%2Fbuild/runs?dry_run=true'],
      [['run', 'rerun', ID, '--follow'], `/v1/runs/${ID}/rerun?dry_run=true`],
      [['run', 'cancel', ID], `/v1/runs/${ID}/cancel?dry_run=true`],
    ] as const) {
      const { out, err, code } = await here.run([...words, '--dry-run'])
      assert.equal(code, 0, err)
      assert.equal(here.api.seen.at(-1)?.path, path)
      assert.match(out, /scope\tacme\/production \(protected\)/)
      assert.match(out, /COLOUR=red, TOKEN=\(secret\)/)
      assert.ok(out.includes(`A new run would be queued at once. (run ${ID})`))
      assert.match(err, /Nothing was changed/)
    }
  })
})
