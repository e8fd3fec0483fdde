import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { isTeamPath, parentPath, sayOwned, selfAndAncestors, splitScope } from './rules.ts'

const label = fc.stringMatching(/^[a-z0-9][a-z0-9_-]{0,12}$/)
const labels = fc.array(label, { minLength: 1, maxLength: 8 })

describe('team paths', () => {
  test('one to eight labels make a path, nine do not', () => {
    fc.assert(fc.property(labels, (parts) => assert.ok(isTeamPath(parts.join('/')))))
    assert.equal(isTeamPath(Array(9).fill('a').join('/')), false)
  })

  test('hostile paths are none', () => {
    const hostile = [
      '',
      '/',
      '/acme',
      'acme/',
      'acme//web',
      '..',
      'acme/../web',
      'Acme',
      'acme web',
      '-acme',
      '_x',
      'é',
    ]
    for (const path of [...hostile, 'acme\n', 'acme\0', 'a'.repeat(501), 'acme%2Fweb', 'acme\\web']) {
      assert.equal(isTeamPath(path), false, JSON.stringify(path))
    }
  })

  test('the ancestors of a path are its own beginnings at the borders of labels', () => {
    fc.assert(
      fc.property(labels, (parts) => {
        const expected = parts.map((_, index) => parts.slice(0, parts.length - index).join('/'))
        assert.deepEqual(selfAndAncestors(parts.join('/')), expected)
        assert.equal(parentPath(parts.join('/')), expected[1])
      }),
    )
  })

  test('a scope splits into the team path and the environment, and into nothing else', () => {
    fc.assert(
      fc.property(labels, label, (parts, environment) => {
        const teamPath = parts.join('/')
        assert.deepEqual(splitScope(`${teamPath}/${environment}`), { teamPath, environment })
      }),
    )
    for (const scope of ['acme', 'acme/', '/production', 'acme//production', 'acme/Production', 'acme/web/..']) {
      assert.equal(splitScope(scope), undefined, scope)
    }
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 40 }), (text) => {
        const split = splitScope(text)
        if (split) assert.equal(`${split.teamPath}/${split.environment}`, text)
      }),
    )
  })
})

test('a team that cannot be deleted is told what to do, and what nobody can do', () => {
  assert.equal(sayOwned('secrets_team_path_fkey'), 'The team still owns secrets: delete or move them first.')
  assert.equal(sayOwned('git_apps_team_path_fkey'), 'The team still owns git apps: delete or move them first.')
  assert.match(sayOwned('pipelines_team_path_fkey'), /Deleted ones are kept for their runs/)
})
