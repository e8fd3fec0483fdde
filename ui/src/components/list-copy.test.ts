import { expect, test } from 'vitest'
import { listCopy } from './list-copy.ts'

test('a list is copied with what narrows it', () => {
  expect(
    listCopy(
      '/v1/triggers',
      ['trigger', 'list'],
      [
        ['team_path', '--team', 'acme/web'],
        ['kind', '--kind', undefined],
      ],
    ),
  ).toEqual({ path: '/v1/triggers?team_path=acme%2Fweb', command: ['trigger', 'list', '--team', 'acme/web'] })
  expect(listCopy('/v1/audit', ['audit', 'list'], [])).toEqual({ path: '/v1/audit', command: ['audit', 'list'] })
})

test('no command is offered that would list something else', () => {
  expect(listCopy('/v1/audit', ['audit', 'list'], [['subject', undefined, 'x']])).toEqual({
    path: '/v1/audit?subject=x',
  })
})
