import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { LogEntry } from '@signalbox/contracts/logs'
import type { RunDetail } from '@signalbox/contracts/runs'
import { array, assert as check, constantFrom, integer, property } from 'fast-check'
import { anEntry, aRun, aStep, aTask } from '../testing/run-samples.ts'
import { Narrator, type Remark } from './narrator.ts'
import { createRenderer } from './render.ts'

function runOf(status: string, tasks: Readonly<Record<string, string>>, stepStatus = 'running'): RunDetail {
  const known = Object.entries(tasks).map(([name, taskStatus]) =>
    aTask({ name, status: taskStatus, attempt: taskStatus === 'pending' ? 0 : 1 }),
  )
  return aRun({ status, steps: [aStep({ name: 'check', status: stepStatus, tasks: known })] })
}

function lineOf(task: string, number: number): LogEntry {
  return anEntry({ step: 'check', task, number, line: `line ${number}` })
}

function words(remarks: readonly Remark[]): string[] {
  return remarks.map((remark) => {
    switch (remark.kind) {
      case 'run':
        return `run ${remark.run.status}`
      case 'step':
        return `step ${remark.step} ${remark.status}`
      case 'task_started':
        return `${remark.task} started`
      case 'line':
        return `${remark.entry.task} ${remark.entry.number}`
      case 'task_ended':
        return `${remark.task.name} ${remark.task.status}`
      default: {
        const never: never = remark
        return never
      }
    }
  })
}

describe('following a run', () => {
  test('why it waits is told when it still waits at the second look, and when that changes', () => {
    const narrator = new Narrator()
    const look = (reason: string): string[] =>
      narrator
        .see({ ...runOf('queued', {}, 'pending'), queue_reason: reason })
        .map((remark) => (remark.kind === 'run' ? `${remark.run.status}: ${remark.run.queue_reason}` : remark.kind))
    assert.deepEqual([look('a'), look('a'), look('a'), look('b')], [['queued: a'], ['queued: a'], [], ['queued: b']])
    const lines = ['a', 'a', 'b'].map((reason) => ({ ...runOf('queued', {}, 'pending'), queue_reason: reason }))
    const renderer = createRenderer((_tone, text) => text, false)
    assert.deepEqual(
      lines.map((run) => renderer.render({ kind: 'run', run })),
      ['run · queued', 'run · queued a', 'run · queued b'],
    )
  })

  test('each change is told once, from the outside in and back', () => {
    const narrator = new Narrator()
    const told = [
      ...narrator.see(runOf('queued', { unit: 'pending' }, 'pending')),
      ...narrator.see(runOf('queued', { unit: 'pending' }, 'pending')),
      ...narrator.see(runOf('running', { unit: 'running' })),
      ...narrator.see(runOf('running', { unit: 'running' })),
      ...narrator.see(runOf('success', { unit: 'success' }, 'success')),
    ]
    assert.deepEqual(words(told), [
      'run queued',
      'run running',
      'step check running',
      'unit started',
      'unit success',
      'step check success',
      'run success',
    ])
  })

  test('a line that is ahead of the state still comes after the start of its task', () => {
    const narrator = new Narrator()
    assert.deepEqual(words(narrator.hear(lineOf('unit', 0))), ['step check running', 'unit started', 'unit 0'])
    assert.deepEqual(words(narrator.see(runOf('running', { unit: 'running' }))), ['run running'])
  })

  test('before an end is told, the lines that the stream did not bring are asked for', () => {
    const narrator = new Narrator()
    narrator.see(runOf('running', { unit: 'running', lint: 'running' }))
    narrator.hear(lineOf('unit', 0))
    const run = runOf('running', { unit: 'success', lint: 'running' })
    assert.deepEqual(narrator.missing(run), [{ step: 'check', task: 'unit', attempt: 1, from: 1 }])
    narrator.see(run)
    assert.deepEqual(narrator.missing(run), [])
  })

  test('a step that was skipped says so once, for all of its tasks', () => {
    const run = runOf('running', { unit: 'pending', lint: 'pending' }, 'skipped')
    const skipped = run.steps.map((step) => ({
      ...step,
      tasks: step.tasks.map((task) => ({ ...task, status: 'skipped' })),
    }))
    assert.deepEqual(words(new Narrator().see({ ...run, steps: skipped })), ['run running', 'step check skipped'])
  })

  test('whatever the streams repeat, every line is told once and in order', () => {
    const arrivals = array(integer({ min: 0, max: 20 }))
    check(
      property(arrivals, constantFrom('unit', 'lint'), (numbers, task) => {
        const narrator = new Narrator()
        const told = numbers
          .flatMap((number) => narrator.hear(lineOf(task, number)))
          .flatMap((remark) => (remark.kind === 'line' ? [remark.entry.number] : []))
        assert.deepEqual(
          told,
          [...new Set(told)].sort((a, b) => a - b),
        )
      }),
    )
  })
})
