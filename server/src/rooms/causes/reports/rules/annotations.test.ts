import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { readMark } from './annotations.ts'

describe('a line of a log', () => {
  test('marks a line of a file', () => {
    assert.deepEqual(readMark('::error file=src/a.ts,line=3,endLine=5,title=Wrong::It is wrong.'), {
      path: 'src/a.ts',
      startLine: 3,
      endLine: 5,
      level: 'failure',
      title: 'Wrong',
      message: 'It is wrong.',
    })
    assert.deepEqual(readMark('  ::warning file=./a.ts::a::b'), {
      path: 'a.ts',
      startLine: 1,
      endLine: 1,
      level: 'warning',
      title: null,
      message: 'a::b',
    })
    assert.equal(readMark('::notice file=a,line=4,endLine=2::x')?.endLine, 4)
  })

  test('hides what would end it behind percent signs', () => {
    const mark = readMark('::error file=a%2Cb.ts,title=x%3A y%2C z::50%25 of%0Athem')
    assert.deepEqual([mark?.path, mark?.title, mark?.message], ['a,b.ts', 'x: y, z', '50% of\nthem'])
  })

  test('without a file within the repository marks nothing', () => {
    const others = [
      'an error: file=a.ts',
      '::error::no file',
      '::error file=::x',
      '::error file=/etc/passwd::x',
      '::error file=../a.ts::x',
      '::error file=a/../../b::x',
      '::error file=C:\\a.ts::x',
      '::debug file=a.ts::x',
      '::constructor file=a.ts::x',
      '::error file=a.ts',
      `::error file=${'a'.repeat(1025)}::x`,
    ]
    for (const line of others) assert.equal(readMark(line), undefined, line)
  })

  test('of any form is read without a fault, and fast', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const mark = readMark(`::error file=a.ts,${text}::${text}`)
        if (mark) assert.ok(mark.message.isWellFormed() && mark.message.length <= 4000 && mark.message.length > 0)
      }),
    )
    const started = process.cpuUsage()
    readMark(`::error ${':a'.repeat(30_000)}`)
    readMark(`::error ${'='.repeat(60_000)}`)
    assert.ok(process.cpuUsage(started).user < 500_000)
  })
})
