import { expect, test } from 'vitest'
import type { KnowledgeSummary } from './item.ts'
import { inJudgedOrder, originOf } from './place.ts'
import { readPlace } from './place-address.ts'

const anItem = (team_path: string, id: string): KnowledgeSummary => ({
  id,
  team_path,
  name: id,
  identifier: `${team_path}/${id}`,
  kind: 'policy',
  scope: '**',
  rule: 'true',
  at: null,
  time_zone: 'UTC',
  message: 'No.',
  revision: 1,
  revision_id: id,
  saved_by: 'ada',
  created_at: '2026-11-28T10:00:00.000Z',
  updated_at: '2026-11-28T10:00:00.000Z',
})

test('items stand in the order in which they are judged', () => {
  const items = [anItem('acme/web', 'a'), anItem('acme', 'c'), anItem('acme', 'b'), anItem('/', 'd')]
  expect(inJudgedOrder(items).map(({ id }) => id)).toEqual(['d', 'b', 'c', 'a'])
})

test('an item says where it comes from', () => {
  const from = (team_path: string): string => originOf({ team_path }, 'acme/web/production')
  expect([from('/'), from('acme'), from('acme/web'), from('acme/shop')]).toEqual([
    'the platform',
    'acme, above the scope',
    'acme/web, the team of the scope',
    'acme/shop, of the pipelines',
  ])
})

test('the address says the place, and nothing else', () => {
  expect(readPlace({ scope: 'acme/web/test', of: '', other: 'x' })).toEqual({ scope: 'acme/web/test' })
})
