import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { parsePipeline } from '@signalbox/pipeline/document'
import { advance, isTerminalRun, type RunEvent, type RunState, startRun } from '@signalbox/pipeline/status'
import fc from 'fast-check'
import { noContext } from '../../../../../../pipeline/src/status/testing/index.ts'
import { restoreState } from './run-state.ts'

const document = `name: build
steps:
  - name: one
    tasks:
      - { name: a, run: "true", retry: { attempts: 2, backoff: 1s } }
      - { name: b, run: "true", depends_on: [a], ignore_failure: true }
      - { name: c, run: "true" }
  - name: two
    depends_on: [one]
    ignore_failure: true
    tasks:
      - { name: d, run: "true" }
      - { name: e, run: "true", depends_on: [d] }
  - name: three
    depends_on: [one, two]
    tasks:
      - { name: f, run: "true", if: steps.two.status == "success" }
  - name: release
    depends_on: [two]
    approval: { approvers: [group:leads], fields: [{ name: version, type: text }] }
  - name: ship
    depends_on: [release]
    tasks:
      - { name: g, run: "true", idempotent: true }
  - name: clean
    depends_on: [ship, three]
    when: always
    tasks:
      - { name: h, run: "true" }
  - name: tell
    depends_on: [clean]
    when: failure
    tasks:
      - { name: i, run: "true" }
`
const parsed = parsePipeline(document)
if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems))
const { graph } = parsed
const context = noContext

/** The parts of a state that the tables keep. */
const stored = (state: RunState): Parameters<typeof restoreState> => [
  graph,
  { status: state.status, reason: state.reason, ending: state.ending, lostAttempts: state.lostAttempts },
  state.steps.map(({ name, status, reason, blocks, timedOut }) => ({ step: name, status, reason, blocks, timedOut })),
  state.steps.flatMap((step) => step.tasks.map((task) => ({ ...task, step: step.name, task: task.name }))),
]

const task = fc.constantFrom(
  ...graph.steps.flatMap((step) => step.tasks.map((each) => ({ step: step.name, task: each.name }))),
)
const event = (state: RunState): fc.Arbitrary<RunEvent> =>
  fc.oneof(
    {
      weight: 4,
      arbitrary: task.map((place) => ({ type: 'task_started' as const, ...place, attempt: numberOf(state, place) })),
    },
    {
      weight: 8,
      arbitrary: fc
        .tuple(
          task,
          fc.constantFrom('success' as const, 'failure' as const, 'lost' as const, 'timed_out' as const),
          fc.boolean(),
        )
        .map(([place, result, notBegun]) => ({
          type: 'task_finished' as const,
          ...place,
          attempt: numberOf(state, place),
          result,
          reason: '',
          notBegun: result === 'lost' && notBegun,
        })),
    },
    {
      weight: 2,
      arbitrary: task.map((place) => ({ type: 'retry_due' as const, ...place, attempt: numberOf(state, place) + 1 })),
    },
    {
      weight: 4,
      arbitrary: fc.constantFrom('approved' as const, 'approved' as const, 'rejected' as const).map((decision) => ({
        type: 'approval_decided' as const,
        step: 'release',
        decision,
        reason: '',
        outputs: { version: '2' },
      })),
    },
    { weight: 1, arbitrary: fc.constant({ type: 'cancel_requested' as const, reason: 'enough' }) },
  )
const numberOf = (state: RunState, place: { step: string; task: string }): number =>
  state.steps.find(({ name }) => name === place.step)?.tasks.find(({ name }) => name === place.task)?.attempt ?? 0

describe('a state that is restored from its rows', () => {
  test('is the state that was stored, wherever the run stands', () => {
    fc.assert(
      fc.property(fc.gen(), (generate) => {
        let { state } = startRun(graph, context)
        for (let index = 0; index < 40 && !isTerminalRun(state.status); index++) {
          state = advance(graph, state, generate(event, state), context).state
          assert.deepEqual(restoreState(...stored(state)), state)
        }
      }),
    )
  })

  test('is refused when rows are missing or say what this version does not know', () => {
    const { state } = startRun(graph, context)
    const [, run, steps, tasks] = stored(state)
    assert.throws(() => restoreState(graph, run, steps.slice(1), tasks), RangeError)
    assert.throws(() => restoreState(graph, run, steps, tasks.slice(1)), RangeError)
    assert.throws(() => restoreState(graph, { ...run, status: 'purple' }, steps, tasks), RangeError)
  })
})
