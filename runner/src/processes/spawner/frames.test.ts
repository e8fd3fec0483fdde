import assert from 'node:assert/strict'
import { Buffer } from 'node:buffer'
import { test } from 'node:test'
import fc from 'fast-check'
import { FrameReader, frame } from './frames.ts'

test('frames come out whole and in order, wherever the pipe cuts them', () => {
  const one = fc
    .tuple(fc.nat(255), fc.nat(2 ** 32 - 1), fc.uint8Array({ maxLength: 40 }))
    .map(([kind, id, bytes]) => ({ kind, id, body: Buffer.from(bytes) }))
  fc.assert(
    fc.property(fc.array(one, { maxLength: 12 }), fc.array(fc.integer({ min: 1, max: 30 })), (frames, cuts) => {
      const seen: typeof frames = []
      const reader = new FrameReader(({ kind, id, body }) => seen.push({ kind, id, body: Buffer.from(body) }))
      const whole = Buffer.concat(frames.map(({ kind, id, body }) => frame(kind, id, body)))
      let at = 0
      for (const cut of cuts) {
        reader.push(whole.subarray(at, at + cut))
        at += cut
      }
      reader.push(whole.subarray(at))
      assert.deepEqual(seen, frames)
    }),
  )
})
