import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createPaint, usesColour } from './style.ts'
import { renderFields, renderTable } from './table.ts'

const plain = createPaint(false)
const terminal = { write: () => undefined, isTerminal: true, columns: 80 }
const pipe = { ...terminal, isTerminal: false }

test('a terminal gets a table with a head', () => {
  const table = renderTable(
    ['run', 'status'],
    [
      ['one', 'success'],
      ['two', { text: 'failure', tone: 'bad' }],
    ],
    terminal,
    plain,
  )
  assert.equal(table, 'RUN  STATUS\none  success\ntwo  failure\n')
})

test('a pipe gets columns between tabs, each row one line', () => {
  assert.equal(renderTable(['run', 'status'], [['o\tn\ne', 'success']], pipe, plain), 'o\\tn\\ne\tsuccess\n')
  assert.equal(renderTable(['run'], [], pipe, plain), '')
})

test('fields without a value are left out', () => {
  assert.equal(
    renderFields(
      [
        ['a', '1'],
        ['long', undefined],
        ['b', ''],
      ],
      terminal,
      plain,
    ),
    'a  1\n',
  )
  assert.equal(renderFields([['a', '1']], pipe, plain), 'a\t1\n')
})

test('colours are for people who want them', () => {
  assert.equal(usesColour({}, true), true)
  assert.equal(usesColour({}, false), false)
  assert.equal(usesColour({ NO_COLOR: '1' }, true), false)
  assert.equal(usesColour({ TERM: 'dumb' }, true), false)
  assert.equal(usesColour({ FORCE_COLOR: '1' }, false), true)
  assert.equal(createPaint(true)('bad', 'x'), '\u001b[31mx\u001b[39m')
})
