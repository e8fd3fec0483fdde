import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type ParseResult, parsePipeline } from './parse-pipeline.ts'

const whole = `name: build
variables: { NODE_ENV: test, PORT: 8080, VERSION: 1.10 }
secrets: { NPM_TOKEN: acme/web/npm }
profile: node24
timeout: 1h
steps:
  - name: test
    tasks:
      - name: unit
        run: npm test
        outputs: { coverage: , token: { sensitive: true } }
        retry: { attempts: 3, backoff: 10s }
        timeout: 10m
      - { name: lint, run: npm run lint, ignore_failure: true, checkout: false }
  - name: pack
    depends_on: [test]
    tasks: [{ name: zip, run: ./zip }]
  - name: deploy
    depends_on: [pack]
    if: event.branch == "main" && steps.test.status == "success"
    tasks:
      - name: ship
        run: ./ship "$COVERAGE"
        env: { COVERAGE: "at $steps.test.unit.outputs.coverage %" }
`

function sound(result: ParseResult) {
  assert.ok(result.ok, result.ok ? '' : JSON.stringify(result.problems, null, 1))
  return result
}

/** Problems as `line:column code directive`, in the order of the text. */
function problemsOf(text: string | Uint8Array, limits = {}): string[] {
  const result = parsePipeline(text, limits)
  assert.equal(result.ok, false)
  return result.ok ? [] : result.problems.map((one) => `${one.line}:${one.column} ${one.code} ${one.directive}`)
}

function messageOf(text: string): string {
  const result = parsePipeline(text)
  return result.ok ? '' : result.problems.map((one) => one.message).join('\n')
}

/** A sound document with one step of which a test changes a part. */
const withTask = (task: string) => `name: a\nsteps:\n  - name: s\n    tasks:\n      - { name: t, ${task} }\n`
const withSteps = (...steps: string[]) =>
  `name: a\nsteps:\n${steps.map((step) => `  - { tasks: [{ name: t, run: x, outputs: { o: } }], ${step} }\n`).join('')}`

describe('a sound document', () => {
  test('becomes a pipeline and a plain JSON graph', () => {
    const { pipeline, graph, warnings } = sound(parsePipeline(whole))
    assert.deepEqual(warnings, [])
    assert.deepEqual(JSON.parse(JSON.stringify(graph)), graph)
    assert.deepEqual(pipeline.variables, { NODE_ENV: 'test', PORT: '8080', VERSION: '1.10' })
    assert.deepEqual(
      [pipeline.name, pipeline.timeoutMs, pipeline.stepCount, pipeline.taskCount],
      ['build', 3_600_000, 3, 4],
    )
    const [first, , last] = graph.steps
    assert.deepEqual(first?.dependents, ['pack'])
    assert.deepEqual(first?.tasks[0]?.retry, { attempts: 3, backoffMs: 10_000, exitCodes: null })
    assert.deepEqual(first?.tasks[0]?.outputs, { coverage: { sensitive: false }, token: { sensitive: true } })
    assert.deepEqual([first?.tasks[0]?.checkout, first?.tasks[1]?.checkout], [true, false])
    assert.deepEqual(last?.tasks[0]?.env, {
      COVERAGE: ['at ', { step: 'test', task: 'unit', output: 'coverage' }, ' %'],
    })
  })

  test('names what it needs from outside, with where it stands', () => {
    assert.deepEqual(sound(parsePipeline(whole)).pipeline.references, [
      { kind: 'profile', target: 'node24', directive: 'profile', line: 4, column: 10, inputs: [], outputs: [] },
      {
        kind: 'secret',
        target: 'acme/web/npm',
        directive: 'secrets.NPM_TOKEN',
        line: 3,
        column: 23,
        inputs: [],
        outputs: [],
      },
    ])
  })

  test('names who is to approve', () => {
    const approval = 'approval: { approvers: [group:leads, role:owner] }'
    const { pipeline } = sound(parsePipeline(`name: a\nsteps:\n  - { name: s, ${approval} }\n`))
    assert.deepEqual(
      pipeline.references.map(({ kind, target, directive, line }) => [kind, target, directive, line]),
      ['group:leads', 'role:owner'].map((target) => ['approver', target, 'steps.s.approval.approvers', 3]),
    )
  })

  test('takes time limits from the caller where it has none', () => {
    const limits = { defaultRunTimeoutMs: 5, defaultTaskTimeoutMs: 7 }
    const { graph } = sound(parsePipeline(withTask('run: x'), limits))
    assert.deepEqual([graph.timeoutMs, graph.steps[0]?.tasks[0]?.timeoutMs], [5, 7])
    const given = sound(parsePipeline(whole, limits)).graph
    assert.deepEqual([given.timeoutMs, given.steps[0]?.tasks[0]?.timeoutMs], [3_600_000, 600_000])
  })

  test('may use YAML anchors', () => {
    const text = 'name: a\nsteps:\n  - name: s\n    tasks: &t [{ name: t, run: x }]\n  - { name: r, tasks: *t }\n'
    assert.equal(sound(parsePipeline(text)).pipeline.taskCount, 2)
  })

  test('is warned about a reference inside a script and a dependency that stands twice', () => {
    const text = withSteps('name: a', 'name: b, depends_on: [a, a]').replace('run: x', 'run: echo $steps.a.t.outputs.o')
    const { warnings, graph } = sound(parsePipeline(text))
    assert.deepEqual(
      warnings.map((one) => one.code),
      ['reference_in_script', 'duplicate_dependency'],
    )
    assert.deepEqual(graph.steps[1]?.dependsOn, ['a'])
  })
})

describe('a document with faults', () => {
  const named = (text: string) => {
    const result = parsePipeline(text)
    assert.ok(!result.ok)
    return [result.name, ...result.references.map(({ kind, target, line }) => `${line} ${kind} ${target}`)]
  }

  test('still says what it names outside itself, but for what is malformed', () => {
    const text = whole
      .replace('profile: node24', 'profile: Node 24')
      .replace('acme/web/npm }', 'acme/web/npm, B: npm }')
      .replace('timeout: 1h', 'timeout: soon')
      .replace('npm run lint,', 'npm run lint, pipeline: acme/lint,')
    assert.deepEqual(named(text), ['build', '3 secret acme/web/npm', '14 pipeline acme/lint'])
  })

  test('names nothing where it is no YAML, or no map', () => {
    for (const text of ['name: [', '- a', '', 'secrets: 1']) assert.deepEqual(named(text), [null])
  })
})

describe('problems', () => {
  test('come all at once, in the order of the text', () => {
    const text = `name: Build
variables: { 1X: a }
secrets: { NPM_TOKEN: npm }
timeout: 90
matrix: {}
steps:
  - name: test
    depends_on: [deploy, tset]
    tasks:
      - { name: unit, run: 5, retry: { attempts: 30 } }
      - { name: lint, ignore_falure: yes, depends_on: [lint] }
      - { name: unit, run: x }
  - name: deploy
    depends_on: [test]
    if: event.branch = "main"
    tasks:
      - name: ship
        run: x
        env: { COVERAGE: $steps.test.lint.outputs.coverage }
        timeout: 0s
`
    assert.deepEqual(problemsOf(text), [
      '1:7 invalid_value name',
      '2:14 invalid_name variables.1X',
      '3:23 invalid_value secrets.NPM_TOKEN',
      '4:10 wrong_type timeout',
      '5:1 unknown_directive matrix',
      '8:18 dependency_cycle steps.test.depends_on',
      '8:26 unknown_dependency steps.test.depends_on',
      '10:28 wrong_type steps.test.tasks.unit.run',
      '10:50 invalid_value steps.test.tasks.unit.retry.attempts',
      '11:9 missing_directive steps.test.tasks.lint',
      '11:23 unknown_directive steps.test.tasks.lint.ignore_falure',
      '11:56 dependency_cycle steps.test.tasks.lint.depends_on',
      '12:17 duplicate_name steps.test.tasks.unit.name',
      '15:22 invalid_expression steps.deploy.if',
      '19:26 unknown_output steps.deploy.tasks.ship.env.COVERAGE',
      '20:18 invalid_value steps.deploy.tasks.ship.timeout',
    ])
  })

  test('say what to write instead', () => {
    assert.match(messageOf(withTask('run: x, ignore_falure: true')), /did you mean `ignore_failure`/)
    assert.match(messageOf(withTask('run: x, needs: [a]')), /did you mean `depends_on`/)
    assert.match(messageOf(withTask('run: x, secrets: {}')), /it belongs elsewhere/)
    assert.match(messageOf(withTask('run: x, timeout: 90')), /"90s"/)
    assert.match(messageOf(withTask('run: x, env: { A: [1] }')), /write a text/)
    assert.match(
      messageOf(withTask('run: x, env: { SIGNALBOX_RUN: x }')),
      /does not start with a digit or with SIGNALBOX_/,
    )
    assert.match(messageOf(withTask('env: {}')), /nothing to do: add `run`/)
    assert.match(
      messageOf(withSteps('name: a, depends_on: [c]', 'name: b, depends_on: [a]', 'name: c, depends_on: [b]')),
      /a -> c -> b -> a/,
    )
  })

  test('name every directive of the language to come', () => {
    assert.match(messageOf(withTask('run: x, agent: {}')), /this version of the language does not have it/)
  })

  test('hold references to what is guaranteed to be complete', () => {
    const using = (from: string, to: string) =>
      messageOf(
        `name: a\nsteps:\n  - { name: a, tasks: [{ name: t, run: x, outputs: { o: } }, { name: u, run: x, env: { A: ${from} } }] }\n` +
          `  - { name: b, tasks: [{ name: t, run: x, outputs: { o: } }] }\n` +
          `  - { name: c, depends_on: [a], tasks: [{ name: t, run: x, outputs: { o: }, env: { A: ${to} } }] }\n`,
      )
    assert.equal(using('x', '$steps.a.t.outputs.o'), '')
    assert.match(using('x', '$steps.b.t.outputs.o'), /not sure to be complete before c starts; add depends_on: \[b\]/)
    assert.match(using('$steps.c.t.outputs.o', 'x'), /step c runs after a/)
    assert.match(using('$steps.a.t.outputs.o', 'x'), /task t is not sure to be complete before u starts/)
    assert.match(using('x', '$steps.c.t.outputs.o'), /a task cannot use what it is itself about to write/)
    assert.match(using('x', '$steps.a.t.outputs.p'), /declares no output `p`/)
    assert.match(using('x', '$steps.a.v.outputs.o'), /there is no task `v`/)
    assert.match(using('x', '$steps.z.t.outputs.o'), /there is no step `z`/)
    assert.match(using('x', '$steps.a.t'), /is no output reference/)
  })

  test('hold conditions to the same, and to outputs that are not sensitive', () => {
    const given = (condition: string) =>
      messageOf(withSteps('name: a', 'name: z', `name: b, depends_on: [a], if: '${condition}'`))
    assert.equal(given('steps.a.tasks.t.outputs.o == "1" && steps.a.tasks.t.exit_code == 0'), '')
    assert.equal(given('has(steps.a.tasks.t.outputs.o)'), '')
    assert.equal(
      given('has(variables.V)'),
      'the condition cannot be used: there is no variable `V`: add it to `variables` of the document',
    )
    assert.match(given('steps.z.status == "success"'), /step z is not sure to be complete/)
    assert.match(given('steps.b.status == "success"'), /step b is not complete while it runs/)
    assert.match(given('steps.a.tasks.t.outputs.p == "1"'), /declares no output `p`/)
    assert.match(given('steps.a.outcome == "1"'), /a step has status and tasks/)
    assert.match(given('env.X == "1"'), /`env` is unknown here/)
    assert.match(given('fetch("x")'), /there is no function `fetch`/)
    for (const text of [
      '1 + 1',
      'variables.X',
      'steps.a.status',
      'steps.a.tasks.t.outputs.o',
      'steps.a.tasks.t.status',
    ])
      assert.match(given(text), /gives no true or false/, text)
    assert.match(
      messageOf(
        `name: a\nsteps:\n  - { name: s, tasks: [{ name: t, run: x, outputs: { o: { sensitive: true } } }] }\n  - { name: r, depends_on: [s], if: steps.s.tasks.t.outputs.o == "1", tasks: [{ name: t, run: x }] }\n`,
      ),
      /is sensitive/,
    )
  })
})

describe('hostile text', () => {
  test('is refused with a position', () => {
    const start = '1:1'
    assert.deepEqual(problemsOf(''), [`${start} wrong_type `])
    assert.deepEqual(problemsOf(new Uint8Array([0x61, 0xff])), [`${start} not_text `])
    assert.deepEqual(problemsOf('a: \ud800'), [`${start} not_text `])
    assert.deepEqual(problemsOf('a: b\nc: \u0007'), ['2:4 not_text '])
    assert.deepEqual(problemsOf('name: a\n---\nname: b'), ['2:1 yaml_feature '])
    assert.deepEqual(problemsOf('\tname: a'), ['1:1 yaml_syntax '])
    assert.deepEqual(problemsOf(`# ${'x'.repeat(300_000)}`), [`${start} too_large `])
    assert.ok(problemsOf(withTask('run: x, run: y')).includes('5:28 duplicate_key steps.s.tasks.t.run'))
    assert.ok(problemsOf(withTask('run: "\\0"')).includes('5:25 not_text steps.s.tasks.t.run'))
    assert.ok(problemsOf(withTask('run: !!binary aGk=')).some((one) => one.includes('yaml_feature')))
    assert.ok(problemsOf(`${withTask('run: x')}__proto__: { a: 1 }\n`).includes('6:1 unknown_directive __proto__'))
  })

  test('cannot grow by aliases or nest too deep', () => {
    const bomb = [
      'a: &a [x]',
      ...Array.from('bcdefgh', (name, at) => `${name}: &${name} [${Array(20).fill(`*${'abcdefg'[at]}`).join(',')}]`),
    ]
    assert.ok(problemsOf(bomb.join('\n')).some((one) => one.includes('alias_expansion')))
    assert.ok(problemsOf('a: &a [*a]').includes('1:8 yaml_feature a[0]'))
    for (const text of ['['.repeat(20_000), '- '.repeat(60), '{a: '.repeat(20_000)]) {
      assert.ok(problemsOf(text).some((one) => /too_deep|yaml_syntax/.test(one)))
    }
  })

  test('stays within the limits of steps and tasks', () => {
    const steps = Array.from({ length: 3 }, (_, at) => `name: s${at}`)
    assert.deepEqual(problemsOf(withSteps(...steps), { steps: 2, tasks: 1 }), [
      '4:15 too_many_tasks steps',
      '5:5 too_many_steps steps',
    ])
  })

  test('yields at most 500 problems and says how many are left', () => {
    const result = parsePipeline(Array.from({ length: 700 }, (_, at) => `k${at}: 1`).join('\n'))
    assert.equal(result.ok ? 0 : result.problems.length, 501)
    assert.match((result.ok ? [] : result.problems).at(-1)?.message ?? '', /there are 202 further problems/)
  })
})

test('as many tasks as the limit allows are valid, each behind the one before it', () => {
  const step = (at: number) =>
    `  - name: s${at}\n    tasks:\n${Array.from({ length: 100 }, (_, task) => `      - { name: t${task}, run: npm test ${task}, timeout: 10m, depends_on: [${task === 0 ? '' : `t${task - 1}`}] }\n`).join('')}`
  const text = `name: a\nsteps:\n${Array.from({ length: 20 }, (_, at) => step(at)).join('')}`
  assert.equal(sound(parsePipeline(text)).graph.steps.flatMap((each) => each.tasks).length, 2000)
})
