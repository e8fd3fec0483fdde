import { expect, test } from 'vitest'
import { contentOf, draftOf, EMPTY_DRAFT, type Profile } from './profile.ts'

const profile: Profile = {
  id: '0198c2f0-0000-7000-8000-000000000000',
  team_path: 'acme',
  name: 'node24',
  identifier: 'acme/node24',
  executor: 'container',
  image: 'node:24-slim',
  labels: ['arm64', 'gpu'],
  environment: { A: '1=2', B: '' },
  resources: { cpus: 0.5, memory_mb: 512 },
  created_at: '2026-01-01T00:00:00.000Z',
  updated_at: '2026-01-01T00:00:00.000Z',
}

test('a profile that is edited and not changed stays as it was', () => {
  const { executor, image, labels, environment, resources } = profile
  expect(contentOf(draftOf(profile))).toEqual({ executor, image, labels, environment, resources })
})

test('a host has neither an image nor limits', () => {
  const draft = { ...EMPTY_DRAFT, executor: 'host' as const, image: 'left over', cpus: '2' }
  expect(contentOf(draft)).toMatchObject({ image: null, resources: {} })
})

test('what is no number is sent as it is judged: the server names the field', () => {
  expect(contentOf({ ...EMPTY_DRAFT, cpus: 'many' }).resources).toEqual({ cpus: Number.NaN })
})
