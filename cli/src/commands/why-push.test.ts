import assert from 'node:assert/strict'
import { test } from 'node:test'
import { answer } from '../testing/fake-api.ts'
import { stage } from '../testing/stage.ts'

const ID = '01900000-0000-7000-8000-000000000001'

test('why a push started nothing is told in sentences, with what others wrote beside them', async () => {
  const explanation = {
    repository: 'acme/shop',
    outcome: 'nothing',
    findings: [
      {
        code: 'trigger.ref_differs',
        sentence: 'The trigger acme/web/main does not take this branch or tag.',
        evidence: [
          { kind: 'trigger', id: ID },
          { kind: 'event', id: 'e1' },
        ],
        rule: { layer: 'service_trigger', trigger_id: ID, name: 'main', team_path: 'acme/web' },
        expected: 'main',
        seen: 'feature \u001b[31mred',
      },
      {
        code: 'trigger.paths_differs',
        sentence: 'An entry of the manifest of acme/web asks for changed files that the event does not have.',
        evidence: [],
        rule: { layer: 'repository_manifest', trigger_id: null, name: 'docs', team_path: 'acme/web' },
        told: 'No file fits.',
      },
    ],
    what_to_do: [{ code: 'trigger.change_ref', sentence: 'Compare its `branches`.', evidence: [] }],
    changes: [],
    left_out: ['Some rules of teams that you may not see.'],
  }
  await using here = await stage((_, response) => answer(response, 200, explanation))
  const { out, err, code } = await here.run(['why', 'push', 'acme/shop', '--pull-request', '7'])
  assert.equal(code, 0, err)
  assert.equal(out.includes('\u001b'), false)
  const lines = out.split('\n').filter((line) => line !== '')
  assert.equal(lines[0], `The trigger acme/web/main does not take this branch or tag. (trigger ${ID}, event e1)`)
  assert.equal(lines[1], '  expected: main')
  assert.match(lines[2] ?? '', /^ {2}seen: feature .*red$/)
  assert.deepEqual(lines.slice(4), [
    '  entry: docs',
    '  reason: No file fits.',
    'What to do:',
    'Compare its `branches`.',
    'Left out:',
    'Some rules of teams that you may not see.',
  ])
  assert.equal(here.api.seen[0]?.path, '/v1/explain/push?repository=acme%2Fshop&pull_request=7')
  await here.run(['why', 'push', '--delivery', ID])
  assert.equal(here.api.seen[1]?.path, `/v1/explain/push?delivery_id=${ID}`)
  assert.deepEqual(JSON.parse((await here.run(['why', 'push', 'acme/shop', '--json'])).out), explanation)
  assert.equal((await here.run(['why', 'push', 'acme/shop', '--pull-request', 'main'])).code, 2)
})
