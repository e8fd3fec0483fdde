import { expect, test } from 'vitest'
import { documentOf, draftOf, type Trigger } from './trigger.ts'

const trigger: Trigger = {
  id: '0198c2f0-0000-7000-8000-000000000000',
  name: 'main',
  team_path: 'acme',
  source_id: null,
  repositories: ['acme/*'],
  events: ['push', 'pull_request_comment'],
  actions: [],
  branches: ['main'],
  tags: [],
  paths: ['src/**'],
  labels: [],
  draft: 'exclude',
  commands: ['/retest'],
  commenters: ['@members'],
  skip_ci: false,
  report_comment: true,
  if: 'event.sender != "bot"',
  pipeline: 'acme/build',
  scope: 'acme/local',
  variables: { REF: 'a=b' },
  concurrency: { group: 'main', on_conflict: 'queue' },
  enabled: true,
  source_lost_at: null,
  owner: { kind: 'user', id: '1', name: 'ada' },
  created_at: '2026-01-01T00:00:00.000Z',
  updated_at: '2026-01-01T00:00:00.000Z',
}

test('a trigger that is edited and not changed keeps everything: the form has each field that the API takes', () => {
  const {
    id: _id,
    source_lost_at: _lost,
    owner: _owner,
    created_at: _made,
    updated_at: _changed,
    ...document
  } = trigger
  expect(documentOf(draftOf(trigger))).toEqual(document)
})

test('an empty condition is none, and so is an empty group', () => {
  expect(documentOf({ ...draftOf(trigger), group: ' ' }).concurrency).toBeNull()
  expect(documentOf({ ...draftOf(trigger), condition: '  ' }).if).toBeNull()
})
