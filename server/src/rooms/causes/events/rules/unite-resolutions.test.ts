import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ManifestTrace } from '@signalbox/contracts/events'
import type { ResolvedRun } from '@signalbox/contracts/overrides'
import { uniteResolutions } from './unite-resolutions.ts'

const rule = (name: string, change: Partial<ResolvedRun> = {}): ResolvedRun => ({
  layer: 'service_trigger',
  trigger_id: name,
  name,
  pipeline: 'acme/web/build',
  scope: 'acme/web/production',
  would_start: true,
  reason: null,
  ...change,
})
const entry = (name: string, change: Partial<ResolvedRun> = {}) =>
  rule(name, { layer: 'repository_manifest', trigger_id: null, ...change })
const manifest = (state: ManifestTrace['state']): ManifestTrace => {
  return { state, path: '', commit_sha: null, blob_id: null, reason: null, problems: [] }
}
const nothing = { manifest: null, overrides: [], outranks: false, rules: [] }

test('of one source is what it says', () => {
  assert.deepEqual(uniteResolutions([nothing]), { layer: null, runs: [], losers: [], manifest: null })
  const refused = entry('a', { would_start: false })
  const { layer, runs } = uniteResolutions([{ ...nothing, rules: [refused, rule('b')] }])
  assert.deepEqual([layer, runs], ['service_trigger', [refused, rule('b')]])
})

test('a rule that matches through several sources is one, and starts where it may through any', () => {
  const refused = { would_start: false, reason: 'It may not.' }
  const parts = [
    { ...nothing, manifest: manifest('unreadable'), rules: [rule('a', refused)] },
    { ...nothing, manifest: manifest('read'), rules: [entry('e', refused), rule('a')] },
    { ...nothing, manifest: manifest('absent'), rules: [entry('e'), rule('a', refused), rule('b')] },
  ]
  assert.deepEqual(uniteResolutions(parts), {
    layer: 'repository_manifest',
    runs: [entry('e'), rule('a'), rule('b')],
    losers: [],
    manifest: manifest('read'),
  })
})

test('an override outranks what comes through its sources only', () => {
  const override = rule('o', { layer: 'override', trigger_id: null })
  const parts = [
    { ...nothing, rules: [rule('a')] },
    { ...nothing, overrides: [override], outranks: true, rules: [rule('a'), rule('b')] },
  ]
  const { layer, runs, losers } = uniteResolutions(parts)
  assert.deepEqual([layer, runs], ['override', [override, rule('a')]])
  assert.deepEqual(losers, [rule('b', { would_start: false })])
})

test('an override that does not apply says so and outranks nothing', () => {
  const override = rule('o', {
    layer: 'override',
    trigger_id: null,
    would_start: false,
    reason: 'The override does not apply.',
  })
  const { layer, runs, losers } = uniteResolutions([{ ...nothing, overrides: [override], rules: [rule('a')] }])
  assert.deepEqual([layer, runs, losers], ['service_trigger', [override, rule('a')], []])
  const applies = { ...override, would_start: true, reason: null }
  const both = uniteResolutions([
    { ...nothing, overrides: [override] },
    { ...nothing, overrides: [applies], outranks: true },
  ])
  assert.deepEqual([both.layer, both.runs], ['override', [applies]])
})
