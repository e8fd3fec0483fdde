import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { startHouse } from '../house/house.ts'
import { makeTeam } from '../house/team.ts'
import { waitFor } from '../house/wait.ts'

const house = await startHouse()
const team = await makeTeam(house.api, 'acme')
after(() => house.stop())

const head = 'name: p\nsteps:\n'
const step = (name: string, more = ''): string =>
  `  - name: ${name}\n${more}    tasks:\n      - { name: t, run: echo hi }\n`

/** A chain of aliases, each twice the one before. */
function bomb(levels: number): string {
  const lines = ['a0: &a0 [x, x, x, x, x, x, x, x, x]']
  for (let at = 1; at <= levels; at++) lines.push(`a${at}: &a${at} [${`*a${at - 1}, `.repeat(9)}*a${at - 1}]`)
  return `${lines.join('\n')}\n${head}${step('s')}`
}

/** The fault, the document, and the words that the answer must name. */
const wrong: readonly (readonly [string, string, RegExp])[] = [
  ['an alias bomb', bomb(12), /alias|too (large|many)|expand/i],
  ['an alias of itself', `name: p\nvariables: &v { A: *v }\n${head.slice(8)}${step('s')}`, /alias|variables/i],
  [
    'a cycle of steps',
    head + step('a', '    depends_on: [b]\n') + step('b', '    depends_on: [a]\n'),
    /depends_on|cycle/i,
  ],
  ['a step that waits for itself', head + step('a', '    depends_on: [a]\n'), /depends_on|itself/i],
  ['a dependency on nothing', head + step('a', '    depends_on: [nowhere]\n'), /nowhere/],
  [
    'a reference to a later step',
    `${head}  - name: a\n    tasks:\n      - { name: t, run: echo, env: { X: $steps.b.t.outputs.o } }\n  - name: b\n    depends_on: [a]\n    tasks:\n      - { name: t, run: echo, outputs: { o: {} } }\n`,
    /\$?steps\.b|env\.X|later|not complete|before/i,
  ],
  [
    'a reference to an output that nobody declares',
    `${head}${step('a')}  - name: b\n    depends_on: [a]\n    tasks:\n      - { name: t, run: echo, env: { X: $steps.a.t.outputs.nope } }\n`,
    /nope|outputs/,
  ],
  ['a secret that is not there', `name: p\nsecrets: { S: acme/missing }\n${head.slice(8)}${step('s')}`, /secrets\.S/],
  ['the same step twice', head + step('a') + step('a'), /steps\.a|twice|already|unique/i],
  ['the same key twice', `name: p\nname: q\n${head.slice(8)}${step('a')}`, /name|twice|unique|duplicate/i],
  ['an unknown directive', `${head}${step('a', '    privileged: true\n')}`, /privileged/],
  ['a tag', `name: !!js/function "f"\n${head.slice(8)}${step('a')}`, /tag|name/i],
  [
    'a merge key',
    `x: &x { a: 1 }\nname: p\n${head.slice(8)}  - <<: *x\n    name: a\n    tasks: [{ name: t, run: e }]\n`,
    /<<|merge|x/,
  ],
  ['__proto__ as a key', `name: p\nvariables: { __proto__: { A: b } }\n${head.slice(8)}${step('a')}`, /variables/],
  ['no steps', 'name: p\nsteps: []\n', /steps/],
  ['a scalar', 'just a text', /document|map|steps/i],
  ['nothing', '   ', /empty|document|map/i],
  ['two documents', `${head}${step('a')}---\n${head}${step('a')}`, /document/i],
  ['10,000 brackets', `name: p\nsteps: ${'['.repeat(10_000)}`, /nest|deep|line|YAML/i],
  [
    '4,500 steps',
    head + Array.from({ length: 4500 }, (_, at) => `  - { name: s${at}, tasks: [{ name: t, run: e }] }\n`).join(''),
    /steps/,
  ],
  ['a condition that is none', head + step('a', '    if: "event.("\n'), /if/],
  ['a hostile condition', head + step('a', `    if: '${'('.repeat(3000)}true${')'.repeat(3000)}'\n`), /if|long|deep/i],
  ['a time that is none', `${head}  - name: a\n    tasks:\n      - { name: t, run: e, timeout: -5 }\n`, /timeout/],
  [
    'a negative retry',
    `${head}  - name: a\n    tasks:\n      - { name: t, run: e, retry: { attempts: 1e9 } }\n`,
    /retry/,
  ],
  ['a name with a newline', `name: "p\\nq"\n${head.slice(8)}${step('a')}`, /name/],
  [
    'a reserved variable',
    `name: p\nvariables: { SIGNALBOX_RUN_ID: x }\n${head.slice(8)}${step('a')}`,
    /SIGNALBOX_RUN_ID|reserved/,
  ],
]

interface Problem {
  readonly code: string
  readonly errors: { field: string; message: string }[]
}

describe('a pipeline document that is wrong is refused with what is wrong, and quickly', () => {
  for (const [what, document, names] of wrong) {
    // Far above what a slow machine needs: only what grows faster than the document comes here.
    test(what, { timeout: 300_000 }, async () => {
      const stored = await house.api.ask('POST', '/v1/pipelines', { team_path: 'acme', document })
      assert.equal(stored.status, 400, JSON.stringify(stored.body))
      const problem = stored.body as Problem
      assert.ok(problem.errors.length > 0 && problem.errors.length <= 500)
      assert.match(JSON.stringify(problem.errors), names)
      const checked = await house.api.ask('POST', '/v1/pipelines/validate', { team_path: 'acme', document })
      assert.equal(checked.status, 200)
      assert.equal((checked.body as { valid: boolean }).valid, false)
    })
  }

  test('one over the limit of bodies is refused as too large, not read', async () => {
    // An answer is lost where the server closes while more is on its way: just over it, and again where it was.
    const document = `name: p\n# ${'x'.repeat(1_050_000)}\n${head.slice(8)}${step('a')}`
    const answer = await waitFor(
      'an answer',
      () => house.api.ask('POST', '/v1/pipelines', { team_path: 'acme', document }),
      () => true,
    )
    assert.ok([400, 413].includes(answer.status), JSON.stringify(answer.body))
  })

  test('nothing of it was stored', async () => {
    assert.deepEqual(await house.api.get('/v1/pipelines'), [])
  })
})

describe('a run that cannot be', () => {
  test('an unknown scope, a strange one, one of another team, an unknown variable: each named', async () => {
    await house.api.send('POST', '/v1/pipelines', { team_path: 'acme', document: `${head}${step('a')}` })
    await makeTeam(house.api, 'other')
    const start = (body: unknown) => house.api.ask('POST', '/v1/pipelines/acme%2Fp/runs', body)
    for (const scope of ['acme/nowhere', 'nobody/test', '../../etc', 'acme', '', 'acme/test/', 5, null]) {
      const answer = await start({ scope })
      assert.ok([400, 403].includes(answer.status), `${scope}: ${JSON.stringify(answer.body)}`)
      assert.match(JSON.stringify(answer.body), /scope/)
    }
    const unknown = await start({ scope: team.scope, variables: { NOPE: 'x' } })
    assert.equal(unknown.status, 400)
    assert.match(JSON.stringify(unknown.body), /variables\.NOPE/)
    assert.deepEqual(await house.api.get('/v1/runs'), [])
  })

  test('a secret that is deleted after the pipeline was stored fails the run and names it', async () => {
    const secret = await house.api.send<{ id: string }>('POST', '/v1/secrets', {
      team_path: 'acme',
      name: 'k',
      value: 'vvvvvvvv',
    })
    const document = `name: q\nsecrets: { K: acme/k }\n${head.slice(8)}${step('a')}`
    await house.api.send('POST', '/v1/pipelines', { team_path: 'acme', document })
    const deleted = await house.api.ask('DELETE', `/v1/secrets/${secret.id}`)
    const started = await house.api.ask('POST', '/v1/pipelines/acme%2Fq/runs', { scope: team.scope })
    if (deleted.status === 204) {
      assert.equal(started.status, 400, JSON.stringify(started.body))
      assert.match(JSON.stringify(started.body), /acme\/k|secrets\.K/)
    } else assert.equal(deleted.status, 409)
  })
})
