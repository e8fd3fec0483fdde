import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createLog } from '#platform/log'
import { createTestClock } from '#platform/testing'
import { systemClock } from '#platform/time'
import { type Examined, examine } from './examine.ts'
import { createExaminer, type ExaminingThread, openExaminingThread } from './examiner.ts'
import type { DeliveryToExamine } from './examiner-message.ts'
import { github } from './github/index.ts'
import { signPush } from './github/testing.ts'
import type { VerificationRequest } from './port.ts'

const kit = { clock: systemClock, log: createLog({ level: 'silent', pretty: false }) }
const SECRET = Buffer.from('correct horse battery staple')
const LARGE = 300_000

function aPush(secret = SECRET): VerificationRequest {
  const { headers, body } = signPush({ secret: secret.toString() })
  return { headers, rawBody: body, secrets: [SECRET], authMode: 'signature', receivedAt: new Date() }
}

function aLargePush(secret = SECRET): VerificationRequest {
  const { headers, body } = signPush({ secret: secret.toString(), bytes: LARGE })
  return { headers, rawBody: body, secrets: [SECRET], authMode: 'signature', receivedAt: new Date() }
}

/** A second thread that this one plays: it answers, or ends, when it is told to. */
function aThread() {
  const given: DeliveryToExamine[] = []
  let say: (message: Examined | null) => void = () => undefined
  let end: (reason: string) => void = () => undefined
  let opened = 0
  let closed = 0
  const open = (): ExaminingThread => {
    opened += 1
    return {
      post: (delivery) => void given.push(delivery),
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
    given,
    opened: () => opened,
    closed: () => closed,
    say: (message: Examined | null) => say(message),
    end: () => end('as the test wants'),
  }
}

describe('a large delivery', () => {
  test('is examined in the second thread, and comes out as it would here', async () => {
    let answered = 0
    const examiner = createExaminer(kit, () => {
      const thread = openExaminingThread()
      return {
        ...thread,
        onMessage(listener) {
          thread.onMessage((message) => {
            answered += 1
            listener(message)
          })
        },
      }
    })
    const readable = aLargePush()
    const requests: readonly VerificationRequest[] = [
      readable,
      aLargePush(Buffer.from('another')),
      { ...readable, headers: { ...readable.headers, 'x-hub-signature-256': undefined } },
      { ...readable, headers: { ...readable.headers, 'content-type': 'text/plain' } },
      { ...readable, headers: { ...readable.headers, 'x-github-event': 'ping' } },
      { ...readable, secrets: [Buffer.from('a newer one'), SECRET] },
      { ...readable, secrets: [] },
      { ...readable, authMode: 'token' },
    ]
    const found = await Promise.all(requests.map((request) => examiner.examine(github, request)))
    assert.deepEqual(
      found,
      requests.map((request) => examine(github, request)),
    )
    assert.equal(answered, requests.length)
    assert.ok(readable.rawBody.length >= LARGE)
  })

  test('is examined here when the thread ends with it, and a new thread is not opened at once', async () => {
    const thread = aThread()
    const examiner = createExaminer(kit, thread.open)
    const away = [aLargePush(), aLargePush()].map((request) => examiner.examine(github, request))
    assert.equal(thread.given.length, 2)
    thread.end()
    assert.ok((await Promise.all(away)).every((one) => 'reading' in one))
    assert.ok('reading' in (await examiner.examine(github, aLargePush())))
    assert.equal(thread.opened(), 1)
  })

  test('is examined here when the thread could not do it', async () => {
    const thread = aThread()
    const examiner = createExaminer(kit, thread.open)
    const first = examiner.examine(github, aLargePush())
    const second = examiner.examine(github, aLargePush(Buffer.from('another')))
    thread.say(null)
    assert.ok('reading' in (await first))
    thread.say({ verification: { outcome: 'mismatch', detail: 'as the thread says' } })
    assert.deepEqual(await second, { verification: { outcome: 'mismatch', detail: 'as the thread says' } })
  })

  test('leaves a thread behind that ends when no other one comes, and is opened again for the next', async () => {
    const thread = aThread()
    const clock = createTestClock()
    const examiner = createExaminer({ ...kit, clock }, thread.open)
    void examiner.examine(github, aLargePush())
    await clock.advance(60_000)
    assert.equal(thread.closed(), 0)
    thread.say(null)
    await clock.advance(20_000)
    assert.equal(thread.closed(), 1)
    void examiner.examine(github, aLargePush())
    assert.equal(thread.opened(), 2)
  })
})

describe('any other delivery', () => {
  test('is examined here and now, and opens no thread', () => {
    const thread = aThread()
    const examiner = createExaminer(kit, thread.open)
    const found = Array.from({ length: 100 }, () => examiner.examine(github, aPush()))
    assert.ok(found.every((one) => 'reading' in one))
    assert.equal(thread.opened(), 0)
  })
})
