import { expect, test } from 'vitest'
import { lookAt, patchRuns, prependRuns } from './merge-runs.ts'
import { aRunRow as run } from './testing.ts'

const data = {
  pages: [
    { body: [run('5'), run('4')], next: 'x' },
    { body: [run('3')], next: undefined },
  ],
  pageParams: [1],
}

test('what is newer than the first row is counted, and not put under the pointer', () => {
  const look = lookAt(data, [run('7'), run('6'), run('5')])
  expect(look.fresh.map((each) => each.run_id)).toEqual(['7', '6'])
  expect(look.hasGap).toBe(false)
  expect(lookAt(data, [run('9'), run('8')]).hasGap).toBe(true)
  expect(lookAt(data, [run('5'), run('4')]).fresh).toEqual([])
  expect(lookAt({ pages: [{ body: [] }] }, [run('1')])).toEqual({ fresh: [run('1')], hasGap: false })
})

test('a row that changed stays in its place, on whichever page', () => {
  const patched = patchRuns(data, [run('3', 'failure'), run('9')])
  expect(patched.pages.map(({ body }) => body.map((each) => each.run_id + each.status))).toEqual([
    ['5running', '4running'],
    ['3failure'],
  ])
  expect(patched.pages[0]?.next).toBe('x')
})

test('new rows come above all others, each once', () => {
  const more = prependRuns(prependRuns(data, [run('7'), run('6')]), [run('7')])
  expect(more.pages[0]?.body.map((each) => each.run_id)).toEqual(['7', '6', '5', '4'])
  expect(more.pages).toHaveLength(2)
})

test('a row that says the same stays the same object', () => {
  const shown = { pages: [{ body: [run('2'), run('1')] }] }
  const patched = patchRuns(shown, [run('2', 'success'), run('1')])
  expect(patched.pages[0]?.body[0]?.status).toBe('success')
  expect(patched.pages[0]?.body[1]).toBe(shown.pages[0]?.body[1])
})
