import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parsePipeline } from '@signalbox/pipeline/document'
import { queueRequirement } from './queue-requirement.ts'

const host = { requirement: { executor: 'host', labels: ['arm64'] }, image: null } as const
const boxed = { requirement: { executor: 'container', labels: [] }, image: 'node:24' } as const

function executorOf(tasks: string): string {
  const parsed = parsePipeline(`name: p\nsteps: [{ name: a, tasks: [${tasks}] }]\n`)
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems))
  const { executor, labels } = queueRequirement(parsed.graph, host, { boxed })
  assert.deepEqual(labels, ['arm64'])
  return executor
}

test('a run whose scripts all run in containers waits for a runner of containers alone', () => {
  assert.equal(executorOf('{ name: a, run: x, image: "node:24" }, { name: b, run: x, profile: boxed }'), 'container')
  assert.equal(executorOf('{ name: a, run: x, image: "node:24" }, { name: b, run: x }'), 'host')
  assert.equal(executorOf('{ name: a, pipeline: acme/web/child }'), 'host')
})
