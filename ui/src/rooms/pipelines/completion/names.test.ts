import { expect, test } from 'vitest'
import { namesAt } from './names.ts'
import { ITEM } from './place-in-yaml.ts'

const PLACES = [
  { step: 'build', line: 2 },
  { step: 'build', task: 'compile', line: 4 },
  { step: 'build', task: 'lint', line: 6 },
  { step: 'test', line: 9 },
]

test('a step may wait for the other steps, a task for the other tasks of its step', () => {
  expect(namesAt(PLACES, ['steps', ITEM, 'depends_on', ITEM], 10)).toEqual(['build'])
  expect(namesAt(PLACES, ['steps', ITEM, 'tasks', ITEM, 'depends_on', ITEM], 7)).toEqual(['compile'])
  expect(namesAt(PLACES, ['steps', ITEM, 'when'], 10)).toEqual([])
})
