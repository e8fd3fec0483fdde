import { expect, test } from 'vitest'
import { commandOf, EMPTY_RUN, startOf, withVariable } from './run-draft.ts'

test('what is left empty is left to the control plane', () => {
  expect(startOf(EMPTY_RUN)).toEqual({})
  expect(startOf({ ...EMPTY_RUN, ref: '  ', priority: ' ' })).toEqual({})
})

test('a value of a variable is sent also when it is empty, and not when it is the default again', () => {
  const changed = withVariable(withVariable(EMPTY_RUN, 'STAGE', ''), 'DEPLOY', 'yes')
  expect(startOf(changed)).toEqual({ variables: { STAGE: '', DEPLOY: 'yes' } })
  expect(startOf(withVariable(withVariable(changed, 'STAGE', undefined), 'DEPLOY', undefined))).toEqual({})
})

test('the command says the same as the request', () => {
  const draft = {
    ...withVariable(EMPTY_RUN, 'GREETING', "it's on"),
    scope: 'acme/test',
    cloneUrl: 'https://git.example/a.git',
    commit: 'ABCDEF',
  }
  const start = startOf(draft)
  expect(start).toEqual({
    variables: { GREETING: "it's on" },
    scope: 'acme/test',
    clone_url: 'https://git.example/a.git',
    commit_sha: 'abcdef',
  })
  expect(commandOf('acme/web', start)).toEqual([
    'pipeline',
    'run',
    'acme/web',
    '--var',
    "GREETING=it's on",
    '--scope',
    'acme/test',
    '--clone-url',
    'https://git.example/a.git',
    '--commit',
    'abcdef',
  ])
})

test('what is no number is sent as it is judged: the server names the field', () => {
  expect(startOf({ ...EMPTY_RUN, priority: 'high' })).toEqual({ priority: Number.NaN })
})
