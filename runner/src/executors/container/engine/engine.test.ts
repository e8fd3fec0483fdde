import assert from 'node:assert/strict'
import { Buffer } from 'node:buffer'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { RunnerError } from '../../../errors.ts'
import { describeEnd, isRootUser } from '../describe-end.ts'
import { readEngineAddress } from './address.ts'
import { Demultiplexer } from './demultiplex.ts'

const frame = (channel: number, body: Buffer): Buffer => {
  const header = Buffer.alloc(8)
  header[0] = channel
  header.writeUInt32BE(body.length, 4)
  return Buffer.concat([header, body])
}

describe('what an engine sends of a container', () => {
  test('is taken apart byte by byte, wherever it was cut', () => {
    const pieces = fc.array(fc.record({ channel: fc.constantFrom(1, 2), body: fc.uint8Array({ maxLength: 40 }) }))
    fc.assert(
      fc.property(pieces, fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1 }), (frames, cuts) => {
        const whole = Buffer.concat(frames.map(({ channel, body }) => frame(channel, Buffer.from(body))))
        const taken = { stdout: Buffer.alloc(0), stderr: Buffer.alloc(0) }
        const demultiplexer = new Demultiplexer((channel, bytes) => {
          taken[channel] = Buffer.concat([taken[channel], bytes])
        })
        for (let at = 0, turn = 0; at < whole.length; turn++) {
          const length = cuts[turn % cuts.length] ?? 1
          demultiplexer.push(whole.subarray(at, at + length))
          at += length
        }
        const sent = (wanted: number) =>
          Buffer.concat(frames.filter(({ channel }) => channel === wanted).map(({ body }) => Buffer.from(body)))
        assert.deepEqual([taken.stdout, taken.stderr], [sent(1), sent(2)])
      }),
    )
  })
})

describe('the address of an engine', () => {
  test('is a socket or a port', () => {
    const path = '/run/user/1000/podman/podman.sock'
    assert.deepEqual(readEngineAddress(`unix://${path}`), { kind: 'unix', path, text: `unix://${path}` })
    const read = ['tcp://10.0.0.7:2376', 'http://engine/', 'tcp://[::1]:99'].map(readEngineAddress)
    assert.deepEqual(
      read.map((address) => (address.kind === 'tcp' ? [address.host, address.port] : [])),
      [
        ['10.0.0.7', 2376],
        ['engine', 2375],
        ['::1', 99],
      ],
    )
  })

  test('of another kind is refused with what it may be', () => {
    for (const text of ['ssh://host', 'https://host:2376', '/run/docker.sock', '']) {
      assert.throws(() => readEngineAddress(text), RunnerError, text)
    }
  })
})

describe('the end of a container', () => {
  const ended = (exitCode: number, outOfMemory = false) => ({
    waited: { exitCode, error: undefined },
    facts: { status: 'exited', exitCode, outOfMemory, health: undefined },
    memoryMb: 0,
    stopped: false,
    firstWords: '',
  })

  test('is for want of memory where the engine saw it, and possibly so where nobody says who killed it', () => {
    assert.deepEqual(describeEnd(ended(137)), { kind: 'exited', exitCode: 137 })
    const reason = 'The task was killed: it used more than 256 MB.'
    assert.deepEqual(describeEnd({ ...ended(1, true), memoryMb: 256 }), { kind: 'exited', exitCode: 1, reason })
    assert.deepEqual(describeEnd({ ...ended(0, true), memoryMb: 256 }), { kind: 'exited', exitCode: 0 })
    const guessed = describeEnd({ ...ended(137), memoryMb: 256 })
    assert.match(
      guessed.kind === 'exited' ? (guessed.reason ?? '') : '',
      /SIGKILL, exit code 137.* by itself, by somebody on the machine, or by the kernel because it used more than 256 MB/,
    )
    assert.deepEqual(describeEnd({ ...ended(137), memoryMb: 256, stopped: true }), { kind: 'exited', exitCode: 137 })
  })

  test('is unknown, and no success, unless the engine says twice that it is over', () => {
    const end = ended(0)
    const running = { ...end.facts, status: 'running' }
    for (const given of [
      { ...end, waited: { exitCode: 0, error: 'no such exit code (container in state running)' } },
      { ...end, facts: running },
      { ...end, facts: { ...end.facts, exitCode: 1 } },
      { ...end, facts: { ...end.facts, exitCode: undefined } },
      { ...end, facts: undefined },
    ]) {
      assert.equal(describeEnd(given).kind, 'broken_off', JSON.stringify(given))
    }
  })

  test('is that of an image without a shell, where its init process says so', () => {
    for (const firstWords of [
      '[FATAL tini (7)] exec sh failed: No such file',
      'ERROR (catatonit:2): failed to exec pid1',
    ]) {
      assert.equal(describeEnd({ ...ended(127), firstWords }).kind, 'not_started', firstWords)
    }
  })

  test('a user is root by any of its names', () => {
    assert.deepEqual(['', 'root', '0', '0:0', 'app', '1000:0'].map(isRootUser), [true, true, true, true, false, false])
  })
})
