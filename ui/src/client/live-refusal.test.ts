import { expect, test } from 'vitest'
import { refusedAmong } from './live-refusal.ts'

const FOLLOWED = ['runs:acme', 'runs:acme/web', 'runs:acme/web-2', 'run:1', 'runs:/', 'approvals', 'runners']
const refusal = (detail: string): string => JSON.stringify({ type: 'about:blank', code: 'not_found', detail })

test('a refused topic silences itself alone, not those above, below or beside it', () => {
  const refused = (topic: string) => refusedAmong(FOLLOWED, refusal(`There is no topic ${topic} that you may follow.`))
  for (const topic of FOLLOWED) expect(refused(topic)).toEqual([topic])
  expect(refused('runs:acme/we')).toEqual([])
})

test('what is no topic silences none of the kinds that the refusal lists', () => {
  const detail = '"runs:acme/web" is no topic. Topics are runs:<team path>, run:<id>, approvals, runners.'
  expect(refusedAmong(FOLLOWED, refusal(detail))).toEqual(['runs:acme/web'])
})

test('the answer of a proxy names nothing', () => {
  expect(refusedAmong(FOLLOWED, '<h1>404: runs:acme approvals</h1>')).toEqual([])
  expect(refusedAmong(FOLLOWED, '"approvals"')).toEqual([])
})
