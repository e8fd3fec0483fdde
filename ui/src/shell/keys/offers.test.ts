import { expect, test } from 'vitest'
import { offersOf } from './offers.ts'

const hit = { id: '1', title: 'acme/web', where: 'acme', detail: 'version 2' }
const sources = {
  typed: '',
  pages: [{ label: 'Runs', deed: { address: '/t/acme/runs' } }],
  actions: [
    { label: 'Create a pipeline', deed: { address: '/t/acme/pipelines/new' } },
    { label: 'Store a secret', deed: { address: '/t/acme/secrets?create=true' }, lack: 'You need secret.write.' },
  ],
  hits: [],
  hasRoute: () => true,
  lackOf: () => undefined,
}
const labels = (more: object) => offersOf({ ...sources, ...more }).map(({ label }) => label)

test('pages and actions are found by words of their names, in any order', () => {
  expect(labels({})).toEqual(['Runs', 'Create a pipeline', 'Store a secret'])
  expect(labels({ typed: 'pipeline cre' })).toEqual(['Create a pipeline'])
  expect(labels({ typed: 'zebra' })).toEqual([])
})

test('what one may not do is offered with what is missing', () => {
  const [offer] = offersOf({ ...sources, typed: 'secret' })
  expect(offer).toMatchObject({ kind: 'action', lack: 'You need secret.write.', detail: 'You need secret.write.' })
})

test('a pipeline that was found can be run, by those who may', () => {
  const hits = [{ ...hit, kind: 'pipeline' as const }]
  expect(offersOf({ ...sources, typed: 'web', hits }).map(({ label, deed, lack }) => [label, deed, lack])).toEqual([
    ['acme/web', { address: '/pipelines/1' }, undefined],
    ['Run acme/web', { address: '/pipelines/1?run=true' }, undefined],
  ])
  const lackOf = (permission: string, at: string) => `${permission} at ${at}`
  expect(offersOf({ ...sources, typed: 'web', hits, lackOf })[1]?.lack).toBe('run.start at acme')
})

test('a thing without a page in this build is left out', () => {
  const hits = [{ ...hit, kind: 'secret' as const }]
  expect(labels({ typed: 'web', hits, hasRoute: () => false })).toEqual([])
})
