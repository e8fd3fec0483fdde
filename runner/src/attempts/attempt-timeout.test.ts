import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { create } from '@bufbuild/protobuf'
import { AssignSchema } from '@signalbox/contracts/runner'
import type { ExecutionListener } from '../executors/executor.ts'
import { AttemptWorkspace } from '../executors/workspace/attempt-workspace.ts'
import { createLog } from '../log.ts'
import { ManualTime } from '../testing/manual-time.ts'
import { temporaryFolder } from '../testing/runner-under-test.ts'
import { Attempt } from './attempt.ts'

const begin = (folder: string) => {
  const time = new ManualTime()
  const signals: string[] = []
  let told: ExecutionListener | undefined
  const attempt = new Attempt(create(AssignSchema, { fence: 1n, timeoutSeconds: 10 }), {
    time,
    log: createLog(() => {}),
    executor: {
      start: (_assign, listener) => {
        told = listener
        return {
          signal: (name) => signals.push(name),
          pause: () => {},
          workspace: new AttemptWorkspace(),
        }
      },
    },
    spillFolder: join(folder, 'logs'),
    logMemory: 1024,
    logLimits: { bytes: 1024, lines: 10 },
    defaultGraceSeconds: 10,
    wake: () => {},
    gone: () => {},
  })
  attempt.begin()
  assert.ok(told !== undefined)
  return { attempt, told, time, signals }
}

test("a task's timeout stands still while the task waits for its turn on the machine", () => {
  using folder = temporaryFolder()
  const { attempt, told, time, signals } = begin(folder.path)
  time.advance(4000)
  told.waits('It waits for memory.')
  time.advance(600_000)
  told.waits(undefined)
  told.started(time.now())
  time.advance(5999)
  assert.deepEqual(signals, [])
  time.advance(1)
  assert.deepEqual(signals, ['SIGTERM'])
  attempt.lose()
})

test('what an attempt waits for is told at once and on each new stream, until it goes on or begins', () => {
  using folder = temporaryFolder()
  const { attempt, told, time } = begin(folder.path)
  const next = () => {
    const message = attempt.nextMessage()
    return message?.case === 'waiting' ? message.value.reason : message?.case
  }
  assert.equal(next(), undefined)
  told.waits('It waits for memory.')
  assert.equal(next(), 'It waits for memory.')
  assert.equal(next(), undefined)
  attempt.rewind(0)
  assert.equal(next(), 'It waits for memory.')
  told.waits(undefined)
  assert.equal(next(), '')
  attempt.rewind(0)
  told.started(time.now())
  assert.equal(next(), 'started')
  assert.equal(next(), undefined)
  attempt.lose()
})
