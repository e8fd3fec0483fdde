import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { create, type MessageInitShape } from '@bufbuild/protobuf'
import { AssignSchema } from '@signalbox/contracts/runner'
import type { Execution, ExecutionListener } from '../executors/executor.ts'
import { AttemptWorkspace } from '../executors/workspace/attempt-workspace.ts'
import { eventually } from '../testing/eventually.ts'
import { ManualTime } from '../testing/manual-time.ts'
import { Attempt, type OutgoingMessage } from './attempt.ts'

const spillFolder = mkdtempSync(join(tmpdir(), 'signalbox-attempt-'))
after(() => rmSync(spillFolder, { recursive: true }))

/** An attempt on an executor that does what the test says. */
function begin(assign: MessageInitShape<typeof AssignSchema> = {}) {
  const time = new ManualTime()
  const signals: string[] = []
  const sent: OutgoingMessage[] = []
  let listener: ExecutionListener | undefined
  let gone = false
  const execution: Execution = {
    signal: (name) => void signals.push(name),
    pause: () => undefined,
    workspace: new AttemptWorkspace(),
  }
  const attempt: Attempt = new Attempt(create(AssignSchema, { fence: 1n, stopWhenLeaseEnds: true, ...assign }), {
    time,
    log: { info: () => undefined, warn: () => undefined },
    executor: {
      start: (_assign, given) => {
        listener = given
        return execution
      },
    },
    spillFolder,
    logMemory: 1024 * 1024,
    logLimits: { bytes: 1024 * 1024, lines: 1000 },
    defaultGraceSeconds: 10,
    wake: () => {
      for (let message = attempt.nextMessage(); message; message = attempt.nextMessage()) sent.push(message)
    },
    gone: () => void (gone = true),
  })
  attempt.begin()
  assert.ok(listener)
  const finished = async () => {
    const find = () => sent.find((message) => message.case === 'finished')?.value
    const told = (): boolean => {
      time.advance(100)
      return find() !== undefined
    }
    await eventually(told, () => `an end, of ${sent.map((message) => message.case)}`)
    const report = find()
    assert.ok(report)
    return report
  }
  return { attempt, time, signals, sent, listener, finished, isGone: () => gone }
}

describe('an attempt', () => {
  test('a masked value is in no reason', async () => {
    const { listener, finished } = begin({
      maskedValues: ['the-secret'],
      checkout: { cloneUrl: 'https://git.example/a.git', password: 'the-password' },
    })
    listener.ended({ kind: 'failed', reason: 'The clone with the-password of the-secret failed.' })
    assert.equal((await finished()).reason, 'The clone with *** of *** failed.')
  })

  test('the task is killed when its lease ends, at once, and nothing of it is told', () => {
    const { attempt, listener, signals, sent, isGone } = begin()
    listener.started(0)
    assert.equal(attempt.endWithLease(), true)
    assert.deepEqual(signals, ['SIGKILL'])
    assert.ok(isGone())
    listener.ended({ kind: 'signaled', signal: 'SIGKILL' })
    assert.deepEqual(
      sent.filter((message) => message.case === 'finished'),
      [],
    )
  })

  test('a task that may not be tried again goes on after its lease', () => {
    const { attempt, listener, signals } = begin({ stopWhenLeaseEnds: false })
    listener.started(0)
    assert.equal(attempt.endWithLease(), false)
    assert.deepEqual(signals, [])
  })

  test('a task whose lease is lost is killed', () => {
    const { attempt, listener, signals, isGone } = begin()
    listener.started(0)
    attempt.lose()
    assert.deepEqual([signals, isGone()], [['SIGKILL'], true])
  })

  test('a task that is stopped has its grace, and is killed after it', () => {
    const { attempt, listener, signals, time } = begin({ graceSeconds: 5 })
    listener.started(0)
    attempt.stop({ why: 'canceled', reason: 'No more.' })
    time.advance(4_999)
    assert.deepEqual(signals, ['SIGTERM'])
    time.advance(1)
    assert.deepEqual(signals, ['SIGTERM', 'SIGKILL'])
  })

  test('a task that takes longer than its timeout is stopped', async () => {
    const { listener, signals, time, finished } = begin({ timeoutSeconds: 3 })
    listener.started(0)
    time.advance(3_000)
    assert.deepEqual(signals, ['SIGTERM'])
    listener.ended({ kind: 'signaled', signal: 'SIGTERM' })
    assert.match((await finished()).reason ?? '', /longer than its timeout of 3 s/)
  })

  test('stays in hand until its last line is stored, also where its end is stored first', async () => {
    const { attempt, listener, finished, isGone } = begin()
    listener.started(0)
    listener.output('stdout', Buffer.from('the last line\n'))
    listener.ended({ kind: 'exited', exitCode: 0 })
    assert.equal((await finished()).lineCount, 1n)
    attempt.acknowledgeFinish()
    assert.equal(isGone(), false, 'a line is not stored yet')
    attempt.acknowledgeLines(1)
    assert.equal(isGone(), true)
  })

  test('says all again on a new stream', async () => {
    const { attempt, listener, finished, sent } = begin()
    listener.started(0)
    listener.output('stdout', Buffer.from('a line\n'))
    listener.ended({ kind: 'exited', exitCode: 0 })
    await finished()
    const before = sent.map((message) => message.case)
    attempt.rewind(0)
    const again: unknown[] = []
    for (let message = attempt.nextMessage(); message; message = attempt.nextMessage()) again.push(message.case)
    assert.deepEqual(again, before)
    assert.deepEqual(again, ['started', 'log', 'finished'])
  })
})
