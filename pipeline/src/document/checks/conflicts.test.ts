import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { parsePipeline } from '../parse-pipeline.ts'
import { faultsOf, soundGraph, withSteps, withTask } from '../testing.ts'

const run = 'tasks: [{ name: t, run: x }]'
const after = `name: a, ${run}`

describe('steps that contradict themselves', () => {
  const approval = 'approval: { approvers: [group:leads] }'
  const cases: readonly (readonly [string, RegExp])[] = [
    [
      `name: s, ${run}, ${approval}`,
      /^conflicting_directives steps\.s\.approval: a step has tasks or an approval, not both/,
    ],
    ['name: s', /^missing_directive steps\.s\.tasks: the step has nothing to do/],
    ['name: s, tasks: []', /^invalid_value steps\.s\.tasks/],
    [`name: s, ${approval}, ignore_failure: true`, /^conflicting_directives steps\.s\.ignore_failure: .*fails closed/],
    [`name: s, ${approval}, timeout: 1h`, /^conflicting_directives steps\.s\.timeout: .*inside approval/],
    [`name: s, ${approval}, matrix: { a: [1] }`, /^conflicting_directives steps\.s\.matrix/],
    [`name: s, ${approval}, scope: acme/production`, /^conflicting_directives steps\.s\.scope/],
    [`name: s, ${approval}, profile: x`, /^conflicting_directives steps\.s\.profile/],
    [
      `name: s, depends_on: [a], always: true, on_failure: true, ${run}`,
      /^conflicting_directives steps\.s\.on_failure: .*keep one/,
    ],
    [`name: s, depends_on: [a], when: always, always: true, ${run}`, /^conflicting_directives steps\.s\.always/],
    [
      `name: s, on_failure: true, ${run}`,
      /^conflicting_directives steps\.s\.on_failure: .*never start: add depends_on/,
    ],
    [`name: s, on_failure: true, depends_on: [], ${run}`, /never start: add depends_on/],
    [`name: s, when: never, ${run}`, /^invalid_value steps\.s\.when: .*success, always, failure/],
    [`name: s, scope: production, ${run}`, /^invalid_value steps\.s\.scope: .*acme\/web\/production/],
  ]
  for (const [step, expected] of cases) {
    test(step, () => assert.match(faultsOf(withSteps([after, step])).join('\n'), expected))
  }

  test('always without anything to wait for is only a warning', () => {
    assert.match(faultsOf(withSteps([`name: s, always: true, ${run}`])).join(), /^without_effect steps\.s\.always/)
    assert.deepEqual(faultsOf(withSteps([after, `name: s, depends_on: [a], always: true, ${run}`])), [])
  })

  test('an approval may have a condition, and what it depends on', () => {
    const graph = soundGraph(
      withSteps([after, `name: s, depends_on: [a], if: steps.a.status == "success", ${approval}`]),
    )
    const [task] = graph.steps[1]?.tasks ?? []
    assert.deepEqual(
      [task?.name, task?.kind, Object.keys(task?.outputs ?? {})],
      ['approval', 'approval', ['decided_by', 'answers']],
    )
    assert.deepEqual(task?.kind === 'approval' && task.approval, {
      approvers: ['group:leads'],
      required: 1,
      timeoutMs: 604_800_000,
      reminderMs: null,
      allowSelf: false,
      message: null,
      fields: [],
    })
  })
})

describe('approvals', () => {
  const approving = (approval: string) => faultsOf(withSteps([`name: s, approval: { ${approval} }`])).join('\n')
  const asking = (field: string) => approving(`approvers: [user:ada], fields: [${field}]`)

  test('name who may decide, and enough of them', () => {
    assert.match(
      approving('approvers: [ada]'),
      /^invalid_value steps\.s\.approval\.approvers\[0\]: .*write user:<login>/,
    )
    assert.match(approving('approvers: [role:king]'), /role:<role>/)
    assert.match(approving('approvers: []'), /write a list of approvers/)
    assert.match(approving('required: 1'), /`approvers` is missing/)
    assert.match(approving('approvers: [user:ada, user:bob], required: 3'), /only 2 may decide/)
    assert.equal(approving('approvers: [user:ada, group:leads], required: 3'), '')
    assert.match(approving('approvers: [user:ada], timeout: 1h, remind_after: 1h'), /nobody is reminded/)
  })

  test('have fields that can be filled in', () => {
    assert.equal(
      asking('{ name: a, type: choice, options: [1, b], default: 1 }, { name: b, type: boolean, default: true }'),
      '',
    )
    assert.match(asking('{ name: a, type: choice }'), /missing_directive steps\.s\.approval\.fields\.a\.options/)
    assert.match(asking('{ name: a, type: text, options: [b] }'), /conflicting_directives/)
    assert.match(asking('{ name: a, type: choice, options: [b], default: c }'), /"c" is not among b/)
    assert.match(asking('{ name: a, type: boolean, default: maybe }'), /not among true, false/)
    assert.match(asking('{ name: a, type: text }, { name: a, type: text }'), /duplicate_name/)
    assert.match(asking('{ name: decided_by, type: text }'), /every approval has an output of this name/)
    assert.match(asking('{ name: answers, type: text }'), /every approval has an output of this name/)
  })

  test('have outputs', () => {
    const using = (output: string) =>
      faultsOf(
        withSteps([
          'name: s, approval: { approvers: [user:ada], fields: [{ name: why, type: text }] }',
          `name: n, depends_on: [s], tasks: [{ name: t, run: x, env: { A: $steps.s.approval.outputs.${output} } }]`,
        ]),
      ).join()
    assert.equal(using('why') + using('decided_by') + using('answers'), '')
    assert.match(using('how'), /unknown_output .*why, decided_by, answers|did you mean `why`/)
  })
})

describe('tasks that contradict themselves', () => {
  const cases: readonly (readonly [string, RegExp])[] = [
    ['pipeline: acme/x, run: y', /^conflicting_directives steps\.s\.tasks\.t\.pipeline: .*keep one of run, pipeline/],
    ['pipeline: acme/x, image: node', /^conflicting_directives steps\.s\.tasks\.t\.image: .*beside `pipeline`/],
    ['pipeline: acme/x, env: { A: b }', /\.env: .*hand over values in inputs/],
    ['pipeline: acme/x, cache: { key: a, paths: [b] }', /\.cache: /],
    ['pipeline: acme/x, retry: { attempts: 2, exit_codes: [1] }', /a child run has no exit code/],
    ['pipeline: x', /^invalid_value steps\.s\.tasks\.t\.pipeline: .*acme\/web\/deploy/],
    [
      'run: x, inputs: { A: b }',
      /^conflicting_directives steps\.s\.tasks\.t\.inputs: `inputs` belongs to a task with `pipeline`/,
    ],
    ['run: x, network: none, services: [{ name: db, image: db }]', /cannot reach its services/],
    ['run: x, network: bridge', /default, none, host/],
    [
      'run: x, services: [{ name: db, image: db }, { name: db, image: db }]',
      /^duplicate_name steps\.s\.tasks\.t\.services\.db\.name/,
    ],
    [
      'run: x, services: [{ name: db, image: db, env: { A: $steps.s.t.outputs.o } }]',
      /outputs are replaced in env, inputs and final_outputs alone/,
    ],
    [
      'run: x, image: "node 24"',
      /^invalid_value steps\.s\.tasks\.t\.image: "node 24" is no reference of an image: the name holds a space/,
    ],
    [
      'run: x, image: localhost/../../x',
      /\.image: "localhost\/\.\.\/\.\.\/x" is no reference of an image: its path cannot hold/,
    ],
    ['run: x, image: "http://ghcr.io/x"', /leave out http:\/\/; write one such as node:24-slim/],
    [
      'run: x, services: [{ name: db, image: acme/DB }]',
      /^invalid_value steps\.s\.tasks\.t\.services\.db\.image: "acme\/DB" is no reference of an image: write DB in lower case/,
    ],
    ['run: x, image: a, pull_policy: sometimes', /always, missing, never/],
    [
      'run: x, image: a, registry_credential: [a/b]',
      /such as acme\/web\/registry, or registries with theirs, such as \{ ghcr\.io: /,
    ],
    ['run: x, image: a, registry_credential: { ghcr.io: reg }', /registry_credential\.ghcr\.io: .+acme\/web\/registry/],
    [
      'run: x, image: a, registry_credential: { "https://ghcr.io": a/b }',
      /^invalid_name .+registry_credential\.https:\/\/ghcr\.io: "https:\/\/ghcr\.io" names no registry: leave out https:/,
    ],
    ['run: x, image: a, registry_credential: { localhost: a/b }', /takes no password: leave it out/],
    [
      'run: x, image: ghcr.io/a, registry_credential: a/b, services: [{ name: db, image: db }]',
      /^invalid_value steps\.s\.tasks\.t\.registry_credential: .+come from ghcr\.io and docker\.io: write \{ ghcr\.io: a\/b \} or/,
    ],
    ['run: x, resources: { cpus: 0 }', /write a number from 0\.01 to 1024/],
    ['run: x, resources: { pids: 1 }', /write a whole number from 16 to 32768/],
    ['run: x, resources: { tmpfs: { cache: 8 } }', /"cache" cannot be a name here: it must match \^\//],
    ['run: x, resources: { tmpfs: { /cache: 0 } }', /whole number/],
    ['run: x, resources: { ulimits: { cpu: 1 } }', /nofile/],
    ['run: x, services: [{ name: db, image: i, resources: { memory_mb: 1 } }]', /write a whole number from 16/],
    ['run: x, registry_credential: reg', /acme\/web\/registry/],
    ['run: x, retry: { attempts: 2, exit_codes: [0] }', /from 1 to 255/],
    [
      'run: x, artifacts: { paths: [../x] }',
      /^invalid_value steps\.s\.tasks\.t\.artifacts\.paths: "\.\.\/x" does not lie in the workspace/,
    ],
    ['run: x, artifacts: { paths: [/etc] }', /does not lie in the workspace/],
    ['run: x, artifacts: { paths: [] }', /write a list of paths/],
    ['run: x, artifacts: { paths: [a], name: "a b" }', /cannot be a name here/],
    ['run: x, artifacts: { paths: [a], retention: 900d }', /from 1s to 400d/],
    ['run: x, artifacts: { paths: [a], when: never }', /success, failure, always/],
    ['run: x, cache: { paths: [a] }', /`key` is missing/],
    ['run: x, needs_artifacts: [build]', /such as build\.pack/],
    ['run: x, needs_artifacts: [s.u]', /there is no task `u`/],
    ['run: x, contaner: node', /unknown_directive/],
    ['run: x, imge: node', /did you mean `image`/],
    ['run: x, container: node', /did you mean `image`/],
  ]
  for (const [task, expected] of cases) test(task, () => assert.match(faultsOf(withTask(task)).join('\n'), expected))

  test('artifacts of a task are those of one that keeps some, and is complete before', () => {
    const needing = (artifacts: string, dependsOn: string) =>
      faultsOf(
        withSteps([
          `name: a, tasks: [{ name: t, run: x${artifacts} }]`,
          `name: b${dependsOn}, tasks: [{ name: u, run: x, needs_artifacts: [a.t] }]`,
        ]),
      ).join()
    assert.equal(needing(', artifacts: { paths: [d] }', ', depends_on: [a]'), '')
    assert.match(needing('', ', depends_on: [a]'), /^unknown_artifacts steps\.b\.tasks\.u\.needs_artifacts/)
    assert.match(needing(', artifacts: { paths: [d] }', ''), /^unordered_reference .*add depends_on: \[a\]/)
  })
})

describe('what a pipeline is made of', () => {
  const more = (text: string) =>
    faultsOf(
      `${withSteps(['name: a, tasks: [{ name: t, run: x, outputs: { o: , h: { sensitive: true } } }]', `name: b, ${run}`])}${text}\n`,
    ).join('\n')

  test('final outputs may look at any task, but at nothing sensitive', () => {
    assert.equal(more('final_outputs: [{ name: f, template: "$steps.a.t.outputs.o" }]'), '')
    assert.match(
      more('final_outputs: [{ name: f, template: "$steps.a.t.outputs.h" }]'),
      /^sensitive_final_output final_outputs\.f\.template/,
    )
    assert.match(more('final_outputs: [{ name: f, template: "$steps.a.t.outputs.x" }]'), /^unknown_output/)
    assert.match(more('final_outputs: [{ name: f, template: "$steps.z" }]'), /^invalid_reference/)
    assert.match(
      more('final_outputs: [{ name: f, template: a }, { name: f, template: a }]'),
      /^duplicate_name final_outputs\.f\.name/,
    )
    assert.match(more('final_outputs: [{ name: f, template: a, format: html }]'), /markdown, json, text/)
  })

  test('a group is text with expressions that can be used', () => {
    assert.equal(more('variables: { X: y }\nconcurrency: { group: "a-${{ event.branch }}-${{ variables.X }}" }'), '')
    assert.equal(more('concurrency: { group: "a-${{ run.group_key }}" }'), '')
    assert.match(
      more('concurrency: { group: "a-${{ run.brnch }}" }'),
      /^invalid_expression concurrency\.group: .*did you mean `run\.branch`/,
    )
    assert.match(
      more('concurrency: { group: "${{ matrix.x }}" }'),
      /^invalid_expression concurrency\.group: .*`matrix` is unknown here/,
    )
    assert.match(more('concurrency: { group: a, on_conflict: wait }'), /cancel_running, queue, skip/)
    assert.match(more('concurrency: a'), /write \{ group:/)
    const result = parsePipeline(`${withSteps([after])}concurrency:\n  group: b-\${{ evnt.x }}\n`)
    assert.deepEqual(result.ok ? [] : result.problems.map(({ line, column }) => [line, column]), [[5, 16]])
  })

  test('a condition that names what is never there is refused', () => {
    const condition = (text: string, variables = '') =>
      faultsOf(`${withSteps([`name: a, if: '${text}', ${run}`])}${variables}`).join()
    for (const text of [
      'run.branch == "main" && run["cause"] == "event"',
      'has(event.pull_request.head.sha)',
      'event.commits.exists(commit, commit.message == "x")',
    ]) {
      assert.equal(condition(text), '', text)
    }
    assert.equal(condition('variables.DEPLOY == "yes"', 'variables: { DEPLOY: "no" }\n'), '')
    assert.match(condition('runn.branch == "a"'), /`runn` is unknown here; known are `run`, `event`/)
    assert.match(condition('run.brnch == "a"'), /^invalid_expression steps\.a\.if: .*did you mean `run\.branch`/)
    assert.match(condition('event.brnch == "a"'), /did you mean `event\.branch`/)
    assert.match(
      condition('variables.DEPLY == "a"', 'variables: { DEPLOY: "no" }\n'),
      /there is no variable `DEPLY`: did you mean `variables\.DEPLOY`/,
    )
    assert.match(condition('variables.X == "a"'), /there is no variable `X`: add it to `variables` of the document/)
    const tasks = `name: a, tasks: [{ name: t, run: x, if: 'run.id == run.idd' }]`
    assert.match(
      faultsOf(withSteps([tasks])).join(),
      /^invalid_expression steps\.a\.tasks\.t\.if: .*did you mean `run\.id`/,
    )
  })

  test('a priority, and times', () => {
    assert.match(more('priority: 101'), /from -100 to 100/)
    assert.match(more('queue_timeout: 40d'), /from 1s to 30d/)
    const graph = soundGraph(`${withSteps([after])}priority: -5\nqueue_timeout: 1m\nconcurrency: { group: g }\n`)
    assert.deepEqual(
      [graph.priority, graph.queueTimeoutMs, graph.concurrency],
      [-5, 60_000, { group: 'g', onConflict: 'queue' }],
    )
  })

  test('what a step of failures writes may be empty, which is a warning', () => {
    const text = withSteps([
      after,
      'name: f, depends_on: [a], on_failure: true, tasks: [{ name: t, run: x, outputs: { o: } }]',
      'name: l, depends_on: [f], always: true, tasks: [{ name: t, run: x, env: { A: $steps.f.t.outputs.o } }]',
    ])
    assert.match(faultsOf(text).join(), /^may_not_have_run steps\.l\.tasks\.t\.env\.A/)
    assert.deepEqual(
      soundGraph(text).steps.map((step) => step.when),
      ['success', 'failure', 'always'],
    )
  })
})
