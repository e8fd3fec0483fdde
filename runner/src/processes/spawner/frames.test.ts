import assert from 'node:assert/strict'
import { Buffer } from 'node:buffer'
import { test } from 'node:test'
import fc from 'fast-check'
import { FrameReader, frame } from './frames.ts'

const one = fc
  .tuple(fc.nat(255), fc.nat(2 ** 32 - 1), fc.uint8Array({ maxLength: 40 }))
  .map(([kind, id, bytes]) => ({ kind, id, body: Buffer.from(bytes) }))

test('frames come out whole and in order, wherever the pipe cuts them', () => {
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

test('what may come in pieces comes as it arrives, and together it is what was sent', () => {
  const output = one.map((each) => ({ ...each, kind: each.kind % 4, id: each.id % 3 }))
  fc.assert(
    fc.property(fc.array(output, { maxLength: 12 }), fc.array(fc.integer({ min: 1, max: 30 })), (frames, cuts) => {
      const seen: typeof frames = []
      const reader = new FrameReader(
        ({ kind, id, body }) => {
          const last = seen.at(-1)
          const goesOn = kind === 2 && last?.kind === 2 && last.id === id
          if (goesOn) last.body = Buffer.concat([last.body, body])
          else seen.push({ kind, id, body: Buffer.from(body) })
        },
        new Set([2]),
      )
      // A frame that follows another of its own kind would be put together with it here.
      const sent = frames.filter((each, at) => each.kind !== 2 || frames[at - 1]?.kind !== 2)
      const whole = Buffer.concat(sent.map(({ kind, id, body }) => frame(kind, id, body)))
      let at = 0
      for (const cut of cuts) {
        reader.push(whole.subarray(at, at + cut))
        at += cut
      }
      reader.push(whole.subarray(at))
      assert.deepEqual(seen, sent)
    }),
  )
})

test('a piece is handed on before the rest has come', () => {
  const seen: string[] = []
  const reader = new FrameReader(({ body }) => seen.push(body.toString()), new Set([2]))
  const whole = frame(2, 7, Buffer.from('abcdef'))
  reader.push(whole.subarray(0, 11))
  assert.deepEqual(seen, ['ab'])
  reader.push(whole.subarray(11))
  assert.deepEqual(seen, ['ab', 'cdef'])
})
