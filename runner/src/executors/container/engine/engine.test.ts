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
  const end = { exitCode: 137, outOfMemory: false, memoryMb: 0, stopped: false, firstWords: '' }

  test('is for want of memory where the engine saw it, and likely so where somebody else killed it', () => {
    assert.deepEqual(describeEnd(end), { kind: 'exited', exitCode: 137 })
    const seen = { ...end, exitCode: 1, outOfMemory: true, memoryMb: 256 }
    const reason = 'The task was killed: it used more than 256 MB.'
    assert.deepEqual(describeEnd(seen), { kind: 'exited', exitCode: 1, reason })
    assert.deepEqual(describeEnd({ ...seen, exitCode: 0 }), { kind: 'exited', exitCode: 0 })
    const guessed = describeEnd({ ...end, memoryMb: 256 })
    assert.equal(
      guessed.kind === 'exited' ? guessed.reason : '',
      'The task was killed (exit code 137): most likely it used more than 256 MB.',
    )
    assert.deepEqual(describeEnd({ ...end, memoryMb: 256, stopped: true }), { kind: 'exited', exitCode: 137 })
  })

  test('is that of an image without a shell, where its init process says so', () => {
    for (const firstWords of [
      '[FATAL tini (7)] exec sh failed: No such file',
      'ERROR (catatonit:2): failed to exec pid1',
    ]) {
      assert.equal(describeEnd({ ...end, exitCode: 127, firstWords }).kind, 'not_started', firstWords)
    }
  })

  test('a user is root by any of its names', () => {
    assert.deepEqual(['', 'root', '0', '0:0', 'app', '1000:0'].map(isRootUser), [true, true, true, true, false, false])
  })
})
