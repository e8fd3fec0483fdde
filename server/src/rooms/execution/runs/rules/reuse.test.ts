import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parsePipeline } from '@signalbox/pipeline/document'
import type { Graph } from '@signalbox/pipeline/graph'
import { advanceAll, type RunState, startRun } from '@signalbox/pipeline/status'
import { noContext } from '../../../../../../pipeline/src/status/testing/index.ts'
import { findReuse } from './reuse.ts'

const NO_CONTEXT = noContext

function graphOf(steps: string): Graph {
  const parsed = parsePipeline(`name: p\nsteps:\n${steps}`)
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems))
  return parsed.graph
}

/** The run in which every task that began ended well, but for these. */
function played(graph: Graph, failing: readonly string[]): RunState {
  let { state, effects } = startRun(graph, NO_CONTEXT)
  for (;;) {
    const events = effects.flatMap((effect) => {
      if (effect.type !== 'start_attempt') return []
      const { step, task, attempt } = effect
      const result = failing.includes(`${step}/${task}`) ? ('failure' as const) : ('success' as const)
      return [{ type: 'task_finished' as const, step, task, attempt, result, reason: result }]
    })
    if (events.length === 0) return state
    const next = advanceAll(graph, state, events, NO_CONTEXT)
    state = next.state
    effects = next.effects
  }
}

const reused = (graph: Graph, failing: readonly string[], repetition: Partial<Parameters<typeof findReuse>[1]>) => {
  const state = played(graph, failing)
  const wanted = { of: 'old', mode: 'failed' as const, step: null, ...repetition }
  const found = findReuse(graph, wanted, { id: 'old', state, sameDocument: true })
  return 'problem' in found ? found.problem : [...found.tasks.keys()]
}

const CHAIN = `  - { name: a, tasks: [{ name: one, run: x }, { name: two, depends_on: [one], run: x }] }
  - { name: b, depends_on: [a], tasks: [{ name: three, run: x }] }
  - { name: c, tasks: [{ name: four, run: x }] }
`

test('what succeeded is taken over, and nothing that comes after something that is done again', () => {
  const graph = graphOf(CHAIN)
  assert.deepEqual(reused(graph, ['b/three'], {}), ['a/one', 'a/two', 'c/four'])
  assert.deepEqual(reused(graph, ['a/two'], {}), ['a/one', 'c/four'])
  const always = graphOf(`${CHAIN}  - { name: d, depends_on: [b], when: always, tasks: [{ name: five, run: x }] }\n`)
  assert.deepEqual(reused(always, ['b/three'], {}), ['a/one', 'a/two', 'c/four'], 'd was green, and comes after b')
})

test('from a step, what lies before and beside it', () => {
  const graph = graphOf(CHAIN)
  assert.deepEqual(reused(graph, [], { mode: 'step', step: 'b' }), ['a/one', 'a/two', 'c/four'])
  assert.deepEqual(reused(graph, [], { mode: 'step', step: 'a' }), ['c/four'])
  assert.match(String(reused(graph, [], { mode: 'step', step: 'z' })), /no step z; it has a, b, c/)
})

test('a step that was skipped by its condition keeps nothing from being taken over', () => {
  const graph = graphOf(`  - { name: a, if: "false", tasks: [{ name: one, run: x }] }
  - { name: b, depends_on: [a], tasks: [{ name: two, run: x }] }
  - { name: c, depends_on: [b], tasks: [{ name: three, run: x }] }
`)
  assert.deepEqual(reused(graph, ['c/three'], {}), ['b/two'])
})

test('a task whose artifacts are needed by one that is done again is done again', () => {
  const graph = graphOf(`  - name: a
    tasks:
      - { name: one, run: x }
      - { name: made, run: x, artifacts: { name: made, paths: [out] } }
  - name: b
    depends_on: [a]
    tasks: [{ name: use, run: x, needs_artifacts: [a.made] }]
`)
  assert.deepEqual(reused(graph, ['b/use'], {}), ['a/one'])
})

test('nothing of a run that never began, nothing of one in which nothing failed', () => {
  const graph = graphOf(CHAIN)
  assert.match(String(reused(graph, [], {})), /Nothing in the run failed/)
  const never = findReuse(
    graph,
    { of: 'old', mode: 'failed', step: null },
    { id: 'old', state: undefined, sameDocument: true },
  )
  assert.match('problem' in never ? never.problem : '', /never began/)
})

test('of a step whose tasks share a workspace everything is taken over, or nothing: its files are gone', () => {
  const graph = graphOf(`  - name: a
    workspace: shared
    tasks: [{ name: one, run: x }, { name: two, depends_on: [one], run: x }]
  - { name: b, depends_on: [a], tasks: [{ name: three, run: x }] }
  - { name: c, tasks: [{ name: four, run: x }] }
`)
  assert.deepEqual(reused(graph, ['a/two'], {}), ['c/four'])
  assert.deepEqual(reused(graph, ['b/three'], {}), ['a/one', 'a/two', 'c/four'])
})
