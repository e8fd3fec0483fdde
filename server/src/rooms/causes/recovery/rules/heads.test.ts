import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { isDue, judgePull, judgeRef, noteAbsent, notedHead, restOf, type ToldPush } from './heads.ts'

/** `A>B`; behind `<` it came before the note. */
const push = (text: string): ToldPush => {
  const [before = '', after = ''] = text.replace('<', '').split('>')
  return { before: before || null, after: after || null, isEarlier: text.startsWith('<'), isSinceLook: false }
}
const judge = (noted: string | null, head: string, ...told: string[]) => judgeRef({ noted, head, told: told.map(push) })

describe('a ref', () => {
  test('that is where it was noted, or where the last push says, was told', () => {
    assert.deepEqual(judge('A', 'A'), { isTold: true, position: 'A' })
    assert.deepEqual(judge('A', 'B', 'A>B'), { isTold: true, position: 'B' })
    assert.deepEqual(judge(null, 'B', '>B'), { isTold: true, position: 'B' })
  })

  test('that is elsewhere was not', () => {
    assert.deepEqual(judge('A', 'B'), { isTold: false, position: 'A' })
    assert.deepEqual(judge(null, 'B'), { isTold: false, position: null })
    assert.deepEqual(judge('A', 'C', 'A>B'), { isTold: false, position: 'B' })
  })

  test('told out of order is where the pushes lead', () => {
    assert.equal(judge('A', 'C', 'B>C', 'A>B').isTold, true)
    assert.equal(judge('A', 'B', 'C>B', 'A>C', 'B>C').isTold, false)
    assert.equal(judge('A', 'A', 'A>B', 'A>B', 'B>A').isTold, true, 'a push that came twice')
  })

  test('that went back without a push to say so is elsewhere, also where it was noted', () => {
    assert.deepEqual(judge('A', 'A', 'A>B'), { isTold: false, position: 'B' })
    assert.equal(judge('A', 'B', 'A>B', 'B>A').isTold, false)
    assert.equal(judge('A', 'A', 'A>B', 'B>A').isTold, true)
  })

  test('may have been told before the provider showed it', () => {
    assert.equal(judge('A', 'B', '<A>B').isTold, true)
    assert.equal(judge('B', 'A', '<A>B').isTold, false)
  })

  test('that was removed and is there again comes from nowhere', () => {
    assert.deepEqual(judge('A', 'A', 'A>'), { isTold: false, position: null })
  })
})

test('a pull request is opened where nobody knew it, and synchronized where its head is another', () => {
  assert.equal(judgePull({ noted: undefined, told: undefined, head: 'A' }), 'opened')
  assert.equal(judgePull({ noted: 'A', told: undefined, head: 'B' }), 'synchronized')
  assert.equal(judgePull({ noted: undefined, told: 'A', head: 'B' }), 'synchronized')
  assert.equal(judgePull({ noted: 'A', told: undefined, head: 'A' }), undefined)
  assert.equal(judgePull({ noted: 'A', told: 'B', head: 'B' }), undefined)
  assert.equal(judgePull({ noted: undefined, told: 'abcdef', head: 'abc' }), undefined)
})

test('a head is due a grace after it was seen, and a ref that never rests some graces after the first', () => {
  const at = (minutes: number) => new Date(Date.UTC(2026, 10, 28, 10, minutes))
  const grace = 120_000
  assert.equal(isDue({ suspectedAt: at(0), since: at(0) }, at(1), grace), false)
  assert.equal(isDue({ suspectedAt: at(0), since: at(0) }, at(2), grace), true)
  assert.equal(isDue({ suspectedAt: at(9), since: at(0) }, at(9), grace), false)
  assert.equal(isDue({ suspectedAt: at(10), since: at(0) }, at(10), grace), true)
})

test('what one look does not see stays noted, and goes with the second', () => {
  const once = noteAbsent({ main: 'A', old: 'B' }, new Map([['main', 'A']]))
  assert.deepEqual(once, { old: '-B' })
  assert.equal(notedHead(once['old'] ?? ''), 'B')
  assert.deepEqual(noteAbsent(once, new Map()), {})
})

test('a head that a push left while it was looked for is old, not untold', () => {
  const left = (isSinceLook: boolean) => ({ before: 'X', after: 'Y', isEarlier: false, isSinceLook })
  const judged = (isSinceLook: boolean) => judgeRef({ noted: 'A', head: 'X', told: [left(isSinceLook)] }).isTold
  assert.deepEqual([judged(true), judged(false)], [true, false])
})

test('a repository rests for as long as its quiet allows', () => {
  assert.deepEqual(
    [0, 23, 24, 167, 168].map((hours) => restOf(hours * 3_600_000) / 60_000),
    [0, 0, 30, 30, 120],
  )
})
