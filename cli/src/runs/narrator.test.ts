import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { array, assert as check, constantFrom, integer, property } from 'fast-check'
import type { RunDetail } from '../client/answers.ts'
import type { LogEntry } from '../client/log-answers.ts'
import { Narrator, type Remark } from './narrator.ts'
import { createRenderer } from './render.ts'

const NO_TIMES = { started_at: null, finished_at: null }

function aRun(status: string, tasks: Readonly<Record<string, string>>, stepStatus = 'running'): RunDetail {
  return {
    run_id: 'r',
    pipeline: 'acme/build',
    status,
    reason: null,
    queue_reason: null,
    queue_position: null,
    queue_position_over: null,
    queue_estimate_seconds: null,
    priority: 0,
    parent_run_id: null,
    cause: 'request',
    initiator: { name: 'ada' },
    scope: 'acme/test',
    repository: null,
    branch: null,
    tag: null,
    base_ref: null,
    head_ref: null,
    commit_sha: null,
    rerun_of: null,
    replay_of: null,
    pull_request: null,
    untrusted: false,
    concurrency: null,
    note: null,
    approvals: [],
    approval_requests: [],
    queued_at: '2026-11-21T03:00:00.000Z',
    ...NO_TIMES,
    steps: [
      {
        name: 'check',
        status: stepStatus,
        reason: null,
        ...NO_TIMES,
        tasks: Object.entries(tasks).map(([name, taskStatus]) => ({
          name,
          status: taskStatus,
          attempt: taskStatus === 'pending' ? 0 : 1,
          reason: null,
          waiting_reason: null,
          attempts: null,
          ...NO_TIMES,
        })),
      },
    ],
  }
}

function aLine(task: string, number: number): LogEntry {
  return { step: 'check', task, attempt: 1, number, line: `line ${number}`, fold: null, gap: null }
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
        .see({ ...aRun('queued', {}, 'pending'), queue_reason: reason })
        .map((remark) => (remark.kind === 'run' ? `${remark.run.status}: ${remark.run.queue_reason}` : remark.kind))
    assert.deepEqual([look('a'), look('a'), look('a'), look('b')], [['queued: a'], ['queued: a'], [], ['queued: b']])
    const lines = ['a', 'a', 'b'].map((reason) => ({ ...aRun('queued', {}, 'pending'), queue_reason: reason }))
    const renderer = createRenderer((_tone, text) => text, false)
    assert.deepEqual(
      lines.map((run) => renderer.render({ kind: 'run', run })),
      ['run · queued', 'run · queued a', 'run · queued b'],
    )
  })

  test('each change is told once, from the outside in and back', () => {
    const narrator = new Narrator()
    const told = [
      ...narrator.see(aRun('queued', { unit: 'pending' }, 'pending')),
      ...narrator.see(aRun('queued', { unit: 'pending' }, 'pending')),
      ...narrator.see(aRun('running', { unit: 'running' })),
      ...narrator.see(aRun('running', { unit: 'running' })),
      ...narrator.see(aRun('success', { unit: 'success' }, 'success')),
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
    assert.deepEqual(words(narrator.hear(aLine('unit', 0))), ['step check running', 'unit started', 'unit 0'])
    assert.deepEqual(words(narrator.see(aRun('running', { unit: 'running' }))), ['run running'])
  })

  test('before an end is told, the lines that the stream did not bring are asked for', () => {
    const narrator = new Narrator()
    narrator.see(aRun('running', { unit: 'running', lint: 'running' }))
    narrator.hear(aLine('unit', 0))
    const run = aRun('running', { unit: 'success', lint: 'running' })
    assert.deepEqual(narrator.missing(run), [{ step: 'check', task: 'unit', attempt: 1, from: 1 }])
    narrator.see(run)
    assert.deepEqual(narrator.missing(run), [])
  })

  test('a step that was skipped says so once, for all of its tasks', () => {
    const run = aRun('running', { unit: 'pending', lint: 'pending' }, 'skipped')
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
          .flatMap((number) => narrator.hear(aLine(task, number)))
          .flatMap((remark) => (remark.kind === 'line' ? [remark.entry.number] : []))
        assert.deepEqual(
          told,
          [...new Set(told)].sort((a, b) => a - b),
        )
      }),
    )
  })
})
