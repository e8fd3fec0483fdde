import { expect, test } from 'vitest'
import { curlOf, documentOf, draftOf, type ExternalTrigger, emptyDraft, wholeAddress } from './external-trigger.ts'

const trigger: ExternalTrigger = {
  id: '0198c2f0-0000-7000-8000-000000000000',
  identifier: 'acme/deploy',
  url: '/v1/external-triggers/0198c2f0-0000-7000-8000-000000000000/fire',
  team_path: 'acme',
  name: 'deploy',
  pipeline: 'acme/build',
  scope: 'acme/local',
  variables: { REF: 'a=b' },
  allowed_variables: ['VERSION'],
  run_team_path: 'acme/web',
  rate_limit: { per_minute: 7 },
  enabled: false,
  secret_set_at: '2026-01-01T00:00:00.000Z',
  owner: { kind: 'user', id: '1', name: 'ada' },
  last_fired_at: null,
  last_run_id: null,
  last_refusal: null,
  created_at: '2026-01-01T00:00:00.000Z',
  updated_at: '2026-01-01T00:00:00.000Z',
}

test('an external trigger that is edited and not changed keeps everything', () => {
  expect(documentOf(draftOf(trigger))).toEqual({
    team_path: 'acme',
    name: 'deploy',
    pipeline: 'acme/build',
    scope: 'acme/local',
    variables: { REF: 'a=b' },
    allowed_variables: ['VERSION'],
    run_team_path: 'acme/web',
    rate_limit: { per_minute: 7 },
    enabled: false,
  })
})

test('an empty scope is left out, so that the server takes the only environment', () => {
  expect(documentOf(emptyDraft('acme'))).not.toHaveProperty('scope')
})

test('an address without a host is completed from that of the page, also below a path', () => {
  expect(wholeAddress('/v1/x/fire', 'https://ci.example/box/')).toBe('https://ci.example/box/v1/x/fire')
  expect(wholeAddress('https://ci.example/v1/x/fire', 'http://127.0.0.1/')).toBe('https://ci.example/v1/x/fire')
})

test('the command for a sender is valid in a shell', () => {
  expect(curlOf('https://ci.example/v1/x/fire', 'sbxe_1')).toBe(
    "curl --fail-with-body --request POST --header 'authorization: Bearer sbxe_1' https://ci.example/v1/x/fire",
  )
})
