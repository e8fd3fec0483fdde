import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { parsePipeline } from './parse-pipeline.ts'

const sample = `name: build
variables: { NODE_ENV: test }
secrets: { NPM_TOKEN: acme/web/npm }
steps:
  - name: test
    tasks:
      - &u { name: unit, run: npm test, outputs: { coverage: {} }, retry: { attempts: 3, backoff: 10s } }
  - name: deploy
    depends_on: [test]
    if: event.branch == "main"
    tasks:
      - name: ship
        run: |
          ./ship
        env: { COVERAGE: $steps.test.unit.outputs.coverage }
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
  if (result.ok) {
    assert.deepEqual(JSON.parse(JSON.stringify(result.graph)), result.graph)
    return
  }
  assert.ok(result.problems.length > 0)
  for (const problem of result.problems) {
    assert.ok(problem.line >= 1 && problem.column >= 1 && problem.message !== '', JSON.stringify(problem))
    assert.ok(problem.message.isWellFormed() && problem.directive.isWellFormed())
  }
}

test('no text makes it throw, and each refusal has a problem with a position', () => {
  fc.assert(fc.property(mutated, assertAnswers), { numRuns: 2_000 })
  fc.assert(
    fc.property(
      fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join('')),
      assertAnswers,
    ),
    { numRuns: 2_000 },
  )
  fc.assert(fc.property(fc.uint8Array({ maxLength: 64 }), assertAnswers), { numRuns: 500 })
})

test('no value in any place makes it throw', () => {
  const document = fc.record(
    {
      name: fc.oneof(fc.constant('a'), fc.jsonValue()),
      variables: fc.jsonValue(),
      secrets: fc.jsonValue(),
      timeout: fc.jsonValue(),
      steps: fc.array(
        fc.record(
          {
            name: fc.oneof(fc.constantFrom('a', 'b'), fc.jsonValue()),
            depends_on: fc.oneof(fc.array(fc.constantFrom('a', 'b')), fc.jsonValue()),
            if: fc.oneof(fc.string(), fc.jsonValue()),
            tasks: fc.oneof(
              fc.jsonValue(),
              fc.array(
                fc.record(
                  {
                    name: fc.constantFrom('t', 'u'),
                    run: fc.string(),
                    env: fc.jsonValue(),
                    outputs: fc.jsonValue(),
                    retry: fc.jsonValue(),
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
    { numRuns: 1_000 },
  )
})
