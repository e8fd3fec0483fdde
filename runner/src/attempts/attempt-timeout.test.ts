import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { create } from '@bufbuild/protobuf'
import { AssignSchema } from '@signalbox/contracts/runner'
import type { ExecutionListener } from '../executors/executor.ts'
import { createLog } from '../log.ts'
import { ManualTime } from '../testing/manual-time.ts'
import { temporaryFolder } from '../testing/runner-under-test.ts'
import { Attempt } from './attempt.ts'

test("a task's timeout stands still while the task waits for its turn on the machine", () => {
  using folder = temporaryFolder()
  const time = new ManualTime()
  const signals: string[] = []
  let told: ExecutionListener | undefined
  const attempt = new Attempt(create(AssignSchema, { fence: 1n, timeoutSeconds: 10 }), {
    time,
    log: createLog(() => {}),
    executor: {
      name: 'test',
      start: (_assign, listener) => {
        told = listener
        return {
          signal: (name) => signals.push(name),
          hold: () => {},
          outputStamp: () => '',
          readOutputs: () => ({ text: '' }),
          files: () => undefined,
          release: () => Promise.resolve(),
        }
      },
    },
    spillFolder: join(folder.path, 'logs'),
    logMemory: 1024,
    logLimits: { bytes: 1024, lines: 10 },
    defaultGraceSeconds: 10,
    wake: () => {},
    gone: () => {},
  })
  attempt.begin()
  time.advance(4000)
  told?.waits(true)
  time.advance(600_000)
  told?.waits(false)
  told?.started(time.now())
  time.advance(5999)
  assert.deepEqual(signals, [])
  time.advance(1)
  assert.deepEqual(signals, ['SIGTERM'])
  attempt.lose()
})
