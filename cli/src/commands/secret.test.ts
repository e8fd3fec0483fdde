import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { answer, type Handler } from '../testing/fake-api.ts'
import { stage } from '../testing/stage.ts'

const PIPELINE = { identifier: 'acme/web/build', named_at: ['secrets.NPM', 'steps.publish.secrets.NPM'] }
const REF = 'secret:acme/web/npm'
const SOURCES = [
  { name: 'github', credential_ref: REF, checkout_credential_ref: null },
  { name: 'mirror', credential_ref: 'secret:acme/hook', checkout_credential_ref: REF },
]

/** A control plane that knows these users of the secret. */
function usedBy(pipelines: readonly object[], sources: readonly object[]): Handler {
  return ({ path }, response) => answer(response, 200, path.startsWith('/v1/pipelines') ? pipelines : sources)
}

describe('what uses a secret', () => {
  test('names each pipeline and source, and where in it', async () => {
    await using here = await stage(usedBy([PIPELINE], SOURCES))
    const { code, out, err } = await here.run(['secret', 'uses', 'acme/web/npm'])
    assert.equal(code, 0, err)
    const rows = out.trim().split('\n')
    assert.deepEqual(
      rows.map((row) => row.split('\t')),
      [
        ['pipeline', 'acme/web/build', 'secrets.NPM, steps.publish.secrets.NPM'],
        ['source', 'github', 'credential_ref'],
        ['source', 'mirror', 'checkout_credential_ref'],
      ],
    )
    const asked = here.api.seen.map(({ path }) => new URL(path, here.api.url))
    assert.deepEqual(
      asked.map(({ pathname, searchParams }) => [
        pathname,
        searchParams.get('secret'),
        searchParams.get('credential_ref'),
      ]),
      [
        ['/v1/pipelines', 'acme/web/npm', null],
        ['/v1/git-webhook-sources', null, REF],
      ],
    )
  })

  test('as JSON is what the API told', async () => {
    await using here = await stage(usedBy([PIPELINE], SOURCES))
    const { out } = await here.run(['secret', 'uses', 'acme/web/npm', '--json'])
    assert.deepEqual(JSON.parse(out), { pipelines: [PIPELINE], sources: SOURCES })
  })

  test('that nothing seen uses is said beside the output, which stays empty', async () => {
    await using here = await stage(usedBy([], []))
    const { code, out, err } = await here.run(['secret', 'uses', 'acme/web/npm'])
    assert.deepEqual([code, out], [0, ''])
    assert.match(err, /You see nothing that uses acme\/web\/npm\./)
  })

  test('needs the whole name', async () => {
    await using here = await stage(usedBy([], []))
    const { code, err } = await here.run(['secret', 'uses', 'npm'])
    assert.equal(code, 2, err)
    assert.match(err, /npm/)
    assert.deepEqual(here.api.seen, [])
  })
})
