import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { NO_LIMITS } from '../../graph/container-limits.ts'
import { faultsOf, soundGraph, withSteps, withTask } from '../testing.ts'

const matrix = (text: string) => `    matrix: ${text}\n`

describe('a step with a matrix', () => {
  const text = withSteps([
    'name: test, matrix: { node: ["22", "24"] }, tasks: [{ name: build, run: x, outputs: { o: } , artifacts: { paths: [d] } }, ' +
      '{ name: unit, depends_on: [build], run: x, outputs: { o: }, needs_artifacts: [test.build], if: matrix.node == "22", ' +
      'image: "node:${{ matrix.node }}", env: { A: $steps.test.build.outputs.o, B: "n${{ matrix.node }}" }, ' +
      'cache: { key: "k-${{ matrix.node }}", paths: [m] }, services: [{ name: db, image: "db:${{ matrix.node }}", env: { V: "${{ matrix.node }}" } }] }]',
    'name: next, depends_on: [test], tasks: [{ name: t, run: x, needs_artifacts: [test.build, test.build-24], ' +
      'env: { ALL: $steps.test.unit.outputs.o, ONE: $steps.test.unit-24.outputs.o } }]',
    'name: child, depends_on: [test], matrix: { to: [a, b] }, tasks: [{ name: c, pipeline: acme/x, inputs: { TO: "${{ matrix.to }}", O: "$steps.test.unit-22.outputs.o" } }]',
  ])
  const [first, second, third] = soundGraph(text).steps

  test('has an instance of each task for each combination, which keep to themselves', () => {
    assert.deepEqual(
      first?.tasks.map((task) => [task.name, task.template, task.matrix, task.dependsOn, task.dependents]),
      [
        ['build-22', 'build', { node: '22' }, [], ['unit-22']],
        ['build-24', 'build', { node: '24' }, [], ['unit-24']],
        ['unit-22', 'unit', { node: '22' }, ['build-22'], []],
        ['unit-24', 'unit', { node: '24' }, ['build-24'], []],
      ],
    )
    const unit = first?.tasks[3]
    assert.deepEqual(unit?.env, {
      MATRIX_NODE: ['24'],
      A: [{ step: 'test', task: 'build-24', output: 'o' }],
      B: ['n24'],
    })
    assert.deepEqual(unit?.needsArtifacts, [{ step: 'test', task: 'build-24' }])
    assert.deepEqual([unit?.container?.image, unit?.cache?.key], ['node:24', 'k-24'])
    assert.deepEqual(unit?.container?.services[0], {
      name: 'db',
      image: 'db:24',
      env: { V: '24' },
      command: [],
      limits: NO_LIMITS,
    })
    assert.equal(first?.tasks[0]?.artifacts?.name, 'build-22')
  })

  test('is seen by later steps whole, or instance by instance', () => {
    assert.deepEqual(second?.tasks[0]?.env, {
      ALL: [{ step: 'test', tasks: ['unit-22', 'unit-24'], output: 'o' }],
      ONE: [{ step: 'test', task: 'unit-24', output: 'o' }],
    })
    assert.deepEqual(second?.tasks[0]?.needsArtifacts, [
      { step: 'test', task: 'build-22' },
      { step: 'test', task: 'build-24' },
    ])
  })

  test('may start child runs, whose inputs know its values', () => {
    const child = third?.tasks[1]
    assert.deepEqual(child?.kind === 'pipeline' && child.inputs, {
      TO: ['b'],
      O: [{ step: 'test', task: 'unit-22', output: 'o' }],
    })
    assert.deepEqual(child?.env, {})
  })

  test('names are also those of a reference that the matrix makes', () => {
    const same = withSteps([
      'name: a, matrix: { n: ["1", "2"] }, tasks: [{ name: t, run: x, outputs: { o: } }]',
      'name: b, depends_on: [a], matrix: { n: ["1", "2"] }, tasks: [{ name: t, run: x, env: { O: "$steps.a.t-${{ matrix.n }}.outputs.o" } }]',
    ])
    assert.deepEqual(soundGraph(same).steps[1]?.tasks[1]?.env['O'], [{ step: 'a', task: 't-2', output: 'o' }])
    assert.match(
      faultsOf(
        same.replace(
          '{ n: ["1", "2"] }, tasks: [{ name: t, run: x, env',
          '{ n: ["3"] }, tasks: [{ name: t, run: x, env',
        ),
      ).join(),
      /there is no task `t-3`/,
    )
  })

  test('an axis that only some combinations have is empty in the others', () => {
    const graph = soundGraph(
      withTask(
        'run: x, env: { A: "<${{ matrix.fast }}>" }',
        matrix('{ n: ["1", "2"], include: [{ n: "2", fast: true }] }'),
      ),
    )
    assert.deepEqual(
      graph.steps[0]?.tasks.map((task) => [task.name, task.matrix, task.env['A']]),
      [
        ['t-1', { n: '1', fast: '' }, ['<>']],
        ['t-2-true', { n: '2', fast: 'true' }, ['<true>']],
      ],
    )
  })
})

describe('a matrix that cannot be', () => {
  const cases: readonly (readonly [string, string, RegExp])[] = [
    [
      'too many',
      `{ a: [${Array(17).keys().toArray().join()}], b: [${Array(16).keys().toArray().join()}] }`,
      /^too_many_combinations steps\.s\.matrix: .* 272 combinations; at most 256/,
    ],
    [
      'far too many',
      `{ a: [${Array(200).keys().toArray().join()}], b: [${Array(200).keys().toArray().join()}] }`,
      /40000 combinations/,
    ],
    ['none', '{}', /^invalid_matrix steps\.s\.matrix: the matrix has no values/],
    ['nothing left', '{ a: [1], exclude: [{ a: 1 }] }', /nothing is left of the matrix/],
    ['an empty axis', '{ a: [] }', /^invalid_value steps\.s\.matrix\.a/],
    ['an axis that is no list', '{ a: 1 }', /^wrong_type steps\.s\.matrix\.a: .*a list/],
    ['a name that is none', '{ "a b": [1] }', /^invalid_name steps\.s\.matrix\.a b/],
    [
      'an exclusion of an axis that is not there',
      '{ node: [1], exclude: [{ nod: 1 }] }',
      /^unknown_axis steps\.s\.matrix\.exclude\[0\]\.nod: .*did you mean `node`/,
    ],
    [
      'an exclusion of a value that is not there',
      '{ node: [1], exclude: [{ node: 2 }] }',
      /^invalid_matrix steps\.s\.matrix\.exclude\[0\]\.node: .*excludes nothing/,
    ],
    ['an inclusion of no shape', '{ node: [1], include: [node] }', /^wrong_type steps\.s\.matrix\.include\[0\]/],
    [
      'an inclusion of a list',
      '{ node: [1], include: [{ node: [1] }] }',
      /^wrong_type steps\.s\.matrix\.include\[0\]\.node/,
    ],
    [
      'an empty inclusion',
      '{ node: [1], include: [{}] }',
      /^invalid_matrix steps\.s\.matrix\.include\[0\]: an empty entry/,
    ],
    [
      'values of one name',
      '{ node: ["22", "22."] }',
      /^name_conflict steps\.s\.matrix: t with node "22\." would be called `t-22`, but so is t with node "22"/,
    ],
    ['axes of one variable', '{ a-b: [1], a_b: [1] }', /^name_conflict .* MATRIX_A_B/],
  ]
  for (const [what, text, expected] of cases) {
    test(what, () =>
      assert.ok(
        faultsOf(withTask('run: x', matrix(text))).some((fault) => expected.test(fault)),
        faultsOf(withTask('run: x', matrix(text))).join('\n'),
      ),
    )
  }

  test('an instance has the name of another task', () => {
    const text = withSteps(['name: s, matrix: { n: ["1"] }, tasks: [{ name: t, run: x }, { name: t-1, run: x }]'])
    assert.match(faultsOf(text).join(), /t with n "1" would be called `t-1`, but so is the name of a task/)
  })

  test('the environment sets what the matrix sets', () => {
    assert.match(
      faultsOf(withTask('run: x, env: { MATRIX_N: 1 }', matrix('{ n: [1] }'))).join(),
      /name_conflict steps\.s\.tasks\.t\.env\.MATRIX_N/,
    )
  })

  test('all instances together are too many', () => {
    const values = `[${Array(200).keys().toArray().join()}]`
    const steps = Array.from(
      { length: 11 },
      (_, at) => `name: s${at}, matrix: { n: ${values} }, tasks: [{ name: t, run: x }]`,
    )
    assert.deepEqual(
      faultsOf(withSteps(steps)).map((fault) => fault.slice(0, 54)),
      ['too_many_tasks steps: the pipeline has 2200 tasks, wit'],
    )
  })

  test('all of them together are too many before anything is excluded', () => {
    const axis = `[${Array(30).keys().toArray().join()}]`
    const steps = Array.from(
      { length: 30 },
      (_, at) => `name: s${at}, matrix: { a: ${axis}, b: ${axis}, exclude: [{ a: 1 }] }, tasks: [{ name: t, run: x }]`,
    )
    const [fault, ...more] = faultsOf(withSteps(steps))
    assert.match(fault ?? '', /^too_many_combinations steps\.s18\.matrix: .* 17100 combinations before/)
    assert.deepEqual(more, [])
  })

  test('final outputs that name all instances again and again are too long', () => {
    const step = `name: a, matrix: { n: [${Array(200).keys().toArray().join()}] }, tasks: [{ name: t, run: x, outputs: { o: } }]`
    const template = '$steps.a.t.outputs.o '.repeat(3_000)
    const text = `${withSteps([step])}final_outputs: [{ name: f, template: "${template}" }, { name: g, template: "${template}" }]\n`
    assert.match(faultsOf(text).join(), /^too_large steps\.a\.matrix/)
  })

  test('its texts written out are too long', () => {
    const text = withTask(`run: "${'x'.repeat(200_000)}"`, matrix(`{ n: [${Array(30).keys().toArray().join()}] }`))
    assert.match(faultsOf(text).join(), /^too_large steps\.s\.matrix: .*4194304 characters/)
  })
})

describe('what looks at a matrix', () => {
  const looking = (task: string, further = '') =>
    faultsOf(
      withSteps([
        'name: m, matrix: { node: ["1", "2"], exclude: [{ node: "2" }], include: [{ node: "3" }] }, tasks: [{ name: b, run: x, outputs: { o: } }, ' +
          `{ name: u, depends_on: [b], run: x, outputs: { o: }${further} }]`,
        `name: n, depends_on: [m], tasks: [{ name: t, run: x, ${task} }]`,
      ]),
    ).join('\n')

  test('names instances that there are', () => {
    assert.equal(looking('env: { A: $steps.m.b-3.outputs.o }'), '')
    assert.match(looking('env: { A: $steps.m.b-2.outputs.o }'), /there is no task `b-2`; did you mean `b-[13]`/)
    assert.match(looking('needs_artifacts: [m.b]'), /^unknown_artifacts .*keeps no artifacts/)
  })

  test('within the step sees its own combination alone', () => {
    assert.equal(looking('env: {}', ', env: { A: $steps.m.b.outputs.o }'), '')
    assert.match(
      looking('env: {}', ', env: { A: $steps.m.b-1.outputs.o }'),
      /unordered_reference .*every instance of u starts; write b,/,
    )
    assert.match(looking('env: {}', ', env: { A: $steps.m.u.outputs.o }'), /what it is itself about to write/)
    const other = withSteps([
      'name: m, matrix: { n: [1] }, tasks: [{ name: b, run: x }, { name: u, depends_on: [b-1], run: x }]',
    ])
    assert.match(faultsOf(other).join(), /`b-1` is one instance of `b`: write `b`/)
  })

  test('knows its axes', () => {
    assert.match(looking('env: { A: "${{ matrix.node }}" }'), /invalid_template .*the step has no matrix/)
    assert.match(looking('env: {}', ', env: { A: "${{ matrix.nod }}" }'), /the matrix has no `nod`; it has node/)
    assert.match(looking('env: {}', ', if: matrix.nod == "1"'), /unknown_axis .*did you mean `node`/)
    assert.match(looking('if: matrix.node == "1"'), /the step has no matrix/)
    assert.match(
      faultsOf(withTask('run: x', '    if: matrix.n == "1"\n    matrix: { n: [1] }\n')).join(),
      /write the condition on its tasks/,
    )
  })

  test('in a condition names one instance, or the step', () => {
    assert.equal(looking(`if: 'steps.m.tasks["b-3"].outputs.o == "1" && steps.m.status == "success"'`), '')
    assert.match(
      looking('if: steps.m.tasks.b.status == "success"'),
      /has a matrix: name one of its instances, such as steps\["m"\]\.tasks\["b-1"\]/,
    )
  })

  test('is warned where a script would not know it', () => {
    assert.match(
      looking('env: {}', ', env: {}').concat(
        faultsOf(withTask('run: "echo ${{ matrix.n }}"', matrix('{ n: [1] }'))).join(),
      ),
      /reference_in_script .*use \$MATRIX_N/,
    )
  })
})
