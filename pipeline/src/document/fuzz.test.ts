import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Graph, ValuePart } from '../graph/index.ts'
import { parsePipeline } from './parse-pipeline.ts'

const sample = `name: build
variables: { NODE_ENV: test }
secrets: { NPM_TOKEN: acme/web/npm }
concurrency: { group: "b-\${{ event.branch }}", on_conflict: queue }
steps:
  - name: test
    matrix: { node: ["22", "24"], include: [{ node: "24", fast: true }], exclude: [{ node: "22" }] }
    tasks:
      - &u { name: unit, run: npm test, outputs: { coverage: {} }, retry: { attempts: 3, backoff: 10s } }
      - name: pack
        depends_on: [unit]
        image: node:\${{ matrix.node }}
        if: matrix.fast == "true"
        run: make
        artifacts: { paths: [dist] }
        cache: { key: k, paths: [m] }
  - name: ask
    depends_on: [test]
    approval: { approvers: [group:leads], fields: [{ name: why, type: choice, options: [a, b] }] }
  - name: deploy
    depends_on: [ask]
    if: event.branch == "main"
    tasks:
      - name: ship
        run: |
          ./ship
        needs_artifacts: [test.pack]
        env: { COVERAGE: $steps.test.unit.outputs.coverage, WHY: $steps.ask.approval.outputs.why }
      - { name: child, pipeline: acme/web/child, inputs: { A: $steps.test.unit-24-true.outputs.coverage } }
  - { name: mend, depends_on: [deploy], on_failure: true, tasks: [{ name: m, run: x }] }
final_outputs: [{ name: f, template: $steps.test.unit.outputs.coverage }]
`

const piece = fc.oneof(
  fc.constantFrom(
    '{',
    '}',
    '[',
    ']',
    ': ',
    '- ',
    '\n',
    '&a ',
    '*a',
    '!!set ',
    '? ',
    '"',
    "'",
    '|\n',
    '<<: ',
    '---\n',
    '%',
    '#',
    '$steps.',
    '${{ ',
    'matrix.',
    ' }}',
    '\0',
    '\ud800',
    '\t',
  ),
  fc.string({ unit: 'binary', maxLength: 8 }),
  fc.constantFrom(
    'name',
    'steps',
    'tasks',
    'depends_on',
    'if',
    'env',
    'matrix',
    'approval',
    'include',
    'always',
    'null',
    '1e999',
    '0x1',
    '.nan',
    '__proto__',
    'constructor',
  ),
)

/** The sample with pieces put in and parts cut out. */
const mutated = fc
  .array(fc.record({ at: fc.nat(sample.length), remove: fc.nat(12), piece }), { minLength: 1, maxLength: 6 })
  .map((changes) =>
    changes.reduce(
      (text, change) => text.slice(0, change.at) + change.piece + text.slice(change.at + change.remove),
      sample,
    ),
  )

function assertAnswers(input: string | Uint8Array): void {
  const result = parsePipeline(input)
  const lines = typeof input === 'string' ? input.split('\n') : undefined
  for (const problem of result.ok ? result.warnings : [...result.problems, ...result.warnings]) {
    const { line, column, message, directive } = problem
    // One behind the last character is where something is missing.
    const isInside = !lines || (line <= lines.length && column <= (lines[line - 1]?.length ?? 0) + 1)
    const isSound = line >= 1 && column >= 1 && isInside && message !== ''
    if (!isSound || !message.isWellFormed() || !directive.isWellFormed()) assert.fail(JSON.stringify(problem))
  }
  if (result.ok) assertGraph(result.graph)
  else assert.ok(result.problems.length > 0)
}

/** Plain JSON of unique names, in which everything that is named is there. */
function assertGraph(graph: Graph): void {
  assert.deepEqual(JSON.parse(JSON.stringify(graph)), graph)
  const steps = new Map(graph.steps.map((step) => [step.name, new Map(step.tasks.map((task) => [task.name, task]))]))
  assert.equal(steps.size, graph.steps.length)
  const exists = (part: ValuePart) => {
    if (typeof part === 'string') return
    for (const task of 'tasks' in part ? part.tasks : [part.task]) {
      assert.ok(steps.get(part.step)?.get(task)?.outputs[part.output], JSON.stringify(part))
    }
  }
  for (const step of graph.steps) {
    const tasks = steps.get(step.name)
    assert.equal(tasks?.size, step.tasks.length)
    for (const task of step.tasks) {
      assert.match(task.name, /^[a-z0-9][a-z0-9_-]{0,62}$/)
      for (const name of task.dependsOn) assert.ok(tasks?.has(name), name)
      for (const needed of task.needsArtifacts) assert.ok(steps.get(needed.step)?.get(needed.task)?.artifacts)
      Object.values(task.env).flat().forEach(exists)
      if (task.kind === 'pipeline') Object.values(task.inputs).flat().forEach(exists)
    }
  }
  for (const { template } of graph.finalOutputs) template.forEach(exists)
}

test('no text makes it throw, and each refusal has a problem with a position', () => {
  fc.assert(fc.property(mutated, assertAnswers), { numRuns: 1_000 })
  fc.assert(
    fc.property(
      fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join('')),
      assertAnswers,
    ),
    { numRuns: 1_000 },
  )
  fc.assert(fc.property(fc.uint8Array({ maxLength: 64 }), assertAnswers), { numRuns: 500 })
})

const anything = fc.jsonValue({ maxDepth: 2 })

/** Three are enough to refer to each other, and to have one name twice; of more, each run would only take longer. */
const few = <T>(item: fc.Arbitrary<T>): fc.Arbitrary<T[]> => fc.array(item, { maxLength: 3 })

test('no value in any place makes it throw', () => {
  const document = fc.record(
    {
      name: fc.oneof(fc.constant('a'), anything),
      variables: anything,
      secrets: anything,
      timeout: anything,
      concurrency: anything,
      final_outputs: anything,
      steps: few(
        fc.record(
          {
            name: fc.oneof(fc.constantFrom('a', 'b'), anything),
            depends_on: fc.oneof(fc.array(fc.constantFrom('a', 'b')), anything),
            if: fc.oneof(fc.string(), anything),
            matrix: fc.oneof(fc.dictionary(fc.constantFrom('a', 'b', 'include'), anything), anything),
            approval: anything,
            always: anything,
            tasks: fc.oneof(
              anything,
              few(
                fc.record(
                  {
                    name: fc.constantFrom('t', 'u'),
                    run: fc.string(),
                    env: anything,
                    pipeline: anything,
                    inputs: anything,
                    services: anything,
                    artifacts: anything,
                    needs_artifacts: anything,
                    cache: anything,
                    outputs: anything,
                    retry: anything,
                  },
                  { requiredKeys: [] },
                ),
              ),
            ),
          },
          { requiredKeys: [] },
        ),
      ),
    },
    { requiredKeys: [] },
  )
  // JSON is YAML.
  fc.assert(
    fc.property(
      document.map((value) => JSON.stringify(value)),
      assertAnswers,
    ),
    { numRuns: 1_500 },
  )
})

test('problems stand where they are, also behind what cannot be read', () => {
  const result = parsePipeline('a: [x}]\nb: |\n  s\n  [\nc: ]\n')
  assert.deepEqual(result.ok ? undefined : result.problems.at(-1)?.line, 5)
})

test('a sound document stays sound in its parts: what a matrix makes can be named, and nothing else', () => {
  const name = fc.constantFrom('a', 'b', 'c-1', '1')
  const value = fc.constantFrom('1', '1-1', 'b', '', 'x y', 'X-Y')
  const matrix = fc.dictionary(fc.constantFrom('p', 'q', 'p-q'), fc.array(value, { minLength: 1, maxLength: 3 }))
  const task = fc.record({ name, depends_on: fc.subarray(['a', 'b', 'c-1']), run: fc.constant('x') })
  const step = fc.record({ name, matrix, tasks: fc.array(task, { minLength: 1, maxLength: 3 }) })
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 2 }), (steps) =>
      assertAnswers(JSON.stringify({ name: 'a', steps })),
    ),
    { numRuns: 1_000 },
  )
})
