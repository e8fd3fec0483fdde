import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { anEvent } from '../../../../../../contracts/src/event/testing.ts'
import { aCompiledTrigger, aStoredTrigger } from '../testing.ts'
import { evaluationsOf } from './evaluation.ts'
import { matchTrigger } from './match-trigger.ts'
import { TriggerIndex } from './trigger-index.ts'

const event = { ...anEvent(), repository: { ...anEvent().repository, full_name: 'acme/new' } }
const OTHERS = { current: 'acme/new', others: ['acme/old'] }

function match(repositories: readonly string[], known: typeof OTHERS | null = OTHERS) {
  const compiled = aCompiledTrigger({ repositories })
  const context = { sourceId: 'one', visibleTo: () => true, otherNames: known ?? undefined }
  const { conditions } = matchTrigger(compiled, event, evaluationsOf(event)('acme/web'), context)
  return conditions.find(({ condition }) => condition === 'repository')
}

function isFound(repositories: readonly string[]): boolean {
  const index = new TriggerIndex()
  index.put(aStoredTrigger({ repositories }))
  return index.find('acme/new', undefined, OTHERS.others).length > 0
}

describe('a trigger of a former name', () => {
  test('matches with a note that says what to change', () => {
    const found = match(['acme/old'])
    assert.equal(found?.passed, true)
    assert.match(found?.note ?? '', /was acme\/old before .* change the trigger to acme\/new/)
    assert.equal(match(['acme/old'], null)?.passed, false)
  })

  test('needs no note where it names the present one too, or where the event is only late', () => {
    assert.equal(match(['acme/old', 'acme/new'])?.note, undefined)
    const late = match(['acme/old'], { current: 'ACME/old', others: ['acme/old'] })
    assert.match(late?.note ?? '', /^The event names the repository as it was called before ACME\/old\.$/)
  })

  test('in whichever case, and among others', () => {
    for (const repositories of [['Acme/OLD'], ['acme/x', 'acme/old'], ['acme/old', '!acme/x']]) {
      assert.equal(match(repositories)?.passed, true, String(repositories))
      assert.equal(isFound(repositories), true)
    }
  })

  test('is one that names it: a pattern is about names, and what is taken out stays out', () => {
    for (const repositories of [
      ['acme/o*'],
      ['acme/old', '!acme/new'],
      ['acme/old', '!acme/old'],
      ['!acme/old'],
      ['acme/x'],
    ]) {
      assert.equal(match(repositories)?.passed, false, String(repositories))
      assert.equal(isFound(repositories), false, String(repositories))
    }
  })
})
