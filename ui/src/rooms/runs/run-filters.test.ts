import { expect, test } from 'vitest'
import { copyOf, queryOf, readRunFilters } from './run-filters.ts'

test('the address names the filters, and nothing else', () => {
  const search = { status: 'queued,running', pull_request: 7, commit: 1234, branch: ' main ', colour: 'red', since: {} }
  expect(readRunFilters(search)).toEqual({
    status: 'queued,running',
    branch: 'main',
    commit: '1234',
    pull_request: '7',
  })
  expect(readRunFilters({ pull_request: 'x', branch: '', status: null })).toEqual({})
})

test('several statuses are several values of the query', () => {
  expect(queryOf({ status: 'queued,running,,queued', pull_request: '7', cause: 'event', branch: 'main' })).toEqual({
    status: ['queued', 'running'],
    pull_request: 7,
    cause: 'event',
    branch: 'main',
  })
  expect(queryOf({ cause: 'weather' })).toEqual({})
})

test('the list is copied as a path of the API and as a command', () => {
  const { path, command } = copyOf('acme/web', { status: 'queued,running', pull_request: '7', branch: 'a b' })
  expect(path).toBe('/v1/runs?status=queued&status=running&branch=a+b&pull_request=7&teamId=acme%2Fweb')
  expect(command.join(' ')).toBe(
    'run list --team acme/web --status queued --status running --branch a b --pull-request 7',
  )
  expect(copyOf(undefined, {})).toEqual({ path: '/v1/runs', command: ['run', 'list'] })
})
