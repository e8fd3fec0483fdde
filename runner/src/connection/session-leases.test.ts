import assert from 'node:assert/strict'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { credentials } from '@grpc/grpc-js'
import { AttemptsInHand } from '../attempts/attempts-in-hand.ts'
import { AttemptWorkspace } from '../executors/workspace/attempt-workspace.ts'
import { BegunFences } from '../identity/begun-fences.ts'
import { LeaseClock } from '../lease/lease-clock.ts'
import { eventually } from '../testing/eventually.ts'
import { TestGateway } from '../testing/gateway.ts'
import { ManualTime } from '../testing/manual-time.ts'
import { temporaryFolder } from '../testing/runner-under-test.ts'
import { GatewayClient } from './gateway-client.ts'
import { Session } from './session.ts'

const log = { info: () => undefined, warn: () => undefined }

/** Sessions to a real gateway that answers no heartbeat, on a clock that stands still. Their tasks never end. */
const openHouse = async () => {
  const folder = temporaryFolder()
  const gateway = new TestGateway()
  gateway.acknowledges = false
  await gateway.start()
  const time = new ManualTime()
  const leases = new LeaseClock()
  const begun = new BegunFences(join(folder.path, 'begun'))
  const attempts = new AttemptsInHand({
    time,
    log,
    begun,
    executor: {
      start: () => ({
        signal: () => undefined,
        pause: () => undefined,
        workspace: new AttemptWorkspace(),
      }),
    },
    spillFolder: folder.path,
    logMemory: 1024,
    logLimits: { bytes: 1024, lines: 10 },
    defaultGraceSeconds: 10,
    wake: () => undefined,
    gone: () => undefined,
  })
  const needs = {
    time,
    log,
    attempts,
    leases,
    version: '',
    capacity: 1,
    labels: [],
    executors: () => [],
    keptWorkspaces: () => [],
    drainAsked: () => undefined,
    drainAdvanced: () => undefined,
    workspaceOver: () => undefined,
  }
  const clients: GatewayClient[] = []
  return {
    gateway,
    time,
    leases,
    connect: () => {
      const address = { target: gateway.url, secure: false, loopback: true }
      const client = new GatewayClient(address, credentials.createInsecure())
      clients.push(client)
      return new Session(needs, client.connect(gateway.credential), false, () => undefined)
    },
    beats: (count: number) => gateway.until(() => gateway.heartbeats.length === count, `heartbeat ${count}`),
    assign: async (fence: bigint) => {
      gateway.assign({ fence })
      await eventually(() => attempts.fences().includes(fence), `attempt ${fence} is in hand`)
    },
    [Symbol.dispose]: () => {
      for (const client of clients) client[Symbol.dispose]()
      gateway.kill()
      begun[Symbol.dispose]()
      folder[Symbol.dispose]()
    },
  }
}

describe('the lease of an attempt', () => {
  test('is counted from the last message that the control plane had answered when it gave it', async () => {
    using house = await openHouse()
    const { gateway, time, leases, connect, beats, assign } = house
    const session = connect()
    time.advance(1000)
    await beats(1)
    time.advance(1000)
    await assign(1n)
    gateway.send({ case: 'heartbeatAck', value: { sequence: 1n, lost: [] } })
    await assign(2n)
    assert.deepEqual(leases.expired(15_000), [])
    assert.deepEqual(leases.expired(15_001), [1n], 'from the greeting, sent at 0')
    assert.deepEqual(leases.expired(16_000), [1n])
    assert.deepEqual(leases.expired(16_001), [1n, 2n], 'from the heartbeat, sent at 1000')
    session.close('The test is over.')
  })

  test('is counted anew from a greeting that names it, not from the answer', async () => {
    using house = await openHouse()
    const { time, leases, connect, beats, assign } = house
    const first = connect()
    await beats(1)
    await assign(1n)
    first.close('The stream ends.')
    time.advance(5000)
    const second = connect()
    time.advance(1000)
    await beats(2)
    assert.deepEqual(leases.expired(20_000), [])
    assert.deepEqual(leases.expired(20_001), [1n])
    second.close('The test is over.')
  })
})
