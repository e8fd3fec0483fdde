import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createLog } from '#platform/log'
import { createTestClock } from '#platform/testing'
import { systemClock } from '#platform/time'
import { createDeliveryVerifier, openVerifierThread, type VerifierThread } from './delivery-verifier.ts'
import type { DeliveryToVerify } from './delivery-verifier-message.ts'
import { github } from './github/index.ts'
import { signPush } from './github/testing.ts'
import type { VerificationRequest } from './port.ts'
import { type DeliveryVerification, verifyDelivery } from './verify-delivery.ts'

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
  const given: DeliveryToVerify[] = []
  let say: (message: DeliveryVerification | null) => void = () => undefined
  let end: (reason: string) => void = () => undefined
  let opened = 0
  let closed = 0
  const open = (): VerifierThread => {
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
    say: (message: DeliveryVerification | null) => say(message),
    end: () => end('as the test wants'),
  }
}

describe('a large delivery', () => {
  test('is verified in the second thread, and comes out as it would here', async () => {
    let answered = 0
    const verifier = createDeliveryVerifier(kit, () => {
      const thread = openVerifierThread()
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
    const found = await Promise.all(requests.map((request) => verifier.verifyDelivery(github, request)))
    assert.deepEqual(
      found,
      requests.map((request) => verifyDelivery(github, request)),
    )
    assert.equal(answered, requests.length)
    assert.ok(readable.rawBody.length >= LARGE)
  })

  test('is verified here when the thread ends with it, and a new thread is not opened at once', async () => {
    const thread = aThread()
    const verifier = createDeliveryVerifier(kit, thread.open)
    const away = [aLargePush(), aLargePush()].map((request) => verifier.verifyDelivery(github, request))
    assert.equal(thread.given.length, 2)
    thread.end()
    assert.ok((await Promise.all(away)).every((one) => 'reading' in one))
    assert.ok('reading' in (await verifier.verifyDelivery(github, aLargePush())))
    assert.equal(thread.opened(), 1)
  })

  test('is verified here when the thread could not do it', async () => {
    const thread = aThread()
    const verifier = createDeliveryVerifier(kit, thread.open)
    const first = verifier.verifyDelivery(github, aLargePush())
    const second = verifier.verifyDelivery(github, aLargePush(Buffer.from('another')))
    thread.say(null)
    assert.ok('reading' in (await first))
    thread.say({ verification: { outcome: 'mismatch', detail: 'as the thread says' } })
    assert.deepEqual(await second, { verification: { outcome: 'mismatch', detail: 'as the thread says' } })
  })

  test('leaves a thread behind that ends when no other one comes, and is opened again for the next', async () => {
    const thread = aThread()
    const clock = createTestClock()
    const verifier = createDeliveryVerifier({ ...kit, clock }, thread.open)
    void verifier.verifyDelivery(github, aLargePush())
    await clock.advance(60_000)
    assert.equal(thread.closed(), 0)
    thread.say(null)
    await clock.advance(20_000)
    assert.equal(thread.closed(), 1)
    void verifier.verifyDelivery(github, aLargePush())
    assert.equal(thread.opened(), 2)
  })
})

describe('any other delivery', () => {
  test('is verified here and now, and opens no thread', () => {
    const thread = aThread()
    const verifier = createDeliveryVerifier(kit, thread.open)
    const found = Array.from({ length: 100 }, () => verifier.verifyDelivery(github, aPush()))
    assert.ok(found.every((one) => 'reading' in one))
    assert.equal(thread.opened(), 0)
  })
})
