import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { create } from '@bufbuild/protobuf'
import { AttemptFinishedSchema, AttemptStartedSchema, Result } from '@signalbox/contracts/runner'
import { readFinished, readImages, readMoment } from './read-result.ts'

describe('what a runner reports', () => {
  test('loses the characters that the database refuses, also where a long reason is cut', () => {
    const message = create(AttemptFinishedSchema, {
      fence: 1n,
      result: Result.FAILURE,
      reason: `a\0${'x'.repeat(1997)}\u{1f600}`,
      outputs: [{ name: 'n\0', value: 'v\0' }],
    })
    const finished = readFinished(message, null)
    assert.ok(finished.reason?.isWellFormed())
    assert.equal(finished.reason?.length, 2000)
    assert.ok(!JSON.stringify(finished).includes('\\u0000'))
  })

  test('says which outputs hold something that is masked', () => {
    const outputs = [
      { name: 'copy', value: 'a secret', sensitive: true },
      { name: 'open', value: 'b' },
    ]
    const message = create(AttemptFinishedSchema, { fence: 1n, result: Result.SUCCESS, outputs })
    assert.deepEqual(readFinished(message, null).sensitive, ['copy'])
  })

  test('hands an attempt back only as a loss, and only where it has not begun', () => {
    const read = (result: Result, startedAt: Date | null) =>
      readFinished(create(AttemptFinishedSchema, { fence: 1n, result, notBegun: true }), startedAt).notBegun
    assert.equal(read(Result.LOST, null), true)
    assert.equal(read(Result.LOST, new Date()), false)
    assert.equal(read(Result.FAILURE, null), false)
  })

  test('names images that can be stored, and not without end', () => {
    const many = Array.from({ length: 200 }, () => ({ service: '', image: `a\0${'x'.repeat(600)}`, digest: 'b' }))
    const images = readImages(create(AttemptStartedSchema, { fence: 1n, images: many }).images)
    assert.equal(images.length, 100)
    assert.deepEqual([images[0]?.service, images[0]?.image.length, images[0]?.digest], [null, 500, 'b'])
    assert.ok(!JSON.stringify(images).includes('\\u0000'))
  })

  test('has a time only where that can be written', () => {
    assert.deepEqual(readMoment(0n), new Date(0))
    assert.deepEqual(readMoment(253_402_300_799_999n), new Date('9999-12-31T23:59:59.999Z'))
    for (const wrong of [-1n, 253_402_300_800_000n, 2n ** 63n - 1n, -(2n ** 63n)])
      assert.equal(readMoment(wrong), undefined)
  })
})
