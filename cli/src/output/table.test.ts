import assert from 'node:assert/strict'
import { test } from 'node:test'
import { stripVTControlCharacters } from 'node:util'
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

test('a terminal is spared columns in which nothing stands', () => {
  const rows = [
    ['one', '', 'main'],
    ['two', '', ''],
  ]
  assert.equal(renderTable(['run', 'commit', 'branch'], rows, terminal, plain), 'RUN  BRANCH\none  main\ntwo\n')
  assert.equal(renderTable(['run', 'commit', 'branch'], rows, pipe, plain), 'one\t\tmain\ntwo\t\t\n')
  assert.equal(renderTable(['run', 'commit'], [], terminal, plain), 'RUN  COMMIT\n')
})

test('prose is broken between words where the terminal ends, and no word within', () => {
  const reason = 'task unit failed: The script ended with exit code 1.'
  const narrow = { ...terminal, columns: 40 }
  const rows = [['unit', { text: reason, tone: 'bad' as const }]]
  assert.equal(
    renderTable(['task', 'reason'], rows, narrow, plain),
    'TASK  REASON\nunit  task unit failed: The script ended\n      with exit code 1.\n',
  )
  assert.ok(renderTable(['task', 'reason'], [['unit', 'x'.repeat(60)]], narrow, plain).includes('x'.repeat(60)))
  assert.ok(renderTable(['task', 'reason'], rows, { ...terminal, columns: 25 }, plain).includes(reason))
})

test('what is too wide all the same is told in a few lines for each row, with nothing cut or broken', () => {
  const head = ['id', 'event', '', 'ref', 'reason']
  const rows = [
    ['1', 'push', 'enabled', 'main', 'Nothing.'],
    ['2', '', { text: 'off', tone: 'bad' as const }, 'refs/heads/topic', 'A reason that is long.'],
  ]
  assert.equal(
    stripVTControlCharacters(renderTable(head, rows, { ...terminal, columns: 36 }, createPaint(true))),
    [
      '1\n  event push  enabled  ref main\n  reason Nothing.\n',
      '2\n  off  ref refs/heads/topic\n  reason A reason that is long.\n',
    ].join(''),
  )
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
