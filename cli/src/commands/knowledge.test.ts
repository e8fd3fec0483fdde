import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { answer, refuse } from '../testing/fake-api.ts'
import { stage } from '../testing/stage.ts'

const ITEM = {
  id: '01900000-0000-7000-8000-000000000001',
  team_path: 'acme/web',
  name: 'main-only',
  identifier: 'acme/web/main-only',
  kind: 'guardrail',
  scope: '**',
  rule: 'run.branch == "main"',
  at: null,
  time_zone: 'UTC',
  message: 'Deploy from main.',
  revision: 3,
  revision_id: '01900000-0000-7000-8000-0000000000f1',
  saved_by: 'ada',
  created_at: '2020-11-21T03:00:00.000Z',
  updated_at: '2020-11-21T03:00:00.000Z',
}
const DOCUMENT = `team_path: acme/web
name: main-only
kind: guardrail
rule: run.branch == "main"
message: Deploy from main.
`
const VALID = { valid: true, errors: [], judged_at: ['run', 'step', 'task'] }

describe('knowledge', () => {
  test('list asks for what applies in a scope', async () => {
    await using here = await stage((_request, response) => answer(response, 200, [ITEM]))
    const { out } = await here.run(['knowledge', 'list', '--scope', 'acme/web/staging', '--kind', 'guardrail'])
    assert.equal(here.api.seen[0]?.path, '/v1/knowledge?kind=guardrail&scope=acme%2Fweb%2Fstaging&limit=50')
    assert.match(out, /^acme\/web\/main-only\tguardrail\t\*\*\trun\.branch == "main"\t3\t\d+ d ago\n$/)
    assert.equal((await here.run(['knowledge', 'list', '--kind', 'wish'])).code, 2)
    await here.run(['knowledge', 'list', '--scope', 'acme/web/staging', '--pipeline-team', 'acme/ops'])
    const asked = '/v1/knowledge?scope=acme%2Fweb%2Fstaging&pipeline_team=acme%2Fops&limit=50'
    assert.equal(here.api.seen[1]?.path, asked)
  })

  test('show prints fields and text, or the text alone', async () => {
    await using here = await stage((_request, response) =>
      answer(response, 200, { ...ITEM, text: '# Why\n\nBecause.\n' }),
    )
    const { out } = await here.run(['knowledge', 'show', 'acme/web/main-only'])
    assert.equal(here.api.seen[0]?.path, '/v1/knowledge/acme%2Fweb%2Fmain-only')
    assert.match(out, /message\s+Deploy from main\.\n/)
    assert.match(out, /\n# Why\n\nBecause\.\n$/)
    assert.equal((await here.run(['knowledge', 'show', '/top', '--text'])).out, '# Why\n\nBecause.\n')
    assert.equal(here.api.seen[1]?.path, '/v1/knowledge/%2Ftop')
  })

  test('revisions and delete', async () => {
    const revision = { ...ITEM, saved_at: ITEM.updated_at }
    await using here = await stage(({ method }, response) =>
      method === 'GET' ? answer(response, 200, [revision]) : answer(response, 204, undefined),
    )
    const { out } = await here.run(['knowledge', 'revisions', 'acme/web/main-only'])
    assert.match(out, /^3\t01900000-0000-7000-8000-000000000001\t\*\*\t/)
    const gone = await here.run(['knowledge', 'delete', 'acme/web/main-only', '--yes'])
    assert.deepEqual([gone.code, gone.err], [0, 'The item acme/web/main-only is deleted.\n'])
  })

  for (const [what, found, method, said] of [
    ['makes what is not there', undefined, 'POST', 'saved'],
    ['saves what differs', { ...ITEM, rule: 'false', text: '' }, 'PUT', 'saved'],
    ['leaves alone what does not', { ...ITEM, text: '' }, undefined, 'unchanged'],
  ] as const) {
    test(`apply ${what}`, async () => {
      await using here = await stage(({ path, method: asked }, response) => {
        if (path === '/v1/knowledge/validate') return answer(response, 200, VALID)
        if (asked === 'GET' && !found) return refuse(response, 404, 'not_found', 'There is none.')
        return answer(response, 200, asked === 'GET' ? found : { ...ITEM, text: '' })
      })
      writeFileSync(join(here.folder.path, 'item.yaml'), DOCUMENT)
      const { code, err } = await here.run(['knowledge', 'apply', 'item.yaml'])
      assert.deepEqual([code, err], [0, `acme/web/main-only is ${said}, revision 3.\n`])
      const [, looked, wrote] = here.api.seen
      assert.equal(looked?.path, '/v1/knowledge/acme%2Fweb%2Fmain-only')
      assert.equal(wrote?.method, method)
      if (wrote) assert.equal(JSON.parse(wrote.body).rule, 'run.branch == "main"')
    })
  }

  test('apply and validate say what is wrong and save nothing', async () => {
    const errors = [
      { field: 'rule', message: '`job` is unknown here', line: 1, column: 4 },
      { field: 'message', message: 'is required', line: null, column: null },
    ]
    await using here = await stage(({ body }, response) =>
      answer(response, 200, body.includes('good') ? VALID : { valid: false, errors, judged_at: [] }),
    )
    writeFileSync(join(here.folder.path, 'bad.yaml'), DOCUMENT)
    writeFileSync(join(here.folder.path, 'good.yaml'), `${DOCUMENT}text: good\n`)
    const printed = 'bad.yaml: rule 1:4 `job` is unknown here\nbad.yaml: message is required\n'
    const applied = await here.run(['knowledge', 'apply', 'bad.yaml'])
    assert.deepEqual([applied.code, applied.out], [2, printed])
    assert.match(applied.err, /bad\.yaml was not saved: 2 errors\./)
    assert.equal(here.api.seen.length, 1)
    const checked = await here.run(['knowledge', 'validate', 'good.yaml', 'bad.yaml'])
    assert.deepEqual([checked.code, checked.out], [2, printed])
    assert.equal(checked.err, 'good.yaml is valid. The rule is judged at: run, step, task.\n')
    assert.equal((await here.run(['knowledge', 'validate', 'good.yaml'])).code, 0)
  })

  test('a file that is no document is said without asking', async () => {
    await using here = await stage((_request, response) => answer(response, 200, VALID))
    writeFileSync(join(here.folder.path, 'list.yaml'), '- a\n')
    writeFileSync(join(here.folder.path, 'broken.yaml'), 'a: [\n')
    for (const file of ['list.yaml', 'broken.yaml', 'missing.yaml']) {
      const { code, err } = await here.run(['knowledge', 'apply', file])
      assert.equal(code, 2)
      assert.match(err, new RegExp(file))
    }
    assert.deepEqual(here.api.seen, [])
  })

  test('test describes what begins, and exits 10 where it would not', async () => {
    const results = [
      { at: 'task', applies: true, judged: true, violation: 'The guardrail acme/web/main-only is violated: x.' },
      { at: 'run', applies: true, judged: true, violation: null },
      { at: 'run', applies: true, judged: false, violation: null },
      { at: 'run', applies: false, judged: false, violation: null },
    ]
    await using here = await stage((_request, response) => answer(response, 200, results.shift()))
    const about = ['knowledge', 'test', 'acme/web/main-only', '-p', 'acme/web/deploy', '--scope', 'acme/web/staging']
    const task = [
      '--step',
      'ship',
      '--task',
      'push',
      '--image',
      'node:24',
      '--image',
      'redis:8',
      '--commands',
      'npm ci',
    ]
    const blocked = await here.run([...about, ...task, '--branch', 'next', '--var', 'A=b', '--untrusted'])
    assert.deepEqual([blocked.code, blocked.out], [10, 'The guardrail acme/web/main-only is violated: x.\n'])
    assert.equal(here.api.seen[0]?.path, '/v1/knowledge/acme%2Fweb%2Fmain-only/test')
    assert.deepEqual(JSON.parse(here.api.seen[0]?.body ?? ''), {
      run: {
        pipeline: 'acme/web/deploy',
        scope: 'acme/web/staging',
        branch: 'next',
        untrusted: true,
        variables: { A: 'b' },
      },
      step: { name: 'ship', images: ['node:24', 'redis:8'] },
      task: { name: 'push', image: 'node:24', images: ['node:24', 'redis:8'], commands: 'npm ci' },
    })
    for (const said of ['The run would begin.', 'is not judged when a run begins.', 'does not apply in']) {
      const { code, err } = await here.run(about)
      assert.equal(code, 0)
      assert.ok(err.includes(said), err)
    }
  })
})

const TRIED = {
  run_id: '01900000-0000-7000-8000-0000000000aa',
  pipeline: 'acme/web/deploy',
  team_path: 'acme/web',
  scope: 'acme/web/staging',
  status: 'success',
  queued_at: '2020-11-21T03:00:00.000Z',
  happened: 'allowed',
  verdict: 'blocked',
  differs: true,
  place: { at: 'task', step: 'ship', task: 'push', began_at: '2020-11-21T03:00:00.000Z' },
  violation: 'The guardrail acme/web/main-only is violated: x.',
  places: 3,
  unknown: [],
}
const HELD = { ...TRIED, verdict: 'not_asked', differs: false, place: null, violation: null, unknown: ['It lasts.'] }
const TRIAL = {
  item: 'acme/web/main-only',
  tried: 2,
  differing: 1,
  verdicts: { allowed: 0, blocked: 1, not_asked: 1, unknown: 0 },
  stopped_early: 'Only 2 of 9 runs were tried.',
  runs: [TRIED, HELD],
}

describe('knowledge try', () => {
  test('shows each run, says how many would have gone otherwise, and exits 10 then', async () => {
    await using here = await stage((_request, response) => answer(response, 200, TRIAL))
    const { code, out, err } = await here.run(['knowledge', 'try', 'acme/web/main-only', '-t', 'acme', '--runs', '9'])
    assert.equal(code, 10)
    assert.match(out, /\tacme\/web\/deploy\t.*\tallowed\tblocked\tship\/push\tThe guardrail .* is violated: x\.\n/)
    assert.match(out, /\tallowed\tnot asked\t\tIt lasts\.\n$/)
    const said = 'Of 2 runs: 1 blocked, 1 not asked. 1 would have gone otherwise.\nOnly 2 of 9 runs were tried.\n'
    assert.equal(err, said)
    assert.equal(here.api.seen[0]?.path, '/v1/knowledge/trials')
    const sent = { item: 'acme/web/main-only', team_path: 'acme', limit: 9 }
    assert.deepEqual(JSON.parse(here.api.seen[0]?.body ?? ''), sent)
  })

  test('sends a file that was never saved; without a run that differs it ends well', async () => {
    const none = { ...TRIAL, tried: 0, differing: 0, stopped_early: null, runs: [] }
    await using here = await stage((_request, response) => answer(response, 200, none))
    writeFileSync(join(here.folder.path, 'item.yaml'), DOCUMENT)
    const about = ['-f', 'item.yaml', '-p', 'acme/web/deploy', '--scope', 'acme/web/staging']
    const { code, err } = await here.run(['knowledge', 'try', ...about])
    assert.deepEqual([code, err], [0, 'There is no such run that you may read.\n'])
    const sent = JSON.parse(here.api.seen[0]?.body ?? '')
    assert.deepEqual([sent.item, sent.draft.name, sent.pipeline], [undefined, 'main-only', 'acme/web/deploy'])
    for (const wrong of [[], ['acme/web/main-only', '-f', 'item.yaml'], ['acme/web/main-only', '--runs', '201']]) {
      assert.equal((await here.run(['knowledge', 'try', ...wrong])).code, 2, wrong.join(' '))
    }
  })
})

const EMERGENCY = {
  id: '01900000-0000-7000-8000-00000000000e',
  scope: 'acme/**',
  team_path: 'acme',
  reason: 'A leak.',
  active: true,
  declared_by: { kind: 'user', id: 'u1', name: 'ada' },
  declared_at: '2020-11-21T03:00:00.000Z',
  lifted_by: null,
  lifted_at: null,
  lift_reason: null,
}

describe('emergency', () => {
  test('declare prints the id, and how to lift it', async () => {
    await using here = await stage((_request, response) => answer(response, 201, EMERGENCY))
    const { out, err } = await here.run(['emergency', 'declare', 'acme/**', '--reason', 'A leak.'])
    assert.equal(out, `${EMERGENCY.id}\n`)
    assert.match(err, /^Nothing begins in acme\/\*\* until `signalbox emergency lift 01900000/)
    assert.deepEqual(JSON.parse(here.api.seen[0]?.body ?? ''), { scope: 'acme/**', reason: 'A leak.' })
    assert.equal((await here.run(['emergency', 'declare', 'acme/**'])).code, 2, 'it needs a reason')
  })

  test('lift', async () => {
    await using here = await stage((_request, response) => answer(response, 200, EMERGENCY))
    const { code, err } = await here.run(['emergency', 'lift', EMERGENCY.id, '-r', 'over'])
    assert.deepEqual([code, err], [0, 'The emergency in acme/** is lifted.\n'])
    assert.equal(here.api.seen[0]?.path, `/v1/emergencies/${EMERGENCY.id}/lift`)
    assert.deepEqual(JSON.parse(here.api.seen[0]?.body ?? ''), { reason: 'over' })
  })

  test('one that is lifted already ends with a conflict', async () => {
    await using here = await stage((_request, response) => refuse(response, 409, 'emergency.lifted', 'ada has.'))
    assert.equal((await here.run(['emergency', 'lift', EMERGENCY.id])).code, 6)
  })

  test('list shows those that hold, or all', async () => {
    const lifted = { ...EMERGENCY, active: false, lifted_by: EMERGENCY.declared_by, lifted_at: EMERGENCY.declared_at }
    await using here = await stage((_request, response) => answer(response, 200, [EMERGENCY, lifted]))
    const { out } = await here.run(['emergency', 'list'])
    assert.equal(here.api.seen[0]?.path, '/v1/emergencies?active=true&limit=50')
    assert.match(out, /\tacme\/\*\*\tholds\t\d+ d ago by ada\tA leak\.\t\n/)
    assert.match(out, /\tlifted \d+ d ago by ada\t/)
    await here.run(['emergency', 'list', '--lifted'])
    assert.equal(here.api.seen[1]?.path, '/v1/emergencies?limit=50')
  })
})
