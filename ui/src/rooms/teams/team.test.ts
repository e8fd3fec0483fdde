import { expect, test } from 'vitest'
import { type Team, treeOf } from './team.ts'

const team = (path: string): Team => ({ id: path, path, name: path, created_at: '', updated_at: '' })

test('a team stands below the teams above it that are seen', () => {
  const tree = treeOf(['b/x/y', 'a/web', 'a', 'a/web/api'].map(team))
  expect(tree.map(({ team: { path }, depth }) => [path, depth])).toEqual([
    ['a', 0],
    ['a/web', 1],
    ['a/web/api', 2],
    ['b/x/y', 0],
  ])
})
