import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { isPullCovered, isPushCovered, type LaterChange, type MadeChange, type ToldPull } from './covered.ts'

const second = (at: number) => new Date(Date.UTC(2026, 10, 28, 10, 0, at))
const made: MadeChange = { id: '1', before: 'A', head: 'C', headAt: null, endedAt: null }
const push = (text: string): LaterChange => {
  const [before = '', after = ''] = text.split('>')
  const kind = after === '' ? 'branch_deleted' : 'push'
  return { kind, before: before || null, after: after || null, at: second(20) }
}
const covered = (text: string, later: string[] = [], of = made) => isPushCovered(push(text), of, later.map(push))
const pullCovered = (told: Omit<ToldPull, 'at'>, of: MadeChange, later: string[] = []) =>
  isPullCovered({ ...told, at: second(20) }, of, later.map(push))

describe('a push after the event that was made for A to C', () => {
  test('tells of a part of it: each push of the way, in whatever order', () => {
    assert.equal(covered('A>C'), true)
    assert.equal(covered('A>B'), true)
    assert.equal(covered('B>C'), true)
    assert.equal(covered('B>X', ['A>B']), true)
    assert.equal(covered('X>C', ['A>B', 'B>X']), true)
    assert.equal(covered('A>B', ['B>C']), true)
  })

  test('is news where the ref has left the head', () => {
    assert.equal(covered('C>D'), false)
    assert.equal(covered('D>E', ['C>D']), false)
    assert.equal(covered('D>C', ['C>D']), false)
    assert.equal(covered('A>B', ['C>A']), false)
    assert.equal(covered('B>C', ['C>A', 'A>B']), false)
  })

  test('of the way is old also after the ref has gone on', () => {
    assert.equal(covered('A>B', ['C>D']), true)
    assert.equal(covered('B>C', ['C>D', 'A>B']), true)
    assert.equal(covered('B>C', ['C>D']), true)
  })

  test('between two commits that nobody told of starts what it starts: it may be news', () => {
    assert.equal(covered('X>Y'), false)
  })

  test('of a new branch is part of its creation, and a branch that is made again is not', () => {
    const created = { ...made, before: null }
    assert.equal(covered('>B', [], created), true)
    assert.equal(covered('B>C', ['>B'], created), true)
    assert.equal(covered('>B', ['C>'], created), false)
  })

  test('of a branch that was removed is another, whether its provider says where it was or not', () => {
    const created = { ...made, before: null }
    for (const one of [made, created]) {
      assert.equal(covered('>D', ['>'], one), false)
      assert.equal(covered('D>E', ['>', '>D'], one), false)
      assert.equal(covered('>D', ['X>'], one), false)
      assert.equal(covered('>C', ['>'], one), false)
      assert.equal(covered('>C', ['C>'], one), false)
    }
    assert.equal(covered('>C', ['A>']), true, 'the removal is a part of the way, too')
  })

  test('of the made head is old after a removal of long ago that is sent again; any other creation is news', () => {
    for (const one of [made, { ...made, before: null }]) {
      assert.equal(covered('>C', ['X>'], one), true)
      assert.equal(covered('C>D', ['X>', '>C'], one), false)
      assert.equal(covered('>C', ['X>', 'C>'], one), false)
    }
  })

  test('is news from when on the branch was seen to be gone', () => {
    const ended = (at: number) => ({ ...made, before: null, endedAt: second(at) })
    assert.deepEqual([covered('>B', [], ended(21)), covered('>B', [], ended(20))], [true, false])
    assert.equal(pullCovered({ head: 'C', occurredAt: null }, ended(21)), true)
    assert.equal(pullCovered({ head: 'C', occurredAt: null }, ended(20)), false)
  })
})

describe('an event of a pull request after the one that was made', () => {
  const at = second
  const timed = { ...made, headAt: at(10) }

  test('is covered by its time: what the look has seen is of that time or before', () => {
    assert.equal(pullCovered({ head: 'C', occurredAt: at(10) }, timed), true)
    assert.equal(pullCovered({ head: 'B', occurredAt: at(5) }, timed), true)
    assert.equal(pullCovered({ head: 'C', occurredAt: at(11) }, timed), false)
  })

  test('is covered by its head where there is no time, until another head came', () => {
    assert.equal(pullCovered({ head: 'C', occurredAt: null }, made), true)
    assert.equal(pullCovered({ head: 'Ccc', occurredAt: at(1) }, made, ['>C']), true)
    assert.equal(pullCovered({ head: 'B', occurredAt: null }, made), false)
    assert.equal(pullCovered({ head: undefined, occurredAt: null }, made), false)
    assert.equal(pullCovered({ head: 'C', occurredAt: null }, made, ['>D']), false)
  })
})
