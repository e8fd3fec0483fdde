import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createLog } from '#platform/log'
import { createTestClock, until } from '#platform/testing'
import { systemClock } from '#platform/time'
import { examine } from './examine.ts'
import { createExaminer, type ExaminingThread, openThread } from './examiner.ts'
import type { Batch, FromThread } from './examiner-message.ts'
import { github } from './github/index.ts'
import { signPush } from './github/testing.ts'
import type { VerificationRequest } from './port.ts'

const kit = { clock: systemClock, log: createLog({ level: 'silent', pretty: false }) }
const SECRET = Buffer.from('correct horse battery staple')

function aPush(secret = SECRET): VerificationRequest {
  const { headers, body } = signPush({ secret: secret.toString() })
  return { headers, rawBody: body, secrets: [SECRET], authMode: 'signature', receivedAt: new Date() }
}

/** A second thread that this one plays: it answers, or ends, when it is told to. */
function aThread() {
  const batches: Batch[] = []
  let say: (message: FromThread) => void = () => undefined
  let end: (reason: string) => void = () => undefined
  let opened = 0
  let closed = 0
  const open = (): ExaminingThread => {
    opened += 1
    return {
      post: (batch) => void batches.push(batch),
      onMessage(listener) {
        say = listener
      },
      onEnd(listener) {
        end = listener
      },
      end() {
        closed += 1
        end('as it was told')
      },
    }
  }
  return {
    open,
    batches,
    opened: () => opened,
    closed: () => closed,
    say: (message: FromThread) => say(message),
    end: () => end('as the test wants'),
  }
}

const handedOver = (thread: { readonly batches: readonly Batch[] }, count: number) =>
  until(
    'batches',
    () => thread.batches.length,
    (length) => length === count,
  )

function several(examiner: ReturnType<typeof createExaminer>, count: number) {
  return Array.from({ length: count }, () => examiner.examine(github, aPush()))
}

describe('deliveries that are examined together', () => {
  test('come out as they do one by one, whichever thread has done it', async () => {
    let answered = 0
    const examiner = createExaminer(kit, () => {
      const thread = openThread()
      return {
        ...thread,
        onMessage(listener) {
          thread.onMessage((message) => {
            if (message !== 'ready') answered += 1
            listener(message)
          })
        },
      }
    })
    const readable = aPush()
    const requests: readonly VerificationRequest[] = [
      readable,
      aPush(Buffer.from('another')),
      { ...readable, headers: { ...readable.headers, 'x-hub-signature-256': undefined } },
      { ...readable, headers: { ...readable.headers, 'content-type': 'text/plain' } },
      { ...readable, headers: { ...readable.headers, 'x-github-event': 'ping' } },
      { ...readable, secrets: [Buffer.from('a newer one'), SECRET] },
      { ...readable, secrets: [] },
      { ...readable, authMode: 'token' },
    ]
    const expected = requests.map((request) => examine(github, request))
    // The first ones find no thread that is ready.
    await until(
      'the thread',
      async () => {
        const found = await Promise.all(requests.map((request) => examiner.examine(github, request)))
        assert.deepEqual(found, expected)
        return answered
      },
      (times) => times >= 3,
    )
  })

  test('wait for no thread that is not ready yet', async () => {
    const thread = aThread()
    const examiner = createExaminer(kit, thread.open)
    const found = await Promise.all(several(examiner, 8))
    assert.ok(found.every((one) => 'reading' in one))
    assert.equal(thread.opened(), 1)
    assert.equal(thread.batches.length, 0)
  })

  test('are not handed over when they are few, unless they are large', async () => {
    const thread = aThread()
    const examiner = createExaminer(kit, thread.open)
    await Promise.all(several(examiner, 3))
    assert.equal(thread.opened(), 0)
    const rawBody = Buffer.alloc(300_000, ' ')
    await examiner.examine(github, { ...aPush(), rawBody })
    assert.equal(thread.opened(), 1)
  })

  test('are examined here when the thread ends with them, and a new one is not opened at once', async () => {
    const thread = aThread()
    const examiner = createExaminer(kit, thread.open)
    await Promise.all(several(examiner, 4))
    thread.say('ready')
    const away = several(examiner, 20)
    await handedOver(thread, 1)
    thread.end()
    assert.ok((await Promise.all(away)).every((one) => 'reading' in one))
    await Promise.all(several(examiner, 8))
    assert.equal(thread.opened(), 1)
  })

  test('are examined here when the thread has much to do, or could not do it', async () => {
    const thread = aThread()
    const examiner = createExaminer(kit, thread.open)
    await Promise.all(several(examiner, 4))
    thread.say('ready')
    const first = several(examiner, 20)
    await handedOver(thread, 1)
    const second = several(examiner, 20)
    await handedOver(thread, 2)
    const third = several(examiner, 40)
    // Of these it does what is too many; the others wait until there is an answer, and go together.
    const answered = await Promise.race(third)
    assert.ok('reading' in answered)
    assert.equal(thread.batches.length, 2)
    thread.say(Array.from({ length: 20 }, () => null))
    await handedOver(thread, 3)
    assert.equal(JSON.parse(thread.batches[2]?.deliveries ?? '').length, 32)
    thread.say(Array.from({ length: 20 }, () => null))
    thread.say(Array.from({ length: 32 }, () => null))
    const found = await Promise.all([...first, ...second, ...third])
    assert.ok(found.every((one) => 'reading' in one))
  })

  test('leave a thread behind that ends when nothing comes any more, and is opened again for the next ones', async () => {
    const thread = aThread()
    const clock = createTestClock()
    const examiner = createExaminer({ ...kit, clock }, thread.open)
    const first = several(examiner, 4)
    await clock.advance(0)
    await Promise.all(first)
    await clock.advance(9000)
    assert.equal(thread.closed(), 0)
    await clock.advance(2000)
    assert.equal(thread.closed(), 1)
    const second = several(examiner, 4)
    await clock.advance(0)
    await Promise.all(second)
    assert.equal(thread.opened(), 2)
  })
})
